import { describe, expect, it } from 'vitest';
import {
  choosableOf,
  pageRows,
  pressHeader,
  selectionOf,
  sortFromText,
  sortRows,
  sortToText,
  toggleAll,
} from './grid-model.ts';
import type { GridColumn, GridState } from './grid-types.ts';

interface Row {
  readonly id: string;
  readonly name: string | null;
  readonly amount: number | null;
  readonly day: string | null;
  readonly open: boolean;
}
const row = (
  id: string,
  name: string | null,
  amount: number | null,
  day: string | null,
  open = false,
): Row => ({
  id,
  name,
  amount,
  day,
  open,
});
const rows = [
  row('a', 'INV-10', 5, '2026-03-01', true),
  row('b', null, null, null),
  row('c', 'inv-9', -3, '2025-12-31'),
  row('d', 'INV-9', 40, '2026-01-15', true),
];
const columns: readonly GridColumn<Row>[] = [
  { id: 'name', label: 'Name', type: 'text', value: (r) => r.name },
  { id: 'amount', label: 'Amount', type: 'money', value: (r) => r.amount },
  { id: 'day', label: 'Day', type: 'date', value: (r) => r.day },
  { id: 'open', label: 'Open', type: 'boolean', value: (r) => r.open },
  { id: 'fixed', label: 'Fixed', type: 'text', value: (r) => r.id, sortable: false },
];
const order = (column: string, direction: 'asc' | 'desc'): string =>
  sortRows(rows, columns, { column, direction }, 'en')
    .map((r) => r.id)
    .join('');

describe('sorting', () => {
  it('puts missing values last when rising and first when falling', () => {
    expect(order('amount', 'asc')).toBe('cadb');
    expect(order('amount', 'desc')).toBe('bdac');
    expect(order('day', 'asc')).toBe('cdab');
    expect(order('day', 'desc')).toBe('badc');
  });
  it('reads digits in texts as numbers', () => {
    expect(order('name', 'asc').at(-1)).toBe('b');
    expect(order('name', 'asc').indexOf('a')).toBeGreaterThan(order('name', 'asc').indexOf('d'));
    expect(order('name', 'desc')[0]).toBe('b');
  });
  it('knows booleans and keeps the order of equal rows', () => {
    expect(order('open', 'asc')).toBe('bcad');
    expect(order('open', 'desc')).toBe('adbc');
  });
  it('leaves the rows as they came for no sort, an unknown or an unsortable column', () => {
    expect(sortRows(rows, columns, null, 'en')).toBe(rows);
    expect(order('nothing', 'asc')).toBe('abcd');
    expect(order('fixed', 'desc')).toBe('abcd');
  });
});

describe('pressing a header', () => {
  const state: GridState = { sort: { column: 'name', direction: 'asc' }, page: 4, size: 50 };
  it('turns the direction, or starts rising, and goes back to page 1', () => {
    expect(pressHeader(state, 'name')).toEqual({
      sort: { column: 'name', direction: 'desc' },
      page: 1,
      size: 50,
    });
    expect(pressHeader(state, 'day')).toEqual({
      sort: { column: 'day', direction: 'asc' },
      page: 1,
      size: 50,
    });
    expect(pressHeader({ sort: { column: 'day', direction: 'desc' }, page: 2 }, 'day').sort?.direction).toBe(
      'asc',
    );
  });
});

describe('paging', () => {
  const many = Array.from({ length: 60 }, (_, i) => row(String(i), `n${i}`, i, null));
  it('sorts all rows, then cuts the page', () => {
    const state: GridState = { sort: { column: 'amount', direction: 'desc' }, page: 3 };
    const view = pageRows(many, columns, state, { mode: 'client', size: 25 }, 'en');
    expect(view.rows.map((r) => r.amount)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect([view.total, view.page]).toEqual([60, 3]);
  });
  it('shows the last page for one that no longer exists', () => {
    expect(pageRows(many, columns, { sort: null, page: 9 }, { mode: 'client', size: 25 }, 'en').page).toBe(3);
  });
  it('leaves a page of the server as it came', () => {
    const state: GridState = { sort: { column: 'amount', direction: 'desc' }, page: 2 };
    const view = pageRows(rows, columns, state, { mode: 'server', size: 100, total: 132 }, 'en');
    expect(view).toEqual({ rows, total: 132, page: 2 });
  });
});

describe('state in the URL', () => {
  it('writes one text for column and direction and reads it back', () => {
    for (const direction of ['asc', 'desc'] as const) {
      const sort = { column: 'dateInvoice', direction };
      expect(sortFromText(sortToText(sort))).toEqual(sort);
    }
  });
  it.each([undefined, null, 7, '', '-', {}])('takes %j as no sort', (value) => {
    expect(sortFromText(value)).toBeNull();
  });
});

describe('selection', () => {
  it('is all, some or none of what may be chosen', () => {
    expect(selectionOf(['a', 'b'], new Set(['a', 'b', 'gone']))).toBe('all');
    expect(selectionOf(['a', 'b'], new Set(['b']))).toBe('some');
    expect(selectionOf(['a', 'b'], new Set(['gone']))).toBe('none');
    expect(selectionOf([], new Set())).toBe('none');
  });
});

describe('the box in the head', () => {
  const elsewhere = new Set(['x', 'a']);
  const sorted = (chosen: ReadonlySet<string>) => [...chosen].toSorted();
  it('chooses all rows and none, or those of the page beside what other pages have', () => {
    expect(sorted(toggleAll(['a', 'b'], { selected: elsewhere }))).toEqual(['a', 'b']);
    expect(sorted(toggleAll(['a'], { selected: elsewhere }))).toEqual([]);
    expect(sorted(toggleAll(['a', 'b'], { selected: elsewhere, all: 'page' }))).toEqual(['a', 'b', 'x']);
    expect(sorted(toggleAll(['a'], { selected: elsewhere, all: 'page' }))).toEqual(['x']);
  });
  it('stands neither for rows without a box nor for those that cannot be added', () => {
    const open = { canSelect: (r: Row) => r.open };
    expect(choosableOf(rows, open).map(({ id }) => id)).toEqual(['a', 'd']);
    const blocked = (r: Row) => (r.id === 'a' ? 'Another currency' : undefined);
    expect(choosableOf(rows, { ...open, blocked }).map(({ id }) => id)).toEqual(['d']);
  });
});
