import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { UsageImport, UsageUploadQuery } from '@counterfoil/contract/operator/imports/usage-import.ts';
import { capitalised } from '@counterfoil/domain/text/capitalised.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { isTimeZone } from '@counterfoil/domain/time/dates.ts';
import { AppError } from '../../../app-error.ts';
import type { ActedBy } from '../../../audit/acted-by.ts';
import { recordAudit } from '../../../audit/record.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Clock } from '../../../deps.ts';
import type { FileStore } from '../../../files/file-store.ts';
import type { ProgramScope } from '../../../http/requests/scope.ts';
import { enqueue } from '../../../jobs/queue.ts';
import type { Slots } from '../../../limits/slots.ts';
import { openQuestions } from '../entities/plan.ts';
import { findMapping } from '../mappings/find-mapping.ts';
import { countOfFile } from '../quarantine/queries.ts';
import { remedyOf } from '../report/causes.ts';
import { inWords } from '../report/summary.ts';
import { statementFormat } from '../statements/read-statement.ts';
import { headLength } from '../text/detect.ts';
import { GzipFault, gunzipped, isGzip, MOST_UNPACKED } from '../text/gzip.ts';
import { resolveTarget } from '../whose.ts';
import { identify, type RowsSaid } from './identify.ts';
import {
  countUnfinished,
  findUpload,
  insertUpload,
  listQuarantine,
  lockReseller,
  type UploadRow,
} from './queries.ts';

export interface UploadDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly files: FileStore;
}

export interface TakingUploads extends UploadDeps {
  /** Of uploads under way, by reseller. */
  readonly slots: Slots;
  /** How much one may bring; as documented unless a test says otherwise. */
  readonly bounds?: UploadBounds;
}

export interface UploadBounds {
  /** Bytes, as they come over the line. */
  readonly sent: number;
  /** Bytes, as they are stored. What unpacks to more is given up where it passes this. */
  readonly unpacked: number;
  /** Files of a reseller that wait or are being taken in, all processes together. */
  readonly unfinished: number;
}

/** What comes over the line. */
export interface UploadedFile {
  readonly content: Readable;
  readonly isGzip: boolean;
  /** By its content type; a mapping may be for either. */
  readonly format: 'csv' | 'ndjson' | undefined;
}

/** What a file is brought with; of files of rows that are no usage what is known of them. */
export type UploadQuery = UsageUploadQuery & RowsSaid;

/** What is to become of an upload. */
export interface UploadPlan {
  /** Documents are taken too, and not only usage records. */
  readonly takesDocuments: boolean;
  /** It is only looked at, and waits to be started. */
  readonly isDryRun: boolean;
  readonly by: ActedBy;
}

/** The job that takes an upload in. */
export const UPLOAD_TASK = 'usageImport';
/** Ten million records and more a file, and a day of files that come every half an hour. */
const BOUNDS: UploadBounds = { sent: 512 * 1024 ** 2, unpacked: MOST_UNPACKED, unfinished: 50 };
/** Whatever has not ended by then will not end: its job is not tried any more. */
const UNFINISHED_MS = 24 * 3_600_000;
const RETRY_AFTER_SECONDS = 60;

/**
 * As {@link keepUpload}, as many at once as there is room for.
 * @throws {AppError} usageImport.tooMany, server.uploading, with Retry-After; and as {@link keepUpload}
 */
export async function startUpload(
  deps: TakingUploads,
  scope: ProgramScope,
  query: UploadQuery,
  file: UploadedFile,
  plan: UploadPlan,
): Promise<string> {
  const release = deps.slots.take(String(scope.resellerId));
  try {
    return await keepUpload(deps, scope, query, file, plan);
  } finally {
    release();
  }
}

/**
 * Keeps an uploaded file and queues its import: file, row and job, or none of them. What can be seen from its beginning
 * is refused now.
 * @throws {AppError} request.malformed, usageImport.…
 */
async function keepUpload(
  { db, clock, files, bounds = BOUNDS }: TakingUploads,
  { resellerId }: ProgramScope,
  query: UploadQuery,
  file: UploadedFile,
  { takesDocuments, isDryRun, by }: UploadPlan,
): Promise<string> {
  const { customer, timeZone, fileName } = query;
  if (timeZone !== undefined && !isTimeZone(timeZone)) throw new AppError('usageImport.timeZone');
  const target = await resolveTarget(db, { resellerId, customer, isDemo: false });
  if (typeof target === 'string') throw new AppError('usageImport.noTarget', { text: capitalised(target) });
  const named = query.mapping === undefined ? undefined : await findMapping(db, resellerId, query.mapping);
  const statement =
    takesDocuments && named === undefined ? statementFormat(query.mapping ?? null) : undefined;
  if (query.mapping !== undefined && named === undefined && statement === undefined)
    throw new AppError('usageImport.noMapping');
  const now = clock.now();
  const id = newId(now.getTime());
  const key = `imports/${id}.data`;
  const refuseOneMore = async (at: Db) => {
    const since = new Date(now.getTime() - UNFINISHED_MS);
    if ((await countUnfinished(at, resellerId, since)) < bounds.unfinished) return;
    throw new AppError('usageImport.tooMany', { headers: { 'retry-after': `${RETRY_AFTER_SECONDS}` } });
  };
  await refuseOneMore(db);
  const kept = await keep(files, key, file, bounds);
  try {
    const { mapping, columns } = await identify(kept, query, {
      named,
      statement,
      format: file.format,
      takesDocuments,
    });
    const open = columns?.questions ?? [];
    if (open.length > 0 && !isDryRun)
      throw new AppError('usageImport.unfit', { text: capitalised(openQuestions(open)) });
    await db.transaction(async (tx) => {
      // Again, one after the other: of several that came at the same time each found room.
      await lockReseller(tx, resellerId);
      await refuseOneMore(tx);
      await insertUpload(tx, {
        id,
        resellerId,
        name: fileName,
        digest: kept.digest,
        key,
        now,
        mapping: mapping.name,
        format: mapping.format,
        customerId: target.defaultCustomerId,
        timeZone: timeZone ?? null,
        columns,
        isDryRun,
        addedBy: by.actor,
        sizeBytes: kept.size,
      });
      await recordAudit(tx, {
        action: 'import.added',
        at: now,
        resellerId,
        ...by,
        detail: { import: id, file: fileName, format: mapping.name, dryRun: isDryRun },
      });
      if (open.length === 0) await enqueue(tx, UPLOAD_TASK, { id }, { key: `${UPLOAD_TASK} ${id}` });
    });
  } catch (error) {
    await files.delete(key);
    throw error;
  }
  return id;
}

interface Kept {
  readonly digest: Buffer;
  readonly head: Uint8Array;
  readonly size: number;
}

/** Stores what comes, unpacked, as it comes: nothing of it stays in memory but its beginning. */
async function keep(files: FileStore, key: string, file: UploadedFile, bounds: UploadBounds): Promise<Kept> {
  const digest = createHash('sha256');
  const head: Uint8Array[] = [];
  let headSize = 0;
  const size = await files.write(
    key,
    bounded(unpacked(file, bounds), bounds.unpacked, (piece) => {
      digest.update(piece);
      if (headSize < headLength) head.push(Uint8Array.from(piece.subarray(0, headLength - headSize)));
      headSize += piece.length;
    }),
  );
  return { digest: digest.digest(), head: Buffer.concat(head), size };
}

async function* bounded(
  source: AsyncIterable<Uint8Array>,
  most: number,
  see?: (piece: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of source) {
    size += piece.length;
    if (size > most) throw new AppError('usageImport.tooLarge');
    see?.(piece);
    yield piece;
  }
}

/** Unpacked where it is packed, whatever it was announced as. */
async function* unpacked(
  { content, isGzip: isAnnounced }: UploadedFile,
  { sent, unpacked: most }: UploadBounds,
): AsyncGenerator<Uint8Array> {
  const { head, all } = await beginning(bounded(content, sent));
  if (!isAnnounced && !isGzip(head)) {
    yield* all;
    return;
  }
  try {
    yield* gunzipped(all, most);
  } catch (error) {
    if (!(error instanceof GzipFault)) throw error;
    const code = error.is === 'tooLarge' ? 'usageImport.tooLarge' : 'usageImport.unreadable';
    throw new AppError(code, { cause: error });
  }
}

/** The first two bytes, where there are as many, and everything with them. */
async function beginning(
  source: AsyncGenerator<Uint8Array>,
): Promise<{ readonly head: Uint8Array; readonly all: AsyncGenerator<Uint8Array> }> {
  let head: Uint8Array = new Uint8Array();
  while (head.length < 2) {
    const next = await source.next();
    if (next.done === true) break;
    head = head.length === 0 ? Uint8Array.from(next.value) : Buffer.concat([head, next.value]);
  }
  const all = async function* () {
    yield head;
    yield* source;
  };
  return { head, all: all() };
}

/** How far an import is. @throws {AppError} usageImport.notFound, also for one of another provider */
export async function showUpload(
  { db }: Pick<UploadDeps, 'db'>,
  { resellerId }: ProgramScope,
  id: string,
): Promise<UsageImport> {
  const row = await findUpload(db, resellerId, id);
  if (row === undefined) throw new AppError('usageImport.notFound');
  return {
    id: row.id,
    fileName: row.name,
    mapping: row.format,
    state: row.state,
    rowsRead: Number(row.read_n),
    rowsMerged: Number(row.merged_n),
    created: row.created_n,
    updated: row.updated_n,
    unchanged: row.unchanged_n,
    quarantined: row.quarantined_n,
    units: row.units,
    price: row.price,
    warnings: row.warnings,
    waiting: await countOfFile(db, id),
    summary: wordsOf(row),
    quarantine: (await listQuarantine(db, id)).map((one) => ({
      ...one,
      remedy: one.cause === null ? null : remedyOf(one.cause),
    })),
    startedAt: row.started_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

const summaries: Partial<Record<UploadRow['state'], string>> = {
  waiting: 'The import has not ended yet.',
  running: 'The import has not ended yet.',
  stopping: 'The import is being stopped.',
};

function wordsOf({ state, created_n, updated_n, unchanged_n, quarantined_n }: UploadRow): string {
  const isIn = created_n + updated_n + unchanged_n;
  if (state === 'stopped') return `The import was stopped; ${isIn} went in.`;
  return summaries[state] ?? inWords(isIn, quarantined_n);
}
