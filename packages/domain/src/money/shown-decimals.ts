import { decimalsOf } from './decimals.ts';

/**
 * How many decimals people are shown of money: `two`, as the specification says, or as many as the `currency` has (ISO
 * 4217). A brand chooses (decisions §10).
 */
export type MoneyDigits = 'two' | 'currency';

/** Both, for choice lists. */
export const moneyDigits: readonly MoneyDigits[] = ['two', 'currency'];

const SPECIFIED = 2;

/**
 * The fewest and the most decimals. With `two`, an amount of a currency of three keeps a third that is not zero: nobody is
 * asked for less than is taken.
 */
export function shownDecimals(
  currency: string,
  digits: MoneyDigits,
): { readonly least: number; readonly most: number } {
  const own = decimalsOf(currency);
  return digits === 'currency'
    ? { least: own, most: own }
    : { least: SPECIFIED, most: Math.max(SPECIFIED, own) };
}
