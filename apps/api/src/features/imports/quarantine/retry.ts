import { createHash } from 'node:crypto';
import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import type { Database, Tx } from '../../../db/database.ts';
import type { FileStore } from '../../../files/file-store.ts';
import type { Secrets } from '../../../secrets.ts';
import { type KeepDocument, withDocuments } from '../../invoices/service.ts';
import { readDocument } from '../documents/read-document.ts';
import { retryEntities } from '../entities/retry-entities.ts';
import type { EntityWriters } from '../entities/take-entities.ts';
import { keepPdf } from '../invoices/keep-pdf.ts';
import { takeInvoice } from '../invoices/take-invoice.ts';
import { ownMappingSince } from '../mappings/find-mapping.ts';
import type { InvoiceReport } from '../report/report.ts';
import { takeUsage } from '../usage/take-usage.ts';
import { holdDocument, sayWhy, settleDocument, settleEntry } from './documents.ts';
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
 * them, each document is one transaction. An entry leaves the quarantine in the transaction that books it, so that a
 * process that is killed loses nothing and books nothing twice.
 */
export async function retryQuarantined(deps: RetryDeps, request: RetryRequest): Promise<Retried> {
  let [tried, taken] = [0, 0];
  const invoices: InvoiceReport[] = [];
  while (request.isEnough?.() !== true) {
    const slice = await nextRetrySlice(deps.db, request, request.now, deps.writers !== undefined);
    if (slice === undefined) break;
    const done = await retrySlice(deps, slice, request);
    tried += slice.rows.length;
    taken += done.taken;
    invoices.push(...done.invoices);
  }
  return { tried, taken, invoices };
}

async function retrySlice(
  deps: RetryDeps,
  slice: RetrySlice,
  request: RetryRequest,
): Promise<{ readonly taken: number; readonly invoices: readonly InvoiceReport[] }> {
  if (slice.kind === 'usage') return { taken: await retryRows(deps, slice, request), invoices: [] };
  if (slice.kind === 'invoice') return retryDocuments(deps, slice.rows, request);
  const { db, writers } = deps;
  if (writers === undefined) throw new Error('nothing takes rows that are no usage');
  return { taken: await retryEntities({ db, writers }, slice, request.now), invoices: [] };
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

/** Invoices go before the credits that name them. */
async function retryDocuments(
  { db, secrets, publicUrl, files }: RetryDeps,
  rows: readonly RetryRow[],
  { customerId, now }: RetryRequest,
): Promise<{ readonly taken: number; readonly invoices: readonly InvoiceReport[] }> {
  const invoices: InvoiceReport[] = [];
  const retryOne = async (tx: Tx, keep: KeepDocument, id: string, isCredit: boolean): Promise<void> => {
    const held = await holdDocument(tx, id);
    const read = held === undefined ? undefined : await readDocument(held.record);
    if (held === undefined || read === undefined || !read.ok) return;
    if (read.invoice.billingReferences.length > 0 !== isCredit) return;
    const target = { resellerId: held.reseller_id, defaultCustomerId: customerId ?? null };
    const taken = await takeInvoice(tx, { secrets, publicUrl, now }, target, read.invoice);
    await keepPdf(tx, keep, taken, read.pdf, now);
    if (taken.is === 'quarantined') await sayWhy(tx, id, taken, now);
    else {
      await settleEntry(tx, id);
      await settleDocument(
        tx,
        target.resellerId,
        read.invoice,
        createHash('sha256').update(held.record).digest(),
      );
      invoices.push(taken.invoice);
    }
  };
  for (const isCredit of [false, true])
    for (const { id } of rows) await withDocuments(db, files, (tx, keep) => retryOne(tx, keep, id, isCredit));
  return { taken: invoices.length, invoices };
}
