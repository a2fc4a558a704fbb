import { divideRounded } from '../money/integer.ts';

/** The money of a payment that refunds are taken from; minor units of one currency. */
export interface RefundedPayment {
  /** What was taken, the fee included. */
  readonly captured: bigint;
  /** The fee in it. */
  readonly fee: bigint;
  /** What is left of the fee, and of all else, after what went back before. */
  readonly feeLeft: bigint;
  readonly restLeft: bigint;
}

/**
 * What of a refund is fee, minor units: in proportion to the payment's, rounded half up; the last refund takes what is
 * left (decisions §11, as the rules of card schemes have it).
 * @param told what was said to be fee when the refund was ordered, where that is known
 */
export function feeOfRefund(amount: bigint, payment: RefundedPayment, told?: bigint): bigint {
  const { captured, fee, feeLeft, restLeft } = payment;
  if (feeLeft <= 0n || captured <= 0n) return 0n;
  const proportion = told ?? divideRounded(amount * fee, captured);
  // Of all else no more than is left of it.
  const least = amount > restLeft ? amount - restLeft : 0n;
  const wanted = proportion > least ? proportion : least;
  return wanted < feeLeft ? wanted : feeLeft;
}
