import type { AdminBrand } from '@counterfoil/contract/operator/running/admin-brands.ts';
import { expect, it } from 'vitest';
import { changed, fieldsOf, stillChanged, valuesOf } from './brand-draft.ts';

const brand: AdminBrand = {
  id: 1,
  reference: null,
  name: 'Northline',
  companyName: 'Northline',
  colours: ['#ffffff', '#3598db', '#94a1a3', '#def1fe', '#005e80', '#eef8fe', '#e7ebef'],
  currency: 'NZD',
  timeZone: 'UTC',
  hosts: ['a.example'],
  settings: { bulkPay: true, postalAddress: ['1 Quay Street'] },
  images: { logo: false, banner: false },
};
const published = fieldsOf(brand);

it('a draft holds what differs, and what is set back is no change', () => {
  const draft = changed(published, changed(published, {}, 'colours.1', '#ff0000'), 'settings.bulkPay', false);
  expect(Object.keys(draft)).toEqual(['colours.1', 'settings.bulkPay']);
  expect(changed(published, draft, 'colours.1', '#3598db')).toEqual({ 'settings.bulkPay': false });
  expect(stillChanged({ ...published, 'settings.bulkPay': false }, draft)).toEqual({
    'colours.1': '#ff0000',
  });
});

it('is published on top of everything else, empty lines of hosts left out', () => {
  const { name: _name, ...rest } = valuesOf(published, {
    'colours.1': '#ff0000',
    hosts: [' b.example ', ''],
  });
  expect(rest).toEqual({
    companyName: 'Northline',
    currency: 'NZD',
    timeZone: 'UTC',
    hosts: ['b.example'],
    colours: brand.colours.with(1, '#ff0000'),
    settings: brand.settings,
  });
});
