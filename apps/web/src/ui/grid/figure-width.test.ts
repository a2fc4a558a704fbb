import { describe, expect, it } from 'vitest';
import { fitFigures } from './figure-width.ts';
import type { GridColumn } from './grid-types.ts';

interface Row {
  readonly amount: number;
}

const columns: readonly GridColumn<Row>[] = [
  { id: 'name', label: 'Name', type: 'text', value: () => 'x' },
  {
    ...{ id: 'amount', label: 'Amount', type: 'money', width: '9rem' },
    value: ({ amount }) => amount,
    cell: ({ amount }) => `A$${amount.toLocaleString('en', { minimumFractionDigits: 2 })}`,
  },
];
const widths = (rows: readonly Row[], foot?: string) =>
  fitFigures(columns, rows, foot).map(({ width }) => width);

describe('columns of money', () => {
  it('keep their width, and are the same objects, while every amount fits', () => {
    const rows = [{ amount: 99.5 }, { amount: -89_999.5 }];
    expect(fitFigures(columns, rows)).toBe(columns);
  });

  it('are as wide as the longest amount of all rows, at the edge with its distance', () => {
    const rows = [{ amount: 123_456_789.12 }, { amount: 5 }, { amount: 1_234_567.89 }];
    expect(widths(rows)).toEqual([undefined, 'max(9rem, calc(16ch + 2.25rem))']);
  });

  it('make room for the sum below them', () => {
    expect(widths([{ amount: 5 }], 'A$123,456,789.12')).toEqual([
      undefined,
      'max(9rem, calc(16ch + 2.25rem))',
    ]);
  });
});
