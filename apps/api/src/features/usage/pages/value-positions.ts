import { Database, type Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { conditionOf, type UsageFilter, usageCondition } from '../filter.ts';
import {
  bytesOfColumns,
  type ColumnPositions,
  columnKey,
  columnPart,
  columnPositions,
} from './column-positions.ts';
import { type CountedDay, countByDay } from './counts.ts';
import { positionsByDay } from './date-positions.ts';
import { wholeFilter } from './make-samples.ts';
import { countNearEnd, countNearMonthEnds, NearEnd } from './near-end.ts';
import { type Part, partOf } from './part.ts';
import type { Positions, PositionsInput } from './positions.ts';
import type { Window } from './running-sums.ts';
import {
  bytesOfSamples,
  keyOf,
  type MergedSamples,
  mergeSamples,
  nearestSample,
  rankOf,
  type SampledKey,
} from './samples.ts';
import { type ValueOrder, valueColumns } from './sort.ts';
import type { CountedMonth, UsageMonth } from './state.ts';

/** Ends of pages whose records are remembered. */
const LEARNED = 100;
/** The columns of so many records are read in the time in which one entry of an index is walked past. */
const OF_COLUMNS = 20;
/** About what a key takes, and a day with its count. */
const KEY_BYTES = 300;
const DAY_BYTES = 100;

/** In the order of a figure or text of the record. */
export async function valuePositions(db: Db, input: PositionsInput, order: ValueOrder): Promise<Positions> {
  const days = await countByDay(db, input.scope, input.state);
  return order === 'serviceItem3' ? thirdPositions(input, days) : indexPositions(input, order, days);
}

/**
 * First those without, in the order of time, then those that the index of `service_item3` holds. How many there are of
 * each is counted when a page needs it: the first ones do not.
 */
function thirdPositions(input: PositionsInput, days: readonly CountedDay[]): Positions {
  const part = (hasThird: boolean): PositionsInput => {
    const state = { ...input.state, filter: { ...input.state.filter, hasThird } };
    return { ...input, state, where: usageCondition(input.scope, state.filter) };
  };
  const [without, given] = [part(false), part(true)];
  const count = async (db: Db) => {
    const counted = await countByDay(db, given.scope, given.state);
    return {
      without: positionsByDay(without, less(days, counted)),
      given: indexPositions(given, 'serviceItem3', counted),
    };
  };
  let halves: Awaited<ReturnType<typeof count>> | undefined;
  const run = { whole: inRange(input), where: without.where, isReversed: false };
  const end = new NearEnd((db, most) => countNearEnd(db, run, most, input.options.walkedAtEnd));
  const shifted = ({ from, to }: Window, by: number) => ({ from: from - by, to: to - by });
  return {
    total: sumOf(days),
    get bytes() {
      return DAY_BYTES * days.length + (halves === undefined ? 0 : halves.without.bytes + halves.given.bytes);
    },
    learn(window, rows) {
      // Of a window over both, what lies in the second is not learnt.
      const first = halves?.without.total ?? Number.POSITIVE_INFINITY;
      if (window.from >= first) halves?.given.learn?.(shifted(window, first), rows);
    },
    async partsOf(reader, window) {
      if (halves === undefined) {
        if (await end.holds(reader, window.to))
          return [
            { where: without.where, isReversed: false, skip: window.from, take: window.to - window.from },
          ];
        halves = await count(reader);
      }
      const first = halves.without.total;
      if (window.to <= first) return halves.without.partsOf(reader, window);
      if (window.from >= first) return halves.given.partsOf(reader, shifted(window, first));
      const rest = await halves.given.partsOf(reader, { from: 0, to: window.to - first });
      if (rest === 'changed') return rest;
      return [...(await halves.without.partsOf(reader, { from: window.from, to: first })), ...rest];
    },
  };
}

/** All records of the customer in the range. */
const inRange = ({ scope, state: { filter } }: PositionsInput): Sql<boolean> =>
  usageCondition(scope, { from: filter.from, until: filter.until });

const sumOf = (counts: readonly { readonly n: number }[]): number =>
  counts.reduce((sum, { n }) => sum + n, 0);

/** What days (or months) have beyond what others count of them. */
function less(days: readonly CountedDay[], others: readonly CountedDay[]): CountedDay[] {
  let at = 0;
  return days.map(({ from, n }, index) => {
    const next = days[index + 1]?.from;
    let rest = n;
    for (let other = others[at]; other !== undefined; other = others[at]) {
      if (next !== undefined && other.from >= next) break;
      rest -= other.n;
      at += 1;
    }
    return { from, n: rest };
  });
}

/**
 * Near either end the index of the order is walked, where the filter has records soon; else a sampled position is looked up, counted
 * exactly, and walked on from.
 */
function indexPositions(input: PositionsInput, order: ValueOrder, days: readonly CountedDay[]): Positions {
  const total = sumOf(days);
  const months = countedMonths(input.state.months, days);
  const by = sql.ref(`u.${valueColumns[order]}`);
  const whole = {
    where: input.where,
    by,
    isFilteredByIndex: isFilteredByIndex(input.state.filter),
    order,
  };
  const isOutsideIndex = filtersOutside(input.state.filter, order);
  const dense = { ...whole, denseCustomerId: input.scope.customerId };
  const isRun = isRunOfIndex(input.state.filter, order);
  const isUnfiltered = isRun && input.state.filter.number === undefined;
  const learned = new Map<number, SampledKey>();
  const target = { ...input, order, months: months.filter(({ n }) => n > 0) };
  const isSampled = total > 2 * input.options.nearEnd;
  let columns: ColumnPositions | 'none' | undefined;
  const isNearEnd = ({ from, to }: Window) => Math.min(from, total - to) <= input.options.nearEnd;
  const endOf = (isReversed: boolean) => {
    const { walkedAtEnd, walkedInIndex } = input.options;
    const ofIndex = indexFilter(input.state.filter, order);
    const run = { where: input.where, by, isReversed };
    const ofRange = { ...run, whole: usageCondition(input.scope, ofIndex) };
    const ofMonth = { ...run, whole: conditionOf(input.scope, ofIndex) };
    const walked = Math.max(walkedInIndex, total / OF_COLUMNS);
    return new NearEnd((db, most) =>
      isOutsideIndex
        ? countNearEnd(db, ofRange, most, walkedAtEnd)
        : countNearMonthEnds(db, ofMonth, target.months, most, walked),
    );
  };
  const ends = { first: endOf(false), last: endOf(true) };
  /** Whether the records of a filter are soon walked to from the nearer end: dear ones of a type may lie behind many others. */
  const isReached = (db: Db, { from, to }: Window): boolean | Promise<boolean> => {
    if (isRun) return true;
    return from > total - to ? ends.last.holds(db, total - from) : ends.first.holds(db, to);
  };
  let samples: MergedSamples | undefined;
  return {
    total,
    get bytes() {
      const ofColumns = columns === undefined || columns === 'none' ? 0 : bytesOfColumns(columns);
      return KEY_BYTES * learned.size + ofColumns + (samples === undefined ? 0 : bytesOfSamples(samples));
    },
    learn(window, rows) {
      const ends = [[window.from, rows[0]] as const, [window.to - 1, rows.at(-1)] as const];
      for (const [position, row] of ends) {
        if (row === undefined) continue;
        learned.set(position, keyOf(order, row[valueColumns[order]], row.started_at, row.id));
      }
      for (const oldest of learned.keys()) {
        if (learned.size <= LEARNED) break;
        learned.delete(oldest);
      }
    },
    async partsOf(reader, window) {
      const isNear = isNearEnd(window);
      const isWalked = !isSampled || (isNear && (await isReached(reader, window)));
      if (!isWalked && columns !== 'none') {
        columns ??= (await columnPositions(reader, target)) ?? 'none';
        if (columns !== 'none' && (isOutsideIndex || !columns.isBroad))
          return [await columnPart(reader, target, columns, window)];
      }
      for (const rank of [window.from, window.from - 1, window.to, window.to - 1]) {
        const key = learned.get(rank);
        const isDense = isUnfiltered || (columns !== 'none' && columns?.isBroad);
        if (key !== undefined) return partsAround(isDense ? dense : whole, rank, key, window);
      }
      if (isWalked || (isNear && columns === 'none')) return [partOf(whole, total, window)];
      // Of a filter that leaves much and stands in the index, its own entries are walked: fewer than all of them.
      const near = columns && columns !== 'none' && (await columnKey(reader, target, columns, window.from));
      if (near) return partsAround(dense, near.rank, near.key, window);
      samples ??= await mergeSamples(reader, target);
      const sample = samples && nearestSample(samples, target, (window.from + window.to) / 2);
      // Under a snapshot nothing is sampled; else a month has changed, and with it what was counted.
      if (sample === undefined)
        return reader instanceof Database ? 'changed' : [partOf(whole, total, window)];
      const rank = await rankOf(reader, target, sample);
      return partsAround(isUnfiltered ? dense : whole, rank, sample.key, window);
    },
  };
}

/** Type and agreement stand in the indexes of price, units and number, all filters in that of `service_item3`. */
const isFilteredByIndex = ({ recordTypeIds, agreementId, serviceItemId, hasThird }: UsageFilter): boolean =>
  hasThird === true ||
  ((recordTypeIds !== undefined || agreementId !== undefined) && serviceItemId === undefined);

/** Whether the index of the order lacks something of the filter, so that records would be fetched to be left out. */
const filtersOutside = ({ serviceItemId, number, hasThird }: UsageFilter, order: ValueOrder): boolean =>
  hasThird !== true && (serviceItemId !== undefined || (number !== undefined && order !== 'serviceItem2'));

/** What a walk through the index of the order passes by: only what begins as the number is no more than that. */
const indexFilter = (filter: UsageFilter, order: ValueOrder): UsageFilter =>
  order === 'serviceItem2' && filter.number !== undefined
    ? { ...wholeFilter(filter, order), number: filter.number }
    : wholeFilter(filter, order);

/** Whether all records are wanted that a walk through the index passes by. */
const isRunOfIndex = (
  { recordTypeIds, agreementId, serviceItemId, number }: UsageFilter,
  order: ValueOrder,
): boolean =>
  recordTypeIds === undefined &&
  agreementId === undefined &&
  serviceItemId === undefined &&
  (number === undefined || order === 'serviceItem2');

/** Apart, so that the positions do not hold the days. */
const countedMonths = (months: readonly UsageMonth[], days: readonly CountedDay[]): CountedMonth[] =>
  months.map((month) => {
    const within = days.filter(({ from }) => from >= month.from && from < month.until);
    return { ...month, n: sumOf(within) };
  });

/** A window read forwards and backwards from a key whose rank is known. */
function partsAround(
  {
    where,
    by,
    ...how
  }: Pick<Part, 'where' | 'isFilteredByIndex' | 'order' | 'denseCustomerId'> & { readonly by: Sql },
  rank: number,
  key: SampledKey,
  { from, to }: Window,
): Part[] {
  const row = sql`(${by}, u.started_at, u.id)`;
  const keyed = sql`(${key.value}, ${key.startedAt}::timestamptz, ${key.id}::uuid)`;
  const parts: Part[] = [];
  if (from < rank)
    parts.push({
      ...how,
      where: sql<boolean>`${where} and ${row} < ${keyed}`,
      by,
      isReversed: true,
      skip: Math.max(0, rank - to),
      take: Math.min(rank, to) - from,
    });
  if (to > rank)
    parts.push({
      ...how,
      where: sql<boolean>`${where} and ${row} >= ${keyed}`,
      by,
      isReversed: false,
      skip: Math.max(0, from - rank),
      take: to - Math.max(rank, from),
    });
  return parts;
}
