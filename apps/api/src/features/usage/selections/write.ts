import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { lockByCustomer } from '../../../db/lock-rows.ts';
import { type Sql, sql } from '../../../db/sql.ts';

/** What records have in common: a line, or how their number begins. */
export type Selected = { readonly serviceItemId: string } | { readonly number: string };

const day = sql`(c.started_at at time zone 'UTC')::date`;
const add = sql`n = d.n + excluded.n, units = d.units + excluded.units, price = d.price + excluded.price`;
const NO_AGREEMENT = sql`'00000000-0000-0000-0000-000000000000'::uuid`;

/**
 * Adds records to the sums of all selections they are in. Lines first, then numbers, both in the order of their keys.
 * A number is looked up by its beginnings of the lengths that its customer has.
 * @param source records with what each counts for
 */
async function addCells(tx: Tx, source: Sql): Promise<void> {
  const sums = sql`sum(c.n)::int as n, sum(c.units) as units, sum(c.price) as price`;
  const columns = sql`customer_id, selection_id, record_type_id, agreement_id, day, n, units, price`;
  const added = sql`
    on conflict (customer_id, selection_id, record_type_id, agreement_id, day) do update set ${add}`;
  await tx.execute(sql`
    insert into usage_selection_day as d (${columns})
    select c.customer_id, s.id, c.record_type_id, c.agreement_id, ${day}, ${sums}
      from ${source} c
      join usage_selection s on s.customer_id = c.customer_id and s.service_item_id = c.service_item_id
     group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5 ${added}`);
  await tx.execute(sql`
    insert into usage_selection_day as d (${columns})
    select c.customer_id, s.id, c.record_type_id, ${NO_AGREEMENT}, ${day}, ${sums}
      from ${source} c
      join (select distinct customer_id, length(number) as length from usage_selection where number is not null) l
        on l.customer_id = c.customer_id
      join usage_selection s on s.customer_id = c.customer_id and s.number = left(c.service_item2, l.length)
                            and length(s.number) = l.length
     group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5 ${added}`);
}

/**
 * Brings the sums of selections up to what stands in `usage_change`. The customers' rows are written first, so that
 * whoever chooses selections of one of them waits, or has chosen before.
 */
export async function addToSelections(tx: Tx): Promise<void> {
  await tx.execute(sql`
    insert into usage_customer (customer_id, n)
    select customer_id, sum(n) from usage_change group by 1 order by 1
    on conflict (customer_id) do update set n = usage_customer.n + excluded.n`);
  const { has_any: hasAny } = await tx.one<{ has_any: boolean }>(sql`
    select exists (select 1 from usage_selection
                    where customer_id = any(array(select distinct customer_id from usage_change))) as has_any`);
  if (hasAny) await addCells(tx, sql`usage_change`);
}

/**
 * Keeps sums of these selections from now on, those of all records there are included. Imports of this customer wait
 * for the end; what is kept already stays as it is.
 */
export async function keepSelections(
  db: Database,
  customerId: string,
  selected: readonly Selected[],
): Promise<void> {
  const rows = selected.map((one) => ({ id: newId(), serviceItemId: null, number: null, ...one }));
  await db.transaction(async (tx) => {
    await tx.execute(sql`select from usage_customer where customer_id = ${customerId} for update`);
    const added = await tx.execute(sql`
      insert into usage_selection (customer_id, id, service_item_id, number)
      select ${customerId}, s.id, s."serviceItemId", s.number
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (id uuid, "serviceItemId" uuid, number text)
      on conflict do nothing`);
    if (added > 0) await countAgain(tx, customerId);
    await tx.execute(sql`update usage_customer set chosen_n = n where customer_id = ${customerId}`);
  });
}

/** Counts all selections of a customer from its records, month by month. Sums of archived months stay as they are. */
async function countAgain(tx: Tx, customerId: string): Promise<void> {
  const months = await tx.many<{ month: string; next: string }>(sql`
    select v.month::text as month, (v.month + interval '1 month')::date::text as next
      from usage_version v join usage_month m on m.month = v.month
     where v.customer_id = ${customerId} and m.state <> 'archived' order by v.month`);
  await tx.execute(sql`set local work_mem = '64MB'`);
  for (const { month, next } of months)
    await countRange(tx, sql<boolean>`customer_id = ${customerId}`, month, next);
}

/** Counts the days of a month again, of the customers of a condition. */
async function countRange(tx: Tx, customers: Sql<boolean>, month: string, next: string): Promise<void> {
  await tx.execute(sql`
    delete from usage_selection_day where ${customers} and day >= ${month}::date and day < ${next}::date`);
  // Selections may just have been chosen: the planner takes them for few, and would compare each record with each of them.
  await tx.execute(sql`set local enable_nestloop = off`);
  const within = sql<boolean>`${customers} and started_at >= ${new Date(`${month}T00:00:00Z`)}
    and started_at < ${new Date(`${next}T00:00:00Z`)}`;
  await addCells(
    tx,
    sql`(select customer_id, started_at, agreement_id, record_type_id, service_item_id, service_item2, 1 as n, units,
                price from usage_record where ${within})`,
  );
  await tx.execute(sql`set local enable_nestloop to default`);
}

/**
 * Counts a month again that was brought back: selections chosen while it was archived know nothing of it.
 * @param month first day; @param next that of the month after it
 */
export async function countMonthAgain(tx: Tx, month: string, next: string): Promise<void> {
  // Whoever chooses selections waits; imports do not.
  const counted = await tx.many<{ customer_id: string }>(sql`select customer_id from usage_customer`);
  await lockByCustomer(
    tx,
    counted.map((row) => row.customer_id),
    (these) => sql`
      select 1 from usage_customer where customer_id = ${these} order by customer_id for key share`,
  );
  const customers = sql<boolean>`customer_id = any(array(select distinct customer_id from usage_selection))`;
  await countRange(tx, customers, month, next);
}
