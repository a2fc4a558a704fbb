import type { PayEvent } from './pay-state.ts';

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
 * What an intent of that status means for the payment. An attempt that is open says more than the status: a step of
 * the payer leaves the session loaded.
 */
export const eventOfBulkStatus: Readonly<Record<BulkStatus, PayEvent>> = {
  [BulkStatus.IDLE]: 'invalidIntent',
  [BulkStatus.REQUESTED]: 'invoicePayable',
  [BulkStatus.LOADED]: 'invoicePayable',
  [BulkStatus.PAID]: 'succeeded',
  [BulkStatus.FAILED]: 'failed',
  [BulkStatus.BEING_CONFIRMED]: 'beingConfirmed',
};
