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

/** What came of a PDF: whether it was stored, and what was there before. */
export interface KeptDocument {
  readonly isStored: boolean;
  readonly before: DocumentRow | undefined;
}

/**
 * Keeps PDFs as the documents of invoices, of which each is there once, in the places of those that were there; the same again
 * changes nothing.
 * @returns what came of each, in their order
 */
export type KeepDocuments = (tx: Tx, pdfs: readonly InvoicePdf[]) => Promise<readonly KeptDocument[]>;

interface InvoiceOf {
  readonly customerId: string;
  readonly invoiceId: string;
}

/** The document of an invoice, shown or not. */
export const findDocument = async (db: Db, customerId: string, invoiceId: string) =>
  (await findDocuments(db, [{ customerId, invoiceId }])).get(invoiceId);

/** The documents of invoices, shown or not, by the invoices. */
export async function findDocuments(
  db: Db,
  invoices: readonly InvoiceOf[],
): Promise<ReadonlyMap<string, DocumentRow>> {
  if (invoices.length === 0) return new Map();
  const rows = await db.many<DocumentRow & { invoice_id: string }>(sql`
    select d.invoice_id, d.file_key, d.sha256, d.size_bytes, d.stored_at, d.content_hash = i.content_hash as is_shown
      from unnest(${invoices.map(({ customerId }) => customerId)}::uuid[],
                  ${invoices.map(({ invoiceId }) => invoiceId)}::uuid[]) as w(customer_id, invoice_id)
      join invoice_document d on d.customer_id = w.customer_id and d.invoice_id = w.invoice_id
      join invoice i on i.customer_id = d.customer_id and i.id = d.invoice_id`);
  return new Map(rows.map(({ invoice_id: id, ...row }) => [id, row]));
}

/**
 * A transaction that may keep documents of invoices. The files it wrote are removed where it fails, those it replaced
 * where it is done: what a row tells of is always there.
 */
export async function withDocuments<T>(
  db: Database,
  files: FileStore,
  run: (tx: Tx, keep: KeepDocuments) => Promise<T>,
): Promise<T> {
  const written: string[] = [];
  const replaced: string[] = [];
  const keep: KeepDocuments = async (tx, pdfs) => {
    const found = await findDocuments(tx, pdfs);
    const all = pdfs.map((pdf) => {
      const [digest, before] = [sha256(pdf.content), found.get(pdf.invoiceId)];
      const isStored = !(before?.is_shown === true && before.sha256.equals(digest));
      return {
        ...pdf,
        digest,
        before,
        isStored,
        key: `invoices/${pdf.customerId}/${newId(pdf.now.getTime())}.pdf`,
      };
    });
    const stored = all.filter(({ isStored }) => isStored);
    written.push(...stored.map(({ key }) => key));
    await writeAll(files, stored);
    if (stored.length > 0)
      await tx.execute(sql`
        insert into invoice_document (customer_id, invoice_id, file_key, sha256, size_bytes, content_hash, stored_at)
        select i.customer_id, i.id, w.key, w.digest, w.bytes, i.content_hash, w.at
          from unnest(${stored.map(({ customerId }) => customerId)}::uuid[],
                      ${stored.map(({ invoiceId }) => invoiceId)}::uuid[], ${stored.map(({ key }) => key)}::text[],
                      ${stored.map(({ digest }) => digest)}::bytea[],
                      ${stored.map(({ content }) => content.length)}::bigint[],
                      ${stored.map(({ now }) => now)}::timestamptz[]) as w(customer_id, invoice_id, key, digest, bytes, at)
          join invoice i on i.customer_id = w.customer_id and i.id = w.invoice_id
        on conflict (customer_id, invoice_id) do update
           set file_key = excluded.file_key, sha256 = excluded.sha256, size_bytes = excluded.size_bytes,
               content_hash = excluded.content_hash, stored_at = excluded.stored_at`);
    replaced.push(...stored.flatMap(({ before }) => before?.file_key ?? []));
    return all.map(({ isStored, before }) => ({ isStored, before }));
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

/** Each waits for the disk; more at once would only stand in each other's way. */
const AT_ONCE = 8;

async function writeAll(
  files: FileStore,
  all: readonly { readonly key: string; readonly content: Buffer }[],
): Promise<void> {
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE);
    const done = await Promise.allSettled(
      some.map(({ key, content }) => files.write(key, Readable.from([content]))),
    );
    // All of them have ended: what was written can be deleted.
    for (const one of done) if (one.status === 'rejected') throw one.reason;
  }
}

async function deleteAll(files: FileStore, keys: readonly string[]): Promise<void> {
  for (const key of keys) await files.delete(key);
}
