import type { ImportMessage } from '@counterfoil/contract/operator/running/webhook-messages.ts';
import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { writeMessages } from './write-messages.ts';

interface Row extends Omit<ImportMessage, 'link'> {
  reseller_id: number;
}

const type = 'import.finished';

/** Tells that an import has ended, in the transaction that ends it: one statement where nobody wants to know. */
export const tellOfImport = (tx: Tx, id: string, now: Date): Promise<void> => tellOfImports(tx, [id], now);

/** The same of imports of one reseller, in their order: as many statements for a hundred as for one. */
export async function tellOfImports(tx: Tx, ids: readonly string[], now: Date): Promise<void> {
  const rows = await tx.many<Row>(sql`
    select f.reseller_id, f.id, f.format, f.state, f.created_n as created, f.updated_n as updated,
           f.unchanged_n as unchanged, f.quarantined_n as quarantined
      from unnest(${[...ids]}::uuid[]) with ordinality as w(id, at) join import_file f on f.id = w.id
     where exists (select from webhook_endpoint e
                    where e.reseller_id = f.reseller_id and e.state <> 'disabled'
                      and (cardinality(e.types) = 0 or ${type} = any(e.types)))
     order by w.at`);
  const [first] = rows;
  if (first === undefined) return;
  const messages = rows.map(({ reseller_id: _, ...found }) => {
    const data: ImportMessage = { ...found, link: `/v1/admin/imports/${found.id}` };
    return { type, objectId: found.id, customerId: null, data } as const;
  });
  await writeMessages(tx, first.reseller_id, messages, now);
}
