import type { Period } from '@counterfoil/domain/time/period.ts';
import { describe, expect, it } from 'vitest';
import { MOST_DAYS, sumsWithin, usageBars, wayBack } from './day-bars.ts';
import { tickStep } from './day-chart.tsx';

const span = (start: string, end: string) => ({ start, end }) as Period;
const day = (name: string, records = 1, price = 0.1) => ({ day: name, records, units: records * 2, price });

it('sums are exact', () => {
  const days = [day('2026-02-01'), day('2026-02-02', 1, 0.2), day('2026-02-03', 5, 0.000001)];
  expect(sumsWithin(days, span('2026-02-01', '2026-02-02'))).toEqual({
    records: 2,
    units: '4',
    price: '0.3',
  });
  expect(sumsWithin(days, span('2026-02-01', '2026-02-28')).price).toBe('0.300001');
  expect(sumsWithin([], span('2026-02-01', '2026-02-02'))).toEqual({ records: 0, units: '0', price: '0' });
});

describe('bars', () => {
  const month = span('2026-02-27', '2026-03-02');
  it('are days, those without records too', () => {
    const chart = usageBars([day('2026-02-28', 3)], month, { only: '2026-03-01' });
    expect(chart.unit).toBe('day');
    expect(chart.bars.map(({ id, records }) => [id, records])).toEqual([
      ['2026-02-27', 0],
      ['2026-02-28', 3],
      ['2026-03-01', 0],
      ['2026-03-02', 0],
    ]);
    expect(chart.chosen).toBe('2026-03-01');
    expect(usageBars([], month, { only: '2026-04-01' }).chosen).toBeUndefined();
  });

  it('are months in a long timeframe, from the first with records to the last', () => {
    const long = span('1970-01-01', '9999-12-31');
    const chart = usageBars([day('2025-12-31'), day('2026-02-01'), day('2026-02-28', 4)], long, {});
    expect(chart.bars.map(({ id, records, price }) => [id, records, price])).toEqual([
      ['2025-12', 1, '0.1'],
      ['2026-01', 0, '0'],
      ['2026-02', 5, '0.2'],
    ]);
    expect([chart.unit, usageBars([], long, {}).bars]).toEqual(['month', []]);
  });

  it('are the days of the month that is chosen there, as far as it is in the timeframe', () => {
    const long = span('2025-02-10', '2026-02-10');
    const ends = (only: string) => {
      const { bars, unit, chosen } = usageBars([day('2026-02-01')], long, { only });
      return [bars[0]?.id, bars.at(-1)?.id, unit, chosen];
    };
    expect(ends('2026-02')).toEqual(['2026-02-01', '2026-02-10', 'day', undefined]);
    expect(ends('2025-02-11')).toEqual(['2025-02-10', '2025-02-28', 'day', '2025-02-11']);
  });

  it(`are days up to ${MOST_DAYS} of them`, () => {
    expect(usageBars([], span('2026-01-01', '2026-04-10'), {})).toMatchObject({ unit: 'day' });
    expect(usageBars([], span('2026-01-01', '2026-04-11'), {})).toMatchObject({ unit: 'month' });
  });
});

it('leads back from a day to its month, and from there to the whole timeframe', () => {
  const long = span('2025-02-10', '2026-02-10');
  const short = span('2026-02-01', '2026-02-28');
  expect(wayBack({ only: '2025-03-04' }, long)).toEqual({ only: '2025-03' });
  expect(wayBack({ only: '2025-03' }, long)).toEqual({ only: null });
  expect(wayBack({ only: '2026-02-04' }, short)).toEqual({ only: null });
  expect(wayBack({}, long)).toBeUndefined();
  expect(wayBack({ only: '2024-01-01' }, long)).toBeUndefined();
});

it.each([1, 5, 7, 10, 30, 31, 62, 100])('at most six ticks stand below %i bars', (bars) => {
  expect(Math.ceil(bars / tickStep(bars))).toBeLessThanOrEqual(5 + 1);
});
