/** Amounts as Stripe writes them: integers in its own smallest unit, which is not always the currency's. Pure. */
import { currencyExponent, isCurrencyCode, type Money, money } from '@counterfoil/domain/money.ts';

/**
 * Decimals Stripe uses where they differ from ISO 4217: MGA is sent whole; ISK and UGX have no decimals but are
 * sent with two zeros. https://docs.stripe.com/currencies#special-cases
 */
const stripeDecimals: Readonly<Record<string, number>> = { MGA: 0, ISK: 2, UGX: 2 };

/** Three-decimal currencies are charged to the second decimal: the last digit must be 0. */
const lastDigitZero = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

const decimalsOf = (currency: string): number => stripeDecimals[currency] ?? currencyExponent(currency);

export type WireAmount =
  | { readonly is: 'amount'; readonly value: number }
  | { readonly is: 'refused'; readonly why: string };

/** `amount` in Stripe's smallest unit, or why it cannot be said there. */
export function toWireAmount(amount: Money): WireAmount {
  const { minor, currency } = amount;
  if (minor <= 0n) return { is: 'refused', why: 'the amount is not above zero' };
  const shift = decimalsOf(currency) - currencyExponent(currency);
  const divisor = 10n ** BigInt(Math.max(-shift, 0));
  if (minor % divisor !== 0n) return { is: 'refused', why: `${currency} is charged without decimals` };
  if (lastDigitZero.has(currency) && minor % 10n !== 0n) {
    return { is: 'refused', why: `the last digit of ${currency} must be 0` };
  }
  const value = (minor / divisor) * 10n ** BigInt(Math.max(shift, 0));
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) return { is: 'refused', why: 'the amount is too large' };
  return { is: 'amount', value: Number(value) };
}

/** Stripe's integer as money; undefined for an unknown currency, an unsafe integer or a fraction of our unit. */
export function fromWireAmount(value: number, wireCurrency: string): Money | undefined {
  const currency = wireCurrency.toUpperCase();
  if (!isCurrencyCode(currency) || !Number.isSafeInteger(value)) return undefined;
  const shift = decimalsOf(currency) - currencyExponent(currency);
  const divisor = 10n ** BigInt(Math.max(shift, 0));
  if (BigInt(value) % divisor !== 0n) return undefined;
  return money((BigInt(value) / divisor) * 10n ** BigInt(Math.max(-shift, 0)), currency);
}
