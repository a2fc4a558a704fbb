import { describe, expect, it } from 'vitest';
import {
  type ColumnChoice,
  choiceToStore,
  chosenColumns,
  chosenMinWidth,
  MAX_WIDTH,
  MIN_WIDTH,
  readChoice,
  shownIds,
  stepWidth,
  toggleColumn,
  widthOf,
} from './column-choice.ts';
import type { GridColumn } from './grid-types.ts';

const column = (id: string, width?: string): GridColumn<object> => ({
  ...{ id, label: id, type: 'text', value: () => null },
  ...(width !== undefined && { width }),
});
const columns = [column('a'), column('b', '9rem'), column('c', '10%')];
const none: ColumnChoice = { hidden: [], widths: {} };

describe('reading what was stored', () => {
  it.each([undefined, null, 7, 'a', [], { hidden: 'a', widths: [1] }, { hidden: { a: 1 }, widths: null }])(
    'takes %j as nothing chosen',
    (value) => {
      expect(readChoice(value)).toEqual(none);
    },
  );
  it('drops what cannot be understood, and clamps widths', () => {
    expect(
      readChoice({ hidden: ['a', 7, null], widths: { a: 1, b: 999, c: '9', d: null, e: 12 }, more: 1 }),
    ).toEqual({ hidden: ['a'], widths: { a: MIN_WIDTH, b: MAX_WIDTH, e: 12 } });
  });
  it('stores nothing for nothing', () => {
    expect(choiceToStore(none)).toBeNull();
    expect(choiceToStore({ ...none, hidden: ['a'] })).toEqual({ hidden: ['a'], widths: {} });
  });
});

describe('hiding', () => {
  it('hides and shows, and leaves the order of the columns', () => {
    const hidden = toggleColumn(columns, none, 'b');
    expect(shownIds(columns, hidden)).toEqual(['a', 'c']);
    expect(shownIds(columns, toggleColumn(columns, hidden, 'b'))).toEqual(['a', 'b', 'c']);
  });
  it('never hides the last', () => {
    const one: ColumnChoice = { ...none, hidden: ['a', 'b'] };
    expect(toggleColumn(columns, one, 'c')).toBe(one);
  });
  it('shows all when what was chosen would leave none', () => {
    const all: ColumnChoice = { ...none, hidden: ['a', 'b', 'c', 'gone'] };
    expect(shownIds(columns, all)).toEqual(['a', 'b', 'c']);
    expect(toggleColumn(columns, all, 'b').hidden).toEqual(['gone', 'b']);
  });
  it('keeps unknown ids without minding them, and shows columns that are new', () => {
    const old: ColumnChoice = { ...none, hidden: ['gone', 'a'] };
    expect(shownIds([...columns, column('new')], old)).toEqual(['b', 'c', 'new']);
    expect(toggleColumn(columns, old, 'c').hidden).toEqual(['gone', 'a', 'c']);
  });
});

describe('widths', () => {
  it('go by steps of 2 rem between their bounds', () => {
    expect(stepWidth(none, 'a', 9, 'wider').widths).toEqual({ a: 11 });
    expect(stepWidth(none, 'a', 13.4, 'narrower').widths).toEqual({ a: 11 });
    expect(stepWidth(none, 'a', MIN_WIDTH + 1, 'narrower').widths).toEqual({ a: MIN_WIDTH });
    expect(stepWidth(none, 'a', MAX_WIDTH, 'wider').widths).toEqual({ a: MAX_WIDTH });
  });
  it('are read where they are in rem', () => {
    expect(['9rem', '8.5rem', '10%', undefined].map((width) => widthOf(column('x', width)))).toEqual([
      ...[9, 8.5, undefined, undefined],
    ]);
  });
});

describe('the columns as chosen', () => {
  it('are the same ones when nothing is chosen', () => {
    expect(chosenColumns(columns, none)).toBe(columns);
  });
  it('stay all there, hidden ones marked, with their widths', () => {
    const choice = { hidden: ['b', 'gone'], widths: { a: 14, gone: 5 } };
    expect(chosenColumns(columns, choice).map(({ id, hidden, width }) => [id, hidden, width])).toEqual([
      ['a', undefined, '14rem'],
      ['b', true, '9rem'],
      ['c', undefined, '10%'],
    ]);
  });
  it('scroll below the sum of their widths', () => {
    const min = (choice: ColumnChoice, own?: string, selectable = false) =>
      chosenMinWidth(chosenColumns(columns, choice), choice, { own, selectable });
    expect([min(none), min(none, '70rem')]).toEqual([undefined, '70rem']);
    expect(min({ ...none, hidden: ['b'] })).toBeUndefined();
    expect(min({ ...none, hidden: ['b'] }, '70rem')).toBe('16rem');
    expect(min({ ...none, widths: { a: 20 } })).toBe('37rem');
    expect(min({ ...none, widths: { a: 20 } }, '70rem', true)).toBe('41rem');
    expect(min({ ...none, widths: { gone: 20 } })).toBeUndefined();
  });
});
