import type { UsageSummary } from '@counterfoil/contract/usage.ts';
import type { QuantityUnit } from '@counterfoil/domain/money/quantity.ts';
import { parseRate, rateToNumber, sumRates } from '@counterfoil/domain/money/rate.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { columnRows } from './columns/counts.ts';
import type { UsageFilter } from './filter.ts';
import { dayRollup, itemMonthCondition, recordRows, rollupOf } from './pages/counts.ts';
import type { PagesState } from './pages/state.ts';
import { keptRows, keptSums } from './selections/read.ts';

interface SumRow {
  n: number;
  units: string;
  price: string;
}
interface DaySumRow extends SumRow {
  day: string;
}

const sums = sql`sum(c.n)::int as n, sum(c.units) as units, sum(c.price) as price`;

interface UnitSumRow extends SumRow {
  unit: QuantityUnit | null;
}

/** Exact sums of a filter, from rollups where these say it by day. */
export async function sumUsage(db: Db, scope: CustomerScope, state: PagesState): Promise<UsageSummary> {
  const { days, byUnit } = await (rollupOf(state.filter) === 'day'
    ? sumRollups(db, scope, state.filter)
    : sumRecords(db, scope, state));
  const archived = await sumArchived(db, scope, state.filter);
  return {
    ...presentSums(totalOf(days)),
    byUnit: byUnit.map((row) => ({ unit: row.unit, ...presentSums(row) })),
    days: days.map((row) => ({ day: row.day, ...presentSums(row) })),
    archived,
  };
}

/** What a filter comes to by day, and by what units are: of which most records are first. */
interface Parts {
  readonly days: readonly DaySumRow[];
  readonly byUnit: readonly UnitSumRow[];
}

/** From the sums of selections as far as they go, else from columns. */
async function sumRecords(db: Db, scope: CustomerScope, { filter, months }: PagesState): Promise<Parts> {
  const kept = await keptSums(db, scope, filter);
  const ofRecords = (of: UsageFilter) => recordRows(scope, of, true);
  const counted =
    kept === undefined
      ? ((await columnRows(db, scope, { filter, months }, ofRecords, true)) ?? ofRecords(filter))
      : keptRows(scope, filter, kept, true);
  const rows = await db.many<DaySumRow & UnitSumRow>(sql`
    select c.day, t.unit, ${sums} from (${counted}) c join record_type t on t.id = c.record_type_id
     group by c.day, t.unit having sum(c.n) > 0 order by c.day`);
  const [days, units] = [Map.groupBy(rows, ({ day }) => day), Map.groupBy(rows, ({ unit }) => unit)];
  return {
    days: [...days].map(([day, own]) => ({ day, ...totalOf(own) })),
    byUnit: [...units].map(([unit, own]) => ({ unit, ...totalOf(own) })).toSorted((a, b) => b.n - a.n),
  };
}

/** Where all types that a filter can hold are counted alike, their rollups are not read. */
async function sumRollups(db: Db, scope: CustomerScope, filter: UsageFilter): Promise<Parts> {
  const days = await db.many<DaySumRow>(sql`
    select c.day, ${sums} from (${dayRollup(scope, filter, sql`day, n, units, price`)}) c
     group by c.day having sum(c.n) > 0 order by c.day`);
  if (days.length === 0) return { days, byUnit: [] };
  const ids = filter.recordTypeIds;
  const [only, ...others] = await db.many<{ unit: QuantityUnit | null }>(sql`
    select distinct unit from record_type
     where reseller_id = ${scope.resellerId} ${ids === undefined ? sql`` : sql`and id = any(${[...ids]}::uuid[])`}`);
  if (only !== undefined && others.length === 0) return { days, byUnit: [{ ...only, ...totalOf(days) }] };
  const byUnit = await db.many<UnitSumRow>(sql`
    select t.unit, ${sums}
      from (select record_type_id, sum(n) as n, sum(units) as units, sum(price) as price
              from (${dayRollup(scope, filter, sql`record_type_id, n, units, price`, true)}) c group by 1) c
      join record_type t on t.id = c.record_type_id
     group by t.unit having sum(c.n) > 0 order by sum(c.n) desc, t.unit`);
  return { days, byUnit };
}

/**
 * What rollups still say of archived months: of numbers, and of types of one line, they say nothing; of one line only by
 * whole months.
 */
async function sumArchived(
  db: Db,
  scope: CustomerScope,
  filter: UsageFilter,
): Promise<UsageSummary['archived']> {
  const { gaps = [], ...rest } = filter;
  const kept = rollupOf(filter);
  if (gaps.length === 0 || kept === null) return null;
  const parts = gaps.map((gap) =>
    kept === 'day'
      ? dayRollup(scope, { ...rest, ...gap }, sql`n, units, price`)
      : sql`select n, units, price from usage_item_month c where ${itemMonthCondition(scope, filter, [
          { ...gap, month: gap.from.toISOString().slice(0, 10), version: 0n },
        ])}`,
  );
  const row = await db.one<SumRow & { has_any: boolean }>(sql`
    select coalesce(sum(n), 0)::int as n, coalesce(sum(units), 0) as units, coalesce(sum(price), 0) as price
      from (${sql.join(parts, sql` union all `)}) c`);
  return row.n === 0 ? null : presentSums(row);
}

const totalOf = (rows: readonly SumRow[]): SumRow => ({
  n: rows.reduce((sum, { n }) => sum + n, 0),
  units: sumRates(rows.map(({ units }) => parseRate(units))),
  price: sumRates(rows.map(({ price }) => parseRate(price))),
});

const presentSums = ({ n, units, price }: SumRow) => ({
  records: n,
  units: rateToNumber(parseRate(units)),
  price: rateToNumber(parseRate(price)),
});
