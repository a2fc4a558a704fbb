import type { ImportState } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import { capitalised } from '@counterfoil/domain/text/capitalised.ts';
import { AppError } from '../../../app-error.ts';
import type { ActedBy } from '../../../audit/acted-by.ts';
import { type AuditAction, recordAudit } from '../../../audit/record.ts';
import type { Database, Db, Tx } from '../../../db/database.ts';
import type { Clock } from '../../../deps.ts';
import type { FileStore } from '../../../files/file-store.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { endIdle } from '../import-run.ts';
import { UPLOAD_TASK } from '../uploads/upload.ts';
import { UNDO_DAYS } from './changes.ts';
import { obstacleOf } from './present.ts';
import {
  findImport,
  forgetChanges,
  forgetUpload,
  type ImportRow,
  listLeft,
  listStopping,
  lockImport,
  setState,
} from './queries.ts';
import { closedMonthsOf, countDependent } from './undo-usage.ts';

/** The job that takes an import back. */
export const UNDO_TASK = 'importUndo';
/** More are looked at by the job alone: an answer has to come within seconds. */
const LOOKED_AT_NOW = 20_000;
/** A dry run that nobody follows up is given up. */
const CHECKED_DAYS = 7;
const DAY_MS = 86_400_000;
const AT_ONCE = 100;
const STOPPABLE: ReadonlySet<ImportState> = new Set(['waiting', 'running', 'stopping']);

/** Which import, and whose it has to be; undefined: anybody's. */
export interface ImportAt {
  readonly resellerId: number | undefined;
  readonly id: string;
}

/** Who acts about an import, when and why. */
export interface ImportAct {
  readonly by: ActedBy;
  readonly now: Date;
  readonly note?: string | undefined;
}

const record = (
  tx: Tx,
  row: ImportRow,
  action: AuditAction,
  { by, now, note }: ImportAct,
  after: Readonly<Record<string, string>> = {},
): Promise<void> =>
  recordAudit(tx, {
    action,
    at: now,
    resellerId: row.reseller_id,
    ...by,
    detail: {
      import: row.id,
      file: row.name,
      ...(note !== undefined && { note }),
      'before.state': row.state,
      ...after,
    },
  });

/** @throws {AppError} import.notFound */
export async function importNamed(db: Db, { resellerId, id }: ImportAt): Promise<ImportRow> {
  const row = await findImport(db, resellerId, id);
  if (row === undefined) throw new AppError('import.notFound');
  return row;
}

/** @throws {AppError} import.notFound */
async function locked(tx: Tx, { resellerId, id }: ImportAt): Promise<ImportRow> {
  const row = await lockImport(tx, resellerId, id);
  if (row === undefined) throw new AppError('import.notFound');
  return row;
}

/**
 * Begins an import that was looked at; a worker takes it up. One that has begun changes nothing.
 * @throws {AppError} import.notFound, import.notStarted
 */
export async function startImport(tx: Tx, at: ImportAt, act: ImportAct): Promise<ImportRow> {
  const row = await locked(tx, at);
  if (['waiting', 'running', 'done'].includes(row.state)) return row;
  if (row.state !== 'checked' && row.state !== 'checking') throw new AppError('import.notStarted');
  const [open] = row.head?.questions ?? [];
  if (open !== undefined) throw new AppError('import.columnsOpen', { text: capitalised(open.text) });
  await setState(tx, row.id, 'waiting');
  await enqueue(tx, UPLOAD_TASK, { id: row.id }, { key: `${UPLOAD_TASK} ${row.id} start` });
  await record(tx, row, 'import.started', act);
  return { ...row, state: 'waiting' };
}

/**
 * Gives up an import that has not begun. The same again changes nothing; its file is deleted by {@link sweepImports}.
 * @throws {AppError} import.notFound, import.notDiscarded
 */
export async function discardImport(tx: Tx, at: ImportAt, act: ImportAct): Promise<ImportRow> {
  const row = await locked(tx, at);
  if (row.state === 'discarded') return row;
  if (row.state !== 'checked' && row.state !== 'checking') throw new AppError('import.notDiscarded');
  await setState(tx, row.id, 'discarded');
  await record(tx, row, 'import.discarded', act);
  return { ...row, state: 'discarded' };
}

/**
 * Stops an import. A process that is at it leaves off after the slice it merges; where none is, it has ended at once. The
 * same again changes nothing, but ends one whose process was killed meanwhile. Its file is deleted by the job.
 * @throws {AppError} import.notFound, import.notStopped with the reason
 */
export async function stopImport(tx: Tx, at: ImportAt, act: ImportAct): Promise<ImportRow> {
  const row = await locked(tx, at);
  if (row.state === 'stopped') return row;
  if (row.state === 'checking' || row.state === 'checked')
    throw new AppError('import.notStopped', { text: 'It has not begun; it can be given up instead' });
  if (!STOPPABLE.has(row.state)) throw new AppError('import.notStopped');
  const hasEnded = await endIdle(tx, row.id, act.now);
  if (hasEnded && row.file_key !== null)
    await enqueue(tx, UPLOAD_TASK, { id: row.id }, { key: `${UPLOAD_TASK} ${row.id} stop` });
  if (!hasEnded) await setState(tx, row.id, 'stopping');
  const state = hasEnded ? 'stopped' : 'stopping';
  if (row.state !== 'stopping') await record(tx, row, 'import.stopped', act, { 'after.state': state });
  return importNamed(tx, at);
}

/** What was booked about it since, in words; undefined where nothing was. */
export async function dependentsOf(db: Db, id: string): Promise<string | undefined> {
  const closed = await closedMonthsOf(db, id);
  if (closed.length > 0)
    return `Its records stand in months that take no changes: ${closed.map(({ month }) => month.slice(0, 7)).join(', ')}`;
  const { billed, changed } = await countDependent(db, id);
  if (billed > 0) return `${billed} of its records are billed by an invoice`;
  if (changed > 0) return `${changed} of its records were corrected or taken out since`;
  return undefined;
}

/**
 * Has a worker take out again what an import made. The same again changes nothing.
 * @throws {AppError} import.notFound, import.notUndone with the reason
 */
export async function undoImport(tx: Tx, at: ImportAt, act: ImportAct): Promise<ImportRow> {
  const row = await locked(tx, at);
  if (row.state === 'undoing' || row.state === 'undone') return row;
  const against =
    obstacleOf(row, act.now) ?? (row.created_n <= LOOKED_AT_NOW ? await dependentsOf(tx, row.id) : undefined);
  if (against !== undefined) throw new AppError('import.notUndone', { text: against });
  await setState(tx, row.id, 'undoing');
  await enqueue(tx, UNDO_TASK, { id: row.id }, { key: `${UNDO_TASK} ${row.id}` });
  await record(tx, row, 'import.undone', act);
  return { ...row, state: 'undoing' };
}

/** Between two rounds of {@link sweepImports}. */
export const SWEEP_IMPORTS_EVERY_MS = 10 * 60_000;

/**
 * Deletes files of imports that were given up, gives up dry runs of long ago, ends imports whose process was killed before it
 * could stop, and forgets what imports made long ago.
 */
export async function sweepImports({
  db,
  clock,
  files,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly files: FileStore;
}): Promise<void> {
  const now = clock.now();
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  for (const { id, file_key: key } of await listLeft(db, before(CHECKED_DAYS), AT_ONCE)) {
    // The file first: a row whose file is gone is found again.
    await files.delete(key);
    await db.transaction((tx) => forgetUpload(tx, id, now));
  }
  for (const { id } of await listStopping(db, AT_ONCE)) await db.transaction((tx) => endIdle(tx, id, now));
  await db.transaction((tx) => forgetChanges(tx, before(UNDO_DAYS)));
}
