import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clampPage, pageCount, pageItems, rangeOf } from './pagination-model.ts';

const text = (current: number, count: number): string =>
  pageItems(current, count)
    .map((item) => (item.kind === 'gap' ? '…' : item.page === current ? `[${item.page}]` : String(item.page)))
    .join(' ');

describe('pages offered: first, last, current ± 2, ellipses', () => {
  it.each([
    [1, 1, '[1]'],
    [1, 2, '[1] 2'],
    [1, 10, '[1] 2 3 … 10'],
    [4, 10, '1 2 3 [4] 5 6 … 10'],
    [5, 10, '1 2 3 4 [5] 6 7 … 10'],
    [6, 12, '1 … 4 5 [6] 7 8 … 12'],
    [10, 10, '1 … 8 9 [10]'],
    [37, 12850, '1 … 35 36 [37] 38 39 … 12850'],
  ])('page %i of %i', (current, count, expected) => {
    expect(text(current, count)).toBe(expected);
  });

  it('always holds first, last and current, rises, and never hides a single page [portal.grid.control.{page-first,page-last,page-near,page-ellipsis}]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(), (count, seed) => {
        const current = (seed % count) + 1;
        const items = pageItems(current, count);
        const pages = items.flatMap((item) => (item.kind === 'page' ? [item.page] : []));
        expect(pages).toEqual(expect.arrayContaining([1, current, count]));
        expect(pages).toEqual(pages.toSorted((a, b) => a - b));
        expect(new Set(pages).size).toBe(pages.length);
        expect(items.length).toBeLessThanOrEqual(11);
        items.forEach((item, index) => {
          if (item.kind !== 'gap') return;
          const [before, after] = [items[index - 1], items[index + 1]];
          expect(
            before?.kind === 'page' && after?.kind === 'page' && after.page - before.page,
          ).toBeGreaterThan(2);
        });
      }),
    );
  });
});

describe('ranges', () => {
  it('counts rows from 1 and ends at the last', () => {
    expect(rangeOf(1, 25, 132)).toEqual({ from: 1, to: 25 });
    expect(rangeOf(6, 25, 132)).toEqual({ from: 126, to: 132 });
    expect(rangeOf(1, 25, 0)).toEqual({ from: 0, to: 0 });
  });
  it('has one page even for nothing, and moves a page into what exists', () => {
    expect(pageCount(0, 25)).toBe(1);
    expect(pageCount(132, 25)).toBe(6);
    expect([clampPage(0, 6), clampPage(99, 6), clampPage(2.5, 6), clampPage(Number.NaN, 6)]).toEqual([
      1, 6, 1, 1,
    ]);
  });
});
