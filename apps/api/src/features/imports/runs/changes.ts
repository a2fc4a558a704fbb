import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { monthOfRecord } from '../usage/merge.ts';

/** So long what an import made is kept, and it can be undone. */
export const UNDO_DAYS = 7;

/**
 * Keeps which records a slice has made, in the slice's own transaction: a row for each customer and month.
 * @param fileId the import
 */
export const keepMadeRecords = (tx: Tx, fileId: string, now: Date): Promise<number> =>
  tx.execute(sql`
    insert into import_change (id, file_id, kind, customer_id, month, ids, started_at, hashes, made_at)
    select gen_random_uuid(), ${fileId}, 'usage', customer_id, ${monthOfRecord()}::date as month,
           array_agg(id), array_agg(started_at), array_agg(content_hash), ${now}
      from usage_change where content_hash is not null group by customer_id, ${monthOfRecord()}`);

interface InvoiceOf {
  readonly id: string;
  readonly customerId: string;
}

const keepOfInvoices = (
  tx: Tx,
  kind: 'invoice' | 'document',
  made: readonly MadeInvoice[],
  now: Date,
): Promise<number> =>
  tx.execute(sql`
    insert into import_change (id, file_id, kind, customer_id, ids, made_at)
    select gen_random_uuid(), m.file, ${kind}, m.customer, array[m.invoice], ${now}
      from unnest(${made.map(({ fileId }) => fileId)}::uuid[], ${made.map(({ customerId }) => customerId)}::uuid[],
                  ${made.map(({ id }) => id)}::uuid[]) as m(file, customer, invoice)`);

/** An invoice, and the import that made it. */
export type MadeInvoice = InvoiceOf & { readonly fileId: string };

/** Keeps which invoices documents have made. */
export async function keepMadeInvoices(tx: Tx, made: readonly MadeInvoice[], now: Date): Promise<void> {
  if (made.length > 0) await keepOfInvoices(tx, 'invoice', made, now);
}

/** Keeps which invoice has got a PDF. @param fileId the import */
export const keepMadeDocument = (tx: Tx, fileId: string, { id, customerId }: InvoiceOf, now: Date) =>
  keepOfInvoices(tx, 'document', [{ fileId, id, customerId }], now);

/**
 * Keeps which things rows of a file have made. Invoices are taken back as those of documents are.
 * @param bulk the call that made them
 */
export async function keepMadeEntities(
  tx: Tx,
  fileId: string,
  bulk: string,
  made: readonly { readonly reference: string | null; readonly id?: string }[],
  now: Date,
): Promise<void> {
  if (made.length === 0) return;
  const ids = made.map(({ id = '' }) => id);
  await tx.execute(
    bulk === 'invoices'
      ? sql`
        insert into import_change (id, file_id, kind, customer_id, ids, made_at)
        select gen_random_uuid(), ${fileId}, 'invoice', n.customer_id, array_agg(n.invoice_id), ${now}
          from invoice_identity n join import_file f on f.id = ${fileId} and f.reseller_id = n.reseller_id
         where n.number = any(${made.map(({ reference }) => reference ?? '')}::text[]) and n.invoice_id = any(${ids}::uuid[])
         group by n.customer_id`
      : sql`
        insert into import_change (id, file_id, kind, ids, refs, made_at)
        values (gen_random_uuid(), ${fileId}, 'entity', ${ids}::uuid[], ${made.map(({ reference }) => reference ?? '')}::text[],
                ${now})`,
  );
}
