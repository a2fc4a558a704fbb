import type { Money } from '../money/money.ts';
import { addMoney, compareMoney, isPositive, subtractMoney, zero } from '../money/money.ts';
import type { Day } from '../time/day.ts';
import { InvoiceStatus } from './invoice-status.ts';

export type { Discrepancy } from '../money/invoice-sums.ts';
export { checkInvoiceSums, checkLine } from '../money/invoice-sums.ts';
export { invoiceStateOf, invoiceStatusNamed, isInvoiceStatus } from './invoice-status.ts';
export { InvoiceStatus };

/** What an invoice asks for and what became of it; all in one currency. */
export interface InvoiceMoney {
  /** What has to be paid: total + rounding − prepaid. Negative for a credit note. */
  readonly payable: Money;
  /** Sum of payments received, never lowered afterwards. */
  readonly paid: Money;
  /** Sum of credits applied. */
  readonly credited: Money;
  /**
   * Sum of payments that came back: bank returns, chargebacks, late failures. Refunds are not in it, because a
   * refund does not by itself make an invoice due again.
   */
  readonly reversed: Money;
}

/** Nothing received and nothing credited yet. */
export const newInvoiceMoney = (payable: Money): InvoiceMoney => {
  const nothing = zero(payable.currency);
  return { payable, paid: nothing, credited: nothing, reversed: nothing };
};

/** payable − payments − credits + reversals; negative when the customer is owed. */
export const amountDue = (m: InvoiceMoney): Money =>
  addMoney(subtractMoney(subtractMoney(m.payable, m.paid), m.credited), m.reversed);

/** What has just changed the money of an invoice; 'import' is its arrival. */
export type InvoiceEvent = 'payment' | 'credit' | 'reversal' | 'import';

/**
 * The status after the money changed (specification, decisions 5 and 6).
 *
 * Settled ⇔ payments + credits − reversals ≥ what is payable. The event that settles an invoice names it: a
 * credit makes it credited, anything else paid; what is settled keeps its name until a reversal reopens it. A
 * void invoice stays void. A disputed one stays disputed until it is settled.
 *
 * @param money the amounts after the event
 */
export function statusAfter(status: InvoiceStatus, money: InvoiceMoney, event: InvoiceEvent): InvoiceStatus {
  const { OPEN, PAID, CREDITED, VOID, DISPUTED } = InvoiceStatus;
  if (status === VOID) return VOID;
  if (isPositive(amountDue(money))) return status === DISPUTED ? DISPUTED : OPEN;
  if (status === PAID || status === CREDITED) return status;
  if (event === 'credit') return CREDITED;
  const creditedInFull = isPositive(money.payable) && compareMoney(money.credited, money.payable) >= 0;
  return event === 'import' && creditedInFull ? CREDITED : PAID;
}

/** Whether an open amount is past its due date; `today` is the day in the brand's time zone. */
export const isOverdue = (invoice: {
  readonly status: InvoiceStatus;
  readonly amountDue: Money;
  readonly dueOn: Day | null;
  readonly today: Day;
}): boolean =>
  invoice.status === InvoiceStatus.OPEN &&
  isPositive(invoice.amountDue) &&
  invoice.dueOn !== null &&
  invoice.dueOn < invoice.today;

/** Whether the portal may offer to pay this invoice now. */
export const canPay = (invoice: {
  readonly status: InvoiceStatus;
  readonly amountDue: Money;
  readonly paymentsEnabled: boolean;
  readonly gatewayConfigured: boolean;
  readonly attemptOpen: boolean;
}): boolean =>
  invoice.paymentsEnabled &&
  invoice.gatewayConfigured &&
  invoice.status === InvoiceStatus.OPEN &&
  isPositive(invoice.amountDue) &&
  !invoice.attemptOpen;

/** What a person is told about an invoice. */
export type InvoiceLabel =
  | 'open'
  | 'overdue'
  | 'partPaid'
  | 'beingConfirmed'
  | 'paid'
  | 'credited'
  | 'void'
  | 'disputed';

/**
 * The one label of an invoice. Of several that fit, the one that matters most to the payer: a payment under way,
 * then overdue, then part-paid.
 */
export function invoiceLabel(invoice: {
  readonly status: InvoiceStatus;
  readonly money: InvoiceMoney;
  readonly dueOn: Day | null;
  readonly today: Day;
  readonly attemptOpen: boolean;
}): InvoiceLabel {
  const { status, money, attemptOpen } = invoice;
  if (status === InvoiceStatus.VOID) return 'void';
  if (status === InvoiceStatus.DISPUTED) return 'disputed';
  if (status === InvoiceStatus.CREDITED) return 'credited';
  if (status === InvoiceStatus.PAID) return 'paid';
  if (attemptOpen) return 'beingConfirmed';
  const due = amountDue(money);
  if (isOverdue({ ...invoice, amountDue: due })) return 'overdue';
  return compareMoney(due, money.payable) < 0 ? 'partPaid' : 'open';
}
