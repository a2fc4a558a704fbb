import { forgetOldLines, oldLines } from '../../audit/old-lines.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Retention } from '../../config.ts';
import type { Database, Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Clock } from '../../deps.ts';
import type { FileStore } from '../../files/file-store.ts';

/** Between two rounds. */
export const RETENTION_EVERY_MS = 24 * 3_600_000;
const DAY_MS = 86_400_000;
/** Rows that are deleted in one transaction, and transactions of one class in one round. */
const AT_ONCE = 5_000;
const DOCUMENTS_AT_ONCE = 500;
const STEPS = 200;

interface RetentionDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly keep: Retention;
}

/** How old data of one class is told and deleted. */
interface RetentionClass {
  /** How many are older; of what a person reads. */
  readonly count: (db: Db, before: Date) => Promise<number>;
  /** Deletes some of them. @returns how many; 0: there are none any more */
  readonly forget: (deps: RetentionDeps, before: Date) => Promise<number>;
}

/** Rows of tables that are older. */
const rowsOf = (
  ...tables: readonly (readonly [table: string, isOld: (before: Date) => Sql])[]
): RetentionClass => ({
  async count(db, before) {
    let sum = 0;
    for (const [table, isOld] of tables)
      sum += (
        await db.one<{ n: number }>(
          sql`select count(*)::int as n from ${sql.id(table)} where ${isOld(before)}`,
        )
      ).n;
    return sum;
  },
  async forget({ db }, before) {
    let sum = 0;
    for (const [table, isOld] of tables)
      sum += await db.transaction((tx) =>
        tx.execute(sql`
          delete from ${sql.id(table)} where ctid = any(array(
            select ctid from ${sql.id(table)} where ${isOld(before)} limit ${AT_ONCE} for update skip locked))`),
      );
    return sum;
  },
});

/** By class of the setting: what is deleted when it is older than the setting says. */
const classes: Readonly<Record<keyof Retention, RetentionClass>> = {
  mails: rowsOf(['mail', (before) => sql`created_at < ${before}`]),
  signIns: rowsOf(
    // With its refresh tokens.
    ['user_session', (before) => sql`coalesce(ended_at, expires_at) < ${before}`],
    ['operator_session', (before) => sql`coalesce(ended_at, expires_at) < ${before}`],
    ['one_time_token', (before) => sql`coalesce(used_at, retired_at, expires_at) < ${before}`],
    ['login_code', (before) => sql`coalesce(used_at, expires_at) < ${before}`],
    ['sso_code', (before) => sql`expires_at < ${before}`],
    ['sso_attempt', (before) => sql`expires_at < ${before}`],
    ['operator_sso_attempt', (before) => sql`expires_at < ${before}`],
  ),
  gatewayEvents: rowsOf(['inbox', (before) => sql`handled_at < ${before} and not is_open`]),
  quarantine: rowsOf(
    ['quarantine_entry', (before) => sql`first_seen_at < ${before}`],
    ['import_quarantine', (before) => sql`at < ${before}`],
  ),
  documents: {
    count: async (db, before) =>
      (await db.one<{ n: number }>(sql`select count(*)::int as n from ${oldDocuments(before)}`)).n,
    forget: forgetDocuments,
  },
  audit: { count: oldLines, forget: ({ db }, before) => forgetOldLines(db, before) },
};

const oldDocuments = (before: Date): Sql => sql`
  invoice_document d join invoice i on i.customer_id = d.customer_id and i.id = d.invoice_id
  where i.issued_on < ${before}::timestamptz::date`;

/** Documents of invoices that were issued before; the portal shows the one it makes itself from then on. */
async function forgetDocuments({ db, files }: RetentionDeps, before: Date): Promise<number> {
  const some = await db.many<{ customer_id: string; invoice_id: string; file_key: string }>(sql`
    select d.customer_id, d.invoice_id, d.file_key from ${oldDocuments(before)} limit ${DOCUMENTS_AT_ONCE}`);
  for (const { customer_id, invoice_id, file_key } of some) {
    // The file first: a row whose file is gone is found again.
    await files.delete(file_key);
    await db.transaction((tx) =>
      tx.execute(sql`
        delete from invoice_document where customer_id = ${customer_id} and invoice_id = ${invoice_id}`),
    );
  }
  return some.length;
}

/** What a class keeps, and how much is older. */
export interface RetentionFigure {
  readonly name: keyof Retention;
  /** Days; 0: for ever. */
  readonly keptDays: number;
  /** What was or would be deleted. */
  readonly older: number;
}

const names = Object.keys(classes) as (keyof Retention)[];
const beforeOf = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/** What a round would delete now. Changes nothing. */
export async function foreseeRetention(
  db: Db,
  keep: Retention,
  now: Date,
): Promise<readonly RetentionFigure[]> {
  const figures: RetentionFigure[] = [];
  for (const name of names) {
    const keptDays = keep[name];
    const older = keptDays === 0 ? 0 : await classes[name].count(db, beforeOf(now, keptDays));
    figures.push({ name, keptDays, older });
  }
  return figures;
}

/**
 * Deletes what is older than each class is kept, in short transactions, and says so in the audit trail. A round leaves what
 * is more than a million of a class to the next.
 * @param by who asked; without it the round of every day did
 */
export async function applyRetention(deps: RetentionDeps, by?: string): Promise<readonly RetentionFigure[]> {
  const { db, keep, clock } = deps;
  const now = clock.now();
  const figures: RetentionFigure[] = [];
  for (const name of names) {
    const keptDays = keep[name];
    const older = keptDays === 0 ? 0 : await forgetAll(deps, classes[name], beforeOf(now, keptDays));
    figures.push({ name, keptDays, older });
  }
  const done = figures.filter(({ older }) => older > 0);
  if (done.length > 0)
    await db.transaction((tx: Tx) =>
      recordAudit(tx, {
        action: 'retention.applied',
        at: now,
        actor: by,
        detail: Object.fromEntries(done.map(({ name, older }) => [name, older])),
      }),
    );
  return figures;
}

async function forgetAll(deps: RetentionDeps, { forget }: RetentionClass, before: Date): Promise<number> {
  let sum = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const gone = await forget(deps, before);
    sum += gone;
    if (gone === 0) break;
  }
  return sum;
}
