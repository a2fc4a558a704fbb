import { hasCitus } from './catalogue.ts';
import type { Tx } from './database.ts';
import { type Sql, sql } from './sql.ts';

/** Rows of many customers that others may write at the same time. */
export interface RowsToLock {
  readonly table: 'usage_key' | 'usage_record';
  /** From and where; the rows are those of `alias`. */
  readonly from: Sql;
  readonly alias: string;
  /** The order everybody locks them in, so that two wait for each other and never deadlock. */
  readonly order: Sql;
}

/**
 * Locks rows until the transaction ends. Citus locks no rows of many customers: whoever finds some to lock there waits for all others
 * who did in that table.
 * @returns whether there are any
 */
export async function lockRows(tx: Tx, { table, from, alias, order }: RowsToLock): Promise<boolean> {
  if (!(await hasCitus(tx))) {
    return (
      (await tx.execute(sql`select 1 from ${from} order by ${order} for update of ${sql.raw(alias)}`)) > 0
    );
  }
  const { found } = await tx.one<{ found: boolean }>(sql`select count(*) > 0 as found from ${from}`);
  if (found) await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`lock ${table}`}, 0))`);
  return found;
}

/**
 * Reads and locks rows of some customers in one statement. Citus locks rows of one customer at a time: there it is a statement for each,
 * in the order of their ids, which is the order of `order by customer_id` as well.
 * @param statement with a customer `= …` what it is given, ordered by `customer_id` first, and its lock
 */
export async function lockByCustomer<Row>(
  tx: Tx,
  customerIds: readonly string[],
  statement: (these: Sql) => Sql<Row>,
): Promise<Row[]> {
  const ids = [...new Set(customerIds)].sort();
  if (ids.length === 0) return [];
  if (ids.length > 1 && !(await hasCitus(tx))) return tx.many(statement(sql`any(${ids}::uuid[])`));
  const rows: Row[] = [];
  for (const id of ids) rows.push(...(await tx.many(statement(sql`${id}::uuid`))));
  return rows;
}
