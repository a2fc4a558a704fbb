import { type Sql, sql } from '../../../apps/api/src/db/sql.ts';

/** What fills each rollup from the records of one month's table. They are exact as the import's are. */
export function rollupsOf(partition: string): readonly Sql[] {
  const records = sql.id(partition);
  const day = sql`(started_at at time zone 'UTC')::date`;
  const month = sql`date_trunc('month', started_at at time zone 'UTC')::date`;
  const sums = sql`count(*)::int, sum(units), sum(price)`;
  return [
    sql`insert into usage_day (customer_id, day, n, units, price)
        select customer_id, ${day}, ${sums} from ${records} group by 1, 2 order by 1, 2`,
    sql`insert into usage_type_day (customer_id, record_type_id, agreement_id, day, n, units, price)
        select customer_id, record_type_id, agreement_id, ${day}, ${sums} from ${records}
         group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    sql`insert into usage_item_month (customer_id, service_item_id, agreement_id, month, n, units, price)
        select customer_id, service_item_id, agreement_id, ${month}, ${sums} from ${records}
         group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    sql`insert into usage_version (customer_id, month, version)
        select distinct customer_id, ${month}, 1 from ${records} order by 1, 2`,
    sql`insert into usage_customer (customer_id, n)
        select customer_id, count(*) from ${records} group by 1 order by 1
        on conflict (customer_id) do update set n = usage_customer.n + excluded.n`,
  ];
}
