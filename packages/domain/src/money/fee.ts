import { downToStep, isInSteps } from '../paying/step.ts';
import type { Money } from './money.ts';
import { addMoney, isPositive, money, multiplyBasisPoints, zero } from './money.ts';

/** What a brand charges for one kind of payment method, in the currency of what is paid. */
export interface FeeRule {
  /** Share of the amount due, 100 = 1 %. */
  readonly basisPoints: number;
  /** Added once per payment, minor units. */
  readonly fixedMinor: bigint;
  /** The fee is never above this, minor units; null: no limit. */
  readonly capMinor: bigint | null;
}

/** The same as it travels: JSON has no whole numbers without end. */
export interface FeeRuleJson {
  readonly basisPoints: number;
  readonly fixedMinor: number;
  readonly capMinor: number | null;
}

export const feeRuleOf = ({ basisPoints, fixedMinor, capMinor }: FeeRuleJson): FeeRule => ({
  basisPoints,
  fixedMinor: BigInt(fixedMinor),
  capMinor: capMinor === null ? null : BigInt(capMinor),
});

/** No fee at all. */
export const noFee: FeeRule = { basisPoints: 0, fixedMinor: 0n, capMinor: null };

/**
 * The fee of one payment (specification, decisions 6 'Fee lines'): share of the amount due plus the fixed part,
 * limited by the cap, taken once per payment and never part of the amount due.
 * @param due what is paid without the fee; nothing or less costs nothing
 * @param step what is charged is a whole number of these, so the fee is one too; undefined: the minor unit
 * @returns fee in the same currency, rounded half away from zero to the minor unit or the step, never below 0 nor above
 *   the cap
 * @throws {RangeError} when the rule's basis points are no whole number
 */
export function feeFor(due: Money, rule: FeeRule, step?: Money): Money {
  if (!isPositive(due)) return zero(due.currency);
  const full = addMoney(multiplyBasisPoints(due, rule.basisPoints), money(rule.fixedMinor, due.currency));
  const capped = rule.capMinor !== null && full.minor > rule.capMinor ? rule.capMinor : full.minor;
  const fee = money(capped < 0n ? 0n : capped, due.currency);
  if (step === undefined || isInSteps(fee, step)) return fee;
  const near = downToStep(money(fee.minor + step.minor / 2n, due.currency), step);
  return rule.capMinor !== null && near.minor > rule.capMinor ? downToStep(fee, step) : near;
}
