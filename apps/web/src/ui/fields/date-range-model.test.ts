import { parseDay } from '@counterfoil/domain/time/day.ts';
import { describe, expect, it } from 'vitest';
import {
  type DateRangeProblem,
  isPeriod,
  lastMonth,
  lastWeek,
  rangeOf,
  readDateRange,
  thisMonth,
} from './date-range-model.ts';

describe('two days', () => {
  it('are a period when both are there and in order; one day is one', () => {
    for (const [from, to] of [
      ['2026-03-01', '2026-03-31'],
      ['2026-03-01', '2026-03-01'],
    ] as const) {
      const read = readDateRange({ from, to });
      expect(isPeriod(read) && rangeOf(read)).toEqual({ from, to });
    }
  });
  it.each<[string, string, readonly DateRangeProblem[]]>([
    ['', '2026-03-31', [{ field: 'from', kind: 'missing' }]],
    ['2026-03-01', '', [{ field: 'to', kind: 'missing' }]],
    ['2026-02-29', '2026-03-31', [{ field: 'from', kind: 'missing' }]],
    ['0202-03-01', '2026-03-31', [{ field: 'from', kind: 'missing' }]],
    ['2026-03-31', '2026-03-01', [{ field: 'to', kind: 'reversed' }]],
  ])('%j to %j say what is wrong, at the field to mend', (from, to, problems) => {
    const read = readDateRange({ from, to });
    expect(isPeriod(read)).toBe(false);
    expect(read).toEqual(problems);
  });
});

it('this and last month, over the turn of a year', () => {
  const today = parseDay('2026-01-15');
  expect(rangeOf(thisMonth(today))).toEqual({ from: '2026-01-01', to: '2026-01-31' });
  expect(rangeOf(lastMonth(today))).toEqual({ from: '2025-12-01', to: '2025-12-31' });
});

it.each([
  // A Sunday: the last day of the week that begins on Monday, the first of the one that begins with it.
  ['2026-11-22', 1, '2026-11-09', '2026-11-15'],
  ['2026-11-22', 7, '2026-11-15', '2026-11-21'],
  ['2026-11-22', 6, '2026-11-14', '2026-11-20'],
  ['2026-11-23', 1, '2026-11-16', '2026-11-22'],
  ['2026-01-03', 7, '2025-12-21', '2025-12-27'],
])('the week before that of %s, when weeks begin with day %i, is %s to %s', (day, first, from, to) => {
  expect(rangeOf(lastWeek(parseDay(day), first))).toEqual({ from, to });
});
