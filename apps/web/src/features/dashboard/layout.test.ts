import { expect, it } from 'vitest';
import { bundleTileHeight, spanOf } from './layout.ts';

it('a bundle tile is 120 high, and 70 more for each extra product [portal.dashboard.constant.bundle-height, portal.dashboard.constant.bundle-height-extra]', () => {
  // 16 px are a rem.
  expect([1, 2, 3, 0].map((products) => Number.parseFloat(bundleTileHeight(products)) * 16)).toEqual([
    120, 190, 260, 120,
  ]);
});

it('two tiles share a row; one left over has it to itself', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, place) => spanOf(place, count));
  expect([rows(2), rows(3), rows(4)]).toEqual([
    [5, 7],
    [5, 7, 12],
    [5, 7, 5, 7],
  ]);
});
