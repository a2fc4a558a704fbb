import { divideRounded, powerOfTen } from '@counterfoil/domain/money/integer.ts';
import { type CurrencyCode, currencyExponent } from '@counterfoil/domain/money/money.ts';
import { parseRate, RATE_DECIMALS, rateToMillionths } from '@counterfoil/domain/money/rate.ts';
import type { ELine } from './model.ts';

const millionths = (decimal: string): bigint => rateToMillionths(parseRate(decimal));

/** Quantity × price ÷ base quantity in minor units, rounded half away from zero; 0 where the base is not above zero. */
export function lineTotal(
  { quantity, price, baseQuantity }: Pick<ELine, 'quantity' | 'price' | 'baseQuantity'>,
  currency: CurrencyCode,
): bigint {
  return totalIn({ quantity, price, baseQuantity }, currencyExponent(currency));
}

/** The same with so many decimals, whatever the currency has. */
export function totalIn(
  { quantity, price, baseQuantity }: Pick<ELine, 'quantity' | 'price' | 'baseQuantity'>,
  decimals: number,
): bigint {
  const base = millionths(baseQuantity);
  if (base <= 0n) return 0n;
  const product = millionths(quantity) * millionths(price) * powerOfTen(decimals);
  return divideRounded(product, base * powerOfTen(RATE_DECIMALS));
}

/** So many percent of an amount in minor units, rounded half away from zero. */
export const percentOf = (amountMinor: bigint, percent: string): bigint =>
  divideRounded(amountMinor * millionths(percent), 100n * powerOfTen(RATE_DECIMALS));
