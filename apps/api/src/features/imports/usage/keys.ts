import type { Tx } from '../../../db/database.ts';
import { lockRows } from '../../../db/lock-rows.ts';
import { sql } from '../../../db/sql.ts';
import { holdMonths, rejectedBy } from './closed-months.ts';
import { writeOrder } from './merge.ts';
import type { RejectedLine } from './row.ts';

/** What became of records that their source has moved in time. */
export interface Moves {
  readonly moved: number;
  readonly rejected: readonly RejectedLine[];
}

/**
 * For sources whose keys name a record whatever its time: takes records that have moved out of their old place, with
 * their figures, and their bills along to the new one, where the merge then puts them. Locks the keys in order, so that
 * two imports of the same records wait for each other. Call between filling and merging `usage_incoming`.
 */
export async function moveRecords(tx: Tx): Promise<Moves> {
  await tx.execute(sql`
    insert into usage_key (customer_id, id, started_at)
    select customer_id, id, started_at from usage_incoming order by customer_id, id
    on conflict do nothing`);
  const moving = sql`usage_key k join usage_incoming i on i.customer_id = k.customer_id and i.id = k.id
   where k.started_at <> i.started_at`;
  const keys = { table: 'usage_key', from: moving, alias: 'k', order: sql`k.customer_id, k.id` } as const;
  if (!(await lockRows(tx, keys))) return { moved: 0, rejected: [] };
  await tx.execute(sql`
    create temporary table usage_move on commit drop as
    select k.customer_id, k.id, k.started_at as old_at, i.started_at as new_at, i.line from ${moving}`);
  const months = await tx.many<{ month: string }>(sql`
    select distinct to_char(old_at at time zone 'UTC', 'YYYY-MM-01') as month from usage_move`);
  if (months.length === 0) return { moved: 0, rejected: [] };
  const states = await holdMonths(
    tx,
    months.map(({ month }) => month),
  );
  const closed = [...states].flatMap(([month, state]) => (state === 'open' ? [] : [month]));
  const kept = await tx.many<{ line: bigint; id: string; month: string }>(sql`
    with kept as (
      delete from usage_move where to_char(old_at at time zone 'UTC', 'YYYY-MM-01') = any(${closed}::text[])
      returning *),
    gone as (
      delete from usage_incoming i using kept k where i.customer_id = k.customer_id and i.id = k.id)
    select line, id, to_char(old_at at time zone 'UTC', 'YYYY-MM-01') as month from kept`);
  await takeOut(tx);
  const moved = await tx.execute(sql`
    update usage_key k set started_at = m.new_at from usage_move m where k.customer_id = m.customer_id and k.id = m.id`);
  return { moved, rejected: kept.map((row) => rejectedBy(row, states)) };
}

/** Removes the records at their old times; `usage_change` says what the rollups lose. */
async function takeOut(tx: Tx): Promise<void> {
  await lockRows(tx, {
    table: 'usage_record',
    from: sql`usage_record r join usage_move m
      on r.customer_id = m.customer_id and r.started_at = m.old_at and r.id = m.id`,
    alias: 'r',
    order: writeOrder('r.'),
  });
  await tx.execute(sql`
    with gone as (
      delete from usage_record r using usage_move m
       where r.customer_id = m.customer_id and r.started_at = m.old_at and r.id = m.id
      returning r.customer_id, r.started_at, r.id, r.agreement_id, r.record_type_id, r.service_item_id, r.service_item2,
                r.units, r.price)
    insert into usage_change
    select customer_id, started_at, id, agreement_id, record_type_id, service_item_id, service_item2, -1, -units, -price from gone`);
  await tx.execute(sql`
    update usage_billed b set started_at = m.new_at from usage_move m
     where b.customer_id = m.customer_id and b.started_at = m.old_at and b.id = m.id`);
}
