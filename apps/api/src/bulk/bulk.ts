import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, errors } from '@counterfoil/contract/errors.ts';
import type { BulkResult } from '@counterfoil/contract/operator/parts.ts';
import type pg from 'pg';
import * as z from 'zod/mini';
import { AppError } from '../app-error.ts';
import type { ActedBy } from '../audit/acted-by.ts';
import { type Database, type Tx, transactionOn } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Clock } from '../deps.ts';
import { type Line, linesOf, NO_TEXT, textOf } from '../files/lines.ts';
import { refuseUnstorableText } from '../http/guards/text-guard.ts';

/** Lines of one transaction: enough that statements cost little, few enough that nothing waits long for them. */
const BATCH = 1_000;
/** A thousand rows are looked up by their keys. Left to itself, the planner reads whole tables for them, longer with each batch. */
const BEGIN = [
  'begin',
  ...['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_material'].map(
    (plan) => `set local ${plan} = off`,
  ),
].join('; ');
const MOST_LINE_LENGTH = 65_536;
/** Of a batch, in characters: long lines are fewer. */
const MOST_BATCH_LENGTH = 2_000_000;
/** The other file is waited for so long; half of what an answer may take to begin. */
const WAIT_MS = 10_000;
const ASK_EVERY_MS = 200;

export interface BulkDeps {
  /** Its connections may be held for minutes. */
  readonly db: Database;
  readonly clock: Clock;
  /** As documented unless a test says otherwise. */
  readonly waitMs?: number;
  /** Says what would become of lines, each thousand by itself, and keeps nothing. */
  readonly isTrial?: boolean;
  /** Called with what became of lines, in the transaction that writes them. */
  readonly alongside?: ((tx: Tx, outcomes: readonly BulkOutcome[]) => Promise<void>) | undefined;
}

export interface BulkOf {
  readonly resellerId: number;
  readonly by: ActedBy;
}

/** What became of a line that was written. */
export interface BulkWritten {
  readonly status: Exclude<BulkResult['status'], 'refused'>;
  readonly id?: string;
  readonly version?: number;
  /** It was there before, without the provider's own name. */
  readonly isAdopted?: boolean;
  /** What of it is another, as the audit trail has it: `before.name`, `after.name`. */
  readonly changes?: BulkChanges | undefined;
}

export type BulkChanges = Readonly<Record<string, string | number | null>>;

/** What became of a line, with what of it is another. */
export interface BulkOutcome extends BulkResult {
  readonly isAdopted?: boolean;
  readonly changes?: BulkChanges | undefined;
  /** As it was to be written, where it could be read. */
  readonly write?: unknown;
}

/** The same as callers of the operator API are told it. */
export const resultOf = ({
  isAdopted: _isAdopted,
  changes: _changes,
  write: _write,
  ...result
}: BulkOutcome): BulkResult => result;

/** A line of a file: what it says, as it was sent, or why it says nothing. */
export type GivenLine = {
  readonly line: number;
  /** In characters. */
  readonly length: number;
} & ({ readonly value: unknown } | { readonly refusal: Omit<BulkResult, 'line' | 'status' | 'reference'> });

/** Something that was made, by the provider's own name and our id. */
export interface BulkMade {
  readonly reference: string;
  readonly id: string;
}

/** What goes in by lines, each with the provider's own reference. */
export interface BulkKind<Write extends { readonly reference: string }> {
  /** One file of a kind and reseller at a time. */
  readonly name: string;
  /** Of a line, as it was sent. */
  readonly schemaOf: (given: unknown) => z.ZodMiniType<Write>;
  /**
   * Writes lines, each reference once.
   * @returns in their order, an error in the place of one that is refused
   * @throws {AppError} when one of them cannot be written: all is undone, and they are tried apart
   */
  readonly put: (
    tx: Tx,
    of: BulkOf,
    writes: readonly Write[],
    now: Date,
  ) => Promise<readonly (BulkWritten | AppError)[]>;
  /**
   * Takes out what was made, as if it had never come; of invoices the imports know how.
   * @throws {AppError} import.notUndone, reference.inUse where something depends on it; all is undone then
   */
  readonly takeOut?: (tx: Tx, of: BulkOf, made: readonly BulkMade[], now: Date) => Promise<void>;
}

/**
 * Works through a file line by line, in transactions of a thousand lines: what a result says is committed. One file of a kind
 * and reseller at a time: a second one begins when the first has ended, so that they end as one after the other.
 * @param given lines as they come
 * @param take gets the results in the order of the lines, a transaction's at a time; while it waits, nothing goes on, and
 *   where it throws, what is not written yet stays undone
 * @throws {AppError} bulk.running, when another one of the reseller goes on for too long
 */
export const putInBulk = <Write extends { readonly reference: string }>(
  { db, clock, waitMs = WAIT_MS, isTrial = false, alongside }: BulkDeps,
  kind: BulkKind<Write>,
  of: BulkOf,
  given: AsyncIterable<readonly GivenLine[]>,
  take: (outcomes: readonly BulkOutcome[]) => Promise<void>,
): Promise<void> =>
  // Where something is thrown the connection is closed, and its lock goes with it.
  db.withConnection(async (client) => {
    const lock = [`counterfoil ${kind.name} bulk`, of.resellerId];
    await waitForLock(client, lock, waitMs);
    for await (const batch of readAhead(batchesOf(given, kind))) {
      const end = async (tx: Tx, outcomes: readonly BulkOutcome[]) => {
        await alongside?.(tx, outcomes);
        await tx.execute(isTrial ? sql`rollback` : sql`commit`);
      };
      await take(await putBatch(client, kind, of, batch, clock.now(), end));
    }
    await client.query('select pg_advisory_unlock(hashtext($1), $2)', lock);
  });

/** Has the next one read while one is worked on. */
async function* readAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = source.next();
  for (;;) {
    const { value, done } = await next;
    if (done === true) return;
    next = source.next();
    // It is waited for when its turn comes, and then it tells what is wrong.
    next.catch(() => undefined);
    yield value;
  }
}

async function waitForLock(
  client: pg.PoolClient,
  lock: readonly (string | number)[],
  waitMs: number,
): Promise<void> {
  const until = performance.now() + waitMs;
  for (;;) {
    const { rows } = await client.query<{ got: boolean }>(
      'select pg_try_advisory_lock(hashtext($1), $2) as got',
      [...lock],
    );
    if (rows[0]?.got === true) return;
    if (performance.now() >= until) throw new AppError('bulk.running', { headers: { 'retry-after': '30' } });
    await sleep(ASK_EVERY_MS);
  }
}

/** A line that was read: what is to be written, or why it is refused. */
type ReadLine<Write> =
  | { readonly line: number; readonly write: Write }
  | { readonly line: number; readonly refusal: BulkOutcome };

/** Lines of NDJSON. */
export async function* linesOfNdjson(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly GivenLine[]> {
  for await (const lines of linesOf(textOf(content), MOST_LINE_LENGTH)) yield lines.map(givenOf);
}

const malformed = { code: 'request.malformed', message: errors['request.malformed'].text } as const;

/** What is too long, no UTF-8, no JSON, or cannot be stored says nothing. */
function givenOf({ number: line, text = '' }: Line): GivenLine {
  const length = text.length;
  if (text.includes(NO_TEXT)) return { line, length, refusal: malformed };
  try {
    const value: unknown = JSON.parse(text);
    refuseUnstorableText(value);
    return { line, length, value };
  } catch {
    return { line, length, refusal: malformed };
  }
}

/** Up to a thousand lines, no reference twice in them: the second one is the next batch's, as one after the other. */
async function* batchesOf<Write extends { readonly reference: string }>(
  pieces: AsyncIterable<readonly GivenLine[]>,
  kind: BulkKind<Write>,
): AsyncGenerator<readonly ReadLine<Write>[]> {
  let batch: ReadLine<Write>[] = [];
  let references = new Set<string>();
  let length = 0;
  for await (const lines of pieces)
    for (const line of lines) {
      const read = readLine(line, kind);
      const reference = 'write' in read ? read.write.reference : undefined;
      const isFull = batch.length >= BATCH || length >= MOST_BATCH_LENGTH;
      if (isFull || (reference !== undefined && references.has(reference))) {
        yield batch;
        batch = [];
        references = new Set();
        length = 0;
      }
      batch.push(read);
      length += line.length;
      if (reference !== undefined) references.add(reference);
    }
  if (batch.length > 0) yield batch;
}

function readLine<Write extends { readonly reference: string }>(
  given: GivenLine,
  { schemaOf }: BulkKind<Write>,
): ReadLine<Write> {
  const { line } = given;
  const refused = (why: Omit<BulkOutcome, 'line' | 'status' | 'reference'>): ReadLine<Write> => ({
    line,
    refusal: { line, reference: null, status: 'refused', ...why },
  });
  if ('refusal' in given) return refused(given.refusal);
  const read = z.safeParse(schemaOf(given.value), given.value);
  if (read.success) return { line, write: read.data };
  const code: ErrorCode = 'request.invalid';
  return refused({
    code,
    message: errors[code].text,
    errors: read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
    write: given.value,
  });
}

async function putBatch<Write extends { readonly reference: string }>(
  client: pg.PoolClient,
  kind: BulkKind<Write>,
  of: BulkOf,
  batch: readonly ReadLine<Write>[],
  now: Date,
  end: (tx: Tx, outcomes: readonly BulkOutcome[]) => Promise<void>,
): Promise<readonly BulkOutcome[]> {
  const writes = batch.flatMap((read) => ('write' in read ? [read.write] : []));
  await client.query(BEGIN);
  const tx = transactionOn(client);
  const written = await putOrSplit(tx, kind, of, writes, now);
  const byReference = new Map(writes.map(({ reference }, at) => [reference, written[at]]));
  const outcomes = batch.map((read): BulkOutcome => {
    if ('refusal' in read) return read.refusal;
    const { write } = read;
    const { reference } = write;
    const done = byReference.get(reference);
    if (done === undefined) throw new Error(`${kind.name} ${reference} was not written`);
    const { line } = read;
    if (!(done instanceof AppError)) return { line, reference, ...done, write };
    const { code, text: message, fields } = done;
    return { line, reference, status: 'refused', code, message, ...(fields && { errors: fields }), write };
  });
  await end(tx, outcomes);
  return outcomes;
}

/** Writes lines together; where one of them cannot be written, each half apart, so that only that one is refused. */
async function putOrSplit<Write extends { readonly reference: string }>(
  tx: Tx,
  kind: BulkKind<Write>,
  of: BulkOf,
  writes: readonly Write[],
  now: Date,
): Promise<readonly (BulkWritten | AppError)[]> {
  if (writes.length === 0) return [];
  await tx.execute(sql`savepoint lines`);
  try {
    const written = await kind.put(tx, of, writes, now);
    await tx.execute(sql`release savepoint lines`);
    return written;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await tx.execute(sql`rollback to savepoint lines`);
    await tx.execute(sql`release savepoint lines`);
    if (writes.length === 1) return [error];
    const half = Math.ceil(writes.length / 2);
    const first = await putOrSplit(tx, kind, of, writes.slice(0, half), now);
    return [...first, ...(await putOrSplit(tx, kind, of, writes.slice(half), now))];
  }
}
