import type { Database, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export type MonthState = 'open' | 'closed' | 'archived';

const partitionOf = (month: string): string => `usage_record_${month.slice(0, 4)}_${month.slice(5, 7)}`;

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01-01` : `${year}-${String(number + 1).padStart(2, '0')}-01`;
}

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
  // Made first and attached then: this takes a lighter lock than CREATE … PARTITION OF.
  await tx.execute(
    sql`create table ${sql.id(partitionOf(month))} (like usage_record including defaults including constraints)`,
  );
  return partitionOf(month);
}

/** Makes a prepared month part of the usage records; its indexes are built now. */
export async function attachMonth(tx: Tx, month: string): Promise<void> {
  const partition = sql.id(partitionOf(month));
  const range = sql.raw(
    `started_at >= '${month} 00:00:00+00' and started_at < '${monthAfter(month)} 00:00:00+00'`,
  );
  // The check spares the parent a scan under its lock.
  await tx.execute(sql`alter table ${partition} add constraint month_range check (${range})`);
  await tx.execute(sql`
    alter table usage_record attach partition ${partition}
      for values from (${sql.lit(`${month} 00:00:00+00`)}) to (${sql.lit(`${monthAfter(month)} 00:00:00+00`)})`);
  await tx.execute(sql`alter table ${partition} drop constraint month_range`);
}
