import type { EntityMapping } from '@counterfoil/contract/operator/imports/entity-import.ts';
import type { ActedBy } from '../../../audit/acted-by.ts';
import { type BulkKind, type BulkOutcome, putInBulk } from '../../../bulk/bulk.ts';
import { type Database, type Tx, transactionOn } from '../../../db/database.ts';
import type { Clock } from '../../../deps.ts';
import { tellOfImport } from '../../../messages/import-messages.ts';
import {
  addSlice,
  beginRun,
  endRun,
  type ImportRun,
  isStopping,
  keepRead,
  type RunEnd,
  release,
} from '../import-run.ts';
import { keepUnread, settleFile } from '../quarantine/documents.ts';
import type { Cause } from '../report/causes.ts';
import { Rejections } from '../report/rejections.ts';
import { keepMadeEntities } from '../runs/changes.ts';
import type { DescribedKind } from './described.ts';
import { withCustomersByName } from './named-customers.ts';
import { ColumnsMissing, readEntities } from './read-entities.ts';
import { asideOf, keepAside, MAX_KEPT, settleRows } from './rows-aside.ts';

/** Writes things of a kind; one for each bulk call. */
export type EntityWriter = BulkKind<{ readonly reference: string }>;
/** @param bulk as calls are named: `customers` */
export type EntityWriters = (bulk: string) => EntityWriter;

/** A file of rows that can be read more than once. */
export interface EntityFile {
  readonly name: string;
  /** sha256 of its bytes. */
  readonly digest: Buffer;
  read(): AsyncIterable<Uint8Array>;
}

export interface TakeEntities {
  readonly resellerId: number;
  readonly by: ActedBy;
  readonly kind: DescribedKind;
  readonly mapping: EntityMapping;
  readonly writer: EntityWriter;
  readonly now: Date;
  /** The import an upload has begun already. */
  readonly runId?: string | undefined;
  readonly onProgress?: ((rows: number) => Promise<void> | void) | undefined;
}

/** What a file came to. */
export type TakenEntities = RunEnd & { readonly id: string; readonly kept: number };

/** Ends the work on a file whose import was asked to stop. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * Takes a file of rows in, by the bulk call of its kind: in transactions of a thousand lines, each with its part of the report
 * and of what could not be taken. What broke off stays 'running', and the same file again takes it up: what is in is known then.
 * @param db lends two connections
 * @returns null when another process is at the very same upload
 */
export function takeEntities(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  file: EntityFile,
  options: TakeEntities,
): Promise<TakenEntities | null> {
  return db.withConnection(async (client) => {
    const tx = transactionOn(client);
    const { resellerId, kind, mapping, now, runId } = options;
    const key = {
      resellerId,
      digest: file.digest,
      mapping: { name: kind.name },
      customerId: null,
      timeZone: undefined,
      columns: mapping,
    };
    const run = await beginRun(tx, key, file.name, now, runId);
    if (run === null) return null;
    const take = new Take(db, clock, run, file, options);
    const end = await take.all();
    const at = clock.now();
    await db.transaction(async (one) => {
      await endRun(one, run, end, at);
      if (end.state === 'failed') {
        const [fault] = end.listed;
        const why = { digest: file.digest, line: fault?.line ?? null, reason: fault?.reason ?? '' };
        await keepUnread(one, resellerId, run.id, why, at);
      } else await settleFile(one, resellerId, file.digest);
      await tellOfImport(one, run.id, at);
    });
    await release(tx, run);
    return { ...end, id: run.id, kept: take.kept };
  });
}

/** One import under way. */
class Take {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #run: ImportRun;
  readonly #file: EntityFile;
  readonly #options: TakeEntities;
  readonly #rejections = new Rejections();
  #created = 0;
  #updated = 0;
  #unchanged = 0;
  #rows = 0;
  kept = 0;

  constructor(db: Database, clock: Clock, run: ImportRun, file: EntityFile, options: TakeEntities) {
    this.#db = db;
    this.#clock = clock;
    this.#run = run;
    this.#file = file;
    this.#options = options;
  }

  async all(): Promise<RunEnd> {
    const { kind, mapping, writer, resellerId, by } = this.#options;
    const alongside = (tx: Tx, outcomes: readonly BulkOutcome[]) => this.#alongside(tx, outcomes);
    try {
      await this.#leaveOffWhereAsked();
      await putInBulk(
        { db: this.#db, clock: this.#clock, alongside },
        writer,
        { resellerId, by },
        withCustomersByName(this.#db, resellerId, readEntities(this.#file.read(), kind, mapping)),
        async () => {
          await this.#options.onProgress?.(this.#rows);
          await this.#leaveOffWhereAsked();
        },
      );
      return this.#end('done');
    } catch (error) {
      if (error instanceof Stopped) return this.#end('stopped');
      if (!(error instanceof ColumnsMissing)) throw error;
      return failedEnd(error.message);
    }
  }

  async #leaveOffWhereAsked(): Promise<void> {
    if (await isStopping(this.#db, this.#run)) throw new Stopped();
  }

  async #alongside(tx: Tx, outcomes: readonly BulkOutcome[]): Promise<void> {
    const { kind, resellerId, now } = this.#options;
    const isIn = outcomes.filter(({ status }) => status !== 'refused');
    const made = isIn.filter(({ status, isAdopted }) => status === 'created' && isAdopted !== true);
    const same = isIn.filter(({ status }) => status === 'unchanged').length;
    const updated = isIn.length - made.length - same;
    const aside = outcomes.filter(({ status }) => status === 'refused').map(asideOf);
    await keepMadeEntities(tx, this.#run.id, kind.bulk, made, now);
    await settleRows(
      tx,
      resellerId,
      kind,
      isIn.map(({ reference }) => reference ?? ''),
    );
    const room = aside.slice(0, Math.max(0, MAX_KEPT - this.kept));
    await keepAside(tx, { resellerId, fileId: this.#run.id, digest: this.#file.digest, now }, kind, room);
    const counts = { created: made.length, updated, unchanged: same, units: '0', price: '0' };
    await addSlice(tx, this.#run, counts, this.#rows + outcomes.length);
    await keepRead(tx, this.#run, this.#rows + outcomes.length);
    // Nothing of it is thrown away from here on.
    this.#created += made.length;
    this.#updated += updated;
    this.#unchanged += same;
    this.#rows += outcomes.length;
    this.kept += room.length;
    this.#rejections.add(aside);
  }

  #end(state: 'done' | 'stopped'): RunEnd {
    const { created, updated } = this.#run.before;
    return {
      state,
      created: this.#created + created,
      updated: this.#updated + updated,
      // What an attempt that broke off took in is known by now.
      unchanged: Math.max(0, this.#unchanged - created - updated),
      quarantined: this.#rejections.count,
      warnings: [],
      listed: this.#rejections.listed(),
      causes: this.#rejections.causes,
      columns: null,
    };
  }
}

/** A file of which nothing can be taken in. */
export const failedEnd = (reason: string): RunEnd => ({
  state: 'failed',
  created: 0,
  updated: 0,
  unchanged: 0,
  quarantined: 1,
  warnings: [],
  listed: [{ line: null, reason, cause: 'file' as Cause }],
  causes: new Map<Cause, number>([['file', 1]]),
  columns: null,
});
