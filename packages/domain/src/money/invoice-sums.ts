import { currencyExponent } from './currency.ts';
import { divideRounded, magnitude, powerOfTen } from './integer.ts';
import type { Money } from './money.ts';
import { addMoney, money, subtractMoney, sumMoney, zero } from './money.ts';
import type { Rate } from './rate.ts';
import { RATE_DECIMALS, rateToMillionths } from './rate.ts';

/** Two figures of an invoice that should agree and do not. */
export interface Discrepancy {
  readonly name:
    | 'linesVsSubtotal'
    | 'subtotalPlusTaxVsTotal'
    | 'totalVsPayable'
    | 'lineAmount'
    | 'baseQuantity';
  /** What the other figures give. */
  readonly expected: Money;
  /** What the invoice says. */
  readonly stated: Money;
  /** stated − expected */
  readonly difference: Money;
}

const compare = (name: Discrepancy['name'], expected: Money, stated: Money): Discrepancy[] => {
  const difference = subtractMoney(stated, expected);
  return difference.minor === 0n ? [] : [{ name, expected, stated, difference }];
};

/**
 * Checks the totals of an invoice: lines against subtotal, subtotal + tax against total, and
 * total + rounding − prepaid against payable. All amounts in one currency.
 * @returns what does not agree, in that order; empty when all does
 * @throws {CurrencyMismatch}
 */
export function checkInvoiceSums(invoice: {
  /** Tax-exclusive amounts of the lines. */
  readonly lineTotals: readonly Money[];
  /** Allowances on the whole document, positive. */
  readonly allowances?: Money | undefined;
  /** Charges on the whole document, positive. */
  readonly charges?: Money | undefined;
  readonly subtotal: Money;
  readonly tax: Money;
  readonly total: Money;
  readonly rounding: Money;
  readonly prepaid: Money;
  readonly payable: Money;
}): Discrepancy[] {
  const { subtotal, tax, total, rounding, prepaid, payable } = invoice;
  const { currency } = subtotal;
  const none = zero(currency);
  const lines = addMoney(
    subtractMoney(sumMoney(invoice.lineTotals, currency), invoice.allowances ?? none),
    invoice.charges ?? none,
  );
  return [
    ...compare('linesVsSubtotal', lines, subtotal),
    ...compare('subtotalPlusTaxVsTotal', addMoney(subtotal, tax), total),
    ...compare('totalVsPayable', subtractMoney(addMoney(total, rounding), prepaid), payable),
  ];
}

/**
 * Checks one line: quantity × price ÷ base quantity, rounded once half away from zero, − allowances + charges.
 * @param line.toleranceMinor difference that is still accepted, minor units (default 0); rounded prices of some
 *   suppliers need 1 or 2
 * @returns null when the line adds up; 'baseQuantity' when the base quantity is not above 0
 * @throws {CurrencyMismatch}
 */
export function checkLine(line: {
  readonly quantity: Rate;
  readonly price: Rate;
  /** Number of units the price is for, usually 1. */
  readonly baseQuantity: Rate;
  readonly allowances: Money;
  readonly charges: Money;
  readonly amount: Money;
  readonly toleranceMinor?: bigint | undefined;
}): Discrepancy | null {
  const { amount, allowances, charges } = line;
  const base = rateToMillionths(line.baseQuantity);
  if (base <= 0n) {
    return { name: 'baseQuantity', expected: zero(amount.currency), stated: amount, difference: amount };
  }
  const product = rateToMillionths(line.quantity) * rateToMillionths(line.price);
  const toMinor = powerOfTen(currencyExponent(amount.currency));
  const gross = money(divideRounded(product * toMinor, base * powerOfTen(RATE_DECIMALS)), amount.currency);
  const expected = addMoney(subtractMoney(gross, allowances), charges);
  const [found] = compare('lineAmount', expected, amount);
  if (found === undefined) return null;
  return magnitude(found.difference.minor) <= (line.toleranceMinor ?? 0n) ? null : found;
}
