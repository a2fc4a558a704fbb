import type { Db } from '../../../db/database.ts';
import { type ListType, listOf, type Sql, sql, sqlOnce } from '../../../db/sql.ts';
import { conditionOf, type UsageFilter } from '../filter.ts';
import { SAMPLE_BYTES } from './kept-samples.ts';
import { filterKey } from './make-samples.ts';
import type { PositionsInput } from './positions.ts';
import type { SampleRow } from './sample-queries.ts';
import { comparing, isFigureOrder, type ValueOrder, valueColumns } from './sort.ts';
import type { CountedMonth } from './state.ts';

/** What one record is ordered by. Times as text: they are finer than a Date. */
export interface SampledKey {
  /** As the database writes it, and as the column's type. */
  readonly text: string;
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
  const spans = sample.near.map(({ month, key, side }) => {
    const [low, high] = side === 'before' ? [key, sample.key] : [sample.key, key];
    return { month, low, high, sign: side === 'before' ? 1 : -1 };
  });
  const list = (of: (span: (typeof spans)[number]) => string, type: ListType) => listOf(spans.map(of), type);
  const instant = (of: 'from' | 'until') => list(({ month }) => month[of].toISOString(), 'timestamptz');
  const keys = (of: 'low' | 'high') => sql`
    ${list((span) => span[of].text, isFigureOrder(order) ? 'numeric' : 'text')},
    ${list((span) => span[of].startedAt, 'timestamptz')}, ${list((span) => span[of].id, 'uuid')}`;
  const column = sql.ref(`u.${valueColumns[order]}`);
  const compared = isFigureOrder(order) ? sql`` : sql`collate "C"`;
  // One look into a month for each, whatever there are of them: by a look written out for each, planning takes most of the time.
  const query = sqlOnce<{ counts: number[] }>`
    select array(
      select (select count(*)::int from usage_record u
               where ${conditionOf(scope, state.filter)} and u.started_at >= m.since and u.started_at < m.until
                 and (${column}, u.started_at, u.id) >= (m.low ${compared}, m.low_at, m.low_id)
                 and (${column}, u.started_at, u.id) < (m.high ${compared}, m.high_at, m.high_id))
        from unnest(${instant('from')}, ${instant('until')}, ${keys('low')}, ${keys('high')})
             with ordinality as m (since, until, low, low_at, low_id, high, high_at, high_id, at)
       order by m.at) as counts`;
  const { counts } = await db.one(comparing(order, query));
  return spans.map(({ sign }, at) => sign * (counts[at] ?? 0));
}

/** A key as it is compared with. @param value as the database writes it */
export function keyOf(order: ValueOrder, value: string, startedAt: string, id: string): SampledKey {
  return {
    text: value,
    value: isFigureOrder(order) ? sql`${value}::numeric` : sql`${value}::text collate "C"`,
    startedAt,
    id,
  };
}
