import type { Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import type { UsageFilter } from '../filter.ts';
import type { PagesState, UsageMonth } from '../pages/state.ts';
import { findColumns, type Slice } from './find.ts';
import { type Column, readColumns, type Values } from './read.ts';

type Counted = Pick<PagesState, 'filter' | 'months'>;

/** Days of a month, at most, and one more so that they count from 1. */
const DAYS = 32;

/** Sums of the records of one month, day and type. */
interface Sums {
  n: number;
  /** Millionths */
  units: bigint;
  price: bigint;
}

/**
 * Rows with `day`, `record_type_id` and `n`, and with `units` and `price` where these are asked for, from columns; of months
 * without them from their records.
 * @param ofRecords the same rows from the records of a filter
 * @returns undefined where records are better read
 */
export async function columnRows(
  db: Db,
  scope: CustomerScope,
  { filter, months }: Counted,
  ofRecords: (filter: UsageFilter) => Sql,
  hasSums = false,
): Promise<Sql | undefined> {
  const found = await findColumns(db, scope, { filter, months }, false);
  if (found === undefined) return undefined;
  const sums = new Map<string, Sums>();
  const isDone = hasSums
    ? await readColumns(
        db,
        scope,
        filter,
        found,
        ['day', 'record_type', 'price', 'units'],
        (slice, values, chosen) => addSums(sums, slice, values, chosen),
      )
    : await readColumns(db, scope, filter, found, ['day', 'record_type'], (slice, values, chosen) =>
        addCounts(sums, slice, values, chosen),
      );
  if (!isDone) return undefined;
  const rows = [...sums].map(([key, { n, units, price }]) => {
    const [day = '', type = ''] = key.split(' ');
    return { day, type, n, units: units.toString(), price: price.toString() };
  });
  const list = (name: 'day' | 'type' | 'n' | 'units' | 'price', type: string) =>
    sql`${rows.map((row) => row[name])}::${sql.raw(type)}[]`;
  const added = hasSums
    ? sql`
      select day, record_type_id, n, units / 1000000 as units, price / 1000000 as price
        from unnest(${list('day', 'date')}, ${list('type', 'uuid')}, ${list('n', 'integer')},
                    ${list('units', 'numeric')}, ${list('price', 'numeric')})
          as c (day, record_type_id, n, units, price)`
    : sql`
      select * from unnest(${list('day', 'date')}, ${list('type', 'uuid')}, ${list('n', 'integer')})
                 as c (day, record_type_id, n)`;
  return sql.join([added, ...restOf(filter, found.rest).map(ofRecords)], sql` union all `);
}

const restOf = (filter: UsageFilter, months: readonly UsageMonth[]): UsageFilter[] =>
  months.map(({ from, until }) => ({ ...filter, from, until }));

interface DayTypes {
  readonly day: Uint8Array;
  readonly record_type: Uint16Array;
}

function addCounts(
  sums: Map<string, Sums>,
  slice: Slice,
  { day, record_type: type }: DayTypes,
  chosen: Uint32Array,
) {
  const counts = new Uint32Array(DAYS * slice.recordTypes.length);
  for (const at of chosen) {
    const cell = (type[at] ?? 0) * DAYS + (day[at] ?? 0);
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  for (const [cell, n] of counts.entries()) if (n > 0) add(sums, slice, cell, { n, units: 0n, price: 0n });
}

/** Halves are summed apart, so many records at a time that their sums stay below 2⁵³ and are exact. */
const SUMMED_AT_ONCE = 1 << 20;

function addSums(
  sums: Map<string, Sums>,
  slice: Slice,
  values: DayTypes & { readonly price: Int32Array; readonly units: Int32Array },
  chosen: Uint32Array,
): void {
  for (let from = 0; from < chosen.length; from += SUMMED_AT_ONCE)
    addSumsOf(sums, slice, values, chosen.subarray(from, from + SUMMED_AT_ONCE));
}

function addSumsOf(
  sums: Map<string, Sums>,
  slice: Slice,
  {
    day,
    record_type: type,
    price,
    units,
  }: DayTypes & { readonly price: Int32Array; readonly units: Int32Array },
  chosen: Uint32Array,
) {
  const cells = DAYS * slice.recordTypes.length;
  const [n, priceHigh, priceLow, unitsHigh, unitsLow] = [0, 1, 2, 3, 4].map(
    () => new Float64Array(cells),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
  for (const at of chosen) {
    const cell = (type[at] ?? 0) * DAYS + (day[at] ?? 0);
    n[cell] = (n[cell] ?? 0) + 1;
    priceHigh[cell] = (priceHigh[cell] ?? 0) + (price[2 * at] ?? 0);
    priceLow[cell] = (priceLow[cell] ?? 0) + ((price[2 * at + 1] ?? 0) >>> 0);
    unitsHigh[cell] = (unitsHigh[cell] ?? 0) + (units[2 * at] ?? 0);
    unitsLow[cell] = (unitsLow[cell] ?? 0) + ((units[2 * at + 1] ?? 0) >>> 0);
  }
  const whole = (high: Float64Array, low: Float64Array, cell: number) =>
    (BigInt(high[cell] ?? 0) << 32n) + BigInt(low[cell] ?? 0);
  for (const [cell, records] of n.entries())
    if (records > 0)
      add(sums, slice, cell, {
        n: records,
        units: whole(unitsHigh, unitsLow, cell),
        price: whole(priceHigh, priceLow, cell),
      });
}

function add(sums: Map<string, Sums>, { month, recordTypes }: Slice, cell: number, more: Sums): void {
  const day = `${month.month.slice(0, 8)}${String(cell % DAYS).padStart(2, '0')}`;
  const key = `${day} ${recordTypes[Math.floor(cell / DAYS)] ?? ''}`;
  const sum = sums.get(key);
  if (sum === undefined) sums.set(key, { ...more });
  else {
    sum.n += more.n;
    sum.units += more.units;
    sum.price += more.price;
  }
}

/**
 * Rows with `record_type_id` and `n`, from columns; of months without them otherwise.
 * @param ofRest the same rows of a filter, without columns
 * @returns undefined where records are better read
 */
export const columnTypes = (db: Db, scope: CustomerScope, counted: Counted, ofRest: RowsOf) =>
  columnGroups(db, scope, counted, ofRest, {
    name: 'record_type_id',
    withLines: false,
    columns: ['record_type'],
    groupsOf: typesOf,
  });

/**
 * Rows with `service_item_id` and `n`, from columns; of months without them otherwise.
 * @param ofRest the same rows of a filter, without columns
 * @returns undefined where records are better read
 */
export const columnLines = (db: Db, scope: CustomerScope, counted: Counted, ofRest: RowsOf) =>
  columnGroups(db, scope, counted, ofRest, {
    name: 'service_item_id',
    withLines: true,
    columns: [],
    groupsOf: (slice, _values, chosen) => linesOf(slice, chosen),
  });

type RowsOf = (filter: UsageFilter) => Sql;

/** What records are counted by. */
interface Grouping<C extends Column> {
  readonly name: 'record_type_id' | 'service_item_id';
  readonly withLines: boolean;
  /** What is read of each record. */
  readonly columns: readonly C[];
  /** Ids with how many of the chosen records they have. */
  readonly groupsOf: (
    slice: Slice,
    values: Pick<Values, C>,
    chosen: Uint32Array,
  ) => Iterable<readonly [id: string, n: number]>;
}

async function columnGroups<C extends Column>(
  db: Db,
  scope: CustomerScope,
  { filter, months }: Counted,
  ofRest: RowsOf,
  { name, withLines, columns, groupsOf }: Grouping<C>,
): Promise<Sql | undefined> {
  const found = await findColumns(db, scope, { filter, months }, withLines);
  if (found === undefined) return undefined;
  const counts = new Map<string, number>();
  const isDone = await readColumns(db, scope, filter, found, columns, (slice, values, chosen) => {
    for (const [id, n] of groupsOf(slice, values, chosen)) counts.set(id, (counts.get(id) ?? 0) + n);
  });
  if (!isDone) return undefined;
  const added = sql`
    select * from unnest(${[...counts.keys()]}::uuid[], ${[...counts.values()]}::integer[]) as c (${sql.id(name)}, n)`;
  return sql.join([added, ...restOf(filter, found.rest).map(ofRest)], sql` union all `);
}

/** Record types of chosen records. */
function* typesOf(
  { recordTypes }: Slice,
  { record_type: types }: Pick<Values, 'record_type'>,
  chosen: Uint32Array,
): Iterable<readonly [string, number]> {
  const counts = new Uint32Array(recordTypes.length);
  for (const at of chosen) {
    const type = types[at] ?? 0;
    counts[type] = (counts[type] ?? 0) + 1;
  }
  for (const [type, n] of counts.entries()) if (n > 0) yield [recordTypes[type] ?? '', n];
}

/** Lines of chosen records. */
function* linesOf({ lines }: Slice, chosen: Uint32Array): Iterable<readonly [string, number]> {
  if (lines === undefined) return;
  let end = 0;
  let next = 0;
  for (let at = 0; at < lines.records.length / 4; at += 1) {
    end += lines.records.readInt32BE(4 * at);
    const first = next;
    while (next < chosen.length && (chosen[next] ?? 0) < end) next += 1;
    if (next > first) yield [lines.ids.toString('hex', 16 * at, 16 * at + 16), next - first];
  }
}
