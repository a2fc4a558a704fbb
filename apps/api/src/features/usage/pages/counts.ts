import type { Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import { columnLines, columnRows, columnTypes } from '../columns/counts.ts';
import { dayCondition, type UsageFilter, usageCondition } from '../filter.ts';
import { keptRows, keptSums } from '../selections/read.ts';
import { type GroupIds, idsInBytes, idsInLists } from './group-ids.ts';
import { isWhole, type PagesState, type UsageMonth } from './state.ts';

/** Records from a day (or the first day of a month) to the next one that is named. */
export interface CountedDay {
  /** Midnight, UTC */
  readonly from: Date;
  readonly n: number;
}

/** How many records of a filter there are: by day, or by month where that is what is kept exactly. In order. */
export async function countByDay(
  db: Db,
  scope: CustomerScope,
  state: Pick<PagesState, 'filter' | 'months'>,
): Promise<CountedDay[]> {
  if (state.months.length === 0) return [];
  const query = await dayCounts(db, scope, state);
  const { days } = await db.one<{ days: [day: string, n: number][] }>(sql`
    select coalesce(json_agg(json_build_array(day, n) order by day), '[]') as days
      from (select day, sum(n)::int as n from (${query}) c group by day having sum(n) > 0) c`);
  return days.map(([day, n]) => ({ from: new Date(`${day}T00:00:00Z`), n }));
}

/** Rollups can answer for this filter: by day, by month of the line, or not at all. */
export function rollupOf({
  recordTypeIds,
  serviceItemId,
  number,
  hasThird,
}: UsageFilter): 'day' | 'itemMonth' | null {
  if (number !== undefined || hasThird !== undefined) return null;
  if (serviceItemId === undefined) return 'day';
  return recordTypeIds === undefined ? 'itemMonth' : null;
}

async function dayCounts(
  db: Db,
  scope: CustomerScope,
  { filter, months }: Pick<PagesState, 'filter' | 'months'>,
): Promise<Sql> {
  const rollup = rollupOf(filter);
  if (rollup === 'day') return dayRollup(scope, filter, sql`day, n`);
  const kept = await keptSums(db, scope, filter);
  if (kept !== undefined) return keptRows(scope, filter, kept);
  switch (rollup) {
    case 'itemMonth': {
      const parts = months.filter((month) => !isWhole(month));
      return sql.join(
        [
          sql`select month as day, n from usage_item_month c where ${itemMonthCondition(scope, filter, months)}`,
          ...parts.map(({ from, until }) => countedDays(scope, { ...filter, from, until })),
        ],
        sql` union all `,
      );
    }
    default: {
      const ofRecords = (of: UsageFilter) => recordRows(scope, of);
      return (await columnRows(db, scope, { filter, months }, ofRecords)) ?? countedDays(scope, filter);
    }
  }
}

const utcDay = sql`(u.started_at at time zone 'UTC')::date`;

const countedDays = (scope: CustomerScope, filter: UsageFilter) => sql`
  select ${utcDay} as day, count(*)::int as n from usage_record u where ${usageCondition(scope, filter)} group by 1`;

/**
 * Rows with `day`, `record_type_id` and `n`, and with `units` and `price` where these are asked for, from the records
 * themselves.
 */
export const recordRows = (scope: CustomerScope, filter: UsageFilter, hasSums = false): Sql => sql`
  select ${utcDay} as day, u.record_type_id, count(*)::int as n
         ${hasSums ? sql`, sum(u.units) as units, sum(u.price) as price` : sql``}
    from usage_record u where ${usageCondition(scope, filter)} group by 1, 2`;

/**
 * Rows of the rollup by day that fits a filter of type and agreement at most.
 * @param hasTypes whether the columns need the record type
 */
export function dayRollup(scope: CustomerScope, filter: UsageFilter, columns: Sql, hasTypes = false): Sql {
  const { agreementId, recordTypeIds } = filter;
  const parts = [sql`c.customer_id = ${scope.customerId} and ${dayCondition(filter)}`];
  if (agreementId !== undefined) parts.push(sql`c.agreement_id = ${agreementId}`);
  const where = sql.join(parts, sql` and `);
  if (recordTypeIds !== undefined)
    return byType(sql`unnest(${[...recordTypeIds]}::uuid[]) as t (id)`, where, columns);
  if (hasTypes)
    return byType(
      sql`(select id from record_type where reseller_id = ${scope.resellerId}) t`,
      where,
      columns,
    );
  const table = agreementId === undefined ? sql`usage_day` : sql`usage_type_day`;
  return sql`select ${columns} from ${table} c where ${where}`;
}

/** Type by type, by the index: for all at once the planner reads what all customers have. */
const byType = (types: Sql, where: Sql, columns: Sql) => sql`
  select ${columns} from ${types}
   cross join lateral (select * from usage_type_day c where ${where} and c.record_type_id = t.id offset 0) c`;

/** On `usage_item_month c`: whole months among those given. */
export function itemMonthCondition(
  scope: CustomerScope,
  { agreementId, serviceItemId }: UsageFilter,
  months: readonly UsageMonth[],
): Sql {
  const whole = months.filter(isWhole).map(({ month }) => month);
  const parts = [sql`c.customer_id = ${scope.customerId} and c.month = any(${whole}::date[])`];
  if (serviceItemId !== undefined) parts.push(sql`c.service_item_id = ${serviceItemId}`);
  if (agreementId !== undefined) parts.push(sql`c.agreement_id = ${agreementId}`);
  return sql.join(parts, sql` and `);
}

/** Groups of records, in order. */
export interface CountedGroups {
  /** Records of each. */
  readonly counts: readonly number[];
  readonly ids: GroupIds;
}

/** Lines with records, in ascending order of a column of theirs, then name and id. */
export async function countByLine(
  db: Db,
  scope: CustomerScope,
  { filter, months }: Pick<PagesState, 'filter' | 'months'>,
  column: string,
): Promise<CountedGroups> {
  const counted = (within: UsageFilter) =>
    lineCounts(scope, {
      filter: within,
      months: months.filter(({ from, until }) => from >= within.from && until <= within.until),
    });
  // A sum for each line and month is more to read than the lines of the months' columns.
  const counts = (await columnLines(db, scope, { filter, months }, counted)) ?? counted(filter);
  const groups = await db.one<{ ids: Buffer; counts: number[] }>(sql`
    select coalesce(string_agg(uuid_send(g.id), ''), '') as ids, coalesce(json_agg(g.n), '[]') as counts
      from (select si.id, c.n
              from (select service_item_id, sum(n)::int as n from (${counts}) c
                     group by service_item_id having sum(n) > 0) c
              join service_item si on si.customer_id = ${scope.customerId} and si.id = c.service_item_id
             order by ${sql.ref(`si.${column}`)} asc nulls last, si.name, si.id) g`);
  return { ids: idsInBytes(groups.ids), counts: groups.counts };
}

/** Rows with `service_item_id` and `n`, from sums by month where these are of the filter, else from records. */
function lineCounts(scope: CustomerScope, { filter, months }: Pick<PagesState, 'filter' | 'months'>): Sql {
  const ofRecords = (within: UsageFilter) => sql`
    select u.service_item_id, count(*)::int as n from usage_record u where ${usageCondition(scope, within)} group by 1`;
  if (filter.recordTypeIds !== undefined || filter.number !== undefined) return ofRecords(filter);
  const parts = months.filter((month) => !isWhole(month));
  return sql.join(
    [
      sql`select service_item_id, n from usage_item_month c where ${itemMonthCondition(scope, filter, months)}`,
      ...parts.map(({ from, until }) => ofRecords({ ...filter, from, until })),
    ],
    sql` union all `,
  );
}

/** Record types with records, by description; those of the same description are one group. */
export async function countByType(
  db: Db,
  scope: CustomerScope,
  state: Pick<PagesState, 'filter' | 'months'>,
): Promise<CountedGroups> {
  const counted = await typeCounts(db, scope, state);
  const groups = await db.many<{ ids: string[]; n: number }>(sql`
    select array_agg(r.id::text order by r.id) as ids, sum(c.n)::int as n
      from (select record_type_id, sum(n)::int as n from (${counted}) c group by 1 having sum(n) > 0) c
      join record_type r on r.id = c.record_type_id
     group by r.description order by r.description`);
  return { ids: idsInLists(groups.map(({ ids }) => ids)), counts: groups.map(({ n }) => n) };
}

async function typeCounts(
  db: Db,
  scope: CustomerScope,
  { filter, months }: Pick<PagesState, 'filter' | 'months'>,
): Promise<Sql> {
  const isOfDay = rollupOf(filter) === 'day';
  const kept = isOfDay ? undefined : await keptSums(db, scope, filter);
  if (kept !== undefined) return sql`select record_type_id, n from (${keptRows(scope, filter, kept)}) c`;
  const columns = sql`record_type_id, n`;
  const counted = (of: UsageFilter) =>
    isOfDay ? dayRollup(scope, of, columns, true) : sql`select ${columns} from (${recordRows(scope, of)}) c`;
  // Sums by day, agreement and type are many where there are many agreements.
  return (await columnTypes(db, scope, { filter, months }, counted)) ?? counted(filter);
}
