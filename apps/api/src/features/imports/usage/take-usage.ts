import { createHash } from 'node:crypto';
import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import { type Database, type Tx, transactionOn } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { tellOfImport } from '../../../messages/import-messages.ts';
import { ensureMonths } from '../../usage/service.ts';
import {
  addSlice,
  beginRun,
  endRun,
  forgetRun,
  type ImportRun,
  isStopping,
  type RunEnd,
  type RunKey,
  release,
  sayRead,
} from '../import-run.ts';
import {
  keepOfFile,
  listRetried,
  type RetriedRow,
  settleKnown,
  settleRetried,
  takeFromQuarantine,
} from '../quarantine/rows.ts';
import type { Rejections } from '../report/rejections.ts';
import { keepMadeRecords } from '../runs/changes.ts';
import type { Target } from '../whose.ts';
import { holdMonths, setClosedAside } from './closed-months.ts';
import { moveRecords } from './keys.ts';
import { createIncoming, type MergeCounts, mergeIncoming } from './merge.ts';
import { MappingMismatch } from './rows.ts';
import { makeReady, type Ready, readyMonths, SLICE_ROWS, takeSlice } from './slices.ts';
import { type Staged, type StageOptions, stageUsage } from './stage-usage.ts';

/** A file that can be read more than once. */
export interface UsageFile {
  /** As reports name it. */
  readonly name: string;
  /** sha256 of its bytes. */
  readonly digest: Buffer;
  read(): AsyncIterable<Uint8Array>;
}

export interface TakeOptions {
  readonly target: Target;
  readonly mapping: UsageMapping;
  readonly timeZone: string | undefined;
  readonly now: Date;
  /** Waited for. */
  readonly onProgress?: ((progress: Progress) => Promise<void> | void) | undefined;
  /** Rows of one transaction. */
  readonly sliceRows?: number | undefined;
  /** The import an upload has begun already. */
  readonly runId?: string | undefined;
  /** The file holds entries of the quarantine; none of them is put there again. */
  readonly retried?: readonly RetriedRow[] | undefined;
}

/** How far an import is. */
export interface Progress {
  readonly step: 'reading' | 'merging';
  readonly rows: number;
  /** Known when all was read. */
  readonly of?: number;
}

/** What a file came to: everything is in; when it was `stopped`, what was merged until then; when it `failed`, nothing. */
export type TakenUsage = RunEnd & {
  readonly id: string;
  /** How many of those quarantined are kept; the rest is only counted. */
  readonly kept: number;
};

const sayEveryMs = 1_000;

/**
 * Takes a file of usage records in. First all of it is read into a temporary table, so that a file that is none leaves
 * no record behind. Then slice after slice is merged, each in a transaction of its own with exact totals at its end.
 * What broke off on the way stays 'running', and the same file again takes it up: every record is in once. Between slices it
 * looks whether it was asked to stop; a try of quarantined rows does not, since it is a slice or less.
 * @param db lends one connection for all of it, and others for look-ups
 * @returns null when another process is at the very same upload
 * @throws {DatabaseUnavailable} slices before it are in
 */
export async function takeUsage(
  db: Database,
  file: UsageFile,
  options: TakeOptions,
): Promise<TakenUsage | null> {
  return db.withConnection(async (client) => {
    const tx = transactionOn(client);
    const { target, mapping, timeZone, now, runId } = options;
    const key = { ...target, digest: file.digest, mapping, customerId: target.defaultCustomerId, timeZone };
    const run = await beginRun(tx, key, file.name, now, runId);
    if (run === null) return null;
    await tx.execute(sql`set work_mem = '64MB'`);
    const began = performance.now();
    const end = await outcome(new Take(db, tx, run, file, options));
    const at = new Date(now.getTime() + Math.round(performance.now() - began));
    const kept = await inOne(tx, () => endOfAll(tx, run, end, key, options.retried !== undefined, at));
    await tx.execute(sql`drop table if exists usage_staged, usage_ready, usage_aside, usage_retry`);
    await tx.execute(sql`reset work_mem`);
    await release(tx, run);
    return { ...end, id: run.id, kept };
  });
}

/** The import's end and what becomes of its quarantine, in one transaction. */
async function endOfAll(
  tx: Tx,
  run: ImportRun,
  end: RunEnd,
  key: RunKey & Pick<TakeOptions, 'mapping'>,
  isRetry: boolean,
  at: Date,
): Promise<number> {
  await endRun(tx, run, isRetry ? { ...end, listed: [] } : end, at);
  if (!isRetry || end.state === 'stopped') await tellOfImport(tx, run.id, at);
  // What nobody wants in must not go in by itself later.
  if (end.state === 'stopped') return 0;
  if (!isRetry) return keepOfFile(tx, run, key, end, at);
  await settleRetried(tx, end, at);
  // A try that took nothing in is no import.
  if (end.created + end.updated + end.unchanged === 0) await forgetRun(tx, run);
  else await tellOfImport(tx, run.id, at);
  return end.quarantined;
}

/** A file that does not fit its mapping ends as 'failed', with the reason. */
async function outcome(take: Take): Promise<RunEnd> {
  try {
    return await take.all();
  } catch (error) {
    if (error instanceof StoppedWhileReading) return take.stopped({ created: 0, updated: 0, closed: 0 }, 0);
    if (!(error instanceof MappingMismatch)) throw error;
    const listed = [{ line: error.line, reason: error.message, cause: 'file' as const }];
    const nothing = { created: 0, updated: 0, unchanged: 0, quarantined: 1, warnings: [], columns: null };
    return { state: 'failed', ...nothing, listed, causes: new Map([['file', 1]]) };
  }
}

/** On a connection of our own: a transaction that rolls back when `work` throws. */
async function inOne<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await tx.execute(sql`begin`);
  try {
    const result = await work();
    await tx.execute(sql`commit`);
    return result;
  } catch (error) {
    // If not even this is answered, the connection is destroyed by whoever lent it.
    await tx.execute(sql`rollback`).catch(() => undefined);
    throw error;
  }
}

/** Ends the reading of a file whose import was asked to stop. */
class StoppedWhileReading extends Error {
  override readonly name = 'StoppedWhileReading';
}

/** What slices came to. */
interface Merged {
  readonly created: number;
  readonly updated: number;
  /** Rows that a closed month did not take. */
  readonly closed: number;
}

/** One import under way. */
class Take {
  readonly #db: Database;
  readonly #tx: Tx;
  readonly #run: ImportRun;
  readonly #file: UsageFile;
  readonly #options: TakeOptions;
  #said = performance.now();

  constructor(db: Database, tx: Tx, run: ImportRun, file: UsageFile, options: TakeOptions) {
    this.#db = db;
    this.#tx = tx;
    this.#run = run;
    this.#file = file;
    this.#options = options;
  }

  async all(): Promise<RunEnd> {
    const { mapping, retried, sliceRows = SLICE_ROWS } = this.#options;
    if (retried !== undefined) await listRetried(this.#tx, retried);
    if (await this.#isStopping()) throw new StoppedWhileReading();
    const staged = await this.#stage();
    const ready = await makeReady(
      this.#tx,
      mapping.key !== undefined,
      mapping.lifelongKey,
      retried !== undefined,
    );
    const months = await readyMonths(this.#tx);
    await ensureMonths(this.#db, months);
    let [created, updated, closed] = [0, 0, 0];
    for (let from = 0; from < ready.rows; from += sliceRows) {
      if (await this.#isStopping()) return this.stopped({ created, updated, closed }, from);
      const upTo = Math.min(from + sliceRows, ready.rows);
      const slice = await inOne(this.#tx, () => this.#merge(from, upTo, months, staged.rejected));
      created += slice.created;
      updated += slice.updated;
      closed += slice.closed;
      await this.#options.onProgress?.({ step: 'merging', rows: upTo, of: ready.rows });
    }
    return endOf(staged, ready, this.#withBefore({ created, updated, closed }));
  }

  /** The end of an import that was asked to stop. @param rows how many were merged until then */
  stopped(merged: Merged, rows: number): RunEnd {
    const { created, updated, closed } = this.#withBefore(merged);
    return {
      state: 'stopped',
      created,
      updated,
      unchanged: Math.max(0, rows - created - updated - closed),
      warnings: [],
      quarantined: 0,
      listed: [],
      causes: new Map(),
      columns: null,
    };
  }

  #withBefore({ created, updated, closed }: Merged): Merged {
    const { before } = this.#run;
    return { created: created + before.created, updated: updated + before.updated, closed };
  }

  async #isStopping(): Promise<boolean> {
    return this.#options.retried === undefined && (await isStopping(this.#tx, this.#run));
  }

  async #stage(): Promise<Staged> {
    const digest = createHash('sha256');
    const seen = async function* (bytes: AsyncIterable<Uint8Array>) {
      for await (const piece of bytes) {
        digest.update(piece);
        yield piece;
      }
    };
    const options: StageOptions = { ...this.#options, onRead: (rows) => this.#sayRead(rows) };
    const staged = await stageUsage(this.#db, this.#tx, seen(this.#file.read()), options);
    if (!digest.digest().equals(this.#file.digest)) {
      throw new MappingMismatch(
        'the file changed while it was read; import it again when it is complete',
        null,
      );
    }
    return staged;
  }

  async #sayRead(rows: number): Promise<void> {
    await this.#options.onProgress?.({ step: 'reading', rows });
    if (performance.now() - this.#said < sayEveryMs) return;
    this.#said = performance.now();
    const isAsked = await sayRead(this.#db, this.#run, rows);
    if (isAsked && this.#options.retried === undefined) throw new StoppedWhileReading();
  }

  async #merge(
    from: number,
    upTo: number,
    months: readonly string[],
    rejected: Rejections,
  ): Promise<MergeCounts & Pick<Merged, 'closed'>> {
    const tx = this.#tx;
    await createIncoming(tx);
    await takeSlice(tx, from, upTo);
    const aside = await setClosedAside(tx, await holdMonths(tx, months));
    if (this.#options.retried !== undefined) await takeFromQuarantine(tx);
    await settleKnown(tx, this.#options.target.resellerId);
    const moves = this.#options.mapping.lifelongKey ? await moveRecords(tx) : { moved: 0, rejected: [] };
    const merged = await mergeIncoming(tx);
    // What moved left its old place and comes in as new: a correction.
    const counts = {
      ...merged,
      created: merged.created - moves.moved,
      updated: merged.updated + moves.moved,
    };
    await keepMadeRecords(tx, this.#run.id, this.#options.now);
    await addSlice(tx, this.#run, counts, upTo);
    const lines = [...aside.rejected, ...moves.rejected];
    rejected.add(lines);
    return { ...counts, closed: lines.length };
  }
}

function endOf(
  { rejected, warnings, columns }: Staged,
  { rows, repeats, superseded }: Ready,
  { created, updated, closed }: Merged,
): RunEnd {
  const unchanged = Math.max(0, rows - created - updated - closed);
  return {
    state: 'done',
    created,
    updated: updated + superseded,
    unchanged: unchanged + repeats,
    warnings,
    quarantined: rejected.count,
    listed: rejected.listed(),
    causes: rejected.causes,
    columns,
  };
}
