import { describe, expect, it } from 'vitest';
import type { InvoiceLineRow, LineUsageRow } from './invoice-row.ts';
import { presentUsage, splitUsage, unitFinder } from './usage-split.ts';

const line = (id: string, amount_minor: bigint, tax_minor: bigint) =>
  ({ id, amount_minor, tax_minor }) as InvoiceLineRow;
const used = (line_id: string, service_item: string, units: string, price: string): LineUsageRow => ({
  line_id,
  service_item,
  service: 'Voice',
  record_type: 'National',
  unit: 'second',
  units,
  price,
});

describe('the usage of an invoice', () => {
  it('is summed by service item and record type, over all lines [decisions.3.usage-aggregated]', () => {
    const sums = splitUsage(
      [line('a', 600n, 60n), line('b', 400n, 40n)],
      [used('a', '1', '10.5', '2'), used('a', '2', '1', '1'), used('b', '1', '0.000001', '4')],
    );
    expect(presentUsage(sums, 'USD')).toEqual([
      {
        serviceItem: '1',
        service: 'Voice',
        recordType: 'National',
        quantity: 10.500001,
        unit: 'second',
        invoiceAmount: 8,
        invoiceTax: 0.8,
        invoiceTotal: 8.8,
      },
      expect.objectContaining({ serviceItem: '2', quantity: 1, invoiceAmount: 2, invoiceTax: 0.2 }),
    ]);
  });

  it('splits tax by largest remainder, so that the rows add up to the line [decisions.3.usage-tax-split]', () => {
    const parts = ['1', '2', '3'].map((item) => used('a', item, '1', '1'));
    const taxes = splitUsage([line('a', 1_000n, 100n)], parts).map(({ taxMinor }) => taxMinor);
    expect(taxes).toEqual([34n, 33n, 33n]);
  });

  it('gives nothing to a record without a price that stands beside priced ones [decisions.5.no-price-sums]', () => {
    const sums = splitUsage([line('a', 500n, 50n)], [used('a', '1', '3', '0'), used('a', '2', '1', '5')]);
    expect(sums.map(({ amountMinor, taxMinor }) => [amountMinor, taxMinor])).toEqual([
      [0n, 0n],
      [500n, 50n],
    ]);
  });

  it('takes the unit of a bill only where its line counts the very quantity of records that say none', () => {
    const bill = (id: string, quantity: string, unit: string) => ({ ...line(id, 1n, 0n), quantity, unit });
    const unknown = ['a', 'b', 'c'].map((id) => ({ ...used(id, '1', '60', '1'), unit: null }));
    const usage = [...unknown, used('d', '1', '60', '1')];
    const lines = [
      bill('a', '60.000', 'SEC'),
      bill('b', '1', 'MIN'),
      bill('c', '60', 'C62'),
      bill('d', '60', '4L'),
    ];
    expect(usage.map(unitFinder(lines, usage)).map(({ unit }) => unit)).toEqual([
      'second',
      null,
      null,
      'second',
    ]);
  });
});
