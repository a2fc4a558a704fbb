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

/** Keeps which invoice a document has made. @param fileId the import */
export const keepMadeInvoice = (
  tx: Tx,
  fileId: string,
  { id, customerId }: { readonly id: string; readonly customerId: string },
  now: Date,
): Promise<number> =>
  tx.execute(sql`
    insert into import_change (id, file_id, kind, customer_id, ids, made_at)
    values (gen_random_uuid(), ${fileId}, 'invoice', ${customerId}, array[${id}::uuid], ${now})`);
