import type { newExternalPayment } from '@counterfoil/contract/operator/paying/external-payments.ts';
import { formatDecimal, isPositive, type Money, parseMoney } from '@counterfoil/domain/money/money.ts';
import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { today } from '@counterfoil/domain/time/time-zone.ts';
import type * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { tellOfExternalPayment } from '../../messages/external-payment-messages.ts';
import { findCustomerNamed } from '../admin/queries.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow } from '../brand/service.ts';
import { keepPaidLinks } from '../pay-links/service.ts';
import { Account, changeInvoice, followCredit, type Posting, postLedger } from '../payments/service.ts';
import {
  type ExternalPaymentRow,
  findExternalPayment,
  findReference,
  type InvoiceRow,
  lockInvoices,
  lockOpenInvoices,
  reopenBankEntries,
} from './queries.ts';

export type NewExternalPayment = z.output<typeof newExternalPayment>;

/** Who records it, and whose customers they act for (undefined: everybody's). */
export interface Recorder extends ActedBy {
  readonly resellerId: number | undefined;
}

/** What every entry of one payment has. */
interface Booking {
  readonly tx: Tx;
  readonly customerId: string;
  readonly paymentId: string;
  readonly currency: string;
}

/**
 * Books money that came outside the portal: it pays the invoices that are named, else the open ones, the longest due first.
 * What an open payment holds of an invoice is left to that payment, and what no invoice can use becomes the customer's credit.
 * @returns the payment; `isNew` is false where the same one was recorded before, and nothing was booked now
 * @param wanted with `invoiceId` it pays that one of the invoices with the number
 * @throws {AppError} externalPayment.* for an unknown customer or invoice, an amount that is none, a day that has not
 *   come, and a reference that names another payment
 */
export async function recordExternalPayment(
  tx: Tx,
  wanted: NewExternalPayment & { readonly invoiceId?: string },
  { resellerId, ...by }: Recorder,
  now: Date,
): Promise<{ readonly payment: ExternalPaymentRow; readonly isNew: boolean }> {
  const found = await findCustomerNamed(tx, wanted.customer, resellerId);
  if (typeof found === 'string') throw new AppError('externalPayment.noCustomer');
  const { customerId } = found;
  const amount = amountOf(wanted);
  const paymentId = newId(now.getTime());
  const isNew = await tx.execute(sql`
    insert into external_payment_ref (reseller_id, reference, customer_id, payment_id)
    values (${found.resellerId}, ${wanted.reference}, ${customerId}, ${paymentId}) on conflict do nothing`);
  if (isNew === 0) return { payment: await sameAsBefore(tx, found, wanted, amount), isNew: false };
  const { timeZone } = brandFromRow(await findCustomerBrand(tx, customerId, found.resellerId));
  if (wanted.receivedOn > today(timeZone, now)) throw new AppError('externalPayment.notYet');
  await tx.execute(sql`
    insert into external_payment (customer_id, id, reseller_id, reference, method, currency, amount_minor, received_on,
                                  note, recorded_by, created_at)
    values (${customerId}, ${paymentId}, ${found.resellerId}, ${wanted.reference}, ${wanted.method}, ${amount.currency},
            ${amount.minor}, ${wanted.receivedOn}, ${wanted.note}, ${by.actor}, ${now})`);
  const booking = { tx, customerId, paymentId, currency: amount.currency };
  // Midday of the day in the brand's zone: statements then show it on that day.
  const { at } = await tx.one<{ at: Date }>(
    sql`select (${wanted.receivedOn}::date + time '12:00') at time zone ${timeZone} as at`,
  );
  const rest = await payInvoices(booking, await invoicesFor(booking, wanted), amount.minor, { at, now });
  await post(booking, {
    debit: Account.external,
    credit: Account.customerCredit,
    minor: rest,
    leg: 'credit',
    at,
  });
  await followCredit(tx, booking, rest);
  const detail = {
    reference: wanted.reference,
    amount: formatDecimal(amount),
    currency: amount.currency,
    receivedOn: wanted.receivedOn,
    ...(wanted.note && { note: wanted.note }),
  };
  await recordAudit(tx, { action: 'externalPayment.recorded', at: now, ...found, ...by, detail });
  const payment = await rowOf(tx, found.resellerId, paymentId);
  await tellOfExternalPayment(tx, payment, 'external_payment.recorded', now);
  return { payment, isNew: true };
}

/**
 * Takes a recorded payment back: a cheque that bounced, a transfer booked to the wrong customer. Its invoices are due again,
 * and the credit it left is taken back, even where it was used since.
 * @throws {AppError} externalPayment.notFound
 */
export async function voidExternalPayment(
  tx: Tx,
  paymentId: string,
  note: string,
  { resellerId, ...by }: Recorder,
  now: Date,
): Promise<ExternalPaymentRow> {
  const payment = await findExternalPayment(tx, resellerId, paymentId);
  if (payment === undefined) throw new AppError('externalPayment.notFound');
  const { customer_id: customerId, currency } = payment;
  const shares = new Map(payment.shares.map((share) => [share.invoiceId, BigInt(share.minor)]));
  const booking = { tx, customerId, paymentId, currency };
  // Invoices are locked before the payment, as when it is booked.
  const invoices = await lockInvoices(tx, customerId, [...shares.keys()]);
  const isVoided = await tx.execute(sql`
    update external_payment set voided_at = ${now}
     where customer_id = ${customerId} and id = ${paymentId} and voided_at is null`);
  if (isVoided === 0) return rowOf(tx, payment.reseller_id, paymentId);
  // Not before what it undoes, which was posted at midday of its day.
  const { at } = await tx.one<{ at: Date }>(sql`
    select greatest(max(at), ${now}) as at from ledger
     where customer_id = ${customerId} and source = 'external' and source_id = ${paymentId}`);
  for (const invoice of invoices) {
    const minor = shares.get(invoice.id) ?? 0n;
    await post(booking, {
      debit: Account.receivable,
      credit: Account.external,
      minor,
      leg: `void@invoice:${invoice.id}`,
      at,
    });
    await changeInvoice(tx, customerId, invoice, { reversed: minor }, 'reversal', now);
  }
  const credit = payment.to_credit_minor;
  await post(booking, {
    debit: Account.customerCredit,
    credit: Account.external,
    minor: credit,
    leg: 'void@credit',
    at,
  });
  await followCredit(tx, booking, -credit);
  await reopenBankEntries(tx, paymentId, by.actor, now);
  const detail = { reference: payment.reference, note };
  const of = { resellerId: payment.reseller_id, customerId };
  await recordAudit(tx, { action: 'externalPayment.voided', at: now, ...of, ...by, detail });
  const voided = await rowOf(tx, payment.reseller_id, paymentId);
  await tellOfExternalPayment(tx, voided, 'external_payment.voided', now);
  return voided;
}

function amountOf({ amount, currency }: NewExternalPayment): Money {
  try {
    const read = parseMoney(amount, currency);
    if (isPositive(read)) return read;
  } catch {
    // An unknown currency, or more decimals than it has.
  }
  throw new AppError('externalPayment.amount');
}

/** @throws {AppError} when the reference names a payment that says something else */
async function sameAsBefore(
  tx: Tx,
  { customerId, resellerId }: { readonly customerId: string; readonly resellerId: number },
  { reference, receivedOn, method }: NewExternalPayment,
  amount: Money,
): Promise<ExternalPaymentRow> {
  const id = await findReference(tx, resellerId, reference);
  const before = await rowOf(tx, resellerId, id);
  const isSame =
    before.customer_id === customerId &&
    before.amount_minor === amount.minor &&
    before.currency === amount.currency &&
    before.received_on === receivedOn &&
    before.method === method;
  if (!isSame) throw new AppError('externalPayment.referenceTaken');
  return before;
}

async function rowOf(tx: Tx, resellerId: number, id: string): Promise<ExternalPaymentRow> {
  const row = await findExternalPayment(tx, resellerId, id);
  if (row === undefined) throw new Error(`external payment ${id} is gone`);
  return row;
}

/** The locked invoices that are to be paid, in the order of payment. */
async function invoicesFor(
  { tx, customerId, currency }: Booking,
  { invoices: numbers, invoiceId }: NewExternalPayment & { readonly invoiceId?: string },
): Promise<InvoiceRow[]> {
  if (invoiceId !== undefined) return lockInvoices(tx, customerId, [invoiceId]);
  const invoices = await lockOpenInvoices(tx, customerId, currency, numbers);
  if (numbers === undefined) return invoices.sort((a, b) => (dueOf(a) < dueOf(b) ? -1 : 1));
  const unknown = numbers.find((number) => !invoices.some((invoice) => invoice.number === number));
  if (unknown !== undefined) throw new AppError('externalPayment.noInvoice');
  return invoices.sort((a, b) => numbers.indexOf(a.number) - numbers.indexOf(b.number));
}

const dueOf = ({ due_on, issued_on, id }: InvoiceRow): string => `${due_on ?? issued_on} ${id}`;

/** @returns what no invoice could use, minor units */
async function payInvoices(
  booking: Booking,
  invoices: readonly InvoiceRow[],
  minor: bigint,
  { at, now }: { readonly at: Date; readonly now: Date },
): Promise<bigint> {
  const { tx, customerId, paymentId } = booking;
  const paid: string[] = [];
  let rest = minor;
  for (const invoice of invoices) {
    // What an open attempt holds may be captured any moment; paying it too would pay it twice.
    const open = invoice.due_minor - invoice.held_minor;
    const share = open < rest ? open : rest;
    if (share <= 0n) continue;
    rest -= share;
    await tx.execute(sql`
      insert into external_payment_share (customer_id, payment_id, invoice_id, amount_minor)
      values (${customerId}, ${paymentId}, ${invoice.id}, ${share})`);
    await post(booking, {
      debit: Account.external,
      credit: Account.receivable,
      minor: share,
      leg: `invoice:${invoice.id}`,
      at,
    });
    const status = await changeInvoice(tx, customerId, invoice, { paid: share }, 'payment', now);
    if (status === InvoiceStatus.PAID) paid.push(invoice.id);
  }
  if (paid.length > 0) await tx.execute(keepPaidLinks(customerId, paid, now));
  return rest;
}

const post = (
  { tx, customerId, paymentId, currency }: Booking,
  entry: Pick<Posting, 'debit' | 'credit' | 'minor' | 'leg' | 'at'>,
): Promise<void> =>
  postLedger(tx, { ...entry, customerId, currency, source: 'external', sourceId: paymentId });
