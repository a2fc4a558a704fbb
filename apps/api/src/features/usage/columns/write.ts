import type { Database } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { sampleWholeMonth } from '../pages/make-samples.ts';
import { rangeOf } from '../pages/state.ts';

/** How often a worker looks whether columns are to be made. */
export const KEEP_COLUMNS_EVERY_MS = 60_000;
/** A round ends after so long; the next one goes on. */
const ROUND_MS = 30_000;
/** Customers with fewer records have theirs read as they are. */
const LEAST = 10_000;
/** Every so-manieth number is kept: what lies between two of them is counted. */
const NUMBERS_APART = 512;

export interface ColumnOptions {
  /** Records of a customer, at least. */
  readonly least: number;
  readonly numbersApart: number;
  /** A month that changes again and again is written again after so many seconds. */
  readonly again: number;
}

const columnOptions: ColumnOptions = { least: LEAST, numbersApart: NUMBERS_APART, again: 600 };

/** Those of archived months, and of records that have gone, whoever made them meanwhile. */
const forget = sql`
  delete from usage_columns c
   where c.n > 0 and (
         not exists (select from usage_day d
                      where d.customer_id = c.customer_id and d.day >= c.month and d.day < c.month + interval '1 month')
         or exists (select from usage_month m where m.month = c.month and m.state = 'archived'))`;

/** Makes columns of months that have none of their present version, for half a minute at most. */
export async function keepColumns(db: Database, options: Partial<ColumnOptions> = {}): Promise<void> {
  await db.execute(forget);
  const end = Date.now() + ROUND_MS;
  while (Date.now() < end && (await keepNext(db, { ...columnOptions, ...options })));
}

/** @returns false when all are there */
async function keepNext(db: Database, options: ColumnOptions): Promise<boolean> {
  const next = await db.maybeOne<{ customer_id: string; month: string; version: bigint }>(sql`
    select v.customer_id, v.month, v.version
      from usage_version v
      join usage_customer u on u.customer_id = v.customer_id and u.n >= ${options.least}
      join usage_month m on m.month = v.month and m.state <> 'archived'
      left join usage_columns c on c.customer_id = v.customer_id and c.month = v.month
     where c.version is null
        or (c.version <> v.version and c.made_at < now() - make_interval(secs => ${options.again}))
     order by c.made_at nulls first, v.month desc, v.customer_id limit 1`);
  if (next === undefined) return false;
  const { customer_id: customerId, month } = next;
  const { from, until } = rangeOf(month);
  const where = sql<boolean>`u.customer_id = ${customerId} and u.started_at >= ${from} and u.started_at < ${until}`;
  const written = await db.transaction(async (tx) => {
    await tx.execute(sql`set local work_mem = '64MB'`);
    // What is lost in a crash is made again, so nobody need wait for the disk.
    await tx.execute(sql`set local synchronous_commit = off`);
    return tx.maybeOne<{ version: bigint; n: number }>(
      writeMonth(customerId, month, where, options.numbersApart),
    );
  });
  if (written !== undefined) await sampleWholeMonth(db, { scope: { customerId }, month, ...written }, where);
  return true;
}

/** A list of values as one, in the order of the columns. */
const listed = (value: Sql) =>
  sql`coalesce(string_agg(${value}, ''::bytea order by agreement_id, service_item_id, started_at, id), '')`;

/** One statement, so that version and records are of one moment. Its parts follow the table: before it, Citus does not let it reach its machine. */
const writeMonth = (
  customerId: string,
  month: string,
  where: Sql<boolean>,
  apart: number,
): Sql<{ version: bigint; n: number }> => sql`
  insert into usage_columns (
    customer_id, month, version, made_at, n, agreements, agreement_lines, agreement_records, lines, line_records,
    record_types, numbers, numbers_before,
    record_type, day, price_place, units_place, number_place, third_place, price, units)
  with record as materialized (
    select agreement_id, service_item_id, record_type_id, started_at, id, price, units, service_item2,
           (dense_rank() over (order by record_type_id) - 1)::int2 as type,
           row_number() over (order by price, started_at, id) - 1 as price_place,
           row_number() over (order by units, started_at, id) - 1 as units_place,
           row_number() over (order by service_item2, started_at, id) - 1 as number_place,
           rank() over (order by service_item2) - 1 as number_before,
           case when service_item3 = '' then -1
                else row_number() over (partition by service_item3 = '' order by service_item3, started_at, id) - 1
           end as third_place
      from usage_record u where ${where}),
  line as (
    select agreement_id, service_item_id, count(*)::int as n from record group by 1, 2),
  agreement as (
    select agreement_id, count(*)::int as lines, sum(n)::int as n from line group by 1)
  select v.customer_id, v.month, v.version, now(), c.n, a.ids, a.lines, a.records, l.lines, l.records,
         array(select distinct record_type_id from record order by 1), s.numbers, s.numbers_before,
         c.type, c.day, c.price_place, c.units_place, c.number_place, c.third_place, c.price, c.units
    from usage_version v
   cross join (
     select coalesce(array_agg(agreement_id order by agreement_id), '{}') as ids,
            coalesce(array_agg(lines order by agreement_id), '{}') as lines,
            coalesce(array_agg(n order by agreement_id), '{}') as records from agreement) a
   cross join (
     select coalesce(string_agg(uuid_send(service_item_id), ''::bytea order by agreement_id, service_item_id), '') as lines,
            coalesce(string_agg(int4send(n), ''::bytea order by agreement_id, service_item_id), '') as records from line) l
   cross join (
     select coalesce(array_agg(service_item2 order by number_place), '{}') as numbers,
            coalesce(array_agg(number_before::int order by number_place), '{}') as numbers_before
       from record where number_place % ${apart} = 0) s
   cross join (
     select count(*)::int as n, ${listed(sql`int2send(type)`)} as type,
            ${listed(sql`substring(int2send(extract(day from started_at at time zone 'UTC')::int2) from 2)`)} as day,
            ${listed(sql`int4send(price_place::int)`)} as price_place,
            ${listed(sql`int4send(units_place::int)`)} as units_place,
            ${listed(sql`int4send(number_place::int)`)} as number_place,
            ${listed(sql`int4send(third_place::int)`)} as third_place,
            ${listed(sql`int8send((price * 1000000)::int8)`)} as price,
            ${listed(sql`int8send((units * 1000000)::int8)`)} as units
       from record) c
   where v.customer_id = ${customerId} and v.month = ${month}::date
  on conflict (customer_id, month) do update
    set version = excluded.version, made_at = excluded.made_at, n = excluded.n, agreements = excluded.agreements,
        agreement_lines = excluded.agreement_lines, agreement_records = excluded.agreement_records,
        lines = excluded.lines, line_records = excluded.line_records, record_types = excluded.record_types,
        numbers = excluded.numbers, numbers_before = excluded.numbers_before, record_type = excluded.record_type,
        day = excluded.day, price_place = excluded.price_place, units_place = excluded.units_place,
        number_place = excluded.number_place, third_place = excluded.third_place, price = excluded.price,
        units = excluded.units
    where usage_columns.version <= excluded.version
  returning version, n`;
