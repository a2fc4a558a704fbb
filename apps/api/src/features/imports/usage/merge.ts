import type { Tx } from '../../../db/database.ts';
import { lockRows } from '../../../db/lock-rows.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { addToSelections } from '../../usage/service.ts';

/** How many records of a merge were new, corrected, or known already, and what that changes in all sums. */
export interface MergeCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Exact decimal text. */
  readonly units: string;
  readonly price: string;
}

/**
 * The temporary table a merge reads: one row a record, unique by (customer_id, started_at, id). `content_hash`
 * covers every column a correction may change, `line` says where the record stands in its file. Drops with the
 * transaction, as does `usage_change`: what the sums gain and lose; of new records also with their content.
 */
export async function createIncoming(tx: Tx): Promise<void> {
  await tx.execute(sql`
    create temporary table usage_incoming (
      customer_id uuid not null, started_at timestamptz not null, id uuid not null, agreement_id uuid not null,
      record_type_id uuid not null, service_item_id uuid not null, service_item2 text collate "C" not null,
      service_item3 text collate "C" not null, units numeric(18,6) not null, price numeric(18,6) not null,
      has_price boolean not null, content_hash bigint not null, line bigint not null
    ) on commit drop`);
  await tx.execute(sql`
    create temporary table usage_change (
      customer_id uuid not null, started_at timestamptz not null, id uuid not null, agreement_id uuid not null,
      record_type_id uuid not null, service_item_id uuid not null, service_item2 text collate "C" not null,
      n int not null, units numeric not null, price numeric not null, content_hash bigint
    ) on commit drop`);
}

/** The same columns in the same order, for COPY and inserts. */
export const incomingColumns: Sql = sql`customer_id, started_at, id, agreement_id, record_type_id, service_item_id,
  service_item2, service_item3, units, price, has_price, content_hash`;

/** First moment of a record's month, UTC. @param of alias of the record, with its dot */
export const monthOfRecord = (of = ''): Sql =>
  sql.raw(`date_trunc('month', ${of}started_at at time zone 'UTC')`);

/**
 * The order everybody writes and locks records in, so that two imports wait for each other and never deadlock: month
 * by month, because the indexes of one month stay in memory while it is filled.
 * @param of alias of the records, with its dot
 */
export const writeOrder = (of = ''): Sql =>
  sql`${monthOfRecord(of)}, ${sql.raw(`${of}customer_id, ${of}started_at, ${of}id`)}`;

/**
 * Merges `usage_incoming` into the usage records and keeps the rollups exact, all in the caller's transaction.
 * Every write goes in `writeOrder`, rollups in that of their keys.
 * The months must exist and be open (`ensureMonths`).
 */
export async function mergeIncoming(tx: Tx): Promise<MergeCounts> {
  await tx.execute(sql`create index on usage_incoming (customer_id, started_at, id)`);
  // A sample of 3,000 rows tells the planner enough.
  await tx.execute(sql`set local default_statistics_target = 10`);
  await tx.execute(sql`analyze usage_incoming`);
  await tx.execute(sql`set local default_statistics_target = default`);
  const total = { created: 0, updated: 0, unchanged: 0 };
  const range = await rangeOf(tx);
  let waiting = range.n;
  while (waiting > 0) {
    const unchanged = await dropKnown(tx, range);
    total.unchanged += unchanged;
    waiting -= unchanged;
    if (waiting === 0) break;
    const updated = await correct(tx, range);
    const created = await insertNew(tx);
    total.updated += updated;
    total.created += created;
    waiting -= updated + created;
    // A record another import committed meanwhile was not inserted: look at it again, or its correction is lost.
    if (waiting > 0) await dropInserted(tx);
  }
  await addToRollups(tx);
  const sums = await tx.one<{ units: string; price: string }>(sql`
    select coalesce(sum(units), 0)::numeric(24,6)::text as units, coalesce(sum(price), 0)::numeric(24,6)::text as price
      from usage_change`);
  return { ...total, ...sums };
}

interface Range {
  readonly n: number;
  /** As text: moments are finer than a Date, and the last one must not be cut off. */
  readonly first: string | null;
  readonly last: string | null;
}

const rangeOf = (tx: Tx) =>
  tx.one<Range>(sql`
    select count(*)::int as n, min(started_at)::text as first, max(started_at)::text as last from usage_incoming`);

/** The same record. The range, sent as values, lets the planner leave other months alone. */
const sameRecord = ({ first, last }: Range) => sql`
  r.customer_id = i.customer_id and r.started_at = i.started_at and r.id = i.id
  and r.started_at between ${first} and ${last}`;

const dropKnown = (tx: Tx, range: Range) =>
  tx.execute(sql`
    delete from usage_incoming i using usage_record r where ${sameRecord(range)} and r.content_hash = i.content_hash`);

/** Records known with other content: the old figures leave the rollups, the new ones enter. */
async function correct(tx: Tx, range: Range): Promise<number> {
  const differing = sql`usage_record r join usage_incoming i on ${sameRecord(range)}
   where r.content_hash <> i.content_hash`;
  const rows = { table: 'usage_record', from: differing, alias: 'r', order: writeOrder('r.') } as const;
  if (!(await lockRows(tx, rows))) return 0;
  await tx.execute(sql`
    insert into usage_change
    select r.customer_id, r.started_at, r.id, r.agreement_id, r.record_type_id, r.service_item_id, r.service_item2, -1,
           -r.units, -r.price
      from ${differing}`);
  return tx.execute(sql`
    with changed as (
      update usage_record r
         set agreement_id = i.agreement_id, record_type_id = i.record_type_id, service_item_id = i.service_item_id,
             service_item2 = i.service_item2, service_item3 = i.service_item3, units = i.units, price = i.price,
             has_price = i.has_price, content_hash = i.content_hash
        from usage_incoming i where ${sameRecord(range)} and r.content_hash <> i.content_hash
      returning r.customer_id, r.started_at, r.id, r.agreement_id, r.record_type_id, r.service_item_id, r.service_item2,
                r.units, r.price),
    gone as (
      delete from usage_incoming i using changed r where ${sameRecord(range)})
    insert into usage_change
    select customer_id, started_at, id, agreement_id, record_type_id, service_item_id, service_item2, 1, units, price from changed`);
}

const insertNew = (tx: Tx) =>
  tx.execute(sql`
    with fresh as (
      insert into usage_record (${incomingColumns})
      select ${incomingColumns} from usage_incoming order by ${writeOrder()}
      on conflict do nothing
      returning customer_id, started_at, id, agreement_id, record_type_id, service_item_id, service_item2, units, price,
                content_hash)
    insert into usage_change
    select customer_id, started_at, id, agreement_id, record_type_id, service_item_id, service_item2, 1, units, price, content_hash
      from fresh`);

const dropInserted = (tx: Tx) =>
  tx.execute(sql`
    delete from usage_incoming i using usage_change r
     where r.customer_id = i.customer_id and r.started_at = i.started_at and r.id = i.id and r.n = 1`);

/** Brings the sums of days, types, lines, selections and months up to what stands in `usage_change`. */
export async function addToRollups(tx: Tx): Promise<void> {
  const day = sql`(started_at at time zone 'UTC')::date`;
  const month = sql`date_trunc('month', started_at at time zone 'UTC')::date`;
  const sums = sql`sum(n)::int as n, sum(units) as units, sum(price) as price`;
  const add = (table: Sql) => sql`n = ${table}.n + excluded.n, units = ${table}.units + excluded.units,
    price = ${table}.price + excluded.price`;
  await tx.execute(sql`
    insert into usage_day (customer_id, day, n, units, price)
    select customer_id, ${day} as day, ${sums} from usage_change group by 1, 2 order by 1, 2
    on conflict (customer_id, day) do update set ${add(sql`usage_day`)}`);
  await tx.execute(sql`
    insert into usage_type_day (customer_id, record_type_id, agreement_id, day, n, units, price)
    select customer_id, record_type_id, agreement_id, ${day} as day, ${sums} from usage_change
     group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (customer_id, record_type_id, agreement_id, day) do update set ${add(sql`usage_type_day`)}`);
  await tx.execute(sql`
    insert into usage_item_month (customer_id, service_item_id, agreement_id, month, n, units, price)
    select customer_id, service_item_id, agreement_id, ${month} as month, ${sums} from usage_change
     group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (customer_id, service_item_id, agreement_id, month) do update set ${add(sql`usage_item_month`)}`);
  await addToSelections(tx);
  await tx.execute(sql`
    insert into usage_version (customer_id, month, version)
    select distinct customer_id, ${month} as month, 1 from usage_change order by 1, 2
    on conflict (customer_id, month) do update set version = usage_version.version + 1`);
}
