/** Amounts as Stripe writes them: integers in its own smallest unit, which is not always the currency's. Pure. */
import { currencyExponent, isCurrencyCode, type Money, money } from '@counterfoil/domain/money.ts';

/**
 * Decimals Stripe uses where they differ from ISO 4217: MGA is sent whole; ISK and UGX have no decimals but are
 * sent with two zeros. https://docs.stripe.com/currencies#special-cases
 */
const stripeDecimals: Readonly<Record<string, number>> = { MGA: 0, ISK: 2, UGX: 2 };

/**
 * Only whole numbers of these are charged, in our minor units: the last digit of three-decimal currencies must be 0,
 * and ariary have no decimals there.
 */
export const chargeSteps: Readonly<Record<string, number>> = {
  BHD: 10,
  JOD: 10,
  KWD: 10,
  OMR: 10,
  TND: 10,
  MGA: 100,
};

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
  const step = chargeSteps[currency];
  if (step !== undefined && minor % BigInt(step) !== 0n)
    return { is: 'refused', why: `${currency} is charged in steps of ${step} minor units` };
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
