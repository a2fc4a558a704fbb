import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import {
  type InvoiceMoney,
  InvoiceStatus,
  isInvoiceStatus,
  statusAfter,
} from '@counterfoil/domain/paying/invoice.ts';
import type { ActedBy } from '../../../audit/acted-by.ts';
import { recordAudit } from '../../../audit/record.ts';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { newsOfStatus, tellOfInvoices } from '../../../messages/invoice-messages.ts';
import { prolongPayLink } from '../../pay-links/service.ts';
import { type InvoiceAmounts, invoiceAmounts } from '../../payments/queries.ts';
import type { Cause } from '../report/causes.ts';
import type { ImportedInvoice } from './imported-invoice.ts';
import { type InvoiceKeys, insertLines, updateInvoice } from './queries.ts';
import type { StoredInvoice } from './stored-invoice.ts';

/** Who has an invoice corrected, and why. */
export interface Correction {
  readonly by: ActedBy;
  readonly note: string;
}

interface Row extends InvoiceAmounts {
  kind: ImportedInvoice['kind'];
  number: string;
}

/** A document that takes the place of the one in the books. */
export interface CorrectedDocument {
  readonly invoice: ImportedInvoice;
  readonly stored: StoredInvoice;
  /** Of the invoice that is in the books; its status is told by its money afterwards. */
  readonly keys: Omit<InvoiceKeys, 'status'>;
  readonly correction: Correction;
}

/** Why an invoice cannot be corrected. */
export interface CannotCorrect {
  readonly cause: Cause;
  readonly reason: string;
}

/**
 * Puts another content in the place of an invoice's: its money stays, its lines keep their ids by their places, so that what
 * they billed stays bound to them, and where it stands follows from both. Only an invoice is corrected so, never a credit, and
 * never to less than what was paid and credited.
 * @returns undefined once it is done
 */
export async function correctInvoice(
  tx: Tx,
  document: CorrectedDocument,
  now: Date,
): Promise<CannotCorrect | undefined> {
  const { invoice, stored, keys, correction } = document;
  const { customerId, id, resellerId } = keys;
  const row = await tx.one<Row>(sql`
    select kind, number, ${invoiceAmounts} from invoice
     where customer_id = ${customerId} and id = ${id} for update`);
  const against = obstacle(row, document);
  if (against !== undefined) return against;
  const status = statusOf(row, stored.payable, invoice.currency);
  await updateInvoice(tx, { ...keys, status }, invoice, stored);
  await dropLines(tx, keys, stored.lines);
  await insertLines(tx, [{ keys: { ...keys, status }, invoice, stored }], now);
  await tx.execute(prolongPayLink(customerId, id, invoice.dueOn, now));
  const of = (minor: bigint, currency: string) => `${formatDecimal(money(minor, currency))} ${currency}`;
  await recordAudit(tx, {
    action: 'invoice.corrected',
    at: now,
    resellerId,
    customerId,
    ...correction.by,
    detail: {
      invoice: row.number,
      ...(correction.note !== '' && { note: correction.note }),
      'before.payable': of(row.payable_minor, row.currency),
      'after.payable': of(stored.payable, invoice.currency),
      'before.status': row.status,
      'after.status': status,
    },
  });
  const news = newsOfStatus(row.status, status);
  const types = ['invoice.updated' as const, ...(news === undefined ? [] : [news])];
  for (const type of types) await tellOfInvoices(tx, resellerId, [{ type, customerId, id }], now);
  return undefined;
}

function obstacle(row: Row, { invoice, stored }: CorrectedDocument): CannotCorrect | undefined {
  const refuse = (reason: string, cause: Cause = 'document'): CannotCorrect => ({ cause, reason });
  if (row.payable_minor < 0n || stored.payable < 0n || row.kind !== 'invoice')
    return refuse('a credit cannot be corrected: send another invoice or credit');
  if (row.status === InvoiceStatus.VOID) return refuse('it is void here: reopen it first');
  if (row.held_minor > 0n) return refuse('a payment of it is under way: try again once it has ended', 'busy');
  const received = row.paid_minor + row.credited_minor - row.reversed_minor;
  const isTouched = row.paid_minor > 0n || row.credited_minor > 0n;
  if (isTouched && row.currency !== invoice.currency)
    return refuse(`${row.currency} was paid or credited: it cannot become one in ${invoice.currency}`);
  if (received > stored.payable)
    return refuse(
      `${formatDecimal(money(received, row.currency))} ${row.currency} was paid or credited, more than the correction asks for: send a credit note`,
    );
  return undefined;
}

/** Where it stands once it asks for another amount. */
function statusOf(row: Row, payableMinor: bigint, currency: string): InvoiceStatus {
  const amount = (minor: bigint) => money(minor, currency);
  const received: InvoiceMoney = {
    payable: amount(payableMinor),
    paid: amount(row.paid_minor),
    credited: amount(row.credited_minor),
    reversed: amount(row.reversed_minor),
  };
  const before = isInvoiceStatus(row.status) ? row.status : InvoiceStatus.OPEN;
  return statusAfter(before, received, 'import');
}

/**
 * Takes away the lines that the correction no longer has, and of those that are about something else now, what says which usage
 * they billed.
 */
async function dropLines(
  tx: Tx,
  { customerId, id }: Pick<InvoiceKeys, 'customerId' | 'id'>,
  lines: StoredInvoice['lines'],
): Promise<void> {
  const kept = lines.map(({ productName, serviceItem }, at) => ({
    lineNo: at + 1,
    productName,
    serviceItem,
  }));
  const others = sql`
    select l.id from invoice_line l
     where l.customer_id = ${customerId} and l.invoice_id = ${id}
       and (l.line_no, l.product_name, l.service_item) not in (
         select k."lineNo", k."productName", k."serviceItem"
           from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb)
             as k("lineNo" int, "productName" text, "serviceItem" text))`;
  for (const table of ['usage_billed', 'usage_archived_line'])
    await tx.execute(sql`
      delete from ${sql.table(table)} where customer_id = ${customerId} and invoice_line_id in (${others})`);
  await tx.execute(sql`
    delete from invoice_line
     where customer_id = ${customerId} and invoice_id = ${id} and line_no > ${lines.length}`);
}
