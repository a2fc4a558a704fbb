import type { QuantityUnit } from '@counterfoil/domain/money/quantity.ts';
import { describe, expect, it } from 'vitest';
import type { InvoiceLineRow } from '../invoice-row.ts';
import { itemisedBlocks, MOST_RECORDS, recordParts } from './itemised.ts';

const line = (id: string, unit: string): InvoiceLineRow => ({
  id,
  line_no: 1,
  kind: 'line',
  product_name: id,
  details: '',
  service_name: null,
  record_type: 'Call',
  service_item: '',
  cost_centre: null,
  date_from: null,
  date_to: null,
  quantity: '1',
  unit,
  price: '1',
  base_quantity: '1',
  amount_minor: 1n,
  tax_minor: 0n,
  tax_percent: null,
  usage_records: 1,
  record_unit: null,
  has_archived_usage: false,
});
const lines = [line('calls', 'SEC'), line('data', '4L'), line('rental', 'MON')];
const counts: Record<string, QuantityUnit> = { calls: 'second', data: 'megabyte', rental: 'month' };
const used = (line_id: string, service_item: string, units: string, price: string) => ({
  line_id,
  service_item,
  units,
  price,
  service: 'Mobile',
  record_type: 'Call',
  unit: counts[line_id] ?? null,
});
const usage = [
  used('calls', 'A', '3671', '0.36710'),
  used('data', 'A', '41700', '45.87'),
  used('calls', 'B', '60', '0.006'),
  used('rental', 'B', '1', '26.5'),
];
const startedAt = new Date('2026-10-03T16:30:05Z');
const record = (line_id: string, service_item: string, units: string, price: string) => ({
  ...used(line_id, service_item, units, price),
  called: '0491 570 737',
  started_at: startedAt,
});
const number = (name: string, records: number) => ({
  number: name,
  description: 'Desk',
  records,
  first_at: startedAt,
  last_at: startedAt,
});
const billed = {
  lines,
  usage,
  sign: '$',
  timeZone: 'Australia/Sydney',
  portal: 'https://bills.example/invoices/1',
  numbers: [number('A', 2), number('B', 1)],
};
const records = usage
  .filter(({ line_id }) => line_id !== 'rental')
  .map(({ line_id, service_item, units, price }) => record(line_id, service_item, units, price));

const how = { ...billed, counted: <T>(row: T): T => row };

describe('itemised records', () => {
  it('stand by number on the brand’s clock with a subtotal each, rentals left out', async () => {
    const [block, table, ...rest] = itemisedBlocks(billed);
    expect(rest).toEqual([]);
    expect(block).toMatchObject({
      kind: 'records',
      numbers: 2,
      records: 3,
      note: expect.stringContaining('Times are AEDT (UTC+11), 24-hour clock.'),
    });
    const parts = (await Array.fromAsync(recordParts(records, how))).flat();
    const called = ['10.04.2026 03:30:05', '0491 570 737'];
    expect(parts).toEqual([
      { kind: 'number', number: 'A', description: 'Desk', count: 2 },
      {
        kind: 'rows',
        rows: [
          [...called, '1:01:11', '$0.3671'],
          [...called, '41,700 MB', '$45.8700'],
        ],
      },
      { kind: 'total', total: ['2 records', '1:01:11', '$46.2371'] },
      { kind: 'number', number: 'B', description: 'Desk', count: 1 },
      { kind: 'rows', rows: [[...called, '0:01:00', '$0.0060']] },
      { kind: 'total', total: ['1 record', '0:01:00', '$0.0060'] },
    ]);
    expect(table).toMatchObject({
      columns: [{ label: 'Number' }, { label: 'h:mm:ss' }, { label: 'MB' }, { label: 'Subtotal' }],
      rows: [
        { cells: ['A', '1:01:11', '41,700', '$46.2371'] },
        { cells: ['B', '0:01:00', '0', '$0.0060'] },
        { kind: 'sum', cells: ['All numbers', '1:02:11', '41,700', '$46.2431'] },
      ],
    });
  });

  it('come a few at a time: thousands do not wait for each other, and none is lost between two parts', async () => {
    const [first] = records;
    const many = Array.from({ length: 1_001 }, () => first).filter((one) => one !== undefined);
    const all = await Array.fromAsync(recordParts(many, { ...how, numbers: [number('A', 1_001)] }));
    const counts = all.map((parts) =>
      parts.reduce((sum, one) => sum + (one.kind === 'rows' ? one.rows.length : 0), 0),
    );
    expect(counts).toEqual([200, 200, 200, 200, 200, 1]);
    expect(all.flat().at(-1)).toMatchObject({ total: ['1,001 records', '1,020:44:31', '$367.4671'] });
  });

  it('are sums by number alone where they are too many or archived, with the place of the full list', () => {
    const archived = lines.map((one) => ({ ...one, has_archived_usage: true }));
    for (const [made, told] of [
      [itemisedBlocks({ ...billed, numbers: [number('A', MOST_RECORDS + 1)] }), 'more than 10,000 usage'],
      [itemisedBlocks({ ...billed, numbers: [], lines: archived }), 'archived months'],
    ] as const) {
      expect(made.map(({ kind }) => kind)).toEqual(['table', 'text']);
      expect(made[1]).toMatchObject({ text: expect.stringContaining(told) });
      expect(made[1]).toMatchObject({ text: expect.stringContaining(billed.portal) });
    }
    expect(itemisedBlocks({ ...billed, usage: [], numbers: [] })).toEqual([]);
  });

  it('are plain numbers where nobody has said what they are counted in, whatever the bill counts', async () => {
    const unknown = <T extends object>(one: T) => ({ ...one, unit: null });
    const [, table] = itemisedBlocks({ ...billed, usage: usage.map(unknown) });
    expect(table).toMatchObject({
      columns: [{ label: 'Number' }, { label: 'Count' }, { label: 'Subtotal' }],
    });
    const parts = (await Array.fromAsync(recordParts(records.map(unknown), how))).flat();
    expect(parts[1]).toMatchObject({
      rows: [[expect.anything(), expect.anything(), '3,671', '$0.3671'], expect.anything()],
    });
  });
});
