import type { InvoiceValues } from '@counterfoil/contract/operator/billing/put-invoice.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { capitalised } from '@counterfoil/domain/text/capitalised.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type Preconditions, requireState } from '../../http/requests/preconditions.ts';
import { findCustomerNamed } from '../admin/queries.ts';
import { type ImportedInvoice, type InvoiceDeps, takeInvoice } from '../imports/service.ts';
import { contentHashOfValues, importedInvoiceOf, partyOf } from './imported-values.ts';
import { type AdminInvoiceRow, findInvoice } from './queries.ts';

export interface InvoiceIdentity {
  invoice_id: string;
  supplier_key: string;
  content_hash: Buffer;
}

/**
 * The invoice of a reseller that has a number, whoever issued it.
 * @throws {AppError} invoice.ambiguous where several suppliers have used it
 */
export async function identityOf(
  db: Db,
  resellerId: number,
  kind: InvoiceValues['kind'],
  number: string,
): Promise<InvoiceIdentity | undefined> {
  const [found, other] = await db.many<InvoiceIdentity>(sql`
    select n.invoice_id, n.supplier_key, i.content_hash
      from invoice_identity n join invoice i on i.customer_id = n.customer_id and i.id = n.invoice_id
     where n.reseller_id = ${resellerId} and n.number = ${number} and n.kind = ${kind} limit 2`);
  if (other !== undefined) throw new AppError('invoice.ambiguous');
  return found;
}

/** What an invoice says, for `If-Match`. */
export const etagOf = (contentHash: Buffer): string => `"${contentHash.toString('hex').slice(0, 32)}"`;

export interface InvoicePut {
  readonly resellerId: number;
  readonly number: string;
  readonly values: InvoiceValues;
}

export type InvoicePutDeps = Pick<InvoiceDeps, 'secrets' | 'publicUrl' | 'now'>;

/**
 * Has an invoice be as it is given, by its number: one that is not known is taken in, one that says something else is corrected
 * where the caller says which content it has read. The same again changes nothing.
 * @throws {AppError} request.invalid, invoice.noCustomer, invoice.ambiguous, invoice.notCorrected, precondition.*
 */
export async function putInvoice(
  tx: Tx,
  deps: InvoicePutDeps,
  { resellerId, number, values }: InvoicePut,
  conditions: Preconditions,
  by: ActedBy,
): Promise<{ readonly row: AdminInvoiceRow; readonly contentHash: Buffer; readonly isNew: boolean }> {
  const { name } = await tx.one<{ name: string }>(sql`select name from reseller where id = ${resellerId}`);
  const read = importedInvoiceOf(values, number, { id: resellerId, name });
  const customer = await findCustomerNamed(tx, values.customer, resellerId);
  if (typeof customer === 'string') throw new AppError('invoice.noCustomer');
  const { customerId } = customer;
  const { label } = await tx.one<{ label: string }>(
    // One put at a time for a customer's documents; payments are not held up.
    sql`select label from customer where customer_id = ${customerId} for no key update`,
  );
  const invoice = { ...read, buyer: partyOf('customer', customerId, label) };
  const contentHash = contentHashOfValues(invoice);
  const known = await identityOf(tx, resellerId, values.kind, number);
  requireState(
    conditions,
    known && etagOf(known.content_hash),
    known?.content_hash.equals(contentHash) === false,
  );
  const taken = await takeInvoice(
    tx,
    {
      ...deps,
      customerId,
      contentHash,
      correction: { by, note: '' },
      ...(known !== undefined && { supplierKey: known.supplier_key }),
    },
    { resellerId, defaultCustomerId: customerId },
    invoice,
  );
  if (taken.is === 'quarantined')
    throw new AppError('invoice.notCorrected', { text: capitalised(taken.reason) });
  const isNew = taken.is === 'created';
  const { invoice_id: id } = (await identityOf(tx, resellerId, values.kind, number)) ?? { invoice_id: '' };
  const row = await findInvoice(tx, resellerId, id);
  if (row === undefined) throw new Error(`invoice ${number} was not taken in`);
  if (isNew) await recordAudit(tx, { ...invoiceAdded(invoice), at: deps.now, resellerId, customerId, ...by });
  return { row, contentHash, isNew };
}

/** What the audit trail says of an invoice that was taken in. */
export const invoiceAdded = ({ number, currency, kind, totals }: ImportedInvoice) => ({
  action: 'invoice.added' as const,
  detail: {
    invoice: number,
    payable: `${formatDecimal(money(kind === 'creditNote' ? -totals.payableMinor : totals.payableMinor, currency))} ${currency}`,
  },
});
