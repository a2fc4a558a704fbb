import {
  compareMoney,
  currencyExponent,
  isPositive,
  type Money,
  money,
  parseMoney,
  subtractMoney,
} from '../money/money.ts';
import { InvalidValue } from '../result.ts';
import { isInSteps, upToStep } from './step.ts';

/** What a payer may choose to pay of one invoice, without fee. */
export interface PartRange {
  readonly least: Money;
  readonly most: Money;
  /** The least that may be left to pay, unless nothing is; undefined: any amount. */
  readonly leastRest?: Money | undefined;
  /** What is paid is a whole number of these; undefined: any amount. What is due need be none. */
  readonly step?: Money | undefined;
}

/**
 * From one unit of the currency (less costs more to charge than it brings in) up to what is due. Where less than a
 * unit is due, that and nothing else.
 * @param leastCharge less than this cannot be charged, now or for what is left; undefined: not known
 * @param step only whole numbers of it can be charged; undefined: any amount
 * @returns null where nothing is due
 */
export function partRange(due: Money, leastCharge?: Money, step?: Money): PartRange | null {
  if (!isPositive(due)) return null;
  const unit = money(10n ** BigInt(currencyExponent(due.currency)), due.currency);
  const least = leastCharge !== undefined && compareMoney(leastCharge, unit) > 0 ? leastCharge : unit;
  const from = upToStep(least, step);
  return { least: compareMoney(from, due) > 0 ? due : from, most: due, leastRest: leastCharge, step };
}

/** Whether there is anything to choose but all of it. */
export function isChoice({ least, most, leastRest }: PartRange): boolean {
  const upTo = leastRest === undefined ? most : subtractMoney(most, leastRest);
  return compareMoney(least, most) < 0 && compareMoney(least, upTo) <= 0;
}

/**
 * Reads an amount to pay.
 * @param decimal plain, with no more decimals than the currency has
 * @returns why it cannot be paid where it cannot: no amount of the currency or less than the least; more than is due; no
 * whole number of steps; what it leaves could not be paid
 */
export function readPart(
  decimal: string,
  { least, most, leastRest, step }: PartRange,
): Money | 'tooLittle' | 'tooMuch' | 'amountNotRepresentable' | 'leavesTooLittle' {
  let amount: Money;
  try {
    amount = parseMoney(decimal, most.currency);
  } catch (error) {
    if (error instanceof InvalidValue) return 'tooLittle';
    throw error;
  }
  if (compareMoney(amount, least) < 0) return 'tooLittle';
  if (compareMoney(amount, most) > 0) return 'tooMuch';
  const rest = subtractMoney(most, amount);
  // All that is due is no choice of the payer's: whoever charges it says what is wrong with it.
  if (isPositive(rest) && !isInSteps(amount, step)) return 'amountNotRepresentable';
  const isLeft = leastRest !== undefined && isPositive(rest) && compareMoney(rest, leastRest) < 0;
  return isLeft ? 'leavesTooLittle' : amount;
}
