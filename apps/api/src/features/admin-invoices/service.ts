import type { InvoiceSettlement } from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import {
  InvoiceStatus,
  invoiceStateOf,
  newInvoiceMoney,
  statusAfter,
} from '@counterfoil/domain/paying/invoice.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { newsOfStatus, tellOfInvoices } from '../../messages/invoice-messages.ts';
import { findPaymentOfInvoice } from '../external-payments/queries.ts';
import { recordExternalPayment } from '../external-payments/service.ts';
import { type AdminInvoiceRow, findInvoice, lockInvoice } from './queries.ts';

export { presentInvoice, presentInvoiceDetail } from './present.ts';

/** Which invoice, and whose it has to be; undefined: anybody's. */
export interface InvoiceAt {
  readonly resellerId: number | undefined;
  readonly id: string;
}

/** What a person or program does about an invoice. */
export interface InvoiceAct {
  readonly note: string;
  readonly by: ActedBy;
  readonly now: Date;
}

/**
 * Voids an invoice: nothing is asked for by it any more, and no sum has it. The same again changes nothing.
 * @throws {AppError} invoice.notFound, invoice.isCredit, invoice.beingPaid, invoice.hasPayments
 */
export async function voidInvoice(tx: Tx, at: InvoiceAt, act: InvoiceAct): Promise<AdminInvoiceRow> {
  const row = await lockedBill(tx, at);
  if (row.status === InvoiceStatus.VOID) return row;
  refuseBeingPaid(row);
  if (row.paid_minor > row.reversed_minor || row.credited_minor > 0n)
    throw new AppError('invoice.hasPayments');
  return setStatus(tx, row, InvoiceStatus.VOID, act);
}

/**
 * Marks an open invoice as disputed: it is neither offered to be paid nor charged by Auto-Pay until it is reopened, and it
 * counts as owed. The same again changes nothing.
 * @throws {AppError} invoice.notFound, invoice.isCredit, invoice.beingPaid, invoice.notOpen
 */
export async function disputeInvoice(tx: Tx, at: InvoiceAt, act: InvoiceAct): Promise<AdminInvoiceRow> {
  const row = await lockedBill(tx, at);
  if (row.status === InvoiceStatus.DISPUTED) return row;
  refuseBeingPaid(row);
  if (row.status !== InvoiceStatus.OPEN) throw new AppError('invoice.notOpen');
  return setStatus(tx, row, InvoiceStatus.DISPUTED, act);
}

/**
 * Takes back that an invoice was void or disputed. One that is open changes nothing.
 * @throws {AppError} invoice.notFound, invoice.isCredit, invoice.settled
 */
export async function reopenInvoice(tx: Tx, at: InvoiceAt, act: InvoiceAct): Promise<AdminInvoiceRow> {
  const row = await lockedBill(tx, at);
  if (row.status === InvoiceStatus.OPEN) return row;
  if (row.status !== InvoiceStatus.VOID && row.status !== InvoiceStatus.DISPUTED)
    throw new AppError('invoice.settled');
  const amount = (minor: bigint) => money(minor, row.currency);
  const received = {
    ...newInvoiceMoney(amount(row.payable_minor)),
    paid: amount(row.paid_minor),
    credited: amount(row.credited_minor),
    reversed: amount(row.reversed_minor),
  };
  // What asks for nothing was paid when it came in.
  return setStatus(tx, row, statusAfter(InvoiceStatus.OPEN, received, 'import'), act);
}

/**
 * Books what is still due of an invoice as a payment that came outside the portal. The same reference again books nothing.
 * @throws {AppError} invoice.notFound, invoice.isCredit, invoice.void, invoice.beingPaid, invoice.settled, externalPayment.*
 */
export async function settleInvoice(
  tx: Tx,
  at: InvoiceAt,
  settlement: InvoiceSettlement,
  { by, now }: Omit<InvoiceAct, 'note'>,
): Promise<AdminInvoiceRow> {
  const row = await lockedBill(tx, at);
  if (row.status === InvoiceStatus.VOID) throw new AppError('invoice.void');
  const { reseller_id: resellerId, customer_id: customerId } = row;
  const known = await findPaymentOfInvoice(tx, resellerId, settlement.reference, row);
  if (known !== undefined) return row;
  refuseBeingPaid(row);
  if (row.due_minor <= 0n) throw new AppError('invoice.settled');
  const payment = {
    ...settlement,
    customer: customerId,
    amount: formatDecimal(money(row.due_minor, row.currency)),
    currency: row.currency,
    invoices: [row.number],
    invoiceId: row.id,
  };
  const { isNew } = await recordExternalPayment(tx, payment, { resellerId, ...by }, now);
  // The reference names a payment of the same amount of another invoice.
  if (!isNew) throw new AppError('externalPayment.referenceTaken');
  return reread(tx, row);
}

/** @throws {AppError} invoice.notFound, invoice.isCredit */
async function lockedBill(tx: Tx, { resellerId, id }: InvoiceAt): Promise<AdminInvoiceRow> {
  const row = await lockInvoice(tx, resellerId, id);
  if (row === undefined) throw new AppError('invoice.notFound');
  if (row.kind !== 'invoice' || row.payable_minor < 0n) throw new AppError('invoice.isCredit');
  return row;
}

/** What an open payment holds may be captured any moment. */
function refuseBeingPaid({ held_minor: held }: AdminInvoiceRow): void {
  if (held > 0n) throw new AppError('invoice.beingPaid');
}

async function setStatus(
  tx: Tx,
  row: AdminInvoiceRow,
  status: InvoiceStatus,
  { note, by, now: at }: InvoiceAct,
): Promise<AdminInvoiceRow> {
  const { customer_id: customerId, id, reseller_id: resellerId, number } = row;
  await tx.execute(sql`
    update invoice set status = ${status} where customer_id = ${customerId} and id = ${id}`);
  const detail = {
    invoice: number,
    note,
    'before.status': invoiceStateOf(row.status),
    'after.status': invoiceStateOf(status),
  };
  await recordAudit(tx, { action: 'invoice.changed', at, resellerId, customerId, ...by, detail });
  const type = newsOfStatus(row.status, status);
  if (type !== undefined) await tellOfInvoices(tx, resellerId, [{ type, customerId, id }], at);
  return { ...row, status };
}

async function reread(tx: Tx, { reseller_id: resellerId, id }: AdminInvoiceRow): Promise<AdminInvoiceRow> {
  const row = await findInvoice(tx, resellerId, id);
  if (row === undefined) throw new Error(`invoice ${id} is gone`);
  return row;
}
