import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, errors } from '@counterfoil/contract/errors.ts';
import { type BulkCustomerResult, bulkCustomer } from '@counterfoil/contract/operator/admin-customers.ts';
import type pg from 'pg';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { type Database, transactionOn } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import { type Line, linesOf } from '../../files/lines.ts';
import { refuseUnstorableText } from '../../http/guards/text-guard.ts';
import { brandsOf } from './queries.ts';
import { type CustomerWrite, putCustomers } from './write-customers.ts';

/** Customers of one transaction: enough that statements cost little, few enough that nothing waits long for them. */
const BATCH = 1_000;
const MOST_LINE_LENGTH = 65_536;
/** The other one is waited for so long; half of what an answer may take to begin. */
const WAIT_MS = 10_000;
const ASK_EVERY_MS = 200;
const LOCK = "hashtext('counterfoil customer bulk')";

export interface BulkDeps {
  /** Its connections may be held for minutes. */
  readonly db: Database;
  readonly clock: Clock;
  /** As documented unless a test says otherwise. */
  readonly waitMs?: number;
}

export interface BulkOf {
  readonly resellerId: number;
  readonly by: ActedBy;
}

/**
 * Works through customers line by line, in transactions of a thousand lines: what a result says is committed. One file of a
 * reseller at a time: a second one begins when the first has ended, so that they end as one after the other.
 * @param content NDJSON; each line as {@link bulkCustomer}
 * @param take gets the results in the order of the lines, a transaction's at a time; while it waits, nothing goes on, and
 *   where it throws, what is not written yet stays undone
 * @throws {AppError} customer.bulkRunning, when another one of the reseller goes on for too long
 */
export const putCustomersInBulk = (
  { db, clock, waitMs = WAIT_MS }: BulkDeps,
  of: BulkOf,
  content: AsyncIterable<Uint8Array>,
  take: (results: readonly BulkCustomerResult[]) => Promise<void>,
): Promise<void> =>
  // Where something is thrown the connection is closed, and its lock goes with it.
  db.withConnection(async (client) => {
    await lock(client, of.resellerId, waitMs);
    const brands = await brandsOf(transactionOn(client), of.resellerId);
    for await (const batch of batchesOf(linesOf(textOf(content), MOST_LINE_LENGTH), brands))
      await take(await putBatch(client, of, batch, clock.now()));
    await client.query(`select pg_advisory_unlock(${LOCK}, $1)`, [of.resellerId]);
  });

async function lock(client: pg.PoolClient, resellerId: number, waitMs: number): Promise<void> {
  const until = performance.now() + waitMs;
  for (;;) {
    const { rows } = await client.query<{ got: boolean }>(`select pg_try_advisory_lock(${LOCK}, $1) as got`, [
      resellerId,
    ]);
    if (rows[0]?.got === true) return;
    if (performance.now() >= until)
      throw new AppError('customer.bulkRunning', { headers: { 'retry-after': '30' } });
    await sleep(ASK_EVERY_MS);
  }
}

/** A line that was read: what is to be written, or why it is refused. */
type ReadLine =
  | { readonly line: number; readonly write: CustomerWrite }
  | { readonly line: number; readonly refusal: BulkCustomerResult };

/** Up to a thousand lines, no reference twice in them: the second one is the next batch's, as one after the other. */
async function* batchesOf(
  pieces: AsyncIterable<readonly Line[]>,
  brands: ReadonlySet<number>,
): AsyncGenerator<readonly ReadLine[]> {
  let batch: ReadLine[] = [];
  let references = new Set<string>();
  for await (const lines of pieces)
    for (const line of lines) {
      const read = readLine(line, brands);
      const reference = 'write' in read ? read.write.reference : undefined;
      if (batch.length >= BATCH || (reference !== undefined && references.has(reference))) {
        yield batch;
        batch = [];
        references = new Set();
      }
      batch.push(read);
      if (reference !== undefined) references.add(reference);
    }
  if (batch.length > 0) yield batch;
}

function readLine({ number: line, text }: Line, brands: ReadonlySet<number>): ReadLine {
  const refused = (
    code: ErrorCode,
    more: Pick<BulkCustomerResult, 'errors'> & { readonly reference?: string } = {},
  ): ReadLine => ({
    line,
    refusal: { line, reference: null, status: 'refused', code, message: errors[code].text, ...more },
  });
  const given = parsed(text);
  if (given === undefined) return refused('request.malformed');
  const read = z.safeParse(bulkCustomer, given.value);
  if (!read.success)
    return refused('request.invalid', {
      errors: read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
    });
  const { reference, ...values } = read.data;
  if (values.brandId !== null && !brands.has(values.brandId))
    return refused('customer.noBrand', { reference });
  return { line, write: { reference, values } };
}

/** What stands for bytes that are no UTF-8. */
const NO_TEXT = '\uFFFD';

async function* textOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of content) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

/** @returns undefined for what is too long, no UTF-8, no JSON, or cannot be stored */
function parsed(text = ''): { readonly value: unknown } | undefined {
  if (text.includes(NO_TEXT)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    refuseUnstorableText(value);
    return { value };
  } catch {
    return undefined;
  }
}

async function putBatch(
  client: pg.PoolClient,
  { resellerId, by }: BulkOf,
  batch: readonly ReadLine[],
  now: Date,
): Promise<readonly BulkCustomerResult[]> {
  const writes = batch.flatMap((read) => ('write' in read ? [read.write] : []));
  const tx = transactionOn(client);
  await client.query('begin');
  const written = writes.length === 0 ? [] : await putCustomers(tx, resellerId, writes, by, now);
  await client.query('commit');
  const byReference = new Map(writes.map(({ reference }, at) => [reference, written[at]]));
  return batch.map((read) => {
    if ('refusal' in read) return read.refusal;
    const { reference } = read.write;
    const done = byReference.get(reference);
    if (done === undefined) throw new Error(`customer ${reference} was not written`);
    const { row, outcome } = done;
    return { line: read.line, reference, status: outcome, id: row.customer_id, version: row.version };
  });
}
