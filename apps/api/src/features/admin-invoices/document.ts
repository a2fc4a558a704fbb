import type { InvoiceDocument } from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { FileStore } from '../../files/file-store.ts';
import { sha256 } from '../../secrets.ts';
import { type DocumentRow, findDocument, withDocuments } from '../invoices/service.ts';
import { findInvoice, lockInvoice } from './queries.ts';
import type { InvoiceAt } from './service.ts';

interface DocumentDeps {
  readonly db: Database;
  readonly files: FileStore;
}

/** The provider's own documents of invoices. */
const present = (row: DocumentRow): InvoiceDocument => ({
  sizeBytes: row.size_bytes,
  sha256: row.sha256.toString('hex'),
  storedAt: row.stored_at.toISOString(),
  isShown: row.is_shown,
});

/** How far from the end a PDF says that it ends: ISO 32000-1, annex H.3, implementation note 18. */
const END_WITHIN = 1_024;

/** Enough to tell what readers open: its first bytes, and its mark at the end. */
const isPdf = (content: Buffer): boolean =>
  /^%PDF-[12]\.\d/.test(content.toString('latin1', 0, 8)) && content.subarray(-END_WITHIN).includes('%%EOF');

/**
 * Stores the provider's own document of an invoice, in the place of one that was there. The same again changes nothing.
 * @throws {AppError} invoice.notFound, invoice.noPdf
 */
export async function storeDocument(
  { db, files }: DocumentDeps,
  at: InvoiceAt,
  content: Buffer,
  by: ActedBy,
  now: Date,
): Promise<InvoiceDocument> {
  if (!isPdf(content)) throw new AppError('invoice.noPdf');
  const kept = await withDocuments(db, files, async (tx, keep) => {
    const row = await lockInvoice(tx, at.resellerId, at.id);
    if (row === undefined) throw new AppError('invoice.notFound');
    const pdf = { customerId: row.customer_id, invoiceId: row.id, content, now };
    const [kept] = await keep(tx, [pdf]);
    if (kept?.isStored === false) return kept.before;
    const before = kept?.before;
    await recordAudit(tx, {
      action: 'invoice.documentStored',
      at: now,
      resellerId: row.reseller_id,
      customerId: row.customer_id,
      ...by,
      detail: {
        invoice: row.number,
        ...(before && { 'before.sha256': before.sha256.toString('hex') }),
        'after.sha256': sha256(content).toString('hex'),
      },
    });
    return undefined;
  });
  if (kept !== undefined) return present(kept);
  return {
    sizeBytes: content.length,
    sha256: sha256(content).toString('hex'),
    storedAt: now.toISOString(),
    isShown: true,
  };
}

/**
 * The stored document of an invoice.
 * @throws {AppError} invoice.notFound, invoice.noDocument
 */
export async function readDocument({ db, files }: DocumentDeps, at: InvoiceAt) {
  const invoice = await findInvoice(db, at.resellerId, at.id);
  if (invoice === undefined) throw new AppError('invoice.notFound');
  const row = await findDocument(db, invoice.customer_id, invoice.id);
  const file = row && (await files.read(row.file_key));
  if (row === undefined || file === undefined) throw new AppError('invoice.noDocument');
  return { number: invoice.number, sha256: row.sha256.toString('hex'), file };
}

/**
 * Removes the stored document of an invoice: the one that is made here is shown again.
 * @throws {AppError} invoice.notFound, invoice.noDocument
 */
export async function removeDocument(
  { db, files }: DocumentDeps,
  at: InvoiceAt,
  by: ActedBy,
  now: Date,
): Promise<InvoiceDocument> {
  const removed = await db.transaction(async (tx) => {
    const invoice = await lockInvoice(tx, at.resellerId, at.id);
    if (invoice === undefined) throw new AppError('invoice.notFound');
    const { customer_id: customerId, reseller_id: resellerId, number } = invoice;
    const row = await findDocument(tx, invoice.customer_id, invoice.id);
    if (row === undefined) throw new AppError('invoice.noDocument');
    await tx.execute(sql`
      delete from invoice_document where customer_id = ${customerId} and invoice_id = ${invoice.id}`);
    const detail = { invoice: number, 'before.sha256': row.sha256.toString('hex') };
    await recordAudit(tx, {
      action: 'invoice.documentRemoved',
      at: now,
      resellerId,
      customerId,
      ...by,
      detail,
    });
    return row;
  });
  await files.delete(removed.file_key);
  return { ...present(removed), isShown: false };
}
