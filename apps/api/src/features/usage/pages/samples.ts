import { createHash } from 'node:crypto';
import { Database, type Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { type UsageFilter, usageCondition } from '../filter.ts';
import type { PagingOptions } from './options.ts';
import type { PositionsInput } from './positions.ts';
import * as queries from './sample-queries.ts';
import { type ValueOrder, valueColumns } from './sort.ts';
import { type CountedMonth, isWhole } from './state.ts';

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

interface NearSample {
  readonly month: CountedMonth;
  /** Records of the month before it. */
  readonly before: number;
  readonly key: SampledKey;
  /** Where it stands, seen from the sampled key; `same` is that key itself. */
  readonly side: 'before' | 'same' | 'after';
}

interface SampleTarget extends PositionsInput {
  readonly order: ValueOrder;
  /** With records. */
  readonly months: readonly CountedMonth[];
}

/** The samples of all months of a filter, in order. */
export interface MergedSamples {
  readonly rows: readonly queries.SampleRow[];
  /** How many records are to be expected before each. */
  readonly expected: readonly number[];
}

/** How much memory merged samples take, roughly, in numbers. */
const SAMPLE_WEIGHT = 25;

/** @param counts records of each month */
export const weightOfSamples = (counts: readonly number[], options: PagingOptions): number =>
  SAMPLE_WEIGHT * counts.reduce((sum, n) => sum + Math.ceil(n / distanceOf(n, options)), 0);

const distanceOf = (n: number, { sampleDistance, samplesPerMonth }: PagingOptions): number =>
  Math.max(sampleDistance, Math.ceil(n / samplesPerMonth));

/**
 * Reads the samples of all months. Months that were not sampled yet, or have changed since, are sampled first.
 * @returns undefined when a month changes meanwhile, and where nothing can be written
 */
export async function mergeSamples(db: Db, target: SampleTarget): Promise<MergedSamples | undefined> {
  const { scope, months, order } = target;
  const keyed = months.map((month) => ({ ...month, key: filterKey(target.state.filter, month) }));
  const kept = await queries.listKept(db, scope, order, keyed);
  const missing = keyed.filter(({ month }) => !kept.some((one) => one.month === month));
  if (missing.length > 0) {
    if (!(db instanceof Database)) return undefined;
    await sampleMonths(db, target, missing);
    await db.transaction((tx) => tx.execute(queries.forgetSamples(scope)));
  }
  const rows = await queries.listSamples(db, scope, order, keyed);
  const isWhole = new Set(rows.map(({ month }) => month)).size === months.length;
  return isWhole ? { rows, expected: expectedRanks(rows) } : undefined;
}

/** Before a sample stand the full blocks of all months, and of the other months on average half a block more. */
function expectedRanks(rows: readonly queries.SampleRow[]): number[] {
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
  rows: readonly queries.SampleRow[],
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

const keyOfRow = (order: ValueOrder, row: queries.SampleRow): SampledKey =>
  keyOf(order, row.key, row.started_at, row.id);

/**
 * How many records of the filter stand before a sample: those before the nearest sample of each month, and those
 * between the two, added or taken off.
 */
export async function rankOf(db: Db, target: SampleTarget, sample: FoundSample): Promise<number> {
  const column = sql.ref(`u.${valueColumns[target.order]}`);
  const row = sql`(${column}, u.started_at, u.id)`;
  const tuple = ({ value, startedAt, id }: SampledKey) =>
    sql`(${value}, ${startedAt}::timestamptz, ${id}::uuid)`;
  const between = sample.near.flatMap(({ month, key, side }) => {
    if (side === 'same') return [];
    const { from, until } = month;
    const where = usageCondition(target.scope, { ...target.state.filter, from, until });
    const [low, high] = side === 'before' ? [key, sample.key] : [sample.key, key];
    return sql`${side === 'before' ? sql`+` : sql`-`} (select count(*) from usage_record u
                 where ${where} and ${row} >= ${tuple(low)} and ${row} < ${tuple(high)})`;
  });
  const counted = await db.one<{ n: number }>(sql`select (0 ${sql.join(between, sql` `)})::int as n`);
  return sample.near.reduce((sum, { before }) => sum + before, counted.n);
}

/** Months at the same time. */
const AT_ONCE = 2;

type KeyedMonth = CountedMonth & { readonly key: string };

async function sampleMonths(
  db: Database,
  target: SampleTarget,
  months: readonly KeyedMonth[],
): Promise<void> {
  const waiting = [...months];
  const work = async () => {
    for (let month = waiting.shift(); month !== undefined; month = waiting.shift())
      await sampleMonth(db, target, month);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Months that are being sampled: who asks meanwhile waits for them. */
const underWay = new Map<string, Promise<unknown>>();

async function sampleMonth(
  db: Database,
  { scope, state, order, options }: SampleTarget,
  month: KeyedMonth,
): Promise<void> {
  const { from, until, n } = month;
  const name = [scope.customerId, month.month, order, month.key, month.version].join();
  const where = usageCondition(scope, { ...state.filter, from, until });
  const distance = distanceOf(n, options);
  const work =
    underWay.get(name) ??
    db.transaction(async (tx) => {
      // What is lost in a crash is made again, so nobody need wait for the disk.
      await tx.execute(sql`set local synchronous_commit = off`);
      await tx.execute(queries.takeSamples(scope, { ...month, order, where, distance }));
    });
  underWay.set(name, work);
  await work.finally(() => underWay.delete(name));
}

/** '' for a whole month without a filter, else a hash of what is filtered. */
function filterKey(filter: UsageFilter, month: CountedMonth): string {
  const { agreementId, recordTypeIds, serviceItemId, number, hasThird } = filter;
  const range = isWhole(month) ? undefined : [month.from.toISOString(), month.until.toISOString()];
  const parts = { agreementId, recordTypeIds, serviceItemId, number, hasThird, range };
  if (Object.values(parts).every((part) => part === undefined)) return '';
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** A key as it is compared with. @param value as the database writes it */
export function keyOf(order: ValueOrder, value: string, startedAt: string, id: string): SampledKey {
  const isFigure = order === 'price' || order === 'units';
  return { value: isFigure ? sql`${value}::numeric` : sql`${value}::text collate "C"`, startedAt, id };
}
