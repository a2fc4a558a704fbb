import { formatBytes } from '@counterfoil/domain/bytes.ts';
import { describe, expect, it } from 'vitest';
import { barShare, byteScale, chartScale, countScale } from './chart-scale.ts';

describe('the scale of a chart', () => {
  it.each([
    [1284.16, [0, 400, 800, 1200, 1600]],
    [521.4, [0, 150, 300, 450, 600]],
    [400, [0, 100, 200, 300, 400]],
    [400.01, [0, 150, 300, 450, 600]],
    [0.9, [0, 0.25, 0.5, 0.75, 1]],
    [1.2, [0, 0.3, 0.6, 0.9, 1.2]],
    [0.04, [0, 0.01, 0.02, 0.03, 0.04]],
    [3_999_999, [0, 1_000_000, 2_000_000, 3_000_000, 4_000_000]],
    [0, [0, 1, 2, 3, 4]],
  ])('up to %d has 5 gridlines in rounded steps', (max, lines) => {
    expect(chartScale(max).lines).toEqual(lines);
  });
  it('always reaches over the largest value, and wastes at most half of the plot', () => {
    for (let max = 0.01; max < 1e9; max *= 1.07) {
      const { top } = chartScale(max);
      expect(top).toBeGreaterThanOrEqual(max * (1 - 1e-9));
      expect(top).toBeLessThanOrEqual(max * 2);
    }
  });
  it('of bytes is round in the unit shown', () => {
    const texts = (max: number) => byteScale(max).lines.map((line) => formatBytes(line));
    expect(texts(521.4 * 1024 ** 3)).toEqual(['0 B', '150 GB', '300 GB', '450 GB', '600 GB']);
    expect(texts(1010 * 1024 ** 3)).toEqual(['0 B', '256 GB', '512 GB', '768 GB', '1 TB']);
    expect(texts(3.5 * 1024 ** 2)).toEqual(['0 B', '1 MB', '2 MB', '3 MB', '4 MB']);
    expect(texts(0)).toEqual(['0 B', '1 B', '2 B', '3 B', '4 B']);
    expect(texts(3000 * 1024 ** 4)).toEqual(['0 B', '800 TB', '1600 TB', '2400 TB', '3200 TB']);
  });
});

it('a bar is as high as its share of the scale, never below nothing', () => {
  const scale = chartScale(1600);
  expect(barShare(400, scale)).toBe(25);
  expect(barShare(1600, scale)).toBe(100);
  expect(barShare(-5, scale)).toBe(0);
});

it.each([
  [0, [0, 1, 2]],
  [1, [0, 1, 2]],
  [3, [0, 2, 4]],
  [5, [0, 3, 6]],
  [152, [0, 80, 160]],
  [59_368, [0, 30_000, 60_000]],
])('counts up to %d have the three lines %j', (max, lines) => {
  expect(countScale(max).lines).toEqual(lines);
});
