import type {
  QuarantinedEntry,
  QuarantineRetry,
} from '@counterfoil/contract/operator/imports/admin-quarantine.ts';
import { capitalised } from '@counterfoil/domain/text/capitalised.ts';
import { AppError } from '../../../app-error.ts';
import type { ActedBy } from '../../../audit/acted-by.ts';
import { recordAudit } from '../../../audit/record.ts';
import type { Db, Tx } from '../../../db/database.ts';
import type { Clock } from '../../../deps.ts';
import { enqueue } from '../../../jobs/queue.ts';
import type { Job } from '../../../jobs/worker.ts';
import { findCustomerNamed } from '../../admin/queries.ts';
import { type Cause, remedyOf } from '../report/causes.ts';
import {
  countRetriable,
  findQuarantined,
  isImportOf,
  keepRecord,
  type QuarantineFilter,
  type QuarantineRow,
} from './admin-queries.ts';
import { dropEntries } from './queries.ts';
import { type RetryDeps, retryQuarantined } from './retry.ts';
import { cellsOf, valuesOf, withValues } from './values.ts';

/** The job that tries many entries again. */
export const RETRY_TASK = 'quarantineRetry';
/** What is longer is not kept, in bytes: as of rows that imports set aside. */
const MAX_RECORD_BYTES = 8_192;

/** Which entry, and whose it has to be. */
export interface EntryAt {
  readonly resellerId: number;
  readonly id: string;
}

interface Act {
  readonly by: ActedBy;
  readonly now: Date;
}

/** An entry as programs are told of it. */
export const presentEntry = async (row: QuarantineRow): Promise<QuarantinedEntry> => ({
  id: row.id,
  importId: row.file_id,
  fileName: row.file,
  format: row.format,
  kind: row.kind,
  line: row.line,
  cause: row.cause,
  reason: row.reason,
  remedy: remedyOf(row.cause),
  values: await valuesOf(row),
  canBeRetried: row.record !== null,
  firstSeenAt: row.first_seen_at.toISOString(),
  tries: row.tries,
  triedAt: row.tried_at?.toISOString() ?? null,
});

/** @param fileId the import that is named; undefined: none @throws {AppError} import.notFound */
export async function requireImport(db: Db, resellerId: number, fileId: string | undefined): Promise<void> {
  if (fileId !== undefined && !(await isImportOf(db, resellerId, fileId)))
    throw new AppError('import.notFound');
}

/** @throws {AppError} quarantine.notFound */
async function entryAt(db: Db, { resellerId, id }: EntryAt): Promise<QuarantineRow> {
  const row = await findQuarantined(db, resellerId, id);
  if (row === undefined) throw new AppError('quarantine.notFound');
  return row;
}

/**
 * Tries an entry again, with other values where they are given; those are kept, whatever becomes of it.
 * @returns the entry where it still waits
 * @throws {AppError} quarantine.notFound, quarantine.notKept, quarantine.values, quarantine.noCustomer
 */
export async function retryEntry(
  deps: RetryDeps,
  at: EntryAt,
  { values, customer }: QuarantineRetry,
  { by, now }: Act,
): Promise<QuarantineRow | undefined> {
  const { db } = deps;
  const row = await entryAt(db, at);
  if (row.record === null) throw new AppError('quarantine.notKept');
  const found = customer === undefined ? undefined : await findCustomerNamed(db, customer, at.resellerId);
  if (typeof found === 'string') throw new AppError('quarantine.noCustomer', { text: capitalised(found) });
  if (Object.keys(values).length > 0)
    await db.transaction((tx) => correctEntry(tx, row, values, { by, now }));
  const { taken } = await retryQuarantined(deps, {
    only: 'these',
    ids: [row.id],
    customerId: found?.customerId,
    now,
  });
  if (taken > 0)
    await db.transaction((tx) =>
      recordAudit(tx, {
        action: 'quarantine.retried',
        at: now,
        resellerId: at.resellerId,
        customerId: found?.customerId,
        ...by,
        detail: { file: row.file, line: row.line, taken },
      }),
    );
  return findQuarantined(db, at.resellerId, at.id);
}

/** @throws {AppError} quarantine.values */
async function correctEntry(
  tx: Tx,
  row: QuarantineRow,
  values: QuarantineRetry['values'],
  { by, now }: Act,
): Promise<void> {
  if (row.kind !== 'usage') throw new AppError('quarantine.values');
  const record = withValues(row, values);
  if ('unknown' in record)
    throw new AppError('quarantine.values', { text: `The row has no column '${record.unknown}'` });
  if (record.length > MAX_RECORD_BYTES)
    throw new AppError('quarantine.values', { text: 'The row is too long' });
  const before = new Map(cellsOf(row));
  if ((await keepRecord(tx, row.id, record)) === undefined) throw new AppError('quarantine.notFound');
  await recordAudit(tx, {
    action: 'quarantine.corrected',
    at: now,
    resellerId: row.reseller_id,
    ...by,
    detail: {
      file: row.file,
      line: row.line,
      ...Object.fromEntries(
        Object.entries(values).flatMap(([name, value]) => [
          [`before.${name}`, before.get(name) ?? null],
          [`after.${name}`, value],
        ]),
      ),
    },
  });
}

/** Has a worker try again what waits. @returns how many that are @throws {AppError} import.notFound */
export async function retryAll(
  tx: Tx,
  filter: Omit<QuarantineFilter, 'after' | 'limit'>,
  { by, now }: Act,
): Promise<number> {
  await requireImport(tx, filter.resellerId, filter.fileId);
  const queued = await countRetriable(tx, filter);
  if (queued === 0) return 0;
  const { resellerId, fileId, cause } = filter;
  await enqueue(
    tx,
    RETRY_TASK,
    { resellerId, fileId, cause },
    { key: `${RETRY_TASK} ${resellerId} ${fileId ?? ''} ${cause ?? ''}` },
  );
  await recordAudit(tx, {
    action: 'quarantine.retried',
    at: now,
    resellerId,
    ...by,
    detail: { queued, ...(fileId !== undefined && { import: fileId }), ...(cause && { cause }) },
  });
  return queued;
}

/** Tries again what {@link retryAll} was asked for. Run again after a crash it goes on with what is left. */
export const quarantineRetryJob = ({ clock, ...deps }: RetryDeps & { readonly clock: Clock }): Job => ({
  name: RETRY_TASK,
  async run(payload) {
    const { resellerId, fileId, cause } = payload as {
      readonly resellerId: number;
      readonly fileId?: string;
      readonly cause?: Cause;
    };
    await retryQuarantined(deps, { only: 'all', resellerId, fileId, cause, now: clock.now() });
  },
});

/**
 * Takes an entry away for good.
 * @throws {AppError} quarantine.notFound
 */
export async function dropEntry(tx: Tx, at: EntryAt, { by, now }: Act): Promise<void> {
  await entryAt(tx, at);
  for (const { reseller_id: resellerId, file, line, reason } of await dropEntries(tx, [at.id]))
    await recordAudit(tx, {
      action: 'quarantine.dropped',
      at: now,
      resellerId,
      ...by,
      detail: { file, reason, ...(line === null ? {} : { line }) },
    });
}
