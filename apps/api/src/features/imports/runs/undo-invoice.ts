import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { sqlState, type Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { tellOfInvoicesOf } from '../../../messages/invoice-messages.ts';
import { takeFromSums } from '../../statement/service.ts';

interface Row {
  customer_id: string;
  id: string;
  number: string;
  currency: string;
  is_bill: boolean;
  is_touched: boolean;
  received_minor: bigint;
  is_planned: boolean;
  is_billing: boolean;
  has_document: boolean;
}

/** The invoices that an import made, locked customer by customer, as payments lock them. */
async function lockMade(tx: Tx, fileId: string): Promise<readonly Row[]> {
  const made = await tx.many<{ customer: string; ids: string[]; at: Date[] }>(sql`
    select c.customer_id as customer, array_agg(m.id) as ids, array_agg(c.made_at) as at
      from import_change c cross join lateral unnest(c.ids) as m(id)
     where c.file_id = ${fileId} and c.kind = 'invoice' group by 1 order by 1`);
  const rows: Row[] = [];
  for (const { customer, ids, at } of made) {
    await tx.execute(sql`
      select 1 from invoice where customer_id = ${customer} and id = any(${ids}::uuid[]) order by id for update`);
    rows.push(...(await readMade(tx, customer, ids, at)));
  }
  return rows;
}

const readMade = (tx: Tx, customer: string, ids: readonly string[], at: readonly Date[]) =>
  tx.many<Row>(sql`
    select i.customer_id, i.id, i.number, i.currency, i.kind = 'invoice' and i.payable_minor >= 0 as is_bill,
           i.paid_minor + i.credited_minor + i.reversed_minor as received_minor,
           i.held_minor > 0 or exists (select from claim k where k.customer_id = ${customer} and k.invoice_id = i.id)
             as is_touched,
           exists (select from autopay_plan p where p.customer_id = ${customer} and p.invoice_id = i.id) as is_planned,
           exists (select from invoice_line l join usage_billed b on b.customer_id = l.customer_id
                      and b.invoice_line_id = l.id
                    where l.customer_id = ${customer} and l.invoice_id = i.id) as is_billing,
           exists (select from invoice_document d where d.customer_id = ${customer} and d.invoice_id = i.id
                      and d.stored_at <> c.made_at) as has_document
      from unnest(${[...ids]}::uuid[], ${[...at]}::timestamptz[]) as c(id, made_at)
      join invoice i on i.customer_id = ${customer} and i.id = c.id
     order by i.id`);

/** Why an invoice cannot be taken out again. */
function obstacle(row: Row): string | undefined {
  const { number } = row;
  if (!row.is_bill)
    return `${number} is a credit: what it gave may have been used. Send an invoice that takes it back`;
  if (row.received_minor > 0n)
    return `${formatDecimal(money(row.received_minor, row.currency))} ${row.currency} of ${number} was paid or credited: void it, or send a credit note`;
  if (row.is_touched) return `somebody tried to pay ${number}: void it, or send a credit note`;
  if (row.is_planned) return `Auto-Pay has told the customer of ${number}: void it, or send a credit note`;
  if (row.has_document) return `${number} has a PDF of its own: remove that first, or void the invoice`;
  if (row.is_billing) return `${number} bills usage records: void it, or send a corrected one`;
  return undefined;
}

/** Takes away the PDFs that an import gave to invoices, where they are still the ones. @returns their files */
export async function undoDocuments(tx: Tx, fileId: string): Promise<readonly string[]> {
  const gone = await tx.many<{ file_key: string }>(sql`
    delete from invoice_document d using import_change c
     where c.file_id = ${fileId} and c.kind = 'document' and d.customer_id = c.customer_id and d.invoice_id = any(c.ids)
       and d.stored_at = c.made_at
    returning d.file_key`);
  await tx.execute(sql`delete from import_change where file_id = ${fileId} and kind = 'document'`);
  await tx.execute(sql`update import_file set undone_n = undone_n + ${gone.length} where id = ${fileId}`);
  return gone.map(({ file_key: key }) => key);
}

/** What undoing came to: why it cannot be, or the files of documents that are needed no more. */
export type UndoneInvoices =
  | { readonly against: string }
  | { readonly against: undefined; readonly fileKeys: readonly string[] };

/**
 * Takes the invoices that an import made out again, as if they had never come, with lines, pay links and the PDFs that they
 * came as.
 * @returns why that cannot be; then nothing has changed
 */
export async function undoInvoices(tx: Tx, fileId: string, now: Date): Promise<UndoneInvoices> {
  const rows = await lockMade(tx, fileId);
  for (const row of rows) {
    const against = obstacle(row);
    if (against !== undefined) return { against };
  }
  const fileKeys: string[] = [];
  await tx.execute(sql`savepoint undo_invoices`);
  try {
    for (const [customerId, own] of Map.groupBy(rows, (row) => row.customer_id)) {
      const ids = own.map(({ id }) => id);
      await takeFromSums(tx, customerId, ids);
    }
    for (const { customer_id: customerId, id } of rows) {
      await tellOfInvoicesOf(tx, customerId, [{ type: 'invoice.removed', id }], now);
      const documents = await tx.many<{ file_key: string }>(sql`
        delete from invoice_document where customer_id = ${customerId} and invoice_id = ${id} returning file_key`);
      fileKeys.push(...documents.map(({ file_key: key }) => key));
      for (const table of ['invoice_identity', 'pay_link', 'invoice_pay_link', 'invoice_line'])
        await tx.execute(sql`
          delete from ${sql.table(table)} where customer_id = ${customerId} and invoice_id = ${id}`);
      await tx.execute(sql`delete from invoice where customer_id = ${customerId} and id = ${id}`);
    }
  } catch (error) {
    if (sqlState(error)?.code !== '23503') throw error;
    await tx.execute(sql`rollback to savepoint undo_invoices`);
    return { against: 'something else was booked about it since: void it, or send a credit note' };
  }
  await tx.execute(sql`delete from import_change where file_id = ${fileId} and kind = 'invoice'`);
  await tx.execute(sql`
    update import_file set undone_n = undone_n + ${rows.length} where id = ${fileId}`);
  return { against: undefined, fileKeys };
}
