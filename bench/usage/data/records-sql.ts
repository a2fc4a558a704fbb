import { type Sql, sql } from '../../../apps/api/src/db/sql.ts';
import { CUSTOMER_SLOTS, TYPE_SLOTS } from './world.ts';

/** Which records: numbers of `first` to `until` − 1, on the days of one month. */
export interface MonthOfRecords {
  readonly first: number;
  readonly until: number;
  /** 'YYYY-MM-01' */
  readonly month: string;
  readonly days: number;
}

/** The columns of a drawn record, in the order of `usage_record`. */
export const recordColumns: Sql = sql`customer_id, started_at, id, agreement_id, record_type_id, service_item_id,
  service_item2, service_item3, units, price, has_price, content_hash`;

const bits = (of: string, from: number, mask: number): Sql => sql.raw(`((${of} >> ${from}) & ${mask})`);
const MIB = 1_048_575;

/**
 * Records drawn by hashes of their numbers, so the same on every machine. Reads the tables of `bench_usage`: `slot`
 * says whose a record is, `line` which line and service, `type` which type of the service. A part of a day's file of
 * each customer stands together, as an import leaves it.
 */
export const drawRecords = ({ first, until, month, days }: MonthOfRecords): Sql => sql`
  with drawn as (
    select i, hashint8extended(i, 1) as a, hashint8extended(i, 2) as b, hashint8extended(i, 3) as c,
           hashint8extended(i, 4) as d
      from generate_series(${sql.lit(first)}::bigint, ${sql.lit(until - 1)}::bigint) i),
  placed as (
    select d.i, d.b, d.c, d.d, s.first_line + case
             -- One line of the largest customer has 15 percent of its records.
             when s.is_largest and ${bits('d.a', 32, 1023)} < 154 then 0
             else (s.line_count * ${bits('d.a', 42, MIB)} * ${bits('d.a', 42, MIB)}) >> 40
           end as line
      from drawn d join bench_usage.slot s on s.slot = (d.a & 1073741823) % ${sql.lit(CUSTOMER_SLOTS)}),
  measured as (
    select p.*, l.customer_id, l.service_item_id, l.agreement_id, t.kind, t.record_type_id, t.rate,
           timestamptz ${sql.lit(`${month} 00:00:00+00`)} + make_interval(
             days => (${bits('p.b', 0, MIB)} % ${sql.lit(days)})::int,
             secs => (${bits('p.b', 20, MIB)} % 43200 + ${bits('p.b', 40, MIB)} % 43200)::int) as started_at,
           case t.kind
             when 'call' then (case when ${bits('p.c', 20, 1023)} < 600 then 1 + ${bits('p.c', 30, MIB)} % 120
                                    when ${bits('p.c', 20, 1023)} < 920 then 1 + ${bits('p.c', 30, MIB)} % 900
                                    else 1 + ${bits('p.c', 30, MIB)} % 7200 end)::numeric
             when 'volume' then 0.001 * (case when ${bits('p.c', 20, 1023)} < 500 then 1 + ${bits('p.c', 30, MIB)} % 5000
                                              else 1 + ${bits('p.c', 30, MIB)} % 500000 end)
             else case when ${bits('p.c', 20, 1023)} < 900 then 1 else 1 + ${bits('p.c', 30, MIB)} % 10 end
           end as units
      from placed p
      join bench_usage.line l on l.n = p.line
      join bench_usage.type t on t.service = l.service and t.slot = ${bits('p.c', 0, MIB)} % ${sql.lit(TYPE_SLOTS)})
  select customer_id, started_at, md5('bench usage ' || i)::uuid as id, agreement_id, record_type_id, service_item_id,
         case when kind = 'volume' then 'Network ' || ${bits('d', 0, MIB)} % 40
              when kind = 'piece' then ''
              -- Half of all go where the line often calls.
              when ${bits('d', 20, 1)} = 0
                then '+1555' || lpad(((line * 131 + ${bits('d', 21, 7)} * 7919) % 10000000)::text, 7, '0')
              else (array['+1', '+33', '+44', '+49', '+61'])[1 + ${bits('d', 24, 1023)} % 5]
                || 200000000 + ${bits('d', 34, 268_435_455)} % 700000000
         end as service_item2,
         case when ${bits('d', 12, 7)} = 0 then 'Zone ' || ${bits('d', 15, 1023)} % 9 else '' end as service_item3,
         units,
         case when has_price and not is_included
              then rate * case when kind = 'call' then ceil(units / 60) else units end else 0 end as price,
         has_price, b # c # d as content_hash
    from measured, lateral (select ${bits('d', 50, 1023)} >= 10 as has_price, ${bits('d', 40, 1023)} < 300 as is_included) flags
   order by started_at::date, customer_id, started_at, id`;
