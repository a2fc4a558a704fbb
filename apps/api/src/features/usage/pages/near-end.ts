import type { Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';

/** Records in one order, and those of them that a filter leaves. */
interface OrderedRun {
  /** All that the index of the order holds, on `usage_record u`. */
  readonly whole: Sql<boolean>;
  readonly where: Sql<boolean>;
  /** Goes before time and id. */
  readonly by?: Sql;
  /** From its end. */
  readonly isReversed: boolean;
}

/**
 * Whether so many records of a filter stand among the first of all: then they are quickly walked to, and where
 * they stand need not be counted.
 * @param walked records that are looked at, at most
 */
export async function isWalkable(
  db: Db,
  { whole, where, by, isReversed }: OrderedRun,
  needed: number,
  walked: number,
): Promise<boolean> {
  if (needed > walked) return false;
  const direction = isReversed ? sql`desc` : sql`asc`;
  const terms = [...(by === undefined ? [] : [by]), sql`u.started_at`, sql`u.id`];
  const order = sql.join(terms.map((term) => sql`${term} ${direction}`));
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n
      from (select * from usage_record u where ${whole} order by ${order} limit ${walked}) u where ${where}`);
  return n >= needed;
}
