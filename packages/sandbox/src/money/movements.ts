/**
 * Money that moves: taken, refunded, charged back, won again. Each movement is one entry of `GET
 * /_sandbox/charges`; what is refunded never exceeds what was taken.
 */
import type { Capture } from '../captures.ts';
import { faultOf, type Turn } from '../turn.ts';

type Taken = Omit<Capture, 'operation' | 'refundedMinor' | 'state' | 'at'>;

const at = (turn: Turn) => new Date(turn.host.clock.now()).toISOString();

/** What faults have ordered for a payment's later life; times in milliseconds, minor units to capture. */
export interface ChargePlan {
  readonly captures?: number;
  readonly selfVoidMs?: number;
  readonly lateFailureMs?: number;
  readonly resubmitMs?: number;
}

/** Adds what this work's faults order to what was ordered before. */
export function planOf(turn: Turn, known: ChargePlan, amount: number): ChargePlan {
  const partial = faultOf(turn, 'partial');
  const selfVoid = faultOf(turn, 'self-void');
  const lateFailure = faultOf(turn, 'late-failure');
  const resubmit = faultOf(turn, 'resubmit');
  const half = (resubmit?.ms ?? 4000) / 2;
  return {
    ...known,
    ...(partial && { captures: Math.min(partial.minor ?? Math.floor(amount / 2), amount) }),
    ...(selfVoid && { selfVoidMs: selfVoid.ms ?? 2000 }),
    ...(lateFailure && { lateFailureMs: lateFailure.ms ?? 2000 }),
    ...(resubmit && { lateFailureMs: half, resubmitMs: half }),
  };
}

/** What the sandbox of a gateway does by itself later. */
export type FollowUp =
  | { readonly task: 'self-void'; readonly afterMs: number }
  | {
      readonly task: 'dispute';
      readonly afterMs: number;
      readonly reason: string;
      /** Whether there is no contest, as with debits. */
      readonly lost: boolean;
      readonly wonAfterMs?: number;
    };

/**
 * Records money taken.
 * @param about.disputed reason for which the card or account is charged back, if it is
 * @returns what comes of it later, to be scheduled
 */
export function recordCharge(
  turn: Turn,
  taken: Taken,
  about: { readonly plan: ChargePlan; readonly disputed: string | undefined },
): FollowUp[] {
  turn.host.captures.record(turn.tx, {
    ...taken,
    operation: 'charge',
    refundedMinor: 0,
    state: 'captured',
    at: at(turn),
  });
  const { selfVoidMs, lateFailureMs, resubmitMs } = about.plan;
  const later: FollowUp[] = [];
  if (about.disputed !== undefined)
    later.push({ task: 'dispute', afterMs: 1000, reason: about.disputed, lost: false });
  if (selfVoidMs !== undefined) later.push({ task: 'self-void', afterMs: selfVoidMs });
  if (lateFailureMs !== undefined) {
    later.push({
      task: 'dispute',
      afterMs: lateFailureMs,
      reason: 'insufficient_funds',
      lost: true,
      ...(resubmitMs === undefined ? {} : { wonAfterMs: resubmitMs }),
    });
  }
  return later;
}

/** What was taken by a charge and what of it was refunded, minor units. */
export interface Sums {
  readonly movement: string;
  readonly taken: number;
  readonly refunded: number;
}

/** What may still be refunded, minor units. */
export const refundable = ({ taken, refunded }: Sums): number => taken - refunded;

/**
 * Records a refund and takes it off its charge.
 * @returns what of the charge is refunded now, minor units
 * @throws {RangeError} when more than was taken would be refunded: the gateway must have refused it before
 */
export function recordRefund(turn: Turn, of: Sums, refund: Taken, isPending: boolean): number {
  if (refund.minor > refundable(of)) throw new RangeError('more would be refunded than was taken');
  const refunded = of.refunded + refund.minor;
  const { captures } = turn.host;
  captures.change(turn.tx, of.movement, {
    refundedMinor: refunded,
    state: refunded === of.taken ? 'refunded' : 'partially-refunded',
  });
  captures.record(turn.tx, {
    ...refund,
    operation: 'refund',
    refundedMinor: 0,
    state: isPending ? 'pending' : 'refunded',
    at: at(turn),
  });
  return refunded;
}

/** A refund that was under way has arrived, or has come back. @returns what of the charge is refunded now */
export function endRefund(
  turn: Turn,
  of: Sums,
  refund: { readonly movement: string; readonly minor: number },
  failed: boolean,
): number {
  const { captures } = turn.host;
  captures.change(turn.tx, refund.movement, { state: failed ? 'failed' : 'refunded' });
  if (!failed) return of.refunded;
  const refunded = of.refunded - refund.minor;
  captures.change(turn.tx, of.movement, {
    refundedMinor: refunded,
    state: refunded === 0 ? 'captured' : 'partially-refunded',
  });
  return refunded;
}

/** The gateway took the payment back by itself; the bank took it back; it came again after all. */
export function markCharge(
  turn: Turn,
  movement: string,
  state: 'voided' | 'charged-back' | 'captured',
): void {
  turn.host.captures.change(turn.tx, movement, { state });
}
