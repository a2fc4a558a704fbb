import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Tx } from '../../../db/database.ts';
import { lockByCustomer } from '../../../db/lock-rows.ts';
import { sql } from '../../../db/sql.ts';
import { type InvoiceAmounts, invoiceAmounts } from '../../payments/queries.ts';
import { Account, changeInvoice, followCredit, lockCredit, postLedger } from '../../payments/service.ts';

/** An invoice or credit among the documents of one customer and supplier. */
export interface Document {
  readonly customerId: string;
  readonly supplierKey: string;
  readonly id: string;
  readonly number: string;
  readonly currency: string;
  readonly totalMinor: bigint;
  readonly payableMinor: bigint;
  /** Numbers of the invoices a credit names. */
  readonly credits: readonly string[];
}

/** A credit is a credit note or an invoice below zero; both are stored below zero. */
export const isCredit = (document: Pick<Document, 'payableMinor'>): boolean => document.payableMinor < 0n;

interface InvoiceRow extends InvoiceAmounts {
  id: string;
  number: string;
  total_minor: bigint;
}

const columns = sql`id, number, total_minor, ${invoiceAmounts}`;

/**
 * Why a credit must not be taken: the invoice it credits in full is credited in full already.
 * @param credit a document that is not stored yet, with the invoices it names locked by {@link lockNamed}
 * @returns a sentence, or null
 */
export async function findDoubleCredit(tx: Tx, credit: Omit<Document, 'id'>): Promise<string | null> {
  for (const number of credit.credits) {
    const others = await creditsOf(tx, credit, number);
    if (others.length === 0) continue;
    const invoice = await findInvoice(tx, credit, number);
    const names = others.map((other) => other.number).join(', ');
    // While the invoice itself is missing, a second credit of the same amount counts as the same again.
    const isDouble =
      invoice === undefined
        ? others.some((other) => other.total_minor === credit.totalMinor)
        : -credit.totalMinor >= invoice.total_minor &&
          others.reduce((sum, other) => sum - other.total_minor, 0n) >= invoice.total_minor;
    if (isDouble) return `credits invoice ${number}, which is credited in full already (by ${names})`;
  }
  return null;
}

/** Stored credits of the same customer and supplier that name this invoice, oldest first. */
const creditsOf = (tx: Tx, of: Pick<Document, 'customerId' | 'supplierKey'>, number: string) =>
  tx.many<InvoiceRow>(sql`
    select ${columns} from invoice
     where customer_id = ${of.customerId} and supplier_key = ${of.supplierKey} and payable_minor < 0
       and details -> 'billingReferences' @> ${JSON.stringify([{ number }])}::jsonb
     order by issued_on, kind, number`);

/** Locks invoices that credits name in the order of their ids, as everybody does. */
export async function lockNamed(
  tx: Tx,
  invoices: readonly Pick<Document, 'customerId' | 'supplierKey' | 'number'>[],
): Promise<void> {
  await lockByCustomer(
    tx,
    invoices.map(({ customerId }) => customerId),
    (these) => sql`
      select 1
        from (select distinct * from unnest(${invoices.map(({ customerId }) => customerId)}::uuid[],
                                            ${invoices.map(({ supplierKey }) => supplierKey)}::text[],
                                            ${invoices.map(({ number }) => number)}::text[])) as n(customer, supplier, number)
        join invoice i on i.customer_id = n.customer and i.supplier_key = n.supplier and i.kind = 'invoice'
                      and i.number = n.number and i.payable_minor >= 0
       where n.customer = ${these}
       order by i.id for update of i`,
  );
}

const findInvoice = (tx: Tx, of: Pick<Document, 'customerId' | 'supplierKey'>, number: string) =>
  tx.maybeOne<InvoiceRow>(sql`
    select ${columns} from invoice
     where customer_id = ${of.customerId} and supplier_key = ${of.supplierKey} and kind = 'invoice'
       and number = ${number} and payable_minor >= 0 for update`);

/**
 * Books a credit that was just stored: its amount becomes the customer's credit and is applied to the invoices it
 * names, as far as these are still due and not being paid. What is left stays the customer's.
 * @returns numbers of invoices it names that are not here yet
 */
export async function bookCredit(tx: Tx, credit: Document, now: Date): Promise<readonly string[]> {
  await postLedger(tx, {
    customerId: credit.customerId,
    currency: credit.currency,
    debit: Account.creditNote,
    credit: Account.customerCredit,
    minor: -credit.payableMinor,
    source: 'invoice',
    sourceId: credit.id,
    leg: 'credit',
    at: now,
  });
  const missing: string[] = [];
  const named: InvoiceRow[] = [];
  // All invoices are locked before the credit's row is.
  await lockNamed(
    tx,
    credit.credits.map((number) => ({ ...credit, number })),
  );
  for (const number of new Set(credit.credits)) {
    const invoice = await findInvoice(tx, credit, number);
    if (invoice === undefined) missing.push(number);
    else if (invoice.currency === credit.currency) named.push(invoice);
  }
  await followCredit(tx, credit, -credit.payableMinor);
  for (const invoice of named) await apply(tx, credit, invoice, now);
  return missing;
}

/** Ids of those invoices for which there are credits that came before. */
export async function waitingCredits(tx: Tx, invoices: readonly Document[]): Promise<ReadonlySet<string>> {
  const rows = await tx.many<{ id: string }>(sql`
    select distinct g.id
      from unnest(${invoices.map(({ id }) => id)}::uuid[], ${invoices.map(({ customerId }) => customerId)}::uuid[],
                  ${invoices.map(({ supplierKey }) => supplierKey)}::text[],
                  ${invoices.map(({ number }) => number)}::text[]) as g(id, customer, supplier, number)
      join invoice i on i.customer_id = g.customer and i.supplier_key = g.supplier and i.payable_minor < 0
       and i.details -> 'billingReferences' @> jsonb_build_array(jsonb_build_object('number', g.number))`);
  return new Set(rows.map(({ id }) => id));
}

/** Applies credits that came before the invoice they name. @param invoice just stored, not below zero */
export async function applyWaitingCredits(tx: Tx, invoice: Document, now: Date): Promise<void> {
  for (const row of await creditsOf(tx, invoice, invoice.number)) {
    const credit = {
      ...invoice,
      id: row.id,
      number: row.number,
      currency: row.currency,
      payableMinor: row.payable_minor,
    };
    const current = await findInvoice(tx, invoice, invoice.number);
    if (current !== undefined && current.currency === credit.currency) await apply(tx, credit, current, now);
  }
}

/** What of a credit its invoice can use: not what the customer has used otherwise meanwhile, or is about to. */
async function apply(
  tx: Tx,
  credit: Omit<Document, 'credits'>,
  invoice: InvoiceRow,
  now: Date,
): Promise<void> {
  const { used } = await tx.one<{ used: bigint }>(sql`
    select coalesce(sum(amount_minor), 0)::bigint as used from invoice_credit
     where customer_id = ${credit.customerId} and credit_invoice_id = ${credit.id}`);
  const unused = await lockCredit(tx, credit);
  const left = -credit.payableMinor - used;
  // What an open attempt holds may be captured any moment; crediting it too would pay it twice.
  const open = invoice.due_minor - invoice.held_minor;
  const amount = [left, open, unused].reduce((least, one) => (one < least ? one : least));
  if (amount <= 0n) return;
  const id = newId(now.getTime());
  await tx.execute(sql`
    insert into invoice_credit (customer_id, id, credit_invoice_id, invoice_id, amount_minor, created_at)
    values (${credit.customerId}, ${id}, ${credit.id}, ${invoice.id}, ${amount}, ${now})`);
  await postLedger(tx, {
    customerId: credit.customerId,
    currency: credit.currency,
    debit: Account.customerCredit,
    credit: Account.receivable,
    minor: amount,
    source: 'invoiceCredit',
    sourceId: id,
    leg: 'credit',
    at: now,
  });
  await followCredit(tx, credit, -amount);
  await changeInvoice(tx, credit.customerId, invoice, { credited: amount }, 'credit', now);
}
