import { setImmediate as turn } from 'node:timers/promises';
import { binaryRows } from '../../../db/copy/copy-binary.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import type { UsageFilter } from '../filter.ts';
import { isWhole } from '../pages/state.ts';
import { type FoundColumns, literalMonths, type Slice } from './find.ts';
import type { NumberPlaces } from './numbers.ts';

/** Bytes of a record in each column. */
const widths = {
  record_type: 2,
  day: 1,
  price_place: 4,
  units_place: 4,
  number_place: 4,
  third_place: 4,
  price: 8,
  units: 8,
} as const;
export type Column = keyof typeof widths;

/**
 * Values of a slice's records, in their order. Price and units are millionths in two halves each, the higher one first: a
 * bigint for each would be thrown away again.
 */
export interface Values {
  readonly record_type: Uint16Array;
  readonly day: Uint8Array;
  readonly price_place: Int32Array;
  readonly units_place: Int32Array;
  readonly number_place: Int32Array;
  readonly third_place: Int32Array;
  readonly price: Int32Array;
  readonly units: Int32Array;
}

/** Bytes that are read at a time, about: twice as much memory it takes, since the next ones come meanwhile. */
const AT_A_TIME = 4 * 1024 * 1024;

/** What is called with each slice: its values, and which of its records pass the filter, in order. */
export type Visit<C extends Column> = (slice: Slice, values: Pick<Values, C>, chosen: Uint32Array) => void;

/**
 * Goes through the columns of a filter.
 * @returns false when a month has changed meanwhile: what was visited is to be thrown away
 */
export async function readColumns<C extends Column>(
  db: Db,
  scope: CustomerScope,
  filter: UsageFilter,
  { slices }: FoundColumns,
  wanted: readonly C[],
  visit: Visit<C>,
): Promise<boolean> {
  const columns = [...new Set<Column>([...wanted, ...columnsOf(filter, slices)])];
  const batches = [...batchesOf(slices, columns)];
  const read = (n: number) => {
    const batch = batches[n];
    const coming = batch && binaryRows(db, sliceStatement(scope, batch, columns));
    // Of one that nobody waits for any more, nobody is told.
    coming?.catch(() => undefined);
    return coming;
  };
  let coming = read(0);
  for (const [n, batch] of batches.entries()) {
    const rows = (await coming) ?? [];
    // While one batch is worked through, the database reads the next.
    coming = read(n + 1);
    if (rows.length !== batch.length) return false;
    for (const [at, ...bytes] of rows) {
      const slice = batch[at?.readInt32BE() ?? -1];
      if (slice === undefined) return false;
      const values = Object.fromEntries(
        columns.map((column, index) => [column, decoded(bytes[index] ?? Buffer.alloc(0), column)]),
      ) as unknown as Values;
      visit(slice, values, chosenOf(slice, values, filter));
      // Others get their turn, and so does what comes.
      await turn();
    }
  }
  return true;
}

/** What a filter looks at beside agreement and line, which the slices are of. */
function columnsOf(
  { recordTypeIds, number, hasThird }: UsageFilter,
  slices: readonly Slice[],
): readonly Column[] {
  return [
    ...(recordTypeIds === undefined ? [] : (['record_type'] as const)),
    ...(number === undefined ? [] : (['number_place'] as const)),
    ...(hasThird === undefined ? [] : (['third_place'] as const)),
    ...(slices.every(({ month }) => isWhole(month)) ? [] : (['day'] as const)),
  ];
}

function* batchesOf(slices: readonly Slice[], columns: readonly Column[]): Iterable<readonly Slice[]> {
  const width = columns.reduce((sum, column) => sum + widths[column], 0);
  let batch: Slice[] = [];
  let bytes = 0;
  for (const slice of slices) {
    batch.push(slice);
    bytes += slice.n * width;
    if (bytes < AT_A_TIME) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Rows in any order: sorting would hold them all. */
function sliceStatement(scope: CustomerScope, slices: readonly Slice[], columns: readonly Column[]) {
  const parts = columns.map((column) => {
    const width = sql.lit(widths[column]);
    return sql`substring(${sql.ref(`c.${column}`)} from ${width} * m.first + 1 for ${width} * m.n)`;
  });
  const bounds = (at: number) => sql`${sql.lit(slices[at]?.first ?? 0)}, ${sql.lit(slices[at]?.n ?? 0)}`;
  return sql`
    select ${sql.join([sql`m.at`, ...parts])}
      from ${literalMonths(slices, bounds)} as m (at, month, version, first, n)
      join usage_columns c on c.customer_id = ${sql.lit(scope.customerId)}::uuid and c.month = m.month
           and c.version = m.version`;
}

/** In the machine's own order of bytes, in place: they are nobody else's. */
function decoded(bytes: Buffer, column: Column): Values[Column] {
  const { buffer, byteOffset: from, length } = bytes;
  switch (widths[column]) {
    case 1:
      return new Uint8Array(buffer, from, length);
    case 2:
      bytes.swap16();
      return new Uint16Array(buffer, from, length / 2);
    default:
      bytes.swap32();
      return new Int32Array(buffer, from, length / 4);
  }
}

function chosenOf(slice: Slice, values: Values, { recordTypeIds, hasThird }: UsageFilter): Uint32Array {
  const { n, month, recordTypes, numbers } = slice;
  let left = numbers === undefined ? upTo(n) : within(values.number_place, numbers);
  if (recordTypeIds !== undefined) {
    const { record_type: types } = values;
    left = ofTypes(
      left,
      types,
      Uint8Array.from(recordTypes, (id) => (recordTypeIds.includes(id) ? 1 : 0)),
    );
  }
  if (hasThird !== undefined) {
    const { third_place: places } = values;
    left = kept(left, (at) => (places[at] ?? -1) >= 0 === hasThird);
  }
  if (!isWhole(month)) {
    const { day } = values;
    const first = month.from.getUTCDate();
    const last = new Date(month.until.getTime() - 1).getUTCDate();
    left = kept(left, (at) => (day[at] ?? 0) >= first && (day[at] ?? 0) <= last);
  }
  return left;
}

function upTo(n: number): Uint32Array {
  const all = new Uint32Array(n);
  for (let at = 0; at < n; at += 1) all[at] = at;
  return all;
}

/** Where places lie in a span. Without a branch, which the processor guesses wrong: a third of the time. */
function within(places: Int32Array, { from, until }: NumberPlaces): Uint32Array {
  const all = new Uint32Array(places.length);
  const last = until - 1 - from;
  let n = 0;
  for (let at = 0; at < places.length; at += 1) {
    all[n] = at;
    const offset = (places[at] ?? -1) - from;
    // Outside, one of the two is negative: its sign is the -1 that takes the 1 away.
    n += 1 + ((offset | (last - offset)) >> 31);
  }
  return all.subarray(0, n);
}

/** Those of a type that is marked by 1, written over the others; as `within`, without a branch. */
function ofTypes(all: Uint32Array, types: Uint16Array, isMeant: Uint8Array): Uint32Array {
  let n = 0;
  for (let place = 0; place < all.length; place += 1) {
    const at = all[place] ?? 0;
    all[n] = at;
    n += isMeant[types[at] ?? 0] ?? 0;
  }
  return all.subarray(0, n);
}

/** Those that pass, written over the others. */
function kept(all: Uint32Array, passes: (at: number) => boolean): Uint32Array {
  let n = 0;
  for (const at of all) if (passes(at)) all[n++] = at;
  return all.subarray(0, n);
}
