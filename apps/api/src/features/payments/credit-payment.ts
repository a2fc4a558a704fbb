import { type Money, money } from '@counterfoil/domain/money/money.ts';
import { InvoiceStatus, isInvoiceStatus, statusAfter } from '@counterfoil/domain/paying/invoice.ts';
import { newGatewayRef } from '@counterfoil/gateways/port/gateway-ref.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { keepPaidLinks } from '../pay-links/service.ts';
import { followCredit, postCreditUse } from './credit.ts';
import { enqueueCreditReceipt } from './receipts/mail-queue.ts';

interface InvoiceRow {
  payable_minor: bigint;
  paid_minor: bigint;
  credited_minor: bigint;
  reversed_minor: bigint;
  status: number;
}

export interface CreditPayment {
  readonly customerId: string;
  readonly sessionId: string;
  readonly currency: string;
  readonly lines: readonly { readonly invoiceId: string; readonly amount: Money }[];
  /** Where its receipt goes. */
  readonly to: string | null;
  readonly at: Date;
}

/**
 * Settles a session with the customer's credit, without a gateway, and promises its receipt. The caller has session,
 * invoices and credit locked, and has seen that there is enough.
 * @returns the reference of the payment
 */
export async function settleByCredit(tx: Tx, payment: CreditPayment): Promise<string> {
  const { customerId, sessionId, to, at } = payment;
  const ref = newGatewayRef();
  await payInvoices(tx, payment);
  await tx.execute(sql`
    update pay_session set settled_ref = ${ref}, settled_at = ${at}
     where customer_id = ${customerId} and id = ${sessionId}`);
  await enqueueCreditReceipt(tx, { customerId, sessionId, to }, at);
  return ref;
}

async function payInvoices(tx: Tx, payment: CreditPayment): Promise<void> {
  const { customerId, sessionId, currency, lines, at } = payment;
  let used = 0n;
  for (const { invoiceId, amount } of lines) {
    const row = await tx.one<InvoiceRow>(sql`
      select payable_minor, paid_minor, credited_minor, reversed_minor, status from invoice
       where customer_id = ${customerId} and id = ${invoiceId}`);
    const of = (minor: bigint) => money(minor, currency);
    const after = {
      payable: of(row.payable_minor),
      paid: of(row.paid_minor),
      reversed: of(row.reversed_minor),
      credited: of(row.credited_minor + amount.minor),
    };
    const status = statusAfter(
      isInvoiceStatus(row.status) ? row.status : InvoiceStatus.OPEN,
      after,
      'payment',
    );
    if (status === InvoiceStatus.PAID) await tx.execute(keepPaidLinks(customerId, [invoiceId], at));
    await tx.execute(sql`
      update invoice set credited_minor = credited_minor + ${amount.minor}, status = ${status}
       where customer_id = ${customerId} and id = ${invoiceId}`);
    const use = { customerId, currency, sessionId, attemptId: null, invoiceId, minor: amount.minor, at };
    await postCreditUse(tx, use);
    used += amount.minor;
  }
  await followCredit(tx, { customerId, currency }, -used);
}
