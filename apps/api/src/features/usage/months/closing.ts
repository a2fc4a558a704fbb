import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { alone, type MonthDeps, readMonth, refuseUnfinished, withShortLocks } from './facts.ts';
import { partitionOf } from './months.ts';
import { MonthRefused, nameOf } from './refused.ts';

const WRITERS_MS = 60_000;
const LOOK_EVERY_MS = 200;

/**
 * Closes a month: no record of it is added or changed any more. Imports that saw it open are waited for, and from then
 * on the database refuses records whoever brings them. Carries on where an interrupted call ended.
 * @param month 'YYYY-MM-01'
 * @returns false when it was closed already
 * @throws {MonthRefused} not over yet, archived, never seen, or in use for a minute
 */
export async function closeMonth(deps: MonthDeps, month: string): Promise<boolean> {
  refuseUnfinished(month, deps.now);
  return alone(deps.db, month, async () => {
    const { state, isGuarded } = await readMonth(deps.db, month);
    if (state === 'archived') throw new MonthRefused(`${nameOf(month)} is archived`);
    if (state === 'closed' && isGuarded) return false;
    const closedAt = await withShortLocks(deps.db, (tx) => markClosed(deps, tx, month));
    await deps.reached?.('marked');
    await waitForWriters(deps.db, closedAt);
    await withShortLocks(deps.db, (tx) => guardMonth(tx, month));
    await deps.reached?.('guarded');
    return true;
  });
}

async function markClosed(deps: MonthDeps, tx: Tx, month: string): Promise<Date> {
  const changed = await tx.execute(
    sql`update usage_month set state = 'closed', closed_at = ${deps.now} where month = ${month} and state = 'open'`,
  );
  if (changed > 0) await deps.record?.(tx, 'month.closed', month);
  return (await tx.one<{ at: Date }>(sql`select clock_timestamp() as at`)).at;
}

/** Lets transactions end that may have seen the month open: their records still belong to it. */
async function waitForWriters(db: Database, since: Date): Promise<void> {
  for (let waited = 0; ; waited += LOOK_EVERY_MS) {
    const [writer] = await db.many<{ name: string; started: Date }>(sql`
      select application_name as name, xact_start as started from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and backend_xid is not null and pid <> pg_backend_pid()
         and xact_start <= ${since} order by xact_start limit 1`);
    if (writer === undefined) return;
    if (waited >= WRITERS_MS) {
      throw new MonthRefused(
        `'${writer.name}' has been writing since ${writer.started.toISOString()}; run this again when it has ended`,
      );
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/** Lets the database refuse whatever is added or changed. What stands there is not looked at. */
export const guardMonth = (tx: Tx, month: string): Promise<number> =>
  tx.execute(
    sql`alter table ${sql.id(partitionOf(month))} add constraint month_closed check (false) not valid`,
  );

/**
 * Opens a closed month again.
 * @returns false when it is open
 * @throws {MonthRefused} when it is archived, never seen, or in use
 */
export async function reopenMonth(deps: MonthDeps, month: string): Promise<boolean> {
  return alone(deps.db, month, async () => {
    const { state, isGuarded } = await readMonth(deps.db, month);
    if (state === 'archived') throw new MonthRefused(`${nameOf(month)} is archived: bring it back first`);
    if (state === 'open' && !isGuarded) return false;
    await withShortLocks(deps.db, async (tx) => {
      await tx.execute(sql`alter table ${sql.id(partitionOf(month))} drop constraint if exists month_closed`);
      await tx.execute(sql`update usage_month set state = 'open', closed_at = null where month = ${month}`);
      await deps.record?.(tx, 'month.reopened', month);
    });
    return true;
  });
}
