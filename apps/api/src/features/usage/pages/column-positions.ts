import type { Db } from '../../../db/database.ts';
import { inIndexOrder } from '../../../db/index-order.ts';
import { listOf, type Sql, sql } from '../../../db/sql.ts';
import { findColumns } from '../columns/find.ts';
import { readColumns } from '../columns/read.ts';
import { conditionOf, usageCondition } from '../filter.ts';
import { SAMPLE_BYTES } from './kept-samples.ts';
import { isWholeList, wholeFilter, wholeKey, wholeMonth } from './make-samples.ts';
import { type ReadyPart, type RecordRow, recordByKey, recordColumns } from './part.ts';
import type { Window } from './running-sums.ts';
import type { SampleRow } from './sample-queries.ts';
import { countBetween, keyOfRow, type SampledKey, type SampleTarget, sampleAt } from './samples.ts';
import { comparing, type ValueOrder, valueColumns } from './sort.ts';
import { rangeOf, type UsageMonth } from './state.ts';

const places = {
  price: 'price_place',
  units: 'units_place',
  serviceItem2: 'number_place',
  serviceItem3: 'third_place',
} as const satisfies Record<ValueOrder, string>;

/**
 * Where the records of a filter stand among all of their months, in one order, and the samples of all records. Of every
 * sample it is known how many records of the filter stand before it at least, and at most.
 */
export interface ColumnPositions {
  readonly rows: readonly SampleRow[];
  /** Places of each month's records, ascending. */
  readonly places: ReadonlyMap<string, Int32Array>;
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** The filter leaves a fourth of all records, or more. */
  readonly isBroad: boolean;
}

const BROAD_SHARE = 1 / 4;
/** One of more than so many places is few: they are quicker compared than marked. */
const FEW = 32;

/** How much memory they take, roughly. */
export const bytesOfColumns = ({ rows, places: own, least, most }: ColumnPositions): number =>
  [...own.values(), least, most].reduce(
    (sum, { byteLength }) => sum + byteLength,
    SAMPLE_BYTES * rows.length,
  );

/** Months without columns that are read instead, at most: those that records arrive in. */
const MOST_READ = 2;

/**
 * From the columns of the months.
 * @returns undefined where many months have none, the filter leaves few records or all, or a month changes meanwhile
 */
export async function columnPositions(db: Db, target: SampleTarget): Promise<ColumnPositions | undefined> {
  const { scope, months, order, state } = target;
  if (months.every((month) => isWholeList(state.filter, month))) return undefined;
  const found = await findColumns(db, scope, { filter: state.filter, months }, false);
  if (found === undefined || found.rest.length > MOST_READ) return undefined;
  const column = places[order];
  const sizes = new Map(found.slices.map(({ month, ofMonth }) => [month.month, ofMonth]));
  // Read while the columns are; of what nobody waits for any more, nobody is told.
  const coming = wholeSamples(db, target, sizes);
  coming.catch(() => undefined);
  const slices = Map.groupBy(found.slices, ({ month }) => month.month);
  const own = new Map<string, Int32Array[]>();
  const sorted = new Map<string, Int32Array>(months.map(({ month }) => [month, new Int32Array()]));
  const isDone = await readColumns(db, scope, state.filter, found, [column], ({ month }, values, at) => {
    const all: Int32Array = values[column];
    const list = own.get(month.month) ?? [];
    own.set(month.month, list);
    list.push(valuesAt(all, at));
    // With the last slice of a month, while the database reads the next ones.
    if (list.length !== slices.get(month.month)?.length) return;
    sorted.set(month.month, ascending(joined(list), sizes.get(month.month) ?? Infinity));
    own.delete(month.month);
  });
  if (!isDone) return undefined;
  for (const month of found.rest) sorted.set(month.month, (await readPlaces(db, target, month)).sort());
  const rows = await coming;
  if (rows === undefined) return undefined;
  const whole = new Map(rows.map(({ month, ordinal, distance }) => [month, ordinal * distance]));
  const isBroad =
    sumOf(sorted.values(), ({ length }) => length) >= BROAD_SHARE * sumOf(whole.values(), (size) => size);
  return { rows, places: sorted, isBroad, ...boundsOf(rows, sorted) };
}

const sumOf = <T>(of: Iterable<T>, figure: (one: T) => number): number =>
  [...of].reduce((sum, one) => sum + figure(one), 0);

/** By a loop, since `Int32Array.from` takes ten times as long: a second for a million records. */
function valuesAt(all: Int32Array, at: Uint32Array): Int32Array {
  const values = new Int32Array(at.length);
  for (let n = 0; n < at.length; n += 1) values[n] = all[at[n] ?? 0] ?? 0;
  return values;
}

/** The same from the records of a month. */
async function readPlaces(db: Db, target: SampleTarget, month: UsageMonth): Promise<Int32Array> {
  const { scope, order, state } = target;
  const by = sql.ref(`u.${valueColumns[order]}`);
  const { from, until } = month;
  const { found } = await db.one<{ found: number[] }>(sql`
    select array(select place from (
      select row_number() over (order by ${by}, u.started_at, u.id) - 1 as place,
             ${usageCondition(scope, { ...state.filter, from, until })} as is_meant
        from usage_record u where ${wholeCondition(target, month)}) u where is_meant)::int[] as found`);
  return Int32Array.from(found);
}

function joined(parts: readonly Int32Array[]): Int32Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const all = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Samples of all records of the months. */
function wholeSamples(
  db: Db,
  { scope, order, months, state, options, samples }: SampleTarget,
  sizes: ReadonlyMap<string, number>,
): Promise<readonly SampleRow[] | undefined> {
  const list = { scope, order, options, filter: wholeFilter(state.filter, order) };
  const key = wholeKey(order);
  const keyed = months.map((month) => wholeMonth({ ...month, n: sizes.get(month.month) ?? month.n, key }));
  return samples.of(db, list, keyed);
}

/**
 * Sorts places, each of which is there once, by marking them among all: a tenth of what comparing takes.
 * @param size more than the last place there can be
 */
function ascending(places: Int32Array, size: number): Int32Array {
  if (places.length * FEW < size) return places.sort();
  const isThere = new Uint8Array(size);
  for (const place of places) isThere[place] = 1;
  let n = 0;
  // Without a branch, which the processor guesses wrong half of the time.
  for (let place = 0; n < places.length; place += 1) {
    places[n] = place;
    n += isThere[place] ?? 1;
  }
  return places;
}

function boundsOf(rows: readonly SampleRow[], sorted: ReadonlyMap<string, Int32Array>) {
  const least = new Float64Array(rows.length);
  const most = new Float64Array(rows.length);
  // Of each month: what stands before its last sample, and before the one after that.
  const reached = new Map<string, readonly [number, number]>();
  let [before, behind] = [0, 0];
  for (const [at, { month, ordinal, distance }] of rows.entries()) {
    const own = sorted.get(month) ?? new Int32Array();
    // Samples of a month follow each other: where one's block ends the next one's begins.
    const [lastLow, low] = reached.get(month) ?? [0, 0];
    const high = lowerBound(own, ordinal * distance);
    most[at] = behind;
    before += low - lastLow;
    behind += high - low;
    least[at] = before;
    reached.set(month, [low, high]);
  }
  return { least, most };
}

/** How many of ascending numbers are less than one. */
function lowerBound(sorted: ArrayLike<number>, than: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < than) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Reads a window: from the last sample that is surely not behind its beginning the index of all records is walked, month by month,
 * and those are taken whose places are the filter's.
 */
export async function columnPart(
  db: Db,
  target: SampleTarget,
  positions: ColumnPositions,
  { from, to }: Window,
): Promise<ReadyPart> {
  const { rows, places: all, least } = positions;
  const { months, order } = target;
  const start = lastBefore(positions, from);
  const end = lowerBound(least, to);
  const begins = await placesAt(db, target, rows, start);
  const ends = endsAfter(rows, end);
  let skip = from;
  const walks = months.flatMap((month) => {
    const own = all.get(month.month) ?? new Int32Array();
    const begin = begins.get(month.month) ?? 0;
    const [first, last] = [
      lowerBound(own, begin),
      lowerBound(own, ends.get(month.month) ?? Number.POSITIVE_INFINITY),
    ];
    skip -= first;
    return first < last ? [{ month, offsets: own.subarray(first, last).map((place) => place - begin) }] : [];
  });
  const key = rows[start] && keyOfRow(order, rows[start]);
  const by = sql.ref(`u.${valueColumns[order]}`);
  const since =
    key &&
    sql`and (${by}, u.started_at, u.id) >= (${key.value}, ${key.startedAt}::timestamptz, ${key.id}::uuid)`;
  const instants = (of: 'from' | 'until') =>
    listOf(
      walks.map(({ month }) => rangeOf(month.month)[of].toISOString()),
      'timestamptz',
    );
  const lengths = walks.map(({ offsets }) => (offsets.at(-1) ?? 0) + 1);
  const wanted = walks.map(({ offsets }, at) => bitsOf(offsets, lengths[at] ?? 0));
  const statement = sql<RecordRow>`
    select ${recordColumns}
      from (select w.value, w.started_at, w.id
              from unnest(${instants('from')}, ${instants('until')}, ${listOf(lengths, 'integer')}, ${wanted}::bytea[])
                   as m (since, until, length, wanted)
             cross join lateral (
                   select ${by} as value, u.started_at, u.id,
                          row_number() over (order by ${by}, u.started_at, u.id) - 1 as place
                     from usage_record u
                    where ${conditionOf(target.scope, wholeFilter(target.state.filter, order))}
                      and u.started_at >= m.since and u.started_at < m.until ${since ?? sql``}
                    order by ${by}, u.started_at, u.id limit m.length) w
             where get_bit(m.wanted, w.place) = 1
             order by w.value, w.started_at, w.id limit ${to - from} offset ${skip}) k
     cross join ${recordByKey(target.scope.customerId)} u
     order by k.value, k.started_at, k.id`;
  return { statement: inIndexOrder(comparing(order, statement)), isReversed: false };
}

/** Places as bits, the first one lowest, as `get_bit` has them: to look each up in a list would take as long as the list is. */
function bitsOf(places: Int32Array, length: number): Buffer {
  const bits = Buffer.alloc((length + 7) >> 3);
  for (const place of places) bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
  return bits;
}

/** The last sample that is surely not behind a position. Before the first one there is nothing. */
const lastBefore = ({ most }: ColumnPositions, position: number): number =>
  Math.max(0, lowerBound(most, position + 1) - 1);

/** A record near a position, and how many of the filter stand before it. */
export async function columnKey(
  db: Db,
  target: SampleTarget,
  positions: ColumnPositions,
  position: number,
): Promise<{ readonly key: SampledKey; readonly rank: number } | undefined> {
  const { rows, places: all } = positions;
  const at = lastBefore(positions, position);
  const row = rows[at];
  if (row === undefined) return undefined;
  const begins = await placesAt(db, target, rows, at);
  const rank = sumOf(all, ([month, own]) => lowerBound(own, begins.get(month) ?? 0));
  return { key: keyOfRow(target.order, row), rank };
}

const wholeCondition = ({ scope, state, order }: SampleTarget, { month }: UsageMonth): Sql<boolean> =>
  usageCondition(scope, { ...wholeFilter(state.filter, order), ...rangeOf(month) });

/** Where a sample stands among all records of each month. */
async function placesAt(
  db: Db,
  { scope, months, order, state }: SampleTarget,
  rows: readonly SampleRow[],
  at: number,
): Promise<ReadonlyMap<string, number>> {
  const whole = months.map((month) => ({ ...month, ...rangeOf(month.month) }));
  const sample = sampleAt(rows, at, { months: whole, order });
  if (sample === undefined) return new Map();
  const filter = wholeFilter(state.filter, order);
  const counts = await countBetween(db, { scope, order, state: { filter } }, sample);
  return new Map(sample.near.map(({ month, before }, one) => [month.month, before + (counts[one] ?? 0)]));
}

/** Of each month, the place of its first sample behind one. */
function endsAfter(rows: readonly SampleRow[], at: number): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (let next = at + 1; next < rows.length; next += 1) {
    const row = rows[next];
    if (row !== undefined && !ends.has(row.month)) ends.set(row.month, (row.ordinal - 1) * row.distance);
  }
  return ends;
}
