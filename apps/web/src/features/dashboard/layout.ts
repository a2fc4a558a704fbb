import type { TileSpan } from '../../ui/layout/tile.tsx';

/** A bundle's tile is 120 high, and 70 more for each further product (specification, portal §2); in rem, so that larger type has room. */
export const bundleTileHeight = (products: number): string =>
  `${(120 + 70 * Math.max(0, products - 1)) / 16}rem`;

/** Two tiles a row, 5 + 7 columns; one left over has a row of its own. */
export const spanOf = (place: number, count: number): TileSpan => {
  if (place % 2 === 1) return 7;
  return place === count - 1 ? 12 : 5;
};
