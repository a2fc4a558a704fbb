import { describe, expect, it } from 'vitest';
import { cutRange } from './export-ranges.ts';

const day = (text: string) => new Date(`${text}T00:00:00Z`);
const range = { from: day('2026-01-01'), until: day('2026-02-01') };
const counted = (...days: readonly (readonly [string, number])[]) =>
  days.map(([text, n]) => ({ from: day(text), n }));
const starts = (...given: Parameters<typeof cutRange>) =>
  cutRange(...given).map(({ from }) => from.toISOString().slice(0, 10));

describe('a range in parts', () => {
  it('is cut at days, so that parts have about as many records as wanted', () => {
    const days = counted(['2026-01-02', 6], ['2026-01-05', 3], ['2026-01-09', 4], ['2026-01-10', 30]);
    expect(starts(range, days, 10)).toEqual(['2026-01-01', '2026-01-09', '2026-01-10']);
  });

  it('is whole, whatever was counted', () => {
    for (const days of [
      [],
      counted(['2026-01-02', 100]),
      counted(['2025-12-31', 9], ['2026-01-01', 9], ['2026-01-31', 9], ['2026-02-01', 9]),
    ]) {
      const parts = cutRange(range, days, 10);
      expect([parts[0]?.from, parts.at(-1)?.until]).toEqual([range.from, range.until]);
      parts.slice(1).forEach((part, index) => {
        expect(part.from).toEqual(parts[index]?.until);
      });
      expect(parts.every(({ from, until }) => from < until)).toBe(true);
    }
  });
});
