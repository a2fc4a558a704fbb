import { InvalidValue } from '../result.ts';
import { currencyExponent, parseCurrency } from './currency.ts';
import { divideRounded, formatScaled, magnitude, parseDecimal, powerOfTen, scaleDecimal } from './integer.ts';
import type { Money } from './money.ts';
import { formatDecimal, money } from './money.ts';

declare const rate: unique symbol;
/**
 * A usage price or quantity: a decimal with up to 6 decimals in canonical form (no plus, no leading or trailing
 * zeros, never '-0'), so that equal rates are equal strings. Stored as numeric(18,6).
 */
export type Rate = string & { readonly [rate]: true };

/** Decimals a rate can carry. */
export const RATE_DECIMALS = 6;

const canonical = (scaled: bigint): Rate => {
  const text = formatScaled(scaled, RATE_DECIMALS);
  return text.replace(/\.?0+$/, '') as Rate;
};

/** A rate as an integer number of millionths; exact. */
export function rateToMillionths(r: Rate): bigint {
  const parts = parseDecimal(r);
  if (parts === null) throw new InvalidValue('rate', r, 'not a plain decimal number');
  return scaleDecimal(parts, RATE_DECIMALS);
}

/** The rate of an integer number of millionths; exact. */
export const rateFromMillionths = (millionths: bigint): Rate => canonical(millionths);

/** Nothing. */
export const zeroRate: Rate = canonical(0n);

/**
 * Reads a plain decimal.
 * @param excess what happens to a seventh decimal that is not zero: refused (default), or rounded half away
 *   from zero, for imports whose source gives more digits than we keep
 * @throws {InvalidValue} kind 'rate'
 */
export function parseRate(text: string, excess: 'refuse' | 'round' = 'refuse'): Rate {
  const parts = parseDecimal(text);
  if (parts === null) throw new InvalidValue('rate', text, 'not a plain decimal number');
  if (excess === 'refuse' && parts.fraction.length > RATE_DECIMALS) {
    throw new InvalidValue('rate', text, `more than ${RATE_DECIMALS} decimals`);
  }
  return canonical(scaleDecimal(parts, RATE_DECIMALS));
}

/**
 * Whether a rate fits the column of a single price or quantity, numeric(18,6). To be asked of what comes from
 * outside; sums may be larger.
 */
export const isStorableRate = (r: Rate): boolean => magnitude(rateToMillionths(r)) < 10n ** 18n;

/** Exact sum of two rates. */
export const addRate = (a: Rate, b: Rate): Rate => canonical(rateToMillionths(a) + rateToMillionths(b));

/** `a` minus `b`, exact. */
export const subtractRate = (a: Rate, b: Rate): Rate => canonical(rateToMillionths(a) - rateToMillionths(b));

/** Exact sum of a list; an empty list is zero. */
export function sumRates(list: Iterable<Rate>): Rate {
  let sum = 0n;
  for (const r of list) sum += rateToMillionths(r);
  return canonical(sum);
}

/** The product: exact to 12 decimals, then rounded once, half away from zero, to 6. */
export const multiplyRates = (a: Rate, b: Rate): Rate =>
  canonical(divideRounded(rateToMillionths(a) * rateToMillionths(b), powerOfTen(RATE_DECIMALS)));

/**
 * The rate for a screen, rounded half away from zero.
 * @param decimals 0 to 6; the text always has that many ('1.5' at 4 is '1.5000')
 * @throws {RangeError} for other numbers of decimals
 */
export function roundRate(r: Rate, decimals: number): string {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > RATE_DECIMALS) {
    throw new RangeError(`Decimals must be a whole number from 0 to ${RATE_DECIMALS}`);
  }
  return formatScaled(divideRounded(rateToMillionths(r), powerOfTen(RATE_DECIMALS - decimals)), decimals);
}

/**
 * The one place where a usage price becomes money: rounded half away from zero to the minor unit.
 * @param currency ISO 4217 code
 * @throws {InvalidValue} for an unknown currency
 */
export function rateToMoney(r: Rate, currency: string): Money {
  const exponent = currencyExponent(parseCurrency(currency));
  return money(divideRounded(rateToMillionths(r), powerOfTen(RATE_DECIMALS - exponent)), currency);
}

/** An amount of money in major units as a rate; exact, because no currency has more than 3 decimals. */
export const moneyToRate = (m: Money): Rate => parseRate(formatDecimal(m));

/** -1, 0 or 1 as `a` is smaller than, equal to or larger than `b`. */
export function compareRates(a: Rate, b: Rate): -1 | 0 | 1 {
  if (a === b) return 0;
  return rateToMillionths(a) < rateToMillionths(b) ? -1 : 1;
}

/** The rate for JSON; exact up to 15 digits, the nearest number beyond. Never to be calculated with. */
export const rateToNumber = (r: Rate): number => Number(r);

/** The same of a numeric(18,6) as the database writes it, e.g. '1.500000'; for lists, where parsing each would cost. */
export const storedRateToNumber = (text: string): number => Number(text);
