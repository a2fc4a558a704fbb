import { beforeAll, expect, it } from 'vitest';
import { invoiceOf } from '../../../shared/invoices/test-support.ts';
import { setBrandCurrency } from '../../../text/format.ts';
import { groupInvoices } from '../invoice-groups.ts';
import { leftText } from './bundle-tile.tsx';
import { chargeRows } from './next-bill-tile.tsx';
import { changeSince } from './recent-tile.tsx';

beforeAll(() => setBrandCurrency({ code: 'USD', symbol: '$', digits: 'two' }));

const used = (percent: number) => ({
  productName: 'Shared data',
  serviceItem: null,
  quantity: 2000,
  unitLabel: 'GB',
  consumption: percent * 20,
});

it('a bundle warns in words above 90 %', () => {
  expect([used(90), used(90.05), used(100), used(107.5)].map(leftText)).toEqual([
    '200 GB left',
    '90% used, 199 GB left',
    '100% used, 0 GB left',
    '108% used, 150 GB over',
  ]);
});

it('the next bill names the largest charges, and the others in one row; everything adds up', () => {
  const part = {
    currency: 'USD',
    dateFrom: null,
    dateTo: null,
    subtotal: 27,
    tax: 2.7,
    total: 29.7,
    charges: [6, 5, 7, 4, 3, 2].map((subtotal) => ({
      name: `Plan ${subtotal}`,
      lines: 1,
      subtotal,
      tax: 0,
      total: subtotal,
    })),
  };
  expect(
    chargeRows(part, [{ service: 'Plan 7', records: 3, price: 7 }]).map(({ label, value }) => [label, value]),
  ).toEqual([
    ['Plan 7, 3 records', '$7.00'],
    ['Plan 6', '$6.00'],
    ['Plan 5', '$5.00'],
    ['Plan 4', '$4.00'],
    ['2 more charges', '$5.00'],
    ['Tax', '$2.70'],
    ['Charged so far', '$29.70'],
  ]);
});

it('the latest invoice is compared with the one before it, in one currency', () => {
  const [euro, latest, before] = groupInvoices([
    invoiceOf({ number: 'A', dateInvoice: '2026-11-06', currency: 'EUR' }),
    invoiceOf({ number: 'B', dateInvoice: '2026-11-05', amount: 1284.16 }),
    invoiceOf({ number: 'C', dateInvoice: '2026-10-05', amount: 1212.45 }),
  ]);
  if (!(euro && latest && before)) throw new Error('there are three');
  expect(changeSince(latest, before)).toBe('$71.71 more than the one before');
  expect(changeSince(before, latest)).toBe('$71.71 less than the one before');
  expect(changeSince(latest, latest)).toBe('As much as the one before');
  expect(changeSince(euro, latest)).toBe('');
});
