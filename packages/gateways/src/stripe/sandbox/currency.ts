/** Currencies and the amounts a payment may have. https://docs.stripe.com/currencies */
import { invalid, StripeFault } from './errors.ts';

const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));
const threeDecimals = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);
const wholeHundreds = new Set(['ugx', 'isk']);
const zeroDecimals = new Set([
  'bif',
  'clp',
  'djf',
  'gnf',
  'jpy',
  'kmf',
  'krw',
  'mga',
  'pyg',
  'rwf',
  'vnd',
  'vuv',
  'xaf',
  'xof',
  'xpf',
]);

/** Least amounts in minor units; others follow the 50 minor units of most currencies. */
const least: Readonly<Record<string, number>> = {
  gbp: 30,
  aed: 200,
  czk: 1500,
  dkk: 250,
  hkd: 400,
  huf: 17_500,
  mxn: 1000,
  myr: 200,
  nok: 300,
  pln: 200,
  ron: 200,
  sek: 300,
  thb: 1000,
};
const most = 99_999_999;

/** @throws {StripeFault} 400 on a currency that is none */
export function readCurrency(currency: string): string {
  const lower = currency.toLowerCase();
  if (!currencies.has(lower)) {
    throw invalid(
      `Invalid currency: ${lower}. Stripe currently supports many currencies, see https://stripe.com/docs/currencies`,
      'currency',
    );
  }
  return lower;
}

/** @throws {StripeFault} 400 amount_too_small, amount_too_large, or an amount the currency cannot have */
export function checkAmount(amount: number, currency: string): void {
  if (amount < 1)
    throw invalid('This value must be greater than or equal to 1.', 'amount', 'parameter_invalid_integer');
  const minimum = least[currency] ?? 50;
  if (amount < minimum) {
    throw invalid(`Amount must be at least ${display(minimum, currency)}`, 'amount', 'amount_too_small');
  }
  if (amount > most) {
    throw invalid(`Amount must be no more than ${display(most, currency)}`, 'amount', 'amount_too_large');
  }
  checkStep(amount, currency);
}

/** @throws {StripeFault} 400 on an amount of more decimals than are charged, or refunded */
export function checkStep(amount: number, currency: string): void {
  if (
    (threeDecimals.has(currency) && amount % 10 !== 0) ||
    (wholeHundreds.has(currency) && amount % 100 !== 0)
  ) {
    throw new StripeFault(
      400,
      'invalid_request_error',
      `Invalid amount for ${currency}: it cannot be divided that finely.`,
      {
        param: 'amount',
      },
    );
  }
}

function display(amount: number, currency: string): string {
  const decimals = zeroDecimals.has(currency) ? 0 : threeDecimals.has(currency) ? 3 : 2;
  const digits = String(amount).padStart(decimals + 1, '0');
  const shown = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return `${shown} ${currency}`;
}
