import type { UsageSummaryQuery } from '@counterfoil/contract/usage.ts';
import { AppError } from '../../app-error.ts';
import type { Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import * as queries from './filter-queries.ts';

/** Instants from the first, included, to the last, not included. */
export interface UsageRange {
  readonly from: Date;
  readonly until: Date;
}

/** Which of a customer's records are meant. What is absent means all. */
export interface UsageFilter extends UsageRange {
  readonly agreementId?: string;
  /** One type, or all of a service. */
  readonly recordTypeIds?: readonly string[];
  readonly serviceItemId?: string;
  /** How `service_item2` begins. */
  readonly number?: string;
  /** Whether `service_item3` is given; undefined: both. */
  readonly hasThird?: boolean;
  /** Parts of the range that are left out: archived months. */
  readonly gaps?: readonly UsageRange[];
}

/** What a query names, beside dates. */
export type NamedInQuery = Pick<
  UsageSummaryQuery,
  'agreement' | 'service' | 'recordType' | 'serviceItem' | 'number'
>;

const DAY_MS = 86_400_000;
// What lies beyond has no records, and PostgreSQL and Date write it in different ways.
const FIRST = new Date('0001-01-01T00:00:00Z');
const LAST = new Date('9999-12-31T00:00:00Z');

/** Days of UTC, both included. @throws {AppError} usage.badRange */
export function usageRange(dateFrom: string | undefined, dateTo: string | undefined): UsageRange {
  if (dateFrom === undefined || dateTo === undefined || dateFrom > dateTo)
    throw new AppError('usage.badRange');
  const midnight = (day: string) => new Date(`${day}T00:00:00Z`).getTime();
  const within = (ms: number) => new Date(Math.min(Math.max(ms, FIRST.getTime()), LAST.getTime()));
  return { from: within(midnight(dateFrom)), until: within(midnight(dateTo) + DAY_MS) };
}

/** All there is. */
export const wholeRange: UsageRange = { from: FIRST, until: LAST };

/**
 * Looks up what the ids of a query mean, inside the scope.
 * @throws {AppError} agreement.notFound, service.notFound, recordType.notFound, serviceItem.notFound: unknown or
 *   another's
 */
export async function resolveFilter(
  db: Db,
  scope: CustomerScope,
  range: UsageRange,
  query: NamedInQuery,
): Promise<UsageFilter> {
  return filterOf(
    range,
    query,
    namesThings(query) ? await queries.lookupByRemoteId(db, scope, query) : undefined,
  );
}

/** Whether anything of a query must be looked up. */
export const namesThings = ({ agreement, service, recordType, serviceItem }: NamedInQuery): boolean =>
  [agreement, service, recordType, serviceItem].some((id) => id !== undefined);

/** The filter of a query whose ids were looked up. @throws {AppError} as `resolveFilter` */
export function filterOf(
  range: UsageRange,
  query: NamedInQuery,
  found: queries.NamedRow | undefined,
): UsageFilter {
  const { agreement, service, recordType, serviceItem, number } = query;
  if (agreement !== undefined && found?.has_agreement !== true) throw new AppError('agreement.notFound');
  if (service !== undefined && found?.service_types == null) throw new AppError('service.notFound');
  if (recordType !== undefined && found?.has_record_type !== true) throw new AppError('recordType.notFound');
  if (serviceItem !== undefined && found?.has_service_item !== true)
    throw new AppError('serviceItem.notFound');
  const ofService = found?.service_types ?? undefined;
  const types =
    recordType === undefined ? ofService : (ofService ?? [recordType]).filter((id) => id === recordType);
  return {
    ...range,
    ...(agreement === undefined ? {} : { agreementId: agreement }),
    ...(types === undefined ? {} : { recordTypeIds: types }),
    ...(serviceItem === undefined ? {} : { serviceItemId: serviceItem }),
    ...(number === undefined ? {} : { number }),
  };
}

/** The filter as a condition on `usage_record u`, scope included. */
export const usageCondition = (scope: CustomerScope, filter: UsageFilter): Sql<boolean> =>
  sql<boolean>`${conditionOf(scope, filter)} and ${within(filter)}`;

/** The same in a range that the statement names by itself. */
export function conditionOf(scope: CustomerScope, filter: Omit<UsageFilter, keyof UsageRange>): Sql<boolean> {
  const parts = [sql`u.customer_id = ${scope.customerId}`];
  if (filter.agreementId !== undefined) parts.push(sql`u.agreement_id = ${filter.agreementId}`);
  if (filter.recordTypeIds !== undefined) parts.push(isOneOf(sql`u.record_type_id`, filter.recordTypeIds));
  if (filter.serviceItemId !== undefined) parts.push(sql`u.service_item_id = ${filter.serviceItemId}`);
  if (filter.number !== undefined) {
    // As a range, so that the index of this sort order serves it; `like` would take % and _ for wild cards.
    parts.push(
      sql`u.service_item2 >= ${filter.number} and u.service_item2 < ${filter.number} || chr(1114111)`,
    );
  }
  if (filter.hasThird !== undefined)
    parts.push(filter.hasThird ? sql`u.service_item3 <> ''` : sql`u.service_item3 = ''`);
  for (const gap of filter.gaps ?? []) parts.push(sql`not (${within(gap)})`);
  return sql<boolean>`${sql.join(parts, sql` and `)}`;
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The days of a filter as a condition on sums by day `c`. */
export function dayCondition({ from, until, gaps = [] }: UsageFilter): Sql<boolean> {
  const between = (range: UsageRange) =>
    sql`c.day >= ${dayOf(range.from)}::date and c.day < ${dayOf(range.until)}::date`;
  return sql<boolean>`${sql.join([between({ from, until }), ...gaps.map((gap) => sql`not (${between(gap)})`)], sql` and `)}`;
}

/** Instants are sent as values of their type: a cast from a day would keep the planner from leaving months alone. */
const within = ({ from, until }: UsageRange) => sql`(u.started_at >= ${from} and u.started_at < ${until})`;

/** One id is compared as such: an index then gives rows in the order of what follows. */
export function isOneOf(column: Sql, ids: readonly string[]): Sql<boolean> {
  const [only] = ids;
  return ids.length === 1 ? sql`${column} = ${only}::uuid` : sql`${column} = any(${[...ids]}::uuid[])`;
}
