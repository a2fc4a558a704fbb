import { Readable } from 'node:stream';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Database, Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { FileStore } from '../../files/file-store.ts';
import { sha256 } from '../../secrets.ts';

/** The provider's own document of an invoice, as its row has it. */
export interface DocumentRow {
  file_key: string;
  sha256: Buffer;
  size_bytes: number;
  stored_at: Date;
  /** The invoice says what it said when it came. */
  is_shown: boolean;
}

/** A PDF for an invoice. */
export interface InvoicePdf {
  readonly customerId: string;
  readonly invoiceId: string;
  readonly content: Buffer;
  readonly now: Date;
}

/**
 * Keeps a PDF as the document of an invoice, in the place of one that was there; the same again changes nothing.
 * @returns whether it was stored, and what was there before
 */
export type KeepDocument = (
  tx: Tx,
  pdf: InvoicePdf,
) => Promise<{ readonly isStored: boolean; readonly before: DocumentRow | undefined }>;

/** The document of an invoice, shown or not. */
export const findDocument = (db: Db, customerId: string, invoiceId: string) =>
  db.maybeOne<DocumentRow>(sql`
    select d.file_key, d.sha256, d.size_bytes, d.stored_at, d.content_hash = i.content_hash as is_shown
      from invoice_document d join invoice i on i.customer_id = d.customer_id and i.id = d.invoice_id
     where d.customer_id = ${customerId} and d.invoice_id = ${invoiceId}`);

/**
 * A transaction that may keep documents of invoices. The files it wrote are removed where it fails, those it replaced
 * where it is done: what a row tells of is always there.
 */
export async function withDocuments<T>(
  db: Database,
  files: FileStore,
  run: (tx: Tx, keep: KeepDocument) => Promise<T>,
): Promise<T> {
  const written: string[] = [];
  const replaced: string[] = [];
  const keep: KeepDocument = async (tx, pdf) => {
    const { customerId, invoiceId, content, now } = pdf;
    const digest = sha256(content);
    const before = await findDocument(tx, customerId, invoiceId);
    if (before?.is_shown === true && before.sha256.equals(digest)) return { isStored: false, before };
    const key = `invoices/${customerId}/${newId(now.getTime())}.pdf`;
    written.push(key);
    await files.write(key, Readable.from([content]));
    await tx.execute(sql`
      insert into invoice_document (customer_id, invoice_id, file_key, sha256, size_bytes, content_hash, stored_at)
      select i.customer_id, i.id, ${key}, ${digest}, ${content.length}, i.content_hash, ${now}
        from invoice i where i.customer_id = ${customerId} and i.id = ${invoiceId}
      on conflict (customer_id, invoice_id) do update
         set file_key = excluded.file_key, sha256 = excluded.sha256, size_bytes = excluded.size_bytes,
             content_hash = excluded.content_hash, stored_at = excluded.stored_at`);
    if (before !== undefined) replaced.push(before.file_key);
    return { isStored: true, before };
  };
  try {
    const done = await db.transaction((tx) => run(tx, keep));
    await deleteAll(files, replaced);
    return done;
  } catch (error) {
    await deleteAll(files, written);
    throw error;
  }
}

async function deleteAll(files: FileStore, keys: readonly string[]): Promise<void> {
  for (const key of keys) await files.delete(key);
}
