import type { Db, Tx } from '../../../db/database.ts';
import { lockRows } from '../../../db/lock-rows.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { holdMonths } from '../usage/closed-months.ts';
import { addToRollups, createIncoming, writeOrder } from '../usage/merge.ts';

/** Records of one transaction. */
const SLICE = 100_000;
/** Parts that are looked at by one statement. */
const PARTS = 200;

/** What stands against taking records out again. */
export interface DependentRecords {
  readonly billed: number;
  readonly changed: number;
}

/** The months of what an import made that take no changes any more, 'YYYY-MM-DD'. */
export const closedMonthsOf = (db: Db, fileId: string) =>
  db.many<{ month: string }>(sql`
    select distinct m.month::text as month from usage_month m join import_change c on c.month = m.month
     where c.file_id = ${fileId} and m.state <> 'open' order by 1 limit 12`);

/** Moments of the months of these parts, said as values, so that the planner leaves other months alone. */
function within(parts: readonly { readonly month: string }[]): Sql {
  const firsts = parts.map(({ month }) => Date.parse(month));
  const [from, to] = [new Date(Math.min(...firsts)), new Date(Math.max(...firsts))];
  return sql`r.started_at >= ${from} and r.started_at < ${to}::timestamptz + interval '32 days'`;
}

/** How many records of an import were billed since, and how many say something else now. Part by part. */
export async function countDependent(db: Db, fileId: string): Promise<DependentRecords> {
  let [billed, changed, after] = [0, 0, '00000000-0000-0000-0000-000000000000'];
  for (;;) {
    const parts = await db.many<{ id: string; month: string }>(sql`
      select id, month::text as month from import_change
       where file_id = ${fileId} and kind = 'usage' and id > ${after} order by id limit ${PARTS}`);
    const last = parts.at(-1);
    if (last === undefined) return { billed, changed };
    const found = await db.one<DependentRecords>(sql`
      select count(*) filter (where b.id is not null)::int as billed,
             count(*) filter (where r.content_hash is distinct from u.hash)::int as changed
        from import_change c
       cross join lateral unnest(c.ids, c.started_at, c.hashes) as u(id, at, hash)
        left join usage_record r on r.customer_id = c.customer_id and r.started_at = u.at and r.id = u.id
             and ${within(parts)}
        left join usage_billed b on b.customer_id = c.customer_id and b.started_at = u.at and b.id = u.id
       where c.id = any(${parts.map(({ id }) => id)}::uuid[])`);
    billed += found.billed;
    changed += found.changed;
    after = last.id;
  }
}

/**
 * Takes about a hundred thousand records of an import out again, with their part in all sums, in the caller's transaction.
 * What was billed or corrected meanwhile, and what stands in a month that was closed, stays.
 * @returns false when there was nothing left to do
 */
export async function undoSlice(tx: Tx, fileId: string): Promise<boolean> {
  const parts = await tx.many<{ id: string; month: string }>(sql`
    with picked as (
      select id from (
        select id, sum(cardinality(ids)) over (order by month, customer_id, id) - cardinality(ids) as before
          from import_change where file_id = ${fileId} and kind = 'usage') p
       where before < ${SLICE})
    select c.id, c.month::text as month from import_change c join picked p on p.id = c.id
     order by c.month, c.customer_id, c.id for update of c`);
  if (parts.length === 0) return false;
  const ids = parts.map(({ id }) => id);
  const months = [...new Set(parts.map(({ month }) => month))];
  await createIncoming(tx);
  const states = await holdMonths(tx, months);
  const open = months.filter((month) => states.get(month) === 'open');
  await tx.execute(sql`
    create temporary table usage_undo on commit drop as
    select c.customer_id, u.id, u.at as started_at, u.hash as content_hash
      from import_change c cross join lateral unnest(c.ids, c.started_at, c.hashes) as u(id, at, hash)
     where c.id = any(${ids}::uuid[]) and c.month = any(${open}::date[])`);
  await tx.execute(sql`analyze usage_undo`);
  const same = sql`
    r.customer_id = u.customer_id and r.started_at = u.started_at and r.id = u.id
    and r.content_hash = u.content_hash and ${within(parts)}`;
  await lockRows(tx, {
    table: 'usage_record',
    from: sql`usage_record r join usage_undo u on ${same}`,
    alias: 'r',
    order: writeOrder('r.'),
  });
  await tx.execute(sql`
    with gone as (
      delete from usage_record r using usage_undo u
       where ${same} and not exists (
         select from usage_billed b
          where b.customer_id = r.customer_id and b.started_at = r.started_at and b.id = r.id)
      returning r.customer_id, r.started_at, r.id, r.agreement_id, r.record_type_id, r.service_item_id, r.service_item2,
                r.units, r.price)
    insert into usage_change
    select customer_id, started_at, id, agreement_id, record_type_id, service_item_id, service_item2, -1, -units, -price from gone`);
  await tx.execute(sql`
    delete from usage_key k using usage_change g
     where k.customer_id = g.customer_id and k.id = g.id and k.started_at = g.started_at`);
  await addToRollups(tx);
  await tx.execute(sql`
    update import_file f set undone_n = undone_n + g.n, units = f.units + g.units, price = f.price + g.price
      from (select count(*)::int as n, coalesce(sum(units), 0) as units, coalesce(sum(price), 0) as price
              from usage_change) g
     where f.id = ${fileId}`);
  await tx.execute(sql`delete from import_change where id = any(${ids}::uuid[])`);
  return true;
}
