import type { Tx } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { incomingColumns, monthOfRecord } from './merge.ts';

/** Rows of one transaction: enough to be fast, few enough that nobody waits long for its totals. */
export const SLICE_ROWS = 100_000;

/** What the staged file comes to, put in order. */
export interface Ready {
  /** Records to merge, each id once. */
  readonly rows: number;
  /** Rows that say again what another row of the same file says of the same record. */
  readonly repeats: number;
  /** The same record with other content, further up in the same file: the last one counts. */
  readonly superseded: number;
}

/**
 * Turns `usage_staged` into `usage_ready`: ids made, rows in the order they are written in, numbered. A row without a key takes
 * its ordinal among identical rows of the whole file into its id, so that honest repeats stay and a file that is taken
 * in a second time, or after a crash, meets the same ids. Of several rows with the same key the last one counts.
 * @param isKeyed whether the mapping has a key
 * @param isLifelong whether the key alone is the record, whatever its time
 * @param isRetry rows of a quarantine, which `usage_retry` tells their ordinal
 */
export async function makeReady(
  tx: Tx,
  isKeyed: boolean,
  isLifelong: boolean,
  isRetry = false,
): Promise<Ready> {
  await tx.execute(sql`drop table if exists usage_ready`);
  const { rows: all } = await tx.one<{ rows: number }>(sql`select count(*)::int as rows from usage_staged`);
  // Of a keyed row the hash is the id, so that one sort finds what stands twice and gives the order of the table.
  const rowId = sql`encode(substring(sha256(convert_to(key, 'UTF8')) from 1 for 16), 'hex')::uuid as row_id`;
  const rowHash = sql`sha256(convert_to(key, 'UTF8')) as row_hash`;
  const id = isKeyed
    ? sql`row_id`
    : sql`encode(substring(sha256(row_hash || int4send(n)) from 1 for 16), 'hex')::uuid`;
  const same = isLifelong
    ? sql`customer_id, row_id`
    : sql`month, customer_id, started_at, ${isKeyed ? sql`row_id` : sql`row_hash`}`;
  const hashed = sql`
    select line, ${isKeyed ? rowId : rowHash}, ${monthOfRecord()} as month, customer_id, started_at, agreement_id, record_type_id,
           service_item_id, service_item2, service_item3, units, price, has_price,
           hashtextextended(concat_ws(E'\\x1f', record_type_id, service_item2, service_item3, units, price, has_price,
                                      said) collate "C", 0) as content_hash
      from usage_staged`;
  const window = sql`over (partition by ${same} order by line desc)`;
  const numbered = isKeyed
    ? sql`select *, row_number() ${window} as place from (${hashed}) h`
    : isRetry
      ? retriedRows(hashed, same)
      : sql`select *, row_number() over (partition by ${same} order by line)::int as n from (${hashed}) h`;
  await tx.execute(sql`
    create temporary table usage_ready as
    select row_number() over (order by month, customer_id, started_at, id) as seq, ${incomingColumns}, line
      from (select s.*, ${id} as id from (${numbered}) s where ${isKeyed ? sql`place = 1` : sql`true`}) r
     order by month, customer_id, started_at, id`);
  await tx.execute(sql`create index on usage_ready using brin (seq) with (pages_per_range = 32)`);
  await tx.execute(sql`analyze usage_ready (seq)`);
  const { rows } = await tx.one<{ rows: number }>(sql`select count(*)::int as rows from usage_ready`);
  const { superseded } =
    isKeyed && all > rows
      ? await tx.one<{ superseded: number }>(sql`
          select count(*) filter (where earlier_hash <> content_hash or earlier_at <> started_at)::int as superseded
            from (select content_hash, started_at, lead(content_hash) ${window} as earlier_hash,
                         lead(started_at) ${window} as earlier_at from (${hashed}) h) s`)
      : { superseded: 0 };
  await tx.execute(sql`drop table usage_staged`);
  return { rows, repeats: all - rows - superseded, superseded };
}

/**
 * Rows of a quarantine keep the ordinals they had in their file. Where two have become the same row with the same ordinal,
 * because their mapping was changed, the later one takes the next that is free: no id stands twice.
 */
const retriedRows = (hashed: Sql, same: Sql): Sql => sql`
  select o.*, (place + max(ordinal - place) over (partition by ${same} order by place))::int as n
    from (select h.*, t.ordinal, row_number() over (partition by ${same} order by t.ordinal, h.line) as place
            from (${hashed}) h join usage_retry t on t.line = h.line) o`;

/** Months of the rows that wait, first days in UTC. */
export async function readyMonths(tx: Tx): Promise<readonly string[]> {
  const rows = await tx.many<{ month: string }>(sql`
    select month::date::text as month from (select distinct ${monthOfRecord()} as month from usage_ready) m`);
  return rows.map((row) => row.month);
}

/** Puts one slice where the merge reads it. */
export const takeSlice = (tx: Tx, from: number, upTo: number): Promise<number> =>
  tx.execute(sql`
    insert into usage_incoming (${incomingColumns}, line)
    select ${incomingColumns}, line from usage_ready where seq > ${from} and seq <= ${upTo} order by seq`);
