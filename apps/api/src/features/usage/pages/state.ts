import type { UsageOrder } from '@counterfoil/contract/usage.ts';
import type { Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import { filterOf, type NamedInQuery, namesThings, type UsageFilter, type UsageRange } from '../filter.ts';
import { type NamedRow, namedColumns } from '../filter-queries.ts';
import { isLineOrder } from './sort.ts';

/** What pages are asked of. */
export interface PagesQuery extends NamedInQuery {
  readonly range: UsageRange;
  readonly order: UsageOrder;
}

/** A month with records that pages show. */
export interface UsageMonth extends UsageRange {
  /** First day, 'YYYY-MM-01' */
  readonly month: string;
  /** Grows with every change of the customer's records of the month. */
  readonly version: bigint;
}

/** A month with how many records of the filter it has. */
export interface CountedMonth extends UsageMonth {
  readonly n: number;
}

/** What everything that is remembered about pages depends on, at one moment. */
export interface PagesState {
  /** Equal stamps: nothing has changed that positions and totals depend on. */
  readonly stamp: string;
  /** Bounded to months with records, archived ones left out. */
  readonly filter: UsageFilter;
  /** In order; bounded to the range. */
  readonly months: readonly UsageMonth[];
}

/** First day of the month of an instant, in UTC. */
const monthOf = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;

/** Read once a statement, not once a month. */
const isArchived = sql`v.month = any (array(select m.month from usage_month m where m.state = 'archived'))`;

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Months of the customer that a range touches. */
const versions = (scope: CustomerScope, { from, until }: UsageRange) => sql`
  from usage_version v
 where v.customer_id = ${scope.customerId} and v.month >= ${monthOf(from)}::date and v.month < ${dayOf(until)}::date`;

/**
 * A text that differs whenever something has changed that pages of a query depend on. Read in the very statement that
 * reads records, it proves that what is remembered still holds: both are of one moment.
 */
export function stampOf(scope: CustomerScope, query: PagesQuery): Sql<string> {
  const parts = [
    // Archiving a month takes it out, importing changes its version; the sum is over hashes, so neither makes up for the other.
    sql`(select coalesce(sum(hashint8extended(v.version, v.month - date '2000-01-01')), 0)
           ${versions(scope, query.range)} and not ${isArchived})`,
  ];
  if (namesThings(query))
    parts.push(sql`(select row(found.*) from (select ${namedColumns(scope, query)}) found)`);
  if (isLineOrder(query.order))
    parts.push(sql`(select version from service_item_version where customer_id = ${scope.customerId})`);
  if (query.order === 'recordType') {
    parts.push(sql`(select md5(string_agg(t.id || t.description, '|' order by t.id)) from record_type t
                     where t.reseller_id = ${scope.resellerId})`);
  }
  return sql<string>`concat_ws('/', ${sql.join(parts)})`;
}

interface StateRow extends Partial<NamedRow> {
  stamp: string;
  /** First days and versions, in order; null versions for archived months. */
  months: [month: string, version: string | null][];
}

/** @throws {AppError} as `filterOf` */
export async function readState(db: Db, scope: CustomerScope, query: PagesQuery): Promise<PagesState> {
  const named = namesThings(query) ? sql`, ${namedColumns(scope, query)}` : sql``;
  const row = await db.one<StateRow>(sql`
    select ${stampOf(scope, query)} as stamp,
           (select coalesce(json_agg(json_build_array(v.month,
                     case when not ${isArchived} then v.version::text end) order by v.month), '[]')
              ${versions(scope, query.range)}) as months
           ${named}`);
  const filter = filterOf(query.range, query, namesThings(query) ? (row as NamedRow) : undefined);
  const all = row.months.map(([month, version]) => ({ month, version, ...rangeOf(month) }));
  const live = all.flatMap(({ version, ...month }) =>
    version === null ? [] : [{ ...bounded(month, filter), version: BigInt(version) }],
  );
  const months = live.filter(({ from, until }) => from < until);
  return {
    stamp: row.stamp,
    months,
    filter: {
      ...filter,
      from: months[0]?.from ?? filter.from,
      until: months.at(-1)?.until ?? filter.from,
      gaps: all.filter(({ version }) => version === null).map((month) => bounded(month, filter)),
    },
  };
}

/** A month's first instant and that of the next. @param month its first day */
export function rangeOf(month: string): UsageRange {
  const from = new Date(`${month}T00:00:00Z`);
  const until = new Date(from);
  until.setUTCMonth(until.getUTCMonth() + 1);
  return { from, until };
}

const bounded = <T extends UsageRange>(range: T, { from, until }: UsageRange): T => ({
  ...range,
  from: range.from < from ? from : range.from,
  until: range.until > until ? until : range.until,
});

/** Whether a month lies in its range as a whole. */
export function isWhole({ month, from, until }: UsageMonth): boolean {
  const whole = rangeOf(month);
  return whole.from.getTime() === from.getTime() && whole.until.getTime() === until.getTime();
}
