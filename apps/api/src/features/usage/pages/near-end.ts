import type { Db } from '../../../db/database.ts';
import { inIndexOrder } from '../../../db/index-order.ts';
import { listOf, type Sql, sql } from '../../../db/sql.ts';
import type { UsageRange } from '../filter.ts';
import { walkOrder } from './sort.ts';

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
export async function countNearEnd(
  db: Db,
  { whole, where, by, isReversed }: OrderedRun,
  most: number,
  walked: number,
): Promise<number> {
  const order = walkOrder(by, isReversed);
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
export async function countNearMonthEnds(
  db: Db,
  { whole, where, by, isReversed }: OrderedRun,
  months: readonly UsageRange[],
  most: number,
  walked: number,
): Promise<number> {
  const order = walkOrder(by, isReversed);
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

/** How many times what a page needs is asked for, so that the next ones need no question of their own. */
const AHEAD = 4;

/** One end of an order, and what is known of it: so many records of a filter are quickly walked to, and so many are too far. */
export class NearEnd {
  readonly #count: (db: Db, most: number) => Promise<number>;
  #reached = 0;
  #far = Number.POSITIVE_INFINITY;

  /** @param count how many records of the filter are near, `most` at most */
  constructor(count: (db: Db, most: number) => Promise<number>) {
    this.#count = count;
  }

  /** Whether so many records of the filter are near. */
  async holds(db: Db, needed: number): Promise<boolean> {
    if (needed <= this.#reached) return true;
    if (needed >= this.#far) return false;
    const n = await this.#count(db, AHEAD * needed);
    if (n >= needed) this.#reached = n;
    else this.#far = needed;
    return n >= needed;
  }
}
