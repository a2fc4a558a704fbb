import type { ImportMessage } from '@counterfoil/contract/operator/running/webhook-messages.ts';
import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { writeMessages } from './write-messages.ts';

interface Row extends Omit<ImportMessage, 'link'> {
  reseller_id: number;
}

const type = 'import.finished';

/** Tells that an import has ended, in the transaction that ends it: one statement where nobody wants to know. */
export async function tellOfImport(tx: Tx, id: string, now: Date): Promise<void> {
  const row = await tx.maybeOne<Row>(sql`
    select f.reseller_id, f.id, f.format, f.state, f.created_n as created, f.updated_n as updated,
           f.unchanged_n as unchanged, f.quarantined_n as quarantined
      from import_file f
     where f.id = ${id} and exists (select from webhook_endpoint e
                                     where e.reseller_id = f.reseller_id and e.state <> 'disabled'
                                       and (cardinality(e.types) = 0 or ${type} = any(e.types)))`);
  if (row === undefined) return;
  const { reseller_id: resellerId, ...found } = row;
  const data: ImportMessage = { ...found, link: `/v1/admin/imports/${id}` };
  await writeMessages(tx, resellerId, [{ type, objectId: id, customerId: null, data }], now);
}
