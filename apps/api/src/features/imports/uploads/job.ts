import type { EntityMapping } from '@counterfoil/contract/operator/imports/entity-import.ts';
import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../deps.ts';
import type { FileStore } from '../../../files/file-store.ts';
import type { Job } from '../../../jobs/worker.ts';
import { describedKind } from '../entities/described.ts';
import { previewEntities } from '../entities/preview-entities.ts';
import { type EntityWriters, takeEntities } from '../entities/take-entities.ts';
import { endIdle } from '../import-run.ts';
import { type DocumentDeps, previewDocument, takeDocument } from '../invoices/take-document.ts';
import { findUsageMapping } from '../mappings/find-mapping.ts';
import { keepPreview } from '../runs/queries.ts';
import { statementFormat } from '../statements/read-statement.ts';
import { previewMismatch, previewUsage } from '../usage/preview-usage.ts';
import { MappingMismatch } from '../usage/rows.ts';
import { takeUsage } from '../usage/take-usage.ts';
import { failUpload, findUploadJob, sayPreviewed, type UploadJobRow } from './queries.ts';
import { previewStatement, takeUploadedStatement } from './statement-upload.ts';
import { UPLOAD_TASK } from './upload.ts';

export interface UploadJobDeps extends DocumentDeps {
  /** With time for long statements. */
  readonly db: Database;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly writers: EntityWriters;
}

/**
 * Looks at an uploaded file, or takes it in. Run again after a crash it goes on where it was; run twice it does nothing
 * more.
 */
export function usageImportJob(deps: UploadJobDeps): Job {
  return {
    name: UPLOAD_TASK,
    async run(payload) {
      const { id } = payload as { id: string };
      const row = await findUploadJob(deps.db, id);
      if (row === undefined) return;
      const isOver = row.state === 'stopped' || (await work(deps, id, row));
      if (isOver) await deps.files.delete(row.file_key);
    },
  };
}

/** @returns whether the file is needed no more */
async function work(deps: UploadJobDeps, id: string, row: UploadJobRow): Promise<boolean> {
  const { db, clock, files } = deps;
  if (row.state === 'stopping') {
    if (await db.transaction((tx) => endIdle(tx, id, clock.now()))) return true;
    throw new Error(ELSEWHERE);
  }
  const stored = await files.read(row.file_key);
  stored?.content.destroy();
  if (stored === undefined) return fail(deps, id);
  const { customerId, format } = row.options;
  const target = { resellerId: row.reseller_id, defaultCustomerId: customerId };
  const content = () => contentOf(files, row.file_key);
  const now = clock.now();
  const { columns } = row.options;
  if (columns !== undefined) return workRows(deps, id, row, columns);
  const statement = statementFormat(row.options.mapping);
  if (statement !== undefined) {
    const upload = { id, resellerId: row.reseller_id, format: statement, content: content(), now };
    if (row.state !== 'checking') {
      await takeUploadedStatement(db, upload);
      return true;
    }
    const preview = await previewStatement(db, upload);
    await db.transaction((tx) => keepPreview(tx, id, preview));
    return false;
  }
  if (format === null) {
    if (row.state !== 'checking') {
      await takeDocument(deps, { id, name: row.name, target, content: content(), now });
      return true;
    }
    const preview = await previewDocument(deps, { name: row.name, target, content: content(), now });
    await db.transaction((tx) => keepPreview(tx, id, preview));
    return false;
  }
  const mapping = await findUsageMapping(db, row.reseller_id, row.options.mapping);
  if (mapping === undefined) return fail(deps, id);
  const options = {
    target,
    mapping: { ...mapping, format },
    timeZone: row.options.timeZone ?? undefined,
    now,
  };
  if (row.state === 'checking') {
    await check(deps, id, content(), options);
    return false;
  }
  const source = { name: row.name, digest: row.digest, read: content };
  const taken = await takeUsage(db, source, { ...options, runId: id });
  // A worker that was taken for dead is still at it.
  if (taken === null) throw new Error(ELSEWHERE);
  return true;
}

/** Looks at a file of rows that are no usage, or takes it in. @returns whether the file is needed no more */
async function workRows(
  { db, clock, files, writers }: UploadJobDeps,
  id: string,
  row: UploadJobRow,
  mapping: EntityMapping,
): Promise<boolean> {
  const kind = describedKind(mapping.entity);
  const options = {
    resellerId: row.reseller_id,
    by: { actor: row.added_by ?? 'import' },
    kind,
    mapping,
    writer: writers(kind.bulk),
  };
  const read = () => contentOf(files, row.file_key);
  if (row.state === 'checking') {
    const onProgress = everySecond((rows) => db.transaction((tx) => sayPreviewed(tx, id, rows)));
    const preview = await previewEntities({ db, clock }, read(), { ...options, onProgress });
    await db.transaction((tx) => keepPreview(tx, id, preview));
    return false;
  }
  const file = { name: row.name, digest: row.digest, read };
  const taken = await takeEntities({ db, clock }, file, { ...options, now: clock.now(), runId: id });
  // A worker that was taken for dead is still at it.
  if (taken === null) throw new Error(ELSEWHERE);
  return true;
}

const ELSEWHERE = 'another worker imports this file; looking again later';

/** Ends an upload of which nothing can be taken in. */
async function fail({ db, clock }: UploadJobDeps, id: string): Promise<boolean> {
  await db.transaction((tx) => failUpload(tx, id, clock.now()));
  return true;
}

async function check(
  { db }: UploadJobDeps,
  id: string,
  content: AsyncIterable<Uint8Array>,
  options: Omit<Parameters<typeof previewUsage>[2], 'onRead'>,
): Promise<void> {
  const onRead = everySecond((rows) => db.transaction((tx) => sayPreviewed(tx, id, rows)));
  const preview = await previewUsage(db, content, { ...options, onRead }).catch((error: unknown) => {
    if (error instanceof MappingMismatch) return previewMismatch(error);
    throw error;
  });
  await db.transaction((tx) => keepPreview(tx, id, preview));
}

const SAY_EVERY_MS = 1_000;

/** Says a number about every second. */
function everySecond(say: (rows: number) => Promise<unknown>): (rows: number) => Promise<void> {
  let said = performance.now();
  return async (rows) => {
    if (performance.now() - said < SAY_EVERY_MS) return;
    said = performance.now();
    await say(rows);
  };
}

async function* contentOf(files: FileStore, key: string): AsyncGenerator<Uint8Array> {
  const file = await files.read(key);
  if (file === undefined) throw new Error('the stored file is gone');
  for await (const piece of file.content) yield piece as Uint8Array;
}
