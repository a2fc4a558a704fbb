import type { StateTable } from './state-table.ts';

/** States in which the attempt holds its claim: a second attempt on the same invoice is refused. */
export const openStates = ['sending', 'requiresAction', 'pending', 'unknown', 'needsReview'] as const;
/** States that never change again. */
export const closedStates = ['succeeded', 'declined', 'notAttempted', 'absent', 'closed'] as const;

/** A state that still holds the claim. */
export type OpenAttemptState = (typeof openStates)[number];
/** A final state. */
export type ClosedAttemptState = (typeof closedStates)[number];
/** State of one charge or refund at a gateway. */
export type AttemptState = OpenAttemptState | ClosedAttemptState;

/** All states, open ones first. */
export const attemptStates: readonly AttemptState[] = [...openStates, ...closedStates];

/** `sending` is committed before the gateway is called; there is no earlier state. */
export const firstAttemptState = 'sending' satisfies AttemptState;

/** The six answers a gateway call can have. */
export const outcomes = [
  'succeeded',
  'requiresAction',
  'pending',
  'declined',
  'notAttempted',
  'unknown',
] as const;
/** One of {@link outcomes}. */
export type OutcomeKind = (typeof outcomes)[number];

/**
 * What can happen to an attempt besides an outcome: the gateway proves that it never had it; it was cancelled
 * there and can never capture; it is set aside for a person; an operator’s recorded decision ends it.
 */
export const attemptEvents = [
  ...outcomes,
  'absentProven',
  'closed',
  'flagForReview',
  'resolvedAsTaken',
  'resolvedAsNotTaken',
] as const;
/** One of {@link attemptEvents}. */
export type AttemptEvent = (typeof attemptEvents)[number];

/** A row in which nothing moves. */
const final = <S extends ClosedAttemptState>(state: S): Record<AttemptEvent, S> => ({
  succeeded: state,
  requiresAction: state,
  pending: state,
  declined: state,
  notAttempted: state,
  unknown: state,
  absentProven: state,
  closed: state,
  flagForReview: state,
  resolvedAsTaken: state,
  resolvedAsNotTaken: state,
});

/**
 * Every state under every event. Three rules stand behind the cells:
 * - A closed state never changes; money that arrives later is a new ledger entry.
 * - Not knowing takes nothing away: an `unknown` answer says nothing about the first sending, so what was known
 *   before stays. `notAttempted` is the call's own answer, with nothing sent after it: it counts however late it comes,
 *   unless the gateway was seen to have the payment.
 * - `requiresAction` leaves only by evidence (an operator’s recorded decision is some) or by `closed`: an abandoned
 *   3-D Secure that may still capture is the commonest double charge.
 */
export const transitions: StateTable<AttemptState, AttemptEvent> = {
  sending: {
    succeeded: 'succeeded',
    requiresAction: 'requiresAction',
    pending: 'pending',
    declined: 'declined',
    notAttempted: 'notAttempted',
    unknown: 'unknown',
    absentProven: 'absent',
    closed: 'closed',
    flagForReview: 'needsReview',
    // The answer may arrive any moment: the attempt must be `unknown` or `needsReview` before a person decides.
    resolvedAsTaken: 'sending',
    resolvedAsNotTaken: 'sending',
  },
  requiresAction: {
    succeeded: 'succeeded',
    requiresAction: 'requiresAction',
    pending: 'pending',
    declined: 'declined',
    notAttempted: 'requiresAction',
    unknown: 'requiresAction',
    absentProven: 'absent',
    closed: 'closed',
    flagForReview: 'requiresAction',
    resolvedAsTaken: 'succeeded',
    resolvedAsNotTaken: 'absent',
  },
  pending: {
    succeeded: 'succeeded',
    requiresAction: 'pending', // a message overtaken on the way
    pending: 'pending',
    declined: 'declined',
    notAttempted: 'pending',
    unknown: 'pending',
    absentProven: 'needsReview', // the gateway had it and now denies it: a person must look
    closed: 'closed',
    flagForReview: 'needsReview',
    resolvedAsTaken: 'pending',
    resolvedAsNotTaken: 'pending',
  },
  unknown: {
    succeeded: 'succeeded',
    requiresAction: 'requiresAction',
    pending: 'pending',
    declined: 'declined',
    notAttempted: 'notAttempted',
    unknown: 'unknown',
    absentProven: 'absent',
    closed: 'closed',
    flagForReview: 'needsReview',
    resolvedAsTaken: 'succeeded',
    resolvedAsNotTaken: 'absent',
  },
  needsReview: {
    succeeded: 'succeeded',
    requiresAction: 'needsReview',
    pending: 'needsReview',
    declined: 'declined',
    notAttempted: 'notAttempted',
    unknown: 'needsReview',
    absentProven: 'absent',
    closed: 'closed',
    flagForReview: 'needsReview',
    resolvedAsTaken: 'succeeded',
    resolvedAsNotTaken: 'absent',
  },
  succeeded: final('succeeded'),
  declined: final('declined'),
  notAttempted: final('notAttempted'),
  absent: final('absent'),
  closed: final('closed'),
};

/** Whether the attempt still holds its claim on the invoices. */
export const isOpen = (state: AttemptState): state is OpenAttemptState =>
  (openStates as readonly AttemptState[]).includes(state);

/** The state after an event; the same state when the event changes nothing. */
export const nextAttemptState = (state: AttemptState, event: AttemptEvent): AttemptState =>
  transitions[state][event];

/** The answer of paying calls (specification, decisions 3). */
export interface PublicStatus {
  readonly status: 'succeeded' | 'requires_action' | 'processing' | 'failed';
  /** Only with `processing`: being confirmed, or a bank debit on its way. */
  readonly expected?: 'seconds' | 'days';
}

/**
 * What a payer is told. `failed` only where certainly nothing was taken.
 * @param settles how the chosen kind of method settles at this gateway; a bank debit settles later
 */
export function publicStatusOf(state: AttemptState, settles: 'atOnce' | 'later'): PublicStatus {
  switch (state) {
    case 'succeeded':
      return { status: 'succeeded' };
    case 'requiresAction':
      return { status: 'requires_action' };
    case 'pending':
      return { status: 'processing', expected: settles === 'later' ? 'days' : 'seconds' };
    case 'sending':
    case 'unknown':
    case 'needsReview':
      return { status: 'processing', expected: 'seconds' };
    case 'declined':
    case 'notAttempted':
    case 'absent':
    case 'closed':
      return { status: 'failed' };
  }
}
