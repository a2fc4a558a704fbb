import { InvalidValue } from '../result.ts';
import type { CurrencyCode } from './currency.ts';
import { currencyExponent, parseCurrency } from './currency.ts';
import { divideRounded, formatScaled, magnitude, parseDecimal, scaleDecimal } from './integer.ts';

export type { CurrencyCode } from './currency.ts';
export { currencyExponent, isCurrencyCode, parseCurrency } from './currency.ts';

declare const minorUnits: unique symbol;
/** An amount in the smallest unit of its currency (cents, yen, fils). */
export type MinorUnits = bigint & { readonly [minorUnits]: true };

/** An exact amount of one currency. */
export interface Money {
  readonly minor: MinorUnits;
  readonly currency: CurrencyCode;
}

/** Thrown when amounts of different currencies meet: always a fault of the caller, never of a user. */
export class CurrencyMismatch extends Error {
  override readonly name = 'CurrencyMismatch';
  readonly left: string;
  readonly right: string;

  constructor(left: string, right: string) {
    super(`Amounts in ${left} and ${right} cannot be combined`);
    this.left = left;
    this.right = right;
  }
}

const of = (minor: bigint, currency: CurrencyCode): Money => ({ minor: minor as MinorUnits, currency });

function requireSame(a: Money, b: Money): void {
  if (a.currency !== b.currency) throw new CurrencyMismatch(a.currency, b.currency);
}

/**
 * An amount from minor units.
 * @param currency ISO 4217 code
 * @throws {InvalidValue} for an unknown currency
 */
export const money = (minor: bigint, currency: string): Money => of(minor, parseCurrency(currency));

/** Nothing, in that currency. */
export const zero = (currency: string): Money => money(0n, currency);

/**
 * Reads a plain decimal such as '12.34' or '-0.5'.
 * @throws {InvalidValue} kind 'money' when it is not a plain decimal or has more decimals than the currency
 *   (further zeros are accepted: '12.3400') or more than 64 bits, kind 'currency' for an unknown currency
 */
export function parseMoney(decimal: string, currency: string): Money {
  const code = parseCurrency(currency);
  const exponent = currencyExponent(code);
  const parts = parseDecimal(decimal);
  if (parts === null) throw new InvalidValue('money', decimal, 'not a plain decimal number');
  if (parts.fraction.length > exponent) {
    throw new InvalidValue('money', decimal, `more than ${exponent} decimals for ${code}`);
  }
  const minor = scaleDecimal(parts, exponent);
  if (magnitude(minor) > largestStored) throw new InvalidValue('money', decimal, 'too large');
  return of(minor, code);
}

/** Amounts are stored as 64-bit integers. */
const largestStored = 2n ** 63n - 1n;

/** The amount with all decimals of its currency and without symbol: '12.34', '-0.05', '12' for JPY. */
export const formatDecimal = (m: Money): string => formatScaled(m.minor, currencyExponent(m.currency));

/** Below this many minor units a decimal survives the way through a JSON number unchanged (15 digits). */
const exactInJson = 10n ** 15n;

/** Whether {@link moneyToNumber} gives exactly this amount: less than 10^15 minor units. */
export const isExactAsNumber = (m: Money): boolean => magnitude(m.minor) < exactInJson;

/**
 * The amount in major units for JSON, where the contract asks for a number: to be shown, never to be reckoned with. Sums
 * from 10^15 minor units on are the nearest number there is, which may be off in the last digits.
 */
export const moneyToNumber = (m: Money): number => Number(formatDecimal(m));

/** @throws {CurrencyMismatch} */
export function addMoney(a: Money, b: Money): Money {
  requireSame(a, b);
  return of(a.minor + b.minor, a.currency);
}

/** `a` minus `b`. @throws {CurrencyMismatch} */
export function subtractMoney(a: Money, b: Money): Money {
  requireSame(a, b);
  return of(a.minor - b.minor, a.currency);
}

/**
 * The sum of a list; an empty list is zero, which is why the currency is asked for.
 * @throws {CurrencyMismatch} when a member has another currency
 */
export const sumMoney = (list: Iterable<Money>, currency: string): Money => {
  let sum = zero(currency);
  for (const m of list) sum = addMoney(sum, m);
  return sum;
};

/** The same amount with the other sign. */
export const negateMoney = (m: Money): Money => of(-m.minor, m.currency);

/** -1, 0 or 1 as `a` is smaller than, equal to or larger than `b`. @throws {CurrencyMismatch} */
export function compareMoney(a: Money, b: Money): -1 | 0 | 1 {
  requireSame(a, b);
  if (a.minor === b.minor) return 0;
  return a.minor < b.minor ? -1 : 1;
}

/** Whether the amount is exactly nothing. */
export const isZero = (m: Money): boolean => m.minor === 0n;
/** Whether the amount is above nothing. */
export const isPositive = (m: Money): boolean => m.minor > 0n;
/** Whether the amount is below nothing. */
export const isNegative = (m: Money): boolean => m.minor < 0n;

/**
 * A share of an amount, rounded half away from zero to the minor unit.
 * @param basisPoints whole number, 100 = 1 %
 * @throws {RangeError} when the basis points are no safe integer
 */
export function multiplyBasisPoints(m: Money, basisPoints: number): Money {
  if (!Number.isSafeInteger(basisPoints)) throw new RangeError('Basis points must be a whole number');
  return of(divideRounded(m.minor * BigInt(basisPoints), 10_000n), m.currency);
}
