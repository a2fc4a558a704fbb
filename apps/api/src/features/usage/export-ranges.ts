import type { UsageRange } from './filter.ts';

/** Records of a day, or of a longer span that begins with it. */
export interface CountedFrom {
  /** Midnight, UTC */
  readonly from: Date;
  readonly n: number;
}

/** Rows read by one statement: enough to make its start cheap, few enough to be held while another is written. */
export const CHUNK_ROWS = 40_000;
/** The first part is small, because nothing can be sent before it is sorted. */
const FIRST_ROWS = 2_000;

/**
 * Cuts a range at days into ranges of about so many records. What is not counted is not lost: the ranges
 * together are the whole range, whatever the counts say.
 * @param counted in order
 */
export function cutRange(
  { from, until }: UsageRange,
  counted: readonly CountedFrom[],
  rows = CHUNK_ROWS,
): UsageRange[] {
  const cuts: Date[] = [];
  let sum = 0;
  for (const span of counted) {
    const most = cuts.length === 0 ? Math.min(FIRST_ROWS, rows) : rows;
    if (sum > 0 && sum + span.n > most && span.from > from && span.from < until) {
      cuts.push(span.from);
      sum = 0;
    }
    sum += span.n;
  }
  const starts = [from, ...cuts];
  return starts.map((start, index) => ({ from: start, until: starts[index + 1] ?? until }));
}
