import type { Db } from '../../../db/database.ts';
import { inIndexOrder } from '../../../db/index-order.ts';
import { listOf, type Sql, sql } from '../../../db/sql.ts';
import type { UsageRange } from '../filter.ts';

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
 * How many records of a filter stand among the first of all, in one order.
 * @param most counted, at most
 * @param walked records that are looked at, at most
 */
export async function countAtEnd(
  db: Db,
  { whole, where, by, isReversed }: OrderedRun,
  most: number,
  walked: number,
): Promise<number> {
  const order = orderOf(isReversed, by);
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n
      from (select 1 from (select * from usage_record u where ${whole} order by ${order} limit ${walked}) u
             where ${where} limit ${most}) found`);
  return n;
}

/**
 * The same where the filter stands in the index of the order: each month is walked by itself, which takes a third of the time.
 * @param months in which the filter leaves any
 * @returns 0 where a month would have to be walked further than the others
 */
export async function countAtEnds(
  db: Db,
  { whole, where, by, isReversed }: OrderedRun,
  months: readonly UsageRange[],
  most: number,
  walked: number,
): Promise<number> {
  const order = orderOf(isReversed, by);
  const instants = (of: 'from' | 'until') =>
    listOf(
      months.map((month) => month[of].toISOString()),
      'timestamptz',
    );
  const query = sql<{ n: number }>`
    select case when min(found.n) > 0 then sum(found.n)::int else 0 end as n
      from unnest(${instants('from')}, ${instants('until')}) as m (since, until)
     cross join lateral (
           select count(*) as n
             from (select 1 from (select * from usage_record u
                                   where ${whole} and u.started_at >= m.since and u.started_at < m.until
                                   order by ${order} limit ${Math.ceil(walked / months.length)}) u
                    where ${where} limit ${most}) own) found`;
  return (await db.one(inIndexOrder(query))).n;
}

function orderOf(isReversed: boolean, by: Sql | undefined): Sql {
  const direction = isReversed ? sql`desc` : sql`asc`;
  const terms = [...(by === undefined ? [] : [by]), sql`u.started_at`, sql`u.id`];
  return sql.join(terms.map((term) => sql`${term} ${direction}`));
}

/** How many times what a page needs is asked for, so that the next ones need no question of their own. */
const AHEAD = 4;

/** What is known of one end of an order: so many records of a filter are quickly walked to, and so many are too far. */
export class NearEnd {
  #reached = 0;
  #far = Number.POSITIVE_INFINITY;

  /**
   * Whether so many records of the filter are near.
   * @param count how many are, `most` at most
   */
  async holds(needed: number, count: (most: number) => Promise<number>): Promise<boolean> {
    if (needed <= this.#reached) return true;
    if (needed >= this.#far) return false;
    const n = await count(AHEAD * needed);
    if (n >= needed) this.#reached = n;
    else this.#far = needed;
    return n >= needed;
  }
}
