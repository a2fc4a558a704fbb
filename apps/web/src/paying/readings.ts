import type { PayAnswer } from '@counterfoil/contract/paying/public-pay.ts';
import { eventOfStatus, type PayEvent, type PayState } from '@counterfoil/domain/paying/pay-state.ts';
import type { Outcome } from './view.ts';

/** Looks that find no trace of the payment before it counts as never arrived. */
export const LOOKS_BEFORE_ABSENT = 3;

/** How long to wait before the next look, after `looks` of them: every 2 s for half a minute, then slower. */
export function pollDelayMs(state: PayState, looks: number): number {
  if (state === 'submitted') return 60_000;
  if (looks < 15) return 2_000;
  return looks < 40 ? 5_000 : 15_000;
}

/** Only these are followed: an address of the server's answer must not run anything. */
export const isWebAddress = (url: string | undefined): url is string =>
  url !== undefined && /^https?:\/\//.test(url);

/** The event of what a paying call or a look at the server says of an attempt. */
export const eventOfAttempt = ({ status, expected }: Pick<PayAnswer, 'status' | 'expected'>): PayEvent =>
  eventOfStatus(expected === undefined ? { status } : { status, expected });

const textOf = (amount: string | number | null | undefined): string | undefined =>
  amount === undefined || amount === null ? undefined : String(amount);

interface AttemptFacts {
  readonly id?: string;
  readonly reference: string;
  readonly amount: string | number;
  readonly asked?: string | number | null | undefined;
  readonly at: string;
  readonly message?: string | undefined;
  readonly method: string | null;
  readonly hasReceipt?: boolean;
}

/** What an attempt tells, whoever's it is; amounts stand as the API gives them, as decimal texts. */
export const outcomeOfAttempt = (attempt: AttemptFacts): Outcome => ({
  attemptId: attempt.id,
  reference: attempt.reference,
  amount: textOf(attempt.amount),
  asked: textOf(attempt.asked),
  at: attempt.at,
  message: attempt.message,
  method: attempt.method ?? undefined,
  hasReceipt: attempt.hasReceipt ?? false,
});

/** What the answer of a paying call tells. */
export const outcomeOfAnswer = (answer: PayAnswer): Outcome => ({
  attemptId: answer.attemptId,
  reference: answer.reference,
  amount: textOf(answer.amount),
  asked: textOf(answer.asked),
  at: answer.at,
  message: answer.message,
  method: answer.method,
  hasReceipt: answer.status === 'succeeded',
});

/** What is left of a successful payment's invoices, as its answer says it. */
export const stillDueOfAnswer = ({ stillDue }: PayAnswer): string | undefined => textOf(stillDue);

/** A payment of which only the sending is known. @param amount decimal text, fee included */
export const sentOutcome = (amount: string | undefined, method?: string): Outcome => ({
  attemptId: undefined,
  reference: undefined,
  amount,
  asked: undefined,
  at: undefined,
  message: undefined,
  method,
  hasReceipt: false,
});

/** What tells one attempt from another; undefined while the answer is lost. */
export const idOf = (outcome: Outcome | undefined): string | undefined =>
  outcome?.attemptId ?? outcome?.reference;

/** The newer of two accounts of a payment; what it does not know stays as it was, unless the older is of another. */
export function merged(older: Outcome | undefined, newer: Outcome): Outcome {
  const [before, now] = [idOf(older), idOf(newer)];
  if (older === undefined || (before !== undefined && now !== undefined && before !== now)) return newer;
  return {
    attemptId: newer.attemptId ?? older.attemptId,
    reference: newer.reference ?? older.reference,
    amount: newer.amount ?? older.amount,
    asked: newer.asked ?? older.asked,
    at: newer.at ?? older.at,
    message: newer.message,
    method: newer.method ?? older.method,
    hasReceipt: newer.hasReceipt,
  };
}
