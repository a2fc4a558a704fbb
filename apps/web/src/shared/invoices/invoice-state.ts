import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { InvoiceStatus } from '@counterfoil/domain/paying/invoice-status.ts';
import type { IconName } from '../../ui/icon.tsx';
import { t } from './messages.ts';

export type InvoicePill = {
  readonly tone: 'success' | 'danger' | 'info' | 'warning' | 'neutral';
  readonly icon: IconName;
  readonly text: string;
};

const pills = {
  open: { tone: 'neutral', icon: 'clock', text: t('state.open') },
  overdue: { tone: 'danger', icon: 'alert', text: t('state.overdue') },
  partPaid: { tone: 'neutral', icon: 'clock', text: t('state.partPaid') },
  beingConfirmed: { tone: 'info', icon: 'clock', text: t('state.beingConfirmed') },
  paid: { tone: 'success', icon: 'check', text: t('state.paid') },
  credited: { tone: 'neutral', icon: 'undo', text: t('state.credited') },
  void: { tone: 'neutral', icon: 'close', text: t('state.void') },
  disputed: { tone: 'warning', icon: 'alert', text: t('state.disputed') },
} as const satisfies Record<Invoice['state'], InvoicePill>;

/** A payment was begun that the payer did not confirm at the bank: it can be begun again. */
const waitingPill: InvoicePill = { tone: 'info', icon: 'clock', text: t('state.waitsForPayer') };
const creditPill: InvoicePill = { tone: 'neutral', icon: 'undo', text: t('state.credit') };

/** A credit note, or an invoice that asks for less than nothing. */
export const isCredit = (invoice: Pick<Invoice, 'kind' | 'amount'>): boolean =>
  invoice.kind === 'creditNote' || invoice.amount < 0;

type WithLink = Invoice & { readonly payToken: string };

/**
 * Whether Pay stands beside it: it is payable, or its payment waits for this payer, who may begin again (decisions 6).
 * Paying then first cancels what waits.
 */
export const offersPay = (invoice: Invoice): invoice is WithLink =>
  (invoice.canPay || invoice.waitsForPayer) &&
  !invoice.paid &&
  invoice.status !== InvoiceStatus.PAID &&
  !isCredit(invoice) &&
  invoice.payToken !== null;

/** Asked for: a payment being confirmed and a dispute put that off, one that only waits for its payer does not. */
export const isDue = (invoice: Invoice): boolean =>
  isOwed(invoice) && ['open', 'overdue', 'partPaid'].includes(invoice.state);

/** Payable only if `canPay` is set and it is not paid (specification, portal §4); a credit never is. */
export const isPayable = (invoice: Invoice): invoice is WithLink => invoice.canPay && offersPay(invoice);

/** Where the Pay of a row leads: the invoice's own pay page (decisions 6). */
export const payAddress = (invoice: { readonly payToken: string }): string =>
  `/pay/${encodeURIComponent(invoice.payToken)}`;

/**
 * The pill of an invoice; none beside Pay when it would say only that there is something to pay. A credit is never
 * 'Paid': nobody pays it.
 */
export function pillOf(invoice: Invoice): InvoicePill | undefined {
  if (isCredit(invoice)) {
    return invoice.state === 'void' || invoice.state === 'disputed' ? pills[invoice.state] : creditPill;
  }
  if (invoice.paid || invoice.status === InvoiceStatus.PAID) return pills.paid;
  if (invoice.waitsForPayer) return waitingPill;
  if (isPayable(invoice) && invoice.state === 'open') return undefined;
  return pills[invoice.state];
}

/** The pill where no Pay stands beside it: what can be paid says that it is open. */
export const statePill = (invoice: Invoice): InvoicePill => pillOf(invoice) ?? pills.open;

/** The state in a word, for all invoices alike. */
export const stateText = (invoice: Invoice): string => statePill(invoice).text;

/** The amount with the sign it has for the customer: a credit always stands with a minus. */
export const signedAmount = (invoice: Pick<Invoice, 'kind' | 'amount'>): number =>
  isCredit(invoice) ? -Math.abs(invoice.amount) : invoice.amount;

/** Whether something is still to be paid, so that the amount due is the figure that counts. */
export const isOwed = (invoice: Invoice): boolean =>
  !isCredit(invoice) && !invoice.paid && invoice.amountDue > 0;
