import type { Money } from '@counterfoil/domain/money/money.ts';
import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import { newGatewayRef } from '@counterfoil/gateways/port/gateway-ref.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { keepPaidLinks } from '../pay-links/service.ts';
import { followCredit, postCreditUse } from './credit.ts';
import { changeInvoice, type InvoiceAmounts, invoiceAmounts } from './invoice-amounts.ts';
import { enqueueCreditReceipt } from './receipts/mail-queue.ts';

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
    const row = await tx.one<InvoiceAmounts>(sql`
      select ${invoiceAmounts} from invoice where customer_id = ${customerId} and id = ${invoiceId}`);
    const change = { credited: amount.minor };
    const status = await changeInvoice(tx, customerId, { id: invoiceId, ...row }, change, 'payment', at);
    if (status === InvoiceStatus.PAID) await tx.execute(keepPaidLinks(customerId, [invoiceId], at));
    const use = { customerId, currency, sessionId, attemptId: null, invoiceId, minor: amount.minor, at };
    await postCreditUse(tx, use);
    used += amount.minor;
  }
  await followCredit(tx, { customerId, currency }, -used);
}
