import fc from 'fast-check';
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { type DrawnRows, LONG_PAGE, lagOf, rowsInViewFirst } from './rows-in-view.ts';

interface Line {
  readonly row: number;
  readonly selected: boolean;
}

const drawn = (lines: readonly Line[], firstKey = 0): DrawnRows =>
  lines.map((line, at) => createElement('tr', { key: firstKey + at, ...line })) as unknown as DrawnRows;

const lines = (length: number) =>
  fc.array(fc.record({ row: fc.nat(3), selected: fc.boolean() }), { minLength: length, maxLength: length });
const twoPages = fc.integer({ min: LONG_PAGE + 1, max: 2 * LONG_PAGE }).chain((length) =>
  fc.record({
    before: lines(length),
    now: lines(length),
    from: fc.nat(length),
    count: fc.nat(length),
  }),
);

describe('a long page', () => {
  it('has the rows in view at once, the others as they stood, and all of them with the second look', () => {
    fc.assert(
      fc.property(twoPages, ({ before, now, from, count }) => {
        const [old, meant] = [drawn(before), drawn(now)];
        const isInView = (at: number) => at >= from && at < from + count;
        const first = rowsInViewFirst(old, meant, isInView);
        const shown = first.map(({ props }) => ({ row: props.row, selected: props['selected'] }));
        expect(shown).toEqual(now.map((line, at) => (isInView(at) ? line : before[at])));
        const late = now.flatMap((line, at) => (isInView(at) ? [] : [[line, before[at]] as const]));
        const isOtherRow = late.some(([one, other]) => one.row !== other?.row);
        const isOtherState = late.some(([one, other]) => one.selected !== other?.selected);
        expect(lagOf(first, meant)).toBe(isOtherRow ? 'rows' : isOtherState ? 'state' : 'none');
        expect(
          lagOf(
            rowsInViewFirst(first, meant, () => true),
            meant,
          ),
        ).toBe('none');
      }),
    );
  });

  it('gives back what it drew where nothing changed', () => {
    const page = Array.from({ length: LONG_PAGE + 1 }, (_, row) => ({ row, selected: false }));
    const before = drawn(page);
    expect(rowsInViewFirst(before, drawn(page), () => true)).toBe(before);
  });

  const page = (length: number, selected = false) => Array.from({ length }, (_, row) => ({ row, selected }));
  it.each([
    ['a short page', drawn(page(LONG_PAGE)), drawn(page(LONG_PAGE, true))],
    ['another number of rows', drawn(page(LONG_PAGE + 2)), drawn(page(LONG_PAGE + 1))],
    ['rows at other places', drawn(page(LONG_PAGE + 1)), drawn(page(LONG_PAGE + 1), 1)],
  ])('%s is drawn at once', (_what, before, now) => {
    expect(rowsInViewFirst(before, now, () => false)).toBe(now);
  });
});
