import type { QuantityUnit } from '@counterfoil/domain/quantity.ts';
import { describe, expect, it } from 'vitest';
import type { InvoiceLineRow } from './invoice-row.ts';
import { itemisedBlocks, MOST_RECORDS } from './itemised.ts';

const line = (id: string, unit: string): InvoiceLineRow => ({
  ...{ id, line_no: 1, kind: 'line', product_name: id, details: '', service_name: null, record_type: 'Call' },
  ...{ service_item: '', cost_centre: null, date_from: null, date_to: null, quantity: '1', unit, price: '1' },
  ...{ base_quantity: '1', amount_minor: 1n, tax_minor: 0n, tax_percent: null, usage_records: 1 },
  has_archived_usage: false,
});
const lines = [line('calls', 'SEC'), line('data', '4L'), line('rental', 'MON')];
const counts: Record<string, QuantityUnit> = { calls: 'second', data: 'megabyte', rental: 'month' };
const used = (line_id: string, service_item: string, units: string, price: string) => ({
  ...{ line_id, service_item, units, price, service: 'Mobile', record_type: 'Call' },
  unit: counts[line_id] ?? null,
});
const usage = [
  ...[used('calls', 'A', '3671', '0.36710'), used('data', 'A', '41700', '45.87')],
  ...[used('calls', 'B', '60', '0.006'), used('rental', 'B', '1', '26.5')],
];
const record = (line_id: string, service_item: string, units: string, price: string) => ({
  ...used(line_id, service_item, units, price),
  ...{ description: 'Desk', called: '0491 570 737', started_at: new Date('2026-10-03T16:30:05Z') },
});
const billed = {
  ...{ lines, usage, sign: '$', timeZone: 'Australia/Sydney', portal: 'https://bills.example/invoices/1' },
  records: usage.map(({ line_id, service_item, units, price }) =>
    record(line_id, service_item, units, price),
  ),
};

describe('itemised records', () => {
  it('stand by number on the brand’s clock with a subtotal each, rentals left out', () => {
    const [records, table, ...rest] = itemisedBlocks(billed);
    expect(rest).toEqual([]);
    const called = ['10.04.2026 03:30:05', '0491 570 737'];
    expect(records).toMatchObject({
      note: expect.stringContaining('Times are AEDT (UTC+11), 24-hour clock.'),
      numbers: [
        {
          ...{ number: 'A', total: ['2 records', '1:01:11', '$46.2371'] },
          rows: [
            [...called, '1:01:11', '$0.3671'],
            [...called, '41,700 MB', '$45.8700'],
          ],
        },
        { number: 'B', total: ['1 record', '0:01:00', '$0.0060'], rows: [[...called, '0:01:00', '$0.0060']] },
      ],
    });
    expect(table).toMatchObject({
      columns: [{ label: 'Number' }, { label: 'h:mm:ss' }, { label: 'MB' }, { label: 'Subtotal' }],
      rows: [
        { cells: ['A', '1:01:11', '41,700', '$46.2371'] },
        { cells: ['B', '0:01:00', '0', '$0.0060'] },
        { kind: 'sum', cells: ['All numbers', '1:02:11', '41,700', '$46.2431'] },
      ],
    });
  });

  it('are sums by number alone where they are too many or archived, with the place of the full list', () => {
    const [first] = billed.records;
    const many = Array.from({ length: MOST_RECORDS + 1 }, () => first).filter((one) => one !== undefined);
    const archived = lines.map((one) => ({ ...one, has_archived_usage: true }));
    for (const [made, told] of [
      [itemisedBlocks({ ...billed, records: many }), 'more than 2,000 usage records'],
      [itemisedBlocks({ ...billed, records: [], lines: archived }), 'archived months'],
    ] as const) {
      expect(made.map(({ kind }) => kind)).toEqual(['table', 'text']);
      expect(made[1]).toMatchObject({ text: expect.stringContaining(told) });
      expect(made[1]).toMatchObject({ text: expect.stringContaining(billed.portal) });
    }
    expect(itemisedBlocks({ ...billed, usage: [], records: [] })).toEqual([]);
  });

  it('are plain numbers where nobody has said what they are counted in, whatever the bill counts', () => {
    const unknown = <T extends object>(one: T) => ({ ...one, unit: null });
    const made = itemisedBlocks({
      ...{ ...billed, usage: usage.map(unknown), records: billed.records.map(unknown) },
    });
    expect(made).toMatchObject([
      {
        numbers: [
          { rows: [[expect.anything(), expect.anything(), '3,671', '$0.3671'], expect.anything()] },
          {},
        ],
      },
      { columns: [{ label: 'Number' }, { label: 'Count' }, { label: 'Subtotal' }] },
    ]);
  });
});
