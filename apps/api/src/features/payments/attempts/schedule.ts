import type { AttemptState } from '@counterfoil/domain/paying/attempt.ts';
import type { AttemptRow } from './attempt-row.ts';

/** The longest a gateway call may take that moves no money, before it counts as unanswered. */
const CALL_WITHIN_MS = 20_000;
/** Longer than its call: after this, a call that was never recorded belonged to a process that died. */
const leaseMs = (answerWithinMs: number): number => answerWithinMs + 5_000;
/**
 * Until when what is sent or taken now belongs to the process that does so.
 * @param answerWithinMs how long the gateway's answer may take; for money calls its account says so
 */
export const leaseFrom = (now: Date, answerWithinMs: number = CALL_WITHIN_MS): Date =>
  new Date(now.getTime() + leaseMs(answerWithinMs));
/** An abandoned 3-D Secure or hosted frame is cancelled at the gateway after this. */
export const ABANDONED_MS = 30 * 60_000;
/** While the customer is still there, so that an unknown outcome is soon known. */
const EAGER_FOR_MS = 30 * 60_000;
/** With a reconciler round every 5 s, an unknown outcome is known within 10 s once the gateway answers again. */
const EAGER_EVERY_MS = 4_000;
const FIRST_MS = 2_000;
const LATER_EVERY_MS = 5 * 60_000;
const BANK_EVERY_MS = 60 * 60_000;
/** A payer may finish a challenge and never come back. */
const CHALLENGE_EVERY_MS = 60_000;
/** An outcome unknown for this long is flagged for a person; look-ups go on. */
export const PERSON_AFTER_MS = 60 * 60_000;

/** An event that cannot be followed up is tried again for this long, then it is flagged for a person. */
export const EVENT_WAITS_MS = 24 * 60 * 60_000;

/** Whether the process that sent an attempt may still be waiting for the gateway's answer: nothing else looks it up meanwhile. */
export const isCalling = (
  attempt: Pick<AttemptRow, 'state' | 'last_sent_at' | 'answer_within_ms'>,
  now: Date,
): boolean => attempt.state === 'sending' && now < leaseFrom(attempt.last_sent_at, attempt.answer_within_ms);

/**
 * How long until an unknown outcome is looked up again, milliseconds: a charge's, a refund's and a method setup's alike.
 * @param asked how often it was looked up
 */
export const unknownPauseMs = (ageMs: number, asked: number): number =>
  ageMs > EAGER_FOR_MS ? LATER_EVERY_MS : Math.min(FIRST_MS * 2 ** Math.min(asked, 10), EAGER_EVERY_MS);

/**
 * When an open attempt is to be asked about next; null for a final one.
 * @param againAt the gateway's pauses allow no question before; a payer who may act is looked after all the same
 */
export function nextLookupAt(
  state: AttemptState,
  attempt: Pick<AttemptRow, 'sent_at' | 'lookups' | 'answer_within_ms'>,
  now: Date,
  againAt?: Date,
): Date | null {
  const due = dueAt(state, attempt, now);
  const mayWait = state === 'unknown' || state === 'needsReview' || state === 'pending';
  return due !== null && mayWait && againAt !== undefined && againAt > due ? againAt : due;
}

function dueAt(
  state: AttemptState,
  attempt: Pick<AttemptRow, 'sent_at' | 'lookups' | 'answer_within_ms'>,
  now: Date,
): Date | null {
  const inMs = (ms: number) => new Date(now.getTime() + ms);
  const ageMs = now.getTime() - attempt.sent_at.getTime();
  switch (state) {
    case 'sending':
      return leaseFrom(now, attempt.answer_within_ms);
    case 'unknown':
    case 'needsReview': {
      const asked = Object.values(attempt.lookups).reduce((sum, n) => sum + n, 0);
      return inMs(unknownPauseMs(ageMs, asked));
    }
    case 'requiresAction':
      // Past its time it is closed; a gateway that cannot or does not answer is not asked without a pause.
      return inMs(ageMs < ABANDONED_MS ? Math.min(ABANDONED_MS - ageMs, CHALLENGE_EVERY_MS) : LATER_EVERY_MS);
    case 'pending':
      return inMs(ageMs > EAGER_FOR_MS ? BANK_EVERY_MS : EAGER_EVERY_MS);
    default:
      return null;
  }
}
