import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Comparator, SortDirection } from './compare.ts';
import { by, compareBoolean, compareDate, compareNumber, compareText } from './compare.ts';

const both = <T>(make: (direction: SortDirection) => Comparator<T>, list: readonly T[]): [T[], T[]] => [
  list.toSorted(make('asc')),
  list.toSorted(make('desc')),
];

it('sorts text by language and value of its digits, missing at the end rising and at the start falling [portal.grid.compare-text, portal.grid.null-text]', () => {
  const [rising, falling] = both(
    (d) => compareText(d, 'de'),
    ['INV-10', null, 'Zoo', 'INV-9', 'äpfel', 'Apfel'],
  );
  expect(rising).toEqual(['Apfel', 'äpfel', 'INV-9', 'INV-10', 'Zoo', null]);
  expect(falling).toEqual([null, 'Zoo', 'INV-10', 'INV-9', 'äpfel', 'Apfel']);
});

it('sorts numbers of either kind [portal.grid.compare-number]', () => {
  const [rising, falling] = both(compareNumber, [10, null, 9, -1n, Number.NaN, 2n ** 70n]);
  expect(rising).toEqual([-1n, 9, 10, 2n ** 70n, null, Number.NaN]);
  expect(falling).toEqual([null, Number.NaN, 2n ** 70n, 10, 9, -1n]);
});

it('sorts dates and days, what is none counting as missing [portal.grid.compare-date]', () => {
  const [rising, falling] = both(compareDate, [
    '2026-03-04',
    null,
    new Date('2025-01-01'),
    'soon',
    '2026-03-03',
  ]);
  expect(rising.slice(0, 3)).toEqual([new Date('2025-01-01'), '2026-03-03', '2026-03-04']);
  expect(falling.slice(2)).toEqual(['2026-03-04', '2026-03-03', new Date('2025-01-01')]);
});

it('sorts false before true [portal.grid.compare-boolean]', () => {
  const [rising, falling] = both(compareBoolean, [true, null, false]);
  expect(rising).toEqual([false, true, null]);
  expect(falling).toEqual([null, true, false]);
});

it('sorts rows by one of their values', () => {
  const rows = [{ n: 2 }, { n: 1 }, { n: null }];
  expect(rows.toSorted(by((row) => row.n, compareNumber('asc')))).toEqual([{ n: 1 }, { n: 2 }, { n: null }]);
});

describe('every comparator', () => {
  it('is an order: falling is rising turned round, and it is transitive', async () => {
    const value = fc.option(fc.string({ maxLength: 4 }), { nil: null });
    await fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        const [rising, falling] = [compareText('asc', 'en'), compareText('desc', 'en')];
        expect(Math.sign(rising(a, b))).toBe(-Math.sign(falling(a, b)) || 0);
        expect(Math.sign(rising(a, b))).toBe(-Math.sign(rising(b, a)) || 0);
        if (rising(a, b) <= 0 && rising(b, c) <= 0) expect(rising(a, c)).toBeLessThanOrEqual(0);
        if (rising(a, b) === 0) expect(a).toBe(b);
      }),
      { numRuns: 1000 },
    );
  });
});
