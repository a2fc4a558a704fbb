import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Tx } from '../../../db/database.ts';
import { compile, sql } from '../../../db/sql.ts';
import { countMonthAgain } from '../selections/write.ts';
import { touchVersions } from './archive.ts';
import { type ArchivedTable, type Figures, type MonthArchive, readTable } from './archive-files.ts';
import { guardMonth } from './closing.ts';
import { alone, type MonthDeps, readMonth } from './facts.ts';
import { billedFigures, columnsOf, recordFigures, refuseOtherSums } from './figures.ts';
import { attachMonth, makeMonthTable, monthsAfter, partitionOf } from './months.ts';
import { MonthRefused, nameOf } from './refused.ts';

/**
 * Brings an archived month back from its files: its records and which lines billed them, as they were. The month is
 * closed then. One transaction: interrupted, it has changed nothing. The files stay.
 * @param month 'YYYY-MM-01'
 * @returns false when the month is not archived
 * @throws {MonthRefused} when files are missing, damaged or not what was archived, or archiving has not ended
 */
export async function unarchiveMonth(deps: MonthDeps, month: string): Promise<boolean> {
  return alone(deps.db, month, async () => {
    const { state, archive, hasTable } = await readMonth(deps.db, month);
    if (state !== 'archived') return false;
    if (archive === null) {
      throw new MonthRefused(`${nameOf(month)} is said to be archived, and there is no record of an archive`);
    }
    if (hasTable) {
      throw new MonthRefused(
        `archiving ${nameOf(month)} has not ended: 'counterfoil db archive ${nameOf(month)}' ends it`,
      );
    }
    // A file that is damaged is named before the database has to refuse it.
    await readTable(deps.files, archive.records);
    await readTable(deps.files, archive.billed);
    await deps.db.transaction((tx) => bringBack(deps, tx, month, archive));
    await deps.reached?.('back');
    await deps.db.transaction((tx) => tx.execute(sql`analyze ${sql.id(partitionOf(month))}`));
    return true;
  });
}

async function bringBack(deps: MonthDeps, tx: Tx, month: string, archive: MonthArchive): Promise<void> {
  const partition = partitionOf(month);
  await makeMonthTable(tx, month);
  // Made in this transaction, so that its rows can be written as old already and nobody has to vacuum them.
  await load(deps, tx, partition, archive.records, 'header match, freeze');
  await deps.reached?.('loaded');
  await attachMonth(tx, month);
  await load(deps, tx, 'usage_billed', archive.billed, 'header match');
  await tx.execute(sql`delete from usage_archived_line where month = ${month}`);
  const records = await recordFigures(tx, partition, archive.records.columns);
  refuseOthers(partition, records, archive.records);
  await refuseOtherSums(tx, month, records);
  const range = sql<boolean>`started_at >= ${`${month}T00:00:00Z`}::timestamptz
    and started_at < ${`${monthsAfter(month, 1)}T00:00:00Z`}::timestamptz`;
  refuseOthers('usage_billed', await billedFigures(tx, range), archive.billed);
  await tx.execute(sql`
    update usage_month set state = 'closed', archived_at = null, archive = null where month = ${month}`);
  await countMonthAgain(tx, month, monthsAfter(month, 1));
  await guardMonth(tx, month);
  await touchVersions(tx, month);
  await deps.record?.(tx, 'month.unarchived', month);
}

async function load(
  { files }: MonthDeps,
  tx: Tx,
  target: string,
  table: ArchivedTable,
  how: string,
): Promise<void> {
  const now = await columnsOf(tx, target);
  const lost = table.columns.filter((column) => !now.includes(column));
  if (lost.length > 0) throw new MonthRefused(`${target} has no column ${lost.join(', ')} any more`);
  const columns = sql.join(table.columns.map((column) => sql.id(column)));
  const copy = compile(sql`copy ${sql.id(target)} (${columns}) from stdin`).text;
  const client = await tx.connection();
  await readTable(files, table, (text: Readable) =>
    pipeline(text, client.query(copyFrom(`${copy} with (${how})`))),
  );
}

function refuseOthers(table: string, is: Figures, was: Figures): void {
  if (
    is.rows === was.rows &&
    is.fingerprint === was.fingerprint &&
    is.units === was.units &&
    is.price === was.price
  )
    return;
  throw new MonthRefused(`${table} would have ${is.rows} rows that are not the ${was.rows} of the archive`);
}
