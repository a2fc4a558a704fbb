import type { UsageSummary } from '@counterfoil/contract/usage.ts';
import { parseRate, rateToNumber, sumRates } from '@counterfoil/domain/rate.ts';
import type { Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/scope.ts';
import { type UsageFilter, usageCondition } from './filter.ts';
import { dayRollup, itemMonthCondition, rollupOf } from './pages/counts.ts';
import type { PagesState } from './pages/state.ts';

interface SumRow {
  n: number;
  units: string;
  price: string;
}
interface DaySumRow extends SumRow {
  day: string;
}

const sums = sql`sum(c.n)::int as n, sum(c.units) as units, sum(c.price) as price`;

/** Exact sums of a filter, from rollups where these say it by day. */
export async function sumUsage(db: Db, scope: CustomerScope, state: PagesState): Promise<UsageSummary> {
  const days = await db.many<DaySumRow>(sql`
    select c.day, ${sums} from (${daySums(scope, state.filter)}) c group by c.day having sum(c.n) > 0 order by c.day`);
  const archived = await sumArchived(db, scope, state.filter);
  return {
    ...presentSums(totalOf(days)),
    days: days.map((row) => ({ day: row.day, ...presentSums(row) })),
    archived,
  };
}

function daySums(scope: CustomerScope, filter: UsageFilter): Sql {
  if (rollupOf(filter) === 'day') return dayRollup(scope, filter, sql`day, n, units, price`);
  return sql`
    select (u.started_at at time zone 'UTC')::date as day, count(*) as n, sum(u.units) as units, sum(u.price) as price
      from usage_record u where ${usageCondition(scope, filter)} group by 1`;
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
  ...{ records: n, units: rateToNumber(parseRate(units)), price: rateToNumber(parseRate(price)) },
});
