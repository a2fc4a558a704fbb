import { describe, expect, it } from 'vitest';
import {
  type ColumnChoice,
  choiceToStore,
  chosenColumns,
  leastWidth,
  MAX_WIDTH,
  MIN_WIDTH,
  readChoice,
  shownIds,
  stepWidth,
  toggleColumn,
} from './column-choice.ts';
import type { GridColumn } from './grid-types.ts';

const column = (id: string, width?: string): GridColumn<object> => ({
  id,
  label: id,
  type: 'text',
  value: () => null,
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
    expect(stepWidth(none, 'a', { from: 9, least: MIN_WIDTH }, 'wider').widths).toEqual({ a: 11 });
    expect(stepWidth(none, 'a', { from: 13.4, least: MIN_WIDTH }, 'narrower').widths).toEqual({ a: 11 });
    expect(stepWidth(none, 'a', { from: MIN_WIDTH + 1, least: MIN_WIDTH }, 'narrower').widths).toEqual({
      a: MIN_WIDTH,
    });
    expect(stepWidth(none, 'a', { from: MAX_WIDTH, least: MIN_WIDTH }, 'wider').widths).toEqual({
      a: MAX_WIDTH,
    });
  });
  it('leave what must be read whole as wide as it is', () => {
    expect(leastWidth({}, 7.2)).toBe(8);
    expect(leastWidth({ shortens: true }, 7.2)).toBe(MIN_WIDTH);
    expect(stepWidth(none, 'a', { from: 9, least: 8 }, 'narrower').widths).toEqual({ a: 8 });
  });
});

describe('the columns as chosen', () => {
  it('are the same ones when nothing is chosen', () => {
    expect(chosenColumns(columns, none)).toBe(columns);
  });
  it('stay all there, hidden ones marked, with their widths', () => {
    const choice = { hidden: ['b', 'gone'], widths: { a: 14, gone: 5 } };
    expect(
      chosenColumns(columns, choice).map(({ id, hidden, chosenWidth }) => [id, hidden, chosenWidth]),
    ).toEqual([
      ['a', undefined, 14],
      ['b', true, undefined],
      ['c', undefined, undefined],
    ]);
  });
});
