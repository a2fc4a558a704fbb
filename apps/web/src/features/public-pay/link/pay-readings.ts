import type { EntryConfig } from '@counterfoil/contract/paying/entry-config.ts';
import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import { InvoiceStatus } from '@counterfoil/domain/paying/invoice-status.ts';
import { eventOfInfo, type PayEvent } from '@counterfoil/domain/paying/pay-state.ts';
import { isPaused as isPausedBy } from '../../../paying/outcome/failure.ts';
import { eventOfAttempt } from '../../../paying/readings.ts';
import type { PayView } from '../pay-view.ts';

/** What a refusal of the server says about the invoice itself, rather than about this try. */
export const eventOfRefusal: Partial<Record<string, PayEvent>> = {
  'payment.alreadyPaid': 'invoicePaid',
  'payment.credited': 'invoiceCredited',
  'payment.notPayable': 'invoiceNotPayable',
  'gateway.misconfigured': 'gatewayMisconfigured',
  'payments.paused': 'gatewayMisconfigured',
  'paymentMethod.notOffered': 'gatewayMisconfigured',
  'payment.methodCurrency': 'gatewayMisconfigured',
};

const notOffered: ReadonlySet<string | undefined> = new Set([
  'paymentMethod.notOffered',
  'payment.methodCurrency',
]);

/** Payments are off for all, until the gateway was scanned after a restored backup. */
export const isPaused = ({ info, failure }: Pick<PayView, 'info' | 'failure'>): boolean =>
  isPausedBy(failure) || info?.paymentsPaused === true;

/** The gateway works, and takes no such payment by a link: no card, no one-off, not in this currency. */
export const isNotOffered = ({ info, failure }: Pick<PayView, 'info' | 'failure'>): boolean =>
  notOffered.has(failure?.code) ||
  (info?.apiStatus === true && info.brandSettings === null && info.bank === null);

/** The attempt of a payment info that still decides: its end is not known, or a step of the payer is open. */
export function openAttempt(info: PaymentInfo): PaymentInfo['attempt'] {
  const { attempt } = info;
  return attempt?.status === 'processing' || attempt?.status === 'requires_action' ? attempt : null;
}

/**
 * The event of a payment info that has arrived on a page that waits for nothing. An open attempt comes first: while
 * it is open nobody may be offered a second payment, or told that all is settled.
 * @param canTake whether this page can take methods so
 */
export function eventOfDetails(info: PaymentInfo, canTake: (config: EntryConfig) => boolean): PayEvent {
  const attempt = openAttempt(info);
  if (attempt) return eventOfAttempt(attempt);
  const event = eventOfInfo({ ...info, invoiceAmount: Number(info.invoiceAmount) });
  if (event !== 'invoicePayable') return event;
  const config = info.brandSettings ?? info.bank?.entry;
  return config !== undefined && canTake(config) ? event : 'gatewayMisconfigured';
}

/** What is still to be paid of the invoice, a decimal text; '0' for nothing. */
export const stillDueOf = ({ invoiceStatus, invoiceAmount }: PaymentInfo): string =>
  invoiceStatus === InvoiceStatus.OPEN ? invoiceAmount : '0';

/** To whom the receipt goes: the typed address, else the customer's where the brand mails receipts (decisions 6). */
export const receiptOf = (info: PaymentInfo, typed: string | undefined): string | undefined =>
  typed || (info.enabledReceipt ? (info.customer.email ?? undefined) : undefined);
