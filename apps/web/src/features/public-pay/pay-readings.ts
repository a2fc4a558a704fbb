import type { PayAnswer, PaymentInfo } from '@counterfoil/contract/public-pay.ts';
import { InvoiceStatus } from '@counterfoil/domain/invoice-status.ts';
import {
  eventOfInfo,
  eventOfStatus,
  type PublicPayEvent,
  type PublicPayState,
} from '@counterfoil/domain/public-pay.ts';
import type { Outcome, PayView } from './pay-view.ts';

/** The event of what a paying call or a look at the server says of an attempt. */
export const eventOfAttempt = ({
  status,
  expected,
}: Pick<PayAnswer, 'status' | 'expected'>): PublicPayEvent =>
  eventOfStatus(expected === undefined ? { status } : { status, expected });

/** What a refusal of the server says about the invoice itself, rather than about this try. */
export const eventOfRefusal: Partial<Record<string, PublicPayEvent>> = {
  'payment.alreadyPaid': 'invoicePaid',
  'payment.credited': 'invoiceCredited',
  'payment.notPayable': 'invoiceNotPayable',
  'gateway.misconfigured': 'gatewayMisconfigured',
  'paymentMethod.notOffered': 'gatewayMisconfigured',
  'payment.methodCurrency': 'gatewayMisconfigured',
};

const notOffered: ReadonlySet<string | undefined> = new Set([
  'paymentMethod.notOffered',
  'payment.methodCurrency',
]);

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
 * @param canTakeCards whether this page has input fields for the gateway
 */
export function eventOfDetails(
  info: PaymentInfo,
  canTakeCards: (integrationType: string) => boolean,
): PublicPayEvent {
  const attempt = openAttempt(info);
  if (attempt) return eventOfAttempt(attempt);
  const event = eventOfInfo({ ...info, invoiceAmount: Number(info.invoiceAmount) });
  if (event !== 'invoicePayable') return event;
  const type = (info.brandSettings ?? info.bank?.entry)?.integrationType;
  return type !== undefined && !info.isFrame && canTakeCards(type) ? event : 'gatewayMisconfigured';
}

export function outcomeOfAttempt(attempt: NonNullable<PaymentInfo['attempt']>): Outcome {
  return {
    attemptId: attempt.id,
    reference: attempt.reference,
    amount: attempt.amount,
    asked: attempt.asked ?? undefined,
    at: attempt.at,
    message: attempt.message,
    method: attempt.method ?? undefined,
    hasReceipt: attempt.hasReceipt,
  };
}

export function outcomeOfAnswer(answer: PayAnswer, amount: string | undefined): Outcome {
  return {
    attemptId: answer.attemptId,
    reference: answer.reference,
    amount: answer.amount === undefined ? amount : String(answer.amount),
    asked: answer.asked === undefined ? undefined : String(answer.asked),
    at: answer.at,
    message: answer.message,
    method: answer.method,
    hasReceipt: answer.status === 'succeeded',
  };
}

/** How long to wait before the next look, after `looks` of them: every 2 s for half a minute, then slower. */
export function pollDelayMs(state: PublicPayState, looks: number): number {
  if (state === 'submitted') return 60_000;
  if (looks < 15) return 2_000;
  return looks < 40 ? 5_000 : 15_000;
}

/** An outcome of which only the sending is known: its answer was lost. */
export const lostOutcome = (amount: string | undefined): Outcome => ({
  attemptId: undefined,
  reference: undefined,
  amount,
  asked: undefined,
  at: undefined,
  message: undefined,
  method: undefined,
  hasReceipt: false,
});

/** What is still to be paid of the invoice, a decimal text; '0' for nothing. */
export const stillDueOf = ({ invoiceStatus, invoiceAmount }: PaymentInfo): string =>
  invoiceStatus === InvoiceStatus.OPEN ? invoiceAmount : '0';

/** To whom the receipt goes: the typed address, else the customer's where the brand mails receipts (decisions 6). */
export const receiptOf = (info: PaymentInfo, typed: string | undefined): string | undefined =>
  typed || (info.enabledReceipt ? (info.customer.email ?? undefined) : undefined);

/** The newer of two accounts of a payment; what it does not know stays as it was. */
export function merge(older: Outcome | undefined, newer: Outcome): Outcome {
  return {
    attemptId: newer.attemptId ?? older?.attemptId,
    reference: newer.reference ?? older?.reference,
    amount: newer.amount ?? older?.amount,
    asked: newer.asked ?? older?.asked,
    at: newer.at ?? older?.at,
    message: newer.message,
    method: newer.method ?? older?.method,
    hasReceipt: newer.hasReceipt,
  };
}
