import type { Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { Figures } from './archive-files.ts';
import { monthsAfter } from './months.ts';
import { MonthRefused, nameOf } from './refused.ts';

/** The columns of a table, in its order. */
export async function columnsOf(db: Db, table: string): Promise<readonly string[]> {
  const rows = await db.many<{ name: string }>(sql`
    select attname::text as name from pg_attribute
     where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`);
  return rows.map((row) => row.name);
}

const everything = sql<boolean>`true`;

/** A number for a row's content; summed, for that of many rows in any order. */
const hashOf = (columns: readonly string[]): Sql =>
  sql`hashtextextended(row(${sql.join(columns.map((column) => sql.id(column)))})::text, 0)`;

/** What usage records come to. @param columns those that count */
export async function recordFigures(
  db: Db,
  table: string,
  columns: readonly string[],
  where: Sql<boolean> = everything,
): Promise<Figures> {
  await inUtc(db);
  const row = await db.one<{ rows: bigint; units: string; price: string; fingerprint: string }>(sql`
    select count(*) as rows, coalesce(sum(units), 0)::text as units, coalesce(sum(price), 0)::text as price,
           coalesce(sum(${hashOf(columns)}), 0)::text as fingerprint
      from ${sql.id(table)} where ${where}`);
  return { ...row, rows: Number(row.rows) };
}

const billedColumns = ['customer_id', 'started_at', 'id', 'invoice_line_id'];

/** What links between records and invoice lines come to. */
export async function billedFigures(db: Db, where: Sql<boolean>): Promise<Figures> {
  await inUtc(db);
  const row = await db.one<{ rows: bigint; fingerprint: string }>(sql`
    select count(*) as rows, coalesce(sum(${hashOf(billedColumns)}), 0)::text as fingerprint
      from usage_billed where ${where}`);
  return { ...row, rows: Number(row.rows) };
}

/** Rows are hashed as text: times must read the same whenever that happens. For the rest of the transaction. */
const inUtc = (db: Db) =>
  db.many(sql`select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO', true)`);

/**
 * The rollups are all that is left of an archived month: they must say what the records come to.
 * @throws {MonthRefused} when they do not
 */
export async function refuseOtherSums(db: Db, month: string, figures: Figures): Promise<void> {
  const days = await db.one<{ n: bigint; units: string; price: string }>(sql`
    select coalesce(sum(n), 0)::bigint as n, coalesce(sum(units), 0)::text as units,
           coalesce(sum(price), 0)::text as price
      from usage_day where day >= ${month} and day < ${monthsAfter(month, 1)}`);
  const agree = await db.one<{ is: boolean }>(sql`
    select ${Number(days.n) === figures.rows} and ${days.units}::numeric = ${figures.units ?? '0'}::numeric
           and ${days.price}::numeric = ${figures.price ?? '0'}::numeric as is`);
  if (agree.is) return;
  throw new MonthRefused(
    `${nameOf(month)} has ${figures.rows} records of ${figures.units} units and a price of ${figures.price}, its daily sums ` +
      `say ${days.n}, ${days.units} and ${days.price}; nothing was archived`,
  );
}
