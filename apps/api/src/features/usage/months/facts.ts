import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, DatabaseUnavailable, type Db, sqlState, type Tx } from '../../../db/database.ts';
import { limitLockWaits } from '../../../db/lock-waits.ts';
import { sql } from '../../../db/sql.ts';
import type { FileStore } from '../../../files/file-store.ts';
import type { MonthArchive } from './archive-files.ts';
import { type MonthState, monthOf } from './months.ts';
import { MonthRefused, nameOf } from './refused.ts';

/** What closing, archiving and bringing back work with. */
export interface MonthDeps {
  /** Its statements may take hours. At least three connections. */
  readonly db: Database;
  readonly files: FileStore;
  readonly now: Date;
  /** Puts what was done on record, in the transaction that does it. */
  readonly record?: (tx: Tx, action: MonthAction, month: string) => Promise<void>;
  /** Called after each step that lasts: a process killed there is carried on by the same command. */
  readonly reached?: (step: string) => void | Promise<void>;
}

export type MonthAction = 'month.closed' | 'month.reopened' | 'month.archived' | 'month.unarchived';

/** How a month is, in the list of months and in the catalogue. */
export interface MonthFacts {
  readonly state: MonthState;
  readonly archive: MonthArchive | null;
  readonly hasTable: boolean;
  readonly isAttached: boolean;
  /** Detaching began and was interrupted: PostgreSQL wants it finished. */
  readonly isDetaching: boolean;
  /** The database itself refuses new records. */
  readonly isGuarded: boolean;
}

/** @param month 'YYYY-MM-01' @throws {MonthRefused} when nobody has seen the month */
export async function readMonth(db: Db, month: string): Promise<MonthFacts> {
  const row = await db.maybeOne<{
    state: MonthState;
    archive: MonthArchive | null;
    has_table: boolean;
    is_attached: boolean;
    is_detaching: boolean;
    is_guarded: boolean;
  }>(sql`
    select m.state, m.archive, c.oid is not null as has_table, i.inhrelid is not null as is_attached,
           coalesce(i.inhdetachpending, false) as is_detaching,
           exists (select from pg_constraint k where k.conrelid = c.oid and k.conname = 'month_closed') as is_guarded
      from usage_month m
      left join pg_class c on c.oid = to_regclass('usage_record_' || to_char(m.month, 'YYYY_MM'))
      left join pg_inherits i on i.inhrelid = c.oid and i.inhparent = 'usage_record'::regclass
     where m.month = ${month}`);
  if (row === undefined) throw new MonthRefused(`there are no usage records of ${nameOf(month)}`);
  return {
    state: row.state,
    archive: row.archive,
    hasTable: row.has_table,
    isAttached: row.is_attached,
    isDetaching: row.is_detaching,
    isGuarded: row.is_guarded,
  };
}

/** @throws {MonthRefused} while records of the month may still be made */
export function refuseUnfinished(month: string, now: Date): void {
  if (month >= monthOf(now)) throw new MonthRefused(`${nameOf(month)} is not over yet`);
}

// Any number will do, as long as every process takes the same one.
const LOCK = 7_263_402;
const LOCK_NOT_AVAILABLE = '55P03';
const LOCK_WAIT = '2s';
const TRIES = 15;
const PAUSE_MS = 500;

/**
 * Runs `work` while no other process closes, archives or brings back that month.
 * @throws {MonthRefused} when another one does
 */
export async function alone<T>(db: Database, month: string, work: () => Promise<T>): Promise<T> {
  const key = Number(month.replaceAll('-', ''));
  return db.withConnection(async (client) => {
    // A killed process's connection may take a moment to be noticed.
    for (let tries = 0; ; tries += 1) {
      const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1, $2) as got', [
        LOCK,
        key,
      ]);
      if (rows[0]?.got === true) break;
      if (tries === TRIES) throw new MonthRefused(`another command is busy with ${nameOf(month)}`);
      await sleep(PAUSE_MS);
    }
    try {
      return await work();
    } finally {
      await client.query('select pg_advisory_unlock($1, $2)', [LOCK, key]);
    }
  });
}

/**
 * A transaction that waits for locks only briefly and then lets others pass, again and again: pages queue behind
 * whoever waits for a table.
 * @throws {MonthRefused} when the records stayed in use
 */
export async function withShortLocks<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction(async (tx) => {
        await limitLockWaits(tx, LOCK_WAIT);
        return work(tx);
      });
    } catch (error) {
      const cause = error instanceof DatabaseUnavailable ? error.cause : error;
      if (sqlState(cause)?.code !== LOCK_NOT_AVAILABLE) throw error;
      if (tries === TRIES) {
        throw new MonthRefused(
          'the records are in use by an import or export; run this again when it has ended',
        );
      }
      await sleep(PAUSE_MS);
    }
  }
}
