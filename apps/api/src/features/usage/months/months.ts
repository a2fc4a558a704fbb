import { type Database, DatabaseUnavailable, type Db, type Tx } from '../../../db/database.ts';
import { limitLockWaits } from '../../../db/lock-waits.ts';
import { sql } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';

/** Only open months take records; those of archived ones lie in files. */
export type MonthState = 'open' | 'closed' | 'archived';

/** How many months after the running one are made before they are needed. */
export const MONTHS_AHEAD = 3;
/** How often a worker looks whether a month is to be made. */
export const MONTHS_EVERY_MS = 3_600_000;
/** Whoever makes months ahead has time: what is in use now is tried again at the next round. */
const PATIENCE = '5s';

/** The table of a month's records. @param month its first day, 'YYYY-MM-01' */
export const partitionOf = (month: string): string =>
  `usage_record_${month.slice(0, 4)}_${month.slice(5, 7)}`;

/** The first day of the month that many months later (or, below zero, before). @param month 'YYYY-MM-01' */
export function monthsAfter(month: string, count: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 10);
}

/** The first day of the month of UTC a moment lies in. */
export const monthOf = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;

/**
 * Makes sure that months can take usage records: a month nobody has seen yet gets its partition and is open.
 * A transaction of its own for each, so that no import waits for another's data.
 * @param months first days, 'YYYY-MM-01', in UTC
 * @returns the state of each
 */
export async function ensureMonths(
  db: Database,
  months: readonly string[],
): Promise<ReadonlyMap<string, MonthState>> {
  const states = new Map<string, MonthState>();
  for (const month of [...new Set(months)].sort()) {
    states.set(month, await db.transaction((tx) => ensureMonth(tx, month)));
  }
  return states;
}

/**
 * Makes the running month and those ahead of it. Safe to run often and in many processes at once: whoever comes
 * second finds them made.
 * @returns the months made now, 'YYYY-MM-01'
 */
export async function ensureMonthsAhead(db: Database, now: Date): Promise<readonly string[]> {
  const missing = await monthsMissingAhead(db, now);
  for (const month of missing) {
    await db.transaction(async (tx) => {
      await limitLockWaits(tx, PATIENCE);
      await ensureMonth(tx, month);
    });
  }
  return missing;
}

/** Which of the running month and those ahead are not made. @returns first days, 'YYYY-MM-01' */
export async function monthsMissingAhead(db: Db, now: Date): Promise<readonly string[]> {
  const months = Array.from({ length: MONTHS_AHEAD + 1 }, (_, at) => monthsAfter(monthOf(now), at));
  const rows = await db.many<{ month: string }>(sql`
    select w.month::text as month from unnest(${months}::date[]) as w(month)
     where not exists (select from usage_month m where m.month = w.month) order by 1`);
  return rows.map((row) => row.month);
}

async function ensureMonth(tx: Tx, month: string): Promise<MonthState> {
  const partition = await prepareMonth(tx, month);
  if (partition === null) {
    const row = await tx.one<{ state: MonthState }>(
      sql`select state from usage_month where month = ${month}`,
    );
    return row.state;
  }
  await attachMonth(tx, month);
  return 'open';
}

/**
 * Makes the table of a month that nobody has seen yet. It is no part of the usage records until `attachMonth`, so
 * that much can be copied into it before its indexes are built.
 * @returns its name, or null when the month is there already
 */
export async function prepareMonth(tx: Tx, month: string): Promise<string | null> {
  // The row is the lock: a second process waits here until the first one's partition is attached.
  const isNew = await tx.execute(sql`
    insert into usage_month (month, state) values (${month}, 'open') on conflict (month) do nothing`);
  if (isNew === 0) return null;
  await makeMonthTable(tx, month);
  return partitionOf(month);
}

/** Makes a month's table, no part of the usage records yet. This takes a lighter lock than CREATE … PARTITION OF. */
export async function makeMonthTable(tx: Tx, month: string): Promise<void> {
  await tx.execute(
    sql`create table ${sql.id(partitionOf(month))} (like usage_record including defaults including constraints)`,
  );
}

/** Makes a prepared month part of the usage records; its indexes are built now. */
export async function attachMonth(tx: Tx, month: string): Promise<void> {
  const partition = sql.id(partitionOf(month));
  const end = monthsAfter(month, 1);
  const range = sql.raw(`started_at >= '${month} 00:00:00+00' and started_at < '${end} 00:00:00+00'`);
  // The check spares the parent a scan under its lock.
  await tx.execute(sql`alter table ${partition} add constraint month_range check (${range})`);
  await tx.execute(sql`
    alter table usage_record attach partition ${partition}
      for values from (${sql.lit(`${month} 00:00:00+00`)}) to (${sql.lit(`${end} 00:00:00+00`)})`);
  await tx.execute(sql`alter table ${partition} drop constraint month_range`);
}

/**
 * Takes out months in which nobody has a record, with their tables; an import makes what it needs again. Archived ones,
 * whose records are in files, stay; so does one that is in use right now.
 * @param before the months before this moment's; undefined: all, for a database that nobody uses
 * @returns 'YYYY-MM'
 */
export async function dropEmptyMonths(db: Database, before: Date | undefined): Promise<readonly string[]> {
  const end = before === undefined ? null : monthOf(before);
  const rows = await db.many<{ month: string }>(sql`
    select month::text as month from usage_month
     where state <> 'archived' and (${end}::date is null or month < ${end}::date) order by 1`);
  const dropped: string[] = [];
  for (const { month } of rows) if (await dropIfEmpty(db, month)) dropped.push(month.slice(0, 7));
  return dropped;
}

const dropIfEmpty = (db: Database, month: string): Promise<boolean> =>
  db
    .transaction(async (tx) => {
      await limitLockWaits(tx, PATIENCE);
      // The row first, as whoever imports does: they come before, or find the month gone.
      const row = await tx.maybeOne<{ state: MonthState }>(
        sql`select state from usage_month where month = ${month} for update`,
      );
      if (row === undefined || row.state === 'archived') return false;
      const partition = sql.id(partitionOf(month));
      await tx.execute(sql`lock table ${partition} in access exclusive mode`);
      if ((await tx.maybeOne(sql`select 1 from ${partition} limit 1`)) !== undefined) return false;
      await tx.execute(sql`drop table ${partition}`);
      await tx.execute(sql`delete from usage_month where month = ${month}`);
      return true;
    })
    .catch((error: unknown) => {
      if (error instanceof DatabaseUnavailable) return false;
      throw error;
    });

/** Whether records of the customer between two days, both included, lie in archived months. */
export async function hasArchivedUsage(
  db: Db,
  scope: CustomerScope,
  dateFrom: string,
  dateTo: string,
): Promise<boolean> {
  const { has } = await db.one<{ has: boolean }>(sql`
    select exists (select from usage_month m
                     join usage_version v on v.customer_id = ${scope.customerId} and v.month = m.month
                    where m.state = 'archived' and m.month <= ${dateTo}::date
                      and m.month > ${dateFrom}::date - interval '1 month') as has`);
  return has;
}
