import { describe, expect, it } from 'vitest';
import { barShare, byteScale, chartScale, countScale } from './chart-scale.ts';

const GB = 1024 ** 3;

describe('the scale of a chart', () => {
  it.each([
    [1284.16, [0, 500, 1000, 1500, 2000]],
    [521.4, [0, 200, 400, 600, 800]],
    [400, [0, 100, 200, 300, 400]],
    [400.01, [0, 200, 400, 600, 800]],
    [0.9, [0, 0.5, 1, 1.5, 2]],
    [1.2, [0, 0.5, 1, 1.5, 2]],
    [0.04, [0, 0.01, 0.02, 0.03, 0.04]],
    [3_999_999, [0, 1_000_000, 2_000_000, 3_000_000, 4_000_000]],
    [0, [0, 1, 2, 3, 4]],
  ])(
    'up to %d has 5 gridlines in rounded steps [portal.dashboard.constant.data-chart-gridlines]',
    (max, lines) => {
      expect(chartScale(max).lines).toEqual(lines);
    },
  );
  it('always reaches over the largest value, and wastes at most three fifths of the plot', () => {
    for (let max = 0.01; max < 1e9; max *= 1.07) {
      const { top } = chartScale(max);
      expect(top).toBeGreaterThanOrEqual(max * (1 - 1e-9));
      expect(top).toBeLessThanOrEqual(max * 2.5 * (1 + 1e-9));
    }
  });
  it.each([
    [521.4 * GB, ['0 GB', '200 GB', '400 GB', '600 GB', '800 GB']],
    [380 * GB, ['0 GB', '100 GB', '200 GB', '300 GB', '400 GB']],
    [810 * GB, ['0 TB', '0.2 TB', '0.4 TB', '0.6 TB', '0.8 TB']],
    [1000 * GB, ['0 TB', '0.5 TB', '1 TB', '1.5 TB', '2 TB']],
    [1024 * GB, ['0 TB', '0.5 TB', '1 TB', '1.5 TB', '2 TB']],
    [4000 * GB, ['0 TB', '1 TB', '2 TB', '3 TB', '4 TB']],
    [3.5 * 1024 ** 2, ['0 MB', '1 MB', '2 MB', '3 MB', '4 MB']],
    [0, ['0 B', '1 B', '2 B', '3 B', '4 B']],
    [3000 * 1024 * GB, ['0 TB', '1000 TB', '2000 TB', '3000 TB', '4000 TB']],
  ])('of %d bytes is round in the unit shown', (max, texts) => {
    const { lines, text, top } = byteScale(max);
    expect(lines.map(text)).toEqual(texts);
    expect(top).toBeGreaterThanOrEqual(max);
  });
  it('of bytes has steps of 1, 2 or 5 in one unit, at every size [portal.dashboard.data-chart-scale]', () => {
    for (let max = 1; max < 4e15; max *= 1.03) {
      const { lines, text } = byteScale(max);
      const [figures, units] = [0, 1].map((at) => lines.map((line) => text(line).split(' ')[at]));
      expect(new Set(units).size).toBe(1);
      expect(figures?.[1]).toMatch(/^(0\.0*)?[125]0*$/);
      expect(Number(figures?.[4])).toBeCloseTo(4 * Number(figures?.[1]), 9);
    }
  });
});

it('a bar is as high as its share of the scale, never below nothing', () => {
  const scale = chartScale(2000);
  expect(barShare(500, scale)).toBe(25);
  expect(barShare(2000, scale)).toBe(100);
  expect(barShare(-5, scale)).toBe(0);
});

it.each([
  [0, [0, 1, 2]],
  [1, [0, 1, 2]],
  [3, [0, 2, 4]],
  [5, [0, 5, 10]],
  [152, [0, 100, 200]],
  [59_368, [0, 50_000, 100_000]],
])('counts up to %d have the three lines %j', (max, lines) => {
  expect(countScale(max).lines).toEqual(lines);
});
