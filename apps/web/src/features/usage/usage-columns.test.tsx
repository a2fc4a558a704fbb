import type { Service } from '@counterfoil/contract/service-items.ts';
import { isValidElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { setBrandCurrency } from '../../text/format.ts';
import { usageLabels } from './labels.ts';
import { type ColumnOptions, type UsageRow, usageColumns } from './usage-columns.tsx';

beforeAll(() => setBrandCurrency({ code: 'USD', symbol: '$', digits: 'two' }));

const service = (over: Partial<Service>): Service => ({
  id: 's',
  name: 'Voice',
  serviceItemLabel: null,
  serviceItem2Label: null,
  serviceItem3Label: null,
  unitsLabel: null,
  recordTypeLabel: null,
  ...over,
});
const row = (over: Partial<UsageRow> = {}): UsageRow => ({
  id: 'u-1',
  place: 3601,
  date: '2026-11-21T03:40:09.000Z',
  serviceItemName: '0491 571 266',
  serviceItemDescription: 'Reception',
  serviceItem2: '(03) 5550 1465',
  serviceItem3: 'Perth',
  siteName: 'Head office',
  units: 23.78,
  price: 0.03165,
  recordType: 'National',
  costCentre: '1000',
  unit: null,
  billedBy: null,
  ...over,
});
const options = (over: Partial<ColumnOptions> = {}): ColumnOptions => ({
  labels: usageLabels(undefined),
  hasCostCentre: true,
  invoiceLabel: 'Bill',
  hasInvoices: false,
  ...over,
});
const cells = (one: UsageRow, over?: Partial<ColumnOptions>) =>
  usageColumns(options(over)).map(({ id, cell, value }) => {
    const shown = cell ? cell(one) : value(one);
    const text = isValidElement(shown) ? renderToStaticMarkup(shown) : String(shown ?? '');
    return [
      id,
      text
        .replace(/<[^>]+>/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    ];
  });

describe('labels', () => {
  const labelsOf = (one: Service | undefined) =>
    usageColumns(options({ labels: usageLabels(one) })).map(({ label }) => label);
  it('are the usual ones by themselves [portal.usage.text.label.*]', () => {
    const usual = [
      'Row',
      'Date',
      'Service Item',
      'Service Item Description',
      'Service Item 2',
      'Service Item 3',
      'Site',
      'Units',
      'Price',
      'Record Type',
      'Cost Centre',
      'Bill',
    ];
    expect(labelsOf(undefined)).toEqual(usual);
    expect(labelsOf(service({ unitsLabel: '' }))).toEqual(usual);
  });
  it('are the chosen service’s own where it has them [portal.usage.labels-from-service]', () => {
    const own = service({
      serviceItemLabel: 'Calling number',
      serviceItem2Label: 'Called number',
      serviceItem3Label: 'Via',
      unitsLabel: 'Minutes',
      recordTypeLabel: 'Call type',
    });
    expect(labelsOf(own)).toEqual([
      'Row',
      'Date',
      'Calling number',
      'Service Item Description',
      'Called number',
      'Via',
      'Site',
      'Minutes',
      'Price',
      'Call type',
      'Cost Centre',
      'Bill',
    ]);
  });
});

describe('columns', () => {
  it('show every field of a record: UTC to the second, four decimals, rounded half away from zero [portal.format.constant.usage-price-decimals]', () => {
    expect(Object.fromEntries(cells(row()))).toEqual({
      row: '3601',
      date: '11.21.2026 03:40:09',
      serviceItemName: '0491 571 266',
      serviceItemDescription: 'Reception',
      serviceItem2: 'to (03) 5550 1465',
      serviceItem3: 'Perth',
      siteName: 'Head office',
      units: '23.78 units',
      price: '$0.0317',
      recordType: 'National',
      costCentre: '1000',
      invoice: '',
    });
  });
  it('units stand with what they are, as far as that is known', () => {
    const units = (over: Partial<UsageRow>) => Object.fromEntries(cells(row(over)))['units'];
    expect(units({ units: 3_723, unit: 'second' })).toBe('1:02:03');
    expect(units({ units: 415, unit: 'megabyte' })).toBe('415 MB');
    expect(units({ units: 1, unit: 'message' })).toBe('1 message');
    expect(units({ units: 60, unit: null })).toBe('60 units');
  });
  it('a record without a price shows a dash, one that cost nothing its price', () => {
    const price = (figure: number | null) => Object.fromEntries(cells(row({ price: figure })))['price'];
    expect([price(null), price(0)]).toEqual(['–', '$0.0000']);
  });
  it('have the cost centre only when endShowUsageCostCentre is on [portal.usage.cost-centre-flag]', () => {
    const ids = (hasCostCentre: boolean) => usageColumns(options({ hasCostCentre })).map(({ id }) => id);
    expect(ids(true)).toContain('costCentre');
    expect(ids(false)).not.toContain('costCentre');
  });
  it('name the invoice that billed the record, by the provider’s word', () => {
    const billedBy = { invoiceId: 'i', invoiceNumber: 'INV-7', invoiceLineId: 'l' };
    expect(Object.fromEntries(cells(row({ billedBy })))['invoice']).toBe('Bill INV-7');
  });
  it('sort by all the server can sort by, and by nothing else', () => {
    const sortable = usageColumns(options()).filter((column) => column.sortable !== false);
    expect(sortable.map(({ id }) => id)).toEqual([
      'date',
      'serviceItemName',
      'serviceItemDescription',
      'serviceItem2',
      'serviceItem3',
      'siteName',
      'units',
      'price',
      'recordType',
      'costCentre',
    ]);
  });
});
