import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { FileStore, StoredFile } from '../../files/file-store.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';

/**
 * The provider's own document of an invoice, as long as the invoice says what it said when the document came.
 * @returns undefined where there is none to show; the one that is made here stands in for it
 */
export async function storedDocument(
  { db, files }: { readonly db: Db; readonly files: FileStore },
  scope: CustomerScope,
  invoiceId: string,
): Promise<{ readonly number: string; readonly file: StoredFile } | undefined> {
  const row = await db.maybeOne<{ number: string; file_key: string }>(sql`
    select i.number, d.file_key
      from invoice_document d join invoice i on i.customer_id = d.customer_id and i.id = d.invoice_id
     where d.customer_id = ${scope.customerId} and d.invoice_id = ${invoiceId} and d.content_hash = i.content_hash`);
  if (row === undefined) return undefined;
  const file = await files.read(row.file_key);
  return file === undefined ? undefined : { number: row.number, file };
}
