import { median } from '../support/figure.ts';

/** A value and when it was seen, hours. */
export interface Point {
  readonly at: number;
  readonly value: number;
}

/** How a value goes on over a time. */
export interface Trend {
  /** Median of the values. */
  readonly level: number;
  /** Of its unit, an hour. */
  readonly perHour: number;
  /** The same over all of the time. */
  readonly growth: number;
}

/**
 * The median of the slopes between all pairs of points (Theil and Sen): a single value far off, such as one taken while a large file
 * is being made, does not turn it.
 * @throws {Error} where there are fewer than two points
 */
export function trendOf(points: readonly Point[]): Trend {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first === last)
    throw new Error('a trend takes two points');
  const slopes = points.flatMap((one, n) =>
    points.slice(n + 1).map((other) => (other.value - one.value) / (other.at - one.at)),
  );
  const perHour = median(slopes);
  return { level: median(points.map(({ value }) => value)), perHour, growth: perHour * (last.at - first.at) };
}

/** Whether it stays as it is: both bounds, for a share alone would let much grow slowly and a size alone little grow fast. */
export const isFlat = ({ level, perHour, growth }: Trend, most: { share: number; growth: number }): boolean =>
  perHour <= most.share * level && growth <= most.growth;
