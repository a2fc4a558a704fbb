import type { NewIntent, PaymentIntent } from '@counterfoil/contract/bulk-pay.ts';
import type { PayAnswer } from '@counterfoil/contract/public-pay.ts';
import { type BulkEvent, BulkStatus } from '@counterfoil/domain/bulk-pay.ts';
import type { Failure } from '../failure.ts';

/** What is known about the payment that was tried. */
export interface BulkOutcome {
  /** Our reference; undefined while the answer of the paying call is lost. */
  readonly reference: string | undefined;
  /** Decimal text, fee included, once it has gone through of what was taken; undefined when the page came back from the bank and could not ask. */
  readonly amount: string | undefined;
  /** What was asked for, where another amount was taken. */
  readonly asked: string | undefined;
  /** What is still to be paid, '0' for nothing; undefined: not known, or the intent says it. */
  readonly stillDue?: string | undefined;
  /** 'Visa ending 4242' */
  readonly method: string | undefined;
  /** Why it failed. */
  readonly message: string | undefined;
  /** The payment's own time, ISO; undefined until the server has said it. */
  readonly at: string | undefined;
}

/** Everything the pages of a bulk payment draw from. */
export interface BulkView {
  readonly status: BulkStatus;
  readonly intent: PaymentIntent | undefined;
  readonly outcome: BulkOutcome | undefined;
  /** Why the invoices could not be loaded or the payment was refused. */
  readonly failure: Failure | undefined;
  /** There is nothing to pay here: no such id, or an intent that is not valid. */
  readonly isInvalid: boolean;
  /** A bank debit: its end takes days. */
  readonly isSubmitted: boolean;
  /** Where the payer's own step at the bank is, while it is open. */
  readonly actionUrl: string | undefined;
  /** To whom the receipt goes. */
  readonly receiptTo: string | undefined;
  /** The server asks for another amount than was shown. */
  readonly hasChanged: boolean;
  readonly isPaying: boolean;
  /** The browser is on its way to the provider's page. */
  readonly isLeaving: boolean;
  /** A further look was asked for and is under way. */
  readonly isBusy: boolean;
  /** The last look at the server failed; the page keeps on asking. */
  readonly isOffline: boolean;
}

export const initialView: BulkView = {
  status: BulkStatus.IDLE,
  intent: undefined,
  outcome: undefined,
  failure: undefined,
  isInvalid: false,
  isSubmitted: false,
  actionUrl: undefined,
  receiptTo: undefined,
  hasChanged: false,
  isPaying: false,
  isLeaving: false,
  isBusy: false,
  isOffline: false,
};

const events = { succeeded: 'succeed', processing: 'process', failed: 'fail' } as const;

/** The event of what a paying call or a look at the server says; undefined: the payer has a step to take. */
export const eventOf = (status: PayAnswer['status']): BulkEvent | undefined =>
  status === 'requires_action' ? undefined : events[status];

type Attempt = NonNullable<PaymentIntent['attempt']>;

const textOf = (amount: number | undefined): string | undefined =>
  amount === undefined ? undefined : String(amount);

/** What is known now; what the newer account does not say stays as it was. */
export const outcomeOfAttempt = (attempt: Attempt, older: BulkOutcome | undefined): BulkOutcome => ({
  reference: attempt.reference,
  amount: String(attempt.amount),
  asked: textOf(attempt.asked),
  method: attempt.method ?? older?.method,
  message: attempt.message,
  at: attempt.at,
});

export const outcomeOfAnswer = (answer: PayAnswer, older: BulkOutcome | undefined): BulkOutcome => ({
  reference: answer.reference ?? older?.reference,
  amount: textOf(answer.amount) ?? older?.amount,
  asked: textOf(answer.asked),
  stillDue: textOf(answer.stillDue),
  method: older?.method,
  message: answer.message,
  at: answer.at ?? older?.at,
});

/** What was tried, with why it failed. */
export function failedOutcome(outcome: BulkOutcome | undefined, message: string | undefined): BulkOutcome {
  const unknown = {
    reference: undefined,
    amount: undefined,
    asked: undefined,
    method: undefined,
    at: undefined,
  };
  return { ...(outcome ?? unknown), message };
}

/** The call for the same payment with another amount. @param amount decimal text without fee; undefined: all of it */
export const repriced = ({ id, invoices }: PaymentIntent, amount: string | undefined): NewIntent => ({
  id,
  invoiceIds: invoices.flatMap(({ invoiceId }) => invoiceId ?? []),
  ...(amount === undefined ? {} : { amount }),
});

/** Looks that find no trace of the payment before it counts as never arrived. */
export const LOOKS_BEFORE_ABSENT = 3;

/** Only these are followed: an address of the server's answer must not run anything. */
export const isWebAddress = (url: string | undefined): url is string =>
  url !== undefined && /^https?:\/\//.test(url);

/** How long to wait before the next look, after `looks` of them: every 2 s for half a minute, then slower. */
export function pollDelayMs(isSubmitted: boolean, looks: number): number {
  if (isSubmitted) return 60_000;
  if (looks < 15) return 2_000;
  return looks < 40 ? 5_000 : 15_000;
}
