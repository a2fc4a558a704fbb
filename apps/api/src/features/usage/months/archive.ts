import { hasCitus } from '../../../db/catalogue.ts';
import { type Database, type Tx, transactionOn } from '../../../db/database.ts';
import { MIGRATION_LOCK } from '../../../db/migrate.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import {
  type ArchivedTable,
  type Figures,
  keysOf,
  type MonthArchive,
  readTable,
  writeManifest,
  writeTable,
} from './archive-files.ts';
import { alone, type MonthDeps, readMonth, refuseUnfinished, withShortLocks } from './facts.ts';
import { billedFigures, columnsOf, recordFigures, refuseOtherSums } from './figures.ts';
import { monthsAfter, partitionOf } from './months.ts';
import { MonthRefused, nameOf } from './refused.ts';

/** Full months that must have passed after a month before it is archived, unless forced. */
export const ARCHIVE_AFTER_MONTHS = 2;

/**
 * Takes the records of a closed month out of the database and into files, with the links to the lines that billed
 * them. Rollups stay. The table is dropped only when the files were read back and are what the table holds. Carries
 * on where an interrupted call ended.
 * @param month 'YYYY-MM-01'
 * @returns false when nothing was left to do
 * @throws {MonthRefused} not over yet, open, too young, or something does not agree
 */
export async function archiveMonth(
  deps: MonthDeps,
  month: string,
  { isForced = false }: { readonly isForced?: boolean } = {},
): Promise<boolean> {
  refuseUnfinished(month, deps.now);
  if (!isForced) refuseYoung(month, deps.now);
  return alone(deps.db, month, async () => {
    const { state, hasTable, isGuarded } = await readMonth(deps.db, month);
    if (state === 'archived') return hasTable && finish(deps, month, { isVerified: false });
    if (state === 'open' || !isGuarded) {
      throw new MonthRefused(`${nameOf(month)} is not closed: 'counterfoil db close ${nameOf(month)}' first`);
    }
    const archive = await write(deps, month);
    await deps.reached?.('written');
    await readTable(deps.files, archive.records);
    await readTable(deps.files, archive.billed);
    await deps.reached?.('verified');
    await deps.db.transaction((tx) => markArchived(deps, tx, month, archive));
    await deps.reached?.('marked');
    return finish(deps, month, { isVerified: true });
  });
}

function refuseYoung(month: string, now: Date): void {
  const from = monthsAfter(month, ARCHIVE_AFTER_MONTHS + 1);
  if (now < new Date(`${from}T00:00:00Z`)) {
    throw new MonthRefused(
      `${nameOf(month)} is too young: it may be archived from ${from}, or now with --force`,
    );
  }
}

/** Writes files and manifest, all from one moment of the database. */
async function write({ db, files, now }: MonthDeps, month: string): Promise<MonthArchive> {
  const keys = keysOf(month);
  const archive = await db.withConnection(async (client): Promise<MonthArchive> => {
    await client.query('begin isolation level repeatable read read only');
    // Times in files are those of UTC, whatever the server prefers.
    await client.query("set local timezone = 'UTC'; set local datestyle = 'ISO'");
    const tx = transactionOn(client);
    const table = async (
      name: 'records' | 'billed',
      source: string,
      figures: Figures,
    ): Promise<ArchivedTable> => {
      const columns = await columnsOf(tx, source);
      const list = sql.join(columns.map((column) => sql.id(column)));
      const written = await writeTable(
        client,
        files,
        keys[name],
        sql`select ${list} from ${sql.id(source)} where ${inMonth(month)} order by customer_id, started_at, id`,
      );
      if (written.rows !== figures.rows) {
        throw new MonthRefused(`${keys[name]} has ${written.rows} rows, the database ${figures.rows}`);
      }
      return { ...written, ...figures, columns };
    };
    const figures = await recordFigures(
      tx,
      'usage_record',
      await columnsOf(tx, 'usage_record'),
      inMonth(month),
    );
    await refuseOtherSums(tx, month, figures);
    const records = await table('records', 'usage_record', figures);
    const billed = await table('billed', 'usage_billed', await billedFigures(tx, inMonth(month)));
    await client.query('commit');
    return { format: 1, month: nameOf(month), writtenAt: now.toISOString(), records, billed };
  });
  await writeManifest(files, month, archive);
  return archive;
}

/** As text of the statement, which COPY asks for. */
const inMonth = (month: string, column = 'started_at'): Sql<boolean> =>
  sql.raw<boolean>(
    `${column} >= '${month} 00:00:00+00' and ${column} < '${monthsAfter(month, 1)} 00:00:00+00'`,
  );

/**
 * From here on nobody looks for the month's records: pages and sums leave it out. What its records came to on invoices
 * is kept in `usage_archived_line`, for the links to them go.
 */
async function markArchived(deps: MonthDeps, tx: Tx, month: string, archive: MonthArchive): Promise<void> {
  const changed = await tx.execute(sql`
    update usage_month set state = 'archived', archived_at = ${deps.now}, archive = ${JSON.stringify(archive)}::jsonb
     where month = ${month} and state = 'closed'`);
  if (changed === 0) throw new MonthRefused(`${nameOf(month)} is not closed any more`);
  await tx.execute(sql`
    insert into usage_archived_line
      (customer_id, invoice_line_id, month, service_item_id, record_type_id, n, units, price)
    select b.customer_id, b.invoice_line_id, ${month}::date, u.service_item_id, u.record_type_id, count(*)::int,
           sum(u.units), sum(u.price)
      from usage_billed b
      join usage_record u on u.customer_id = b.customer_id and u.started_at = b.started_at and u.id = b.id
     where ${inMonth(month, 'b.started_at')} and ${inMonth(month, 'u.started_at')}
     group by b.customer_id, b.invoice_line_id, u.service_item_id, u.record_type_id`);
  const gone = await billedFigures(tx, inMonth(month));
  const deleted = await tx.execute(sql`delete from usage_billed where ${inMonth(month)}`);
  if (gone.fingerprint !== archive.billed.fingerprint || deleted !== archive.billed.rows) {
    throw new MonthRefused(`what was billed of ${nameOf(month)} changed meanwhile; run this again`);
  }
  await touchVersions(tx, month);
  await deps.record?.(tx, 'month.archived', month);
}

/** What is remembered about the month's positions is to be found again. */
export const touchVersions = (tx: Tx, month: string): Promise<number> =>
  tx.execute(sql`update usage_version set version = version + 1 where month = ${month}`);

/** Detaches and drops what the files hold. */
async function finish(
  deps: MonthDeps,
  month: string,
  { isVerified }: { readonly isVerified: boolean },
): Promise<boolean> {
  const { archive } = await readMonth(deps.db, month);
  if (archive === null) {
    throw new MonthRefused(`${nameOf(month)} is said to be archived, and there is no record of an archive`);
  }
  if (!isVerified) {
    await readTable(deps.files, archive.records);
    await readTable(deps.files, archive.billed);
  }
  await refuseWhileHeld(deps.db);
  await detach(deps.db, month);
  await deps.reached?.('detached');
  await deps.db.transaction(async (tx) => {
    const is = await recordFigures(tx, partitionOf(month), archive.records.columns);
    const differs = is.rows !== archive.records.rows || is.fingerprint !== archive.records.fingerprint;
    if (differs) {
      throw new MonthRefused(
        `${partitionOf(month)} has ${is.rows} rows that are not those of its archive; it was kept`,
      );
    }
    await tx.execute(sql`drop table ${sql.id(partitionOf(month))}`);
  });
  await deps.reached?.('dropped');
  return true;
}

/** A backup keeps the tables of its snapshot; who waited for one would make everybody else wait. @throws {MonthRefused} */
async function refuseWhileHeld(db: Database): Promise<void> {
  const { isFree } = await db.one<{ isFree: boolean }>(sql`
    select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as "isFree"`);
  if (!isFree) throw new MonthRefused('a backup or a migration is running; run this again when it has ended');
}

/** Takes the month's table out of the usage records; nobody who reads or writes other months waits for it. */
async function detach(db: Database, month: string): Promise<void> {
  const { isAttached, isDetaching } = await readMonth(db, month);
  if (!isAttached) return;
  const partition = partitionOf(month);
  if (await hasCitus(db)) {
    // Citus refuses CONCURRENTLY.
    await withShortLocks(db, (tx) =>
      tx.execute(sql`alter table usage_record detach partition ${sql.id(partition)}`),
    );
    return;
  }
  // Not in a transaction: PostgreSQL commits in the middle, and can be told to finish what was interrupted there.
  const how = isDetaching ? 'finalize' : 'concurrently';
  await db.withConnection((client) =>
    client.query(`alter table usage_record detach partition "${partition}" ${how}`),
  );
}
