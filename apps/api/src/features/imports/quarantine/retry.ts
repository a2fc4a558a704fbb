import { createHash } from 'node:crypto';
import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import type { Database } from '../../../db/database.ts';
import type { FileStore } from '../../../files/file-store.ts';
import type { Secrets } from '../../../secrets.ts';
import { withDocuments } from '../../invoices/service.ts';
import { type ReadDocument, readDocument } from '../documents/read-document.ts';
import { retryEntities } from '../entities/retry-entities.ts';
import type { EntityWriters } from '../entities/take-entities.ts';
import { keepPdfs } from '../invoices/keep-pdfs.ts';
import { takeInvoices } from '../invoices/take-invoice.ts';
import { ownMappingSince } from '../mappings/find-mapping.ts';
import type { InvoiceReport } from '../report/report.ts';
import { takeUsage } from '../usage/take-usage.ts';
import { type HeldDocument, holdDocuments, sayWhy, settleDocuments, settleEntries } from './documents.ts';
import { type Choice, nextRetrySlice, type RetryRow, type RetrySlice } from './queries.ts';
import { retryFile } from './retry-file.ts';

export interface RetryDeps {
  /** With time for long statements; lends two connections at once. */
  readonly db: Database;
  readonly secrets: Secrets;
  readonly publicUrl: URL;
  /** Where the PDFs of invoices are kept. */
  readonly files: FileStore;
  /** Take rows that are no usage; without them these wait. */
  readonly writers?: EntityWriters | undefined;
}

export type RetryRequest = Choice & {
  /** Takes what nothing gives to somebody else. */
  readonly customerId?: string | undefined;
  readonly now: Date;
  /** When to leave off; what is left is for the next time. */
  readonly isEnough?: (() => boolean) | undefined;
};

/** What tries came to. */
export interface Retried {
  readonly tried: number;
  readonly taken: number;
  readonly invoices: readonly InvoiceReport[];
}

/**
 * Tries entries of the quarantine again, slice by slice: rows of usage go through the import of a file that is made of
 * them, documents by sets. An entry leaves the quarantine in the transaction that books it, so that a
 * process that is killed loses nothing and books nothing twice.
 */
export async function retryQuarantined(deps: RetryDeps, request: RetryRequest): Promise<Retried> {
  let [tried, taken] = [0, 0];
  const invoices: InvoiceReport[] = [];
  while (request.isEnough?.() !== true) {
    const slice = await nextRetrySlice(deps.db, request, request.now, deps.writers !== undefined);
    if (slice === undefined) break;
    const done = await retrySlice(deps, slice, request);
    // Another process is at them.
    if (done.tried === 0) break;
    tried += done.tried;
    taken += done.taken;
    invoices.push(...done.invoices);
  }
  return { tried, taken, invoices };
}

async function retrySlice(deps: RetryDeps, slice: RetrySlice, request: RetryRequest): Promise<Retried> {
  const { length: tried } = slice.rows;
  if (slice.kind === 'usage') return { tried, taken: await retryRows(deps, slice, request), invoices: [] };
  if (slice.kind === 'invoice') return retryDocuments(deps, slice.rows, request);
  const { db, writers } = deps;
  if (writers === undefined) throw new Error('nothing takes rows that are no usage');
  return { tried, taken: await retryEntities({ db, writers }, slice, request.now), invoices: [] };
}

/** The mapping's present form, where it was stored again since. */
async function mappingOf(db: Database, { resellerId, startedAt, source }: RetrySlice): Promise<UsageMapping> {
  const own = await ownMappingSince(db, resellerId, source.mapping.name, startedAt);
  return own === undefined ? source.mapping : { ...own, format: source.mapping.format };
}

async function retryRows(
  { db }: RetryDeps,
  slice: RetrySlice,
  { customerId, now }: RetryRequest,
): Promise<number> {
  const { resellerId, source, rows, fileName } = slice;
  const { mapping, content, lines } = retryFile(await mappingOf(db, slice), source.columns, rows);
  const file = {
    name: `${fileName} (quarantine)`,
    digest: createHash('sha256').update(content).digest(),
    async *read() {
      yield content;
    },
  };
  const done = await takeUsage(db, file, {
    target: { resellerId, defaultCustomerId: customerId ?? null },
    mapping,
    now,
    retried: lines,
    timeZone: source.timeZone ?? undefined,
  });
  return done === null || done.state === 'failed' ? 0 : rows.length - done.quarantined;
}

/**
 * Documents of one reseller, all in one transaction, as if one came after the other; where that fails, one by one. Invoices go
 * before the credits that name them.
 */
async function retryDocuments(
  deps: RetryDeps,
  rows: readonly RetryRow[],
  request: RetryRequest,
): Promise<Retried> {
  const ids = rows.map(({ id }) => id);
  try {
    return await retryAtOnce(deps, ids, request);
  } catch (error) {
    if (ids.length === 1) throw error;
  }
  let [tried, taken] = [0, 0];
  const invoices: InvoiceReport[] = [];
  for (const id of ids) {
    const done = await retryAtOnce(deps, [id], request);
    tried += done.tried;
    taken += done.taken;
    invoices.push(...done.invoices);
  }
  return { tried, taken, invoices };
}

type Waiting = HeldDocument & Extract<ReadDocument, { readonly ok: true }>;

/** 1 of a document that names others, as credits do; else 0. */
const namesOthers = ({ invoice }: Waiting): number => Math.min(1, invoice.billingReferences.length);

const retryAtOnce = (
  { db, secrets, publicUrl, files }: RetryDeps,
  ids: readonly string[],
  { customerId, now }: RetryRequest,
): Promise<Retried> =>
  withDocuments(db, files, async (tx, keep) => {
    const waiting: Waiting[] = [];
    const held = await holdDocuments(tx, ids);
    for (const one of held) {
      const read = await readDocument(one.record);
      if (read.ok) waiting.push({ ...one, ...read });
      // A PDF of which the reader was ended.
      else
        await sayWhy(tx, one.id, { is: 'quarantined', cause: 'file', reason: read.reason, missing: [] }, now);
    }
    const [first] = waiting;
    if (first === undefined) return { tried: held.length, taken: 0, invoices: [] };
    waiting.sort((a, b) => namesOthers(a) - namesOthers(b));
    const { reseller_id: resellerId } = first;
    const target = { resellerId, defaultCustomerId: customerId ?? null };
    const found = await takeInvoices(
      tx,
      { secrets, publicUrl, now },
      target,
      waiting.map(({ invoice }) => invoice),
    );
    const settled = [];
    for (const [at, taken] of found.entries()) {
      const document = waiting[at];
      if (document === undefined) continue;
      if (taken.is === 'quarantined') await sayWhy(tx, document.id, taken, now);
      else {
        const digest = createHash('sha256').update(document.record).digest();
        settled.push({ ...document, digest, taken, told: taken.invoice });
      }
    }
    await keepPdfs(tx, keep, settled, now);
    await settleEntries(
      tx,
      settled.map(({ id }) => id),
    );
    await settleDocuments(tx, resellerId, settled);
    const invoices = settled.map(({ told }) => told);
    return { tried: held.length, taken: invoices.length, invoices };
  });
