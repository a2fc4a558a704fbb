import type { StateTable } from './state-table.ts';

/** Bulk payment status codes: 0 to 4 as specified (payments §4), 5 is ours. */
export const BulkStatus = {
  IDLE: 0,
  REQUESTED: 1,
  LOADED: 2,
  PAID: 3,
  FAILED: 4,
  BEING_CONFIRMED: 5,
} as const;
/** One of the codes of {@link BulkStatus}. */
export type BulkStatus = (typeof BulkStatus)[keyof typeof BulkStatus];

/**
 * What can happen to a bulk payment: Pay clicked on the invoice list; the intent loaded or found invalid; the
 * page reached without a matching id; the answer of paying (an answer that asks for action sends the browser
 * away and is no event: the payment stays loaded).
 */
export const bulkEvents = [
  'request',
  'load',
  'invalidIntent',
  'arriveWithoutId',
  'succeed',
  'process',
  'fail',
] as const;
/** One of {@link bulkEvents}. */
export type BulkEvent = (typeof bulkEvents)[number];

const { IDLE, REQUESTED, LOADED, PAID, FAILED, BEING_CONFIRMED } = BulkStatus;

/** Every status under every event. */
export const transitions: StateTable<BulkStatus, BulkEvent> = {
  [IDLE]: {
    request: REQUESTED,
    load: IDLE,
    invalidIntent: IDLE,
    arriveWithoutId: IDLE,
    succeed: IDLE,
    process: IDLE,
    fail: IDLE,
  },
  // A session that was paid in another tab answers the load with its end.
  [REQUESTED]: {
    request: REQUESTED,
    load: LOADED,
    invalidIntent: IDLE,
    arriveWithoutId: IDLE,
    succeed: PAID,
    process: BEING_CONFIRMED,
    fail: FAILED,
  },
  [LOADED]: {
    request: REQUESTED,
    load: LOADED,
    invalidIntent: IDLE,
    arriveWithoutId: IDLE,
    succeed: PAID,
    process: BEING_CONFIRMED,
    fail: FAILED,
  },
  // The session is over: a late answer changes nothing, a new request starts a new one.
  [PAID]: {
    request: REQUESTED,
    load: PAID,
    invalidIntent: PAID,
    arriveWithoutId: IDLE,
    succeed: PAID,
    process: PAID,
    fail: PAID,
  },
  [FAILED]: {
    request: REQUESTED,
    load: FAILED,
    invalidIntent: FAILED,
    arriveWithoutId: IDLE,
    succeed: FAILED,
    process: FAILED,
    fail: FAILED,
  },
  // Refreshing the intent while the outcome is open must not bring the Pay button back.
  [BEING_CONFIRMED]: {
    request: REQUESTED,
    load: BEING_CONFIRMED,
    invalidIntent: BEING_CONFIRMED,
    arriveWithoutId: IDLE,
    succeed: PAID,
    process: BEING_CONFIRMED,
    fail: FAILED,
  },
};

/** The status after an event; the same status when the event does not belong to it. */
export const next = (state: BulkStatus, event: BulkEvent): BulkStatus => transitions[state][event];

/** Whether the session id is cleared: paid and failed end the session. */
export const isFinished = (state: BulkStatus): boolean => state === PAID || state === FAILED;
