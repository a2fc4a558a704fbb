import { describe, expect, it } from 'vitest';
import { isFlat, trendOf } from './slope.ts';

const hours = (value: (at: number) => number) =>
  Array.from({ length: 24 }, (_, n) => ({ at: n / 2, value: value(n / 2) }));
const most = { share: 0.02, growth: 5 };

describe('the trend of a day', () => {
  it.each([
    ['the same all the time', () => 100, true],
    ['falling', (at: number) => 100 - at, true],
    ['up and down', (at: number) => 100 + 10 * Math.cos(2 * Math.PI * at), true],
    ['one value far off', (at: number) => (at === 11 ? 900 : 100), true],
    ['half a unit an hour', (at: number) => 100 + at / 2, false],
    ['little that grows fast', (at: number) => 1 + at / 10, false],
  ])('%s', (_, value, flat) => {
    expect(isFlat(trendOf(hours(value)), most)).toBe(flat);
  });

  it('says how much an hour and how much in all', () => {
    expect(trendOf(hours((at) => 100 + 2 * at))).toEqual({ level: 112, perHour: 2, growth: 23 });
  });

  it('refuses a single point', () => {
    expect(() => trendOf([{ at: 0, value: 1 }])).toThrow('two points');
  });
});
