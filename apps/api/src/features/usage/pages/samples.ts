import type { Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { type UsageFilter, usageCondition } from '../filter.ts';
import { SAMPLE_BYTES } from './kept-samples.ts';
import { filterKey } from './make-samples.ts';
import type { PositionsInput } from './positions.ts';
import type { SampleRow } from './sample-queries.ts';
import { comparing, isFigureOrder, type ValueOrder, valueColumns } from './sort.ts';
import type { CountedMonth } from './state.ts';

/** What one record is ordered by. Times as text: they are finer than a Date. */
export interface SampledKey {
  /** As the column's type. */
  readonly value: Sql;
  readonly startedAt: string;
  readonly id: string;
}

/** A sampled key, and for each month with samples before it the nearest of its samples. */
export interface FoundSample {
  readonly key: SampledKey;
  readonly near: readonly NearSample[];
}

/** A sample of a month, seen from another one. */
interface NearSample {
  readonly month: CountedMonth;
  /** Records of the month before it. */
  readonly before: number;
  readonly key: SampledKey;
  /** Where it stands, seen from the sampled key; `same` is that key itself. */
  readonly side: 'before' | 'same' | 'after';
}

/** A list of one order. */
export interface SampleTarget extends PositionsInput {
  readonly order: ValueOrder;
  /** With records. */
  readonly months: readonly CountedMonth[];
}

/** The samples of all months of a filter, in order. */
export interface MergedSamples {
  readonly rows: readonly SampleRow[];
  /** How many records are to be expected before each. */
  readonly expected: readonly number[];
}

export const bytesOfSamples = ({ rows }: MergedSamples): number => SAMPLE_BYTES * rows.length;

/** The samples of all months of a list. @returns undefined as `KeptSamples.of` */
export async function mergeSamples(db: Db, target: SampleTarget): Promise<MergedSamples | undefined> {
  const { filter } = target.state;
  const keyed = target.months.map((month) => ({ ...month, key: filterKey(filter, month) }));
  const rows = await target.samples.of(db, { ...target, filter }, keyed);
  return rows && { rows, expected: expectedRanks(rows) };
}

/** Before a sample stand the full blocks of all months, and of the other months on average half a block more. */
function expectedRanks(rows: readonly SampleRow[]): number[] {
  let started = 0;
  const halves = new Map<string, number>();
  let half = 0;
  return rows.map(({ month, distance }) => {
    const own = halves.get(month) ?? 0;
    const rank = started - half + own;
    if (own === 0) {
      halves.set(month, distance / 2);
      half += distance / 2;
    }
    started += distance;
    return rank;
  });
}

/** The sample that stands, by all that is known, nearest to a position. */
export function nearestSample(
  { rows, expected }: MergedSamples,
  { months, order }: Pick<SampleTarget, 'months' | 'order'>,
  position: number,
): FoundSample | undefined {
  let at = expected.findIndex((rank) => rank >= position);
  if (at === -1) at = rows.length - 1;
  return sampleAt(rows, at, { months, order });
}

/** A sample by its place among those of all months. */
export function sampleAt(
  rows: readonly SampleRow[],
  at: number,
  { months, order }: Pick<SampleTarget, 'months' | 'order'>,
): FoundSample | undefined {
  const chosen = rows[at];
  if (chosen === undefined) return undefined;
  const before = firstOfEach(rows, at, -1, months.length);
  const after = firstOfEach(rows, at + 1, 1, months.length);
  const near = months.flatMap((month): NearSample[] => {
    const [back, ahead] = [before.get(month.month), after.get(month.month)];
    // Without a sample before it, nothing of the month stands before it: each month's first record is sampled.
    if (back === undefined) return [];
    const isAheadNearer = ahead !== undefined && ahead - at < at - back;
    const row = rows[isAheadNearer ? ahead : back];
    if (row === undefined) return [];
    const side = isAheadNearer ? 'after' : back === at ? 'same' : 'before';
    return [{ month, side, before: (row.ordinal - 1) * row.distance, key: keyOfRow(order, row) }];
  });
  return { key: keyOfRow(order, chosen), near };
}

/** Where, from a place on, the first sample of each month stands. @param step -1 looks back */
function firstOfEach(
  rows: readonly SampleRow[],
  from: number,
  step: 1 | -1,
  months: number,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (let at = from; found.size < months; at += step) {
    const row = rows[at];
    if (row === undefined) break;
    if (!found.has(row.month)) found.set(row.month, at);
  }
  return found;
}

/** A sample as a key. */
export const keyOfRow = (order: ValueOrder, row: SampleRow): SampledKey =>
  keyOf(order, row.key, row.started_at, row.id);

/**
 * How many records of the filter stand before a sample: those before the nearest sample of each month, and those
 * between the two, added or taken off.
 */
export async function rankOf(db: Db, target: SampleTarget, sample: FoundSample): Promise<number> {
  const counts = await countBetween(db, target, sample);
  return sample.near.reduce((sum, { before }, at) => sum + before + (counts[at] ?? 0), 0);
}

/** For each month of a sample, how many records lie from the nearest sample to it; less than 0 where that one comes after. */
export async function countBetween(
  db: Db,
  {
    scope,
    state,
    order,
  }: Pick<SampleTarget, 'scope' | 'order'> & { readonly state: { readonly filter: UsageFilter } },
  sample: FoundSample,
): Promise<readonly number[]> {
  const row = sql`(${sql.ref(`u.${valueColumns[order]}`)}, u.started_at, u.id)`;
  const tuple = ({ value, startedAt, id }: SampledKey) =>
    sql`(${value}, ${startedAt}::timestamptz, ${id}::uuid)`;
  const between = sample.near.map(({ month, key, side }) => {
    if (side === 'same') return sql`0`;
    const { from, until } = month;
    const where = usageCondition(scope, { ...state.filter, from, until });
    const [low, high] = side === 'before' ? [key, sample.key] : [sample.key, key];
    return sql`${side === 'before' ? sql`` : sql`-`} (select count(*)::int from usage_record u
                 where ${where} and ${row} >= ${tuple(low)} and ${row} < ${tuple(high)})`;
  });
  const query = sql<{ counts: number[] }>`select array[${sql.join(between)}]::int[] as counts`;
  const { counts } = await db.one(comparing(order, query));
  return counts;
}

/** A key as it is compared with. @param value as the database writes it */
export function keyOf(order: ValueOrder, value: string, startedAt: string, id: string): SampledKey {
  return {
    value: isFigureOrder(order) ? sql`${value}::numeric` : sql`${value}::text collate "C"`,
    startedAt,
    id,
  };
}
