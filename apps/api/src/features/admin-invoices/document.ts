import { Readable } from 'node:stream';
import type { InvoiceDocument } from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { FileStore } from '../../files/file-store.ts';
import { sha256 } from '../../secrets.ts';
import { type AdminInvoiceRow, findInvoice, lockInvoice } from './queries.ts';
import type { InvoiceAt } from './service.ts';

/** The provider's own documents of invoices. */
interface DocumentRow {
  file_key: string;
  sha256: Buffer;
  size_bytes: number;
  stored_at: Date;
  is_shown: boolean;
}

interface DocumentDeps {
  readonly db: Database;
  readonly files: FileStore;
}

const findDocument = (db: Db, { customer_id: customerId, id }: AdminInvoiceRow) =>
  db.maybeOne<DocumentRow>(sql`
    select d.file_key, d.sha256, d.size_bytes, d.stored_at, d.content_hash = i.content_hash as is_shown
      from invoice_document d join invoice i on i.customer_id = d.customer_id and i.id = d.invoice_id
     where d.customer_id = ${customerId} and d.invoice_id = ${id}`);

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
  const invoice = await findInvoice(db, at.resellerId, at.id);
  if (invoice === undefined) throw new AppError('invoice.notFound');
  const digest = sha256(content);
  const known = await findDocument(db, invoice);
  if (known?.is_shown === true && known.sha256.equals(digest)) return present(known);
  const key = `invoices/${invoice.customer_id}/${newId(now.getTime())}.pdf`;
  // Before the row that names it: what is told of is there.
  await files.write(key, Readable.from([content]));
  const before = await db.transaction(async (tx) => {
    const row = await lockInvoice(tx, at.resellerId, at.id);
    if (row === undefined) throw new AppError('invoice.notFound');
    const replaced = await findDocument(tx, row);
    await tx.execute(sql`
      insert into invoice_document (customer_id, invoice_id, file_key, sha256, size_bytes, content_hash, stored_at)
      select i.customer_id, i.id, ${key}, ${digest}, ${content.length}, i.content_hash, ${now}
        from invoice i where i.customer_id = ${row.customer_id} and i.id = ${row.id}
      on conflict (customer_id, invoice_id) do update
         set file_key = excluded.file_key, sha256 = excluded.sha256, size_bytes = excluded.size_bytes,
             content_hash = excluded.content_hash, stored_at = excluded.stored_at`);
    await recordAudit(tx, {
      action: 'invoice.documentStored',
      at: now,
      resellerId: row.reseller_id,
      customerId: row.customer_id,
      ...by,
      detail: {
        invoice: row.number,
        ...(replaced && { 'before.sha256': replaced.sha256.toString('hex') }),
        'after.sha256': digest.toString('hex'),
      },
    });
    return replaced;
  });
  if (before !== undefined) await files.delete(before.file_key);
  return {
    sizeBytes: content.length,
    sha256: digest.toString('hex'),
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
  const row = await findDocument(db, invoice);
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
    const row = await findDocument(tx, invoice);
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
