import { capitalised } from '../text/capitalised.ts';

/** What a method shows of itself, under the port's names (`Method.show`). */
export type Shown = Readonly<Record<string, string>>;

const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  eftpos_au: 'eftpos',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** A method as a person knows it: 'Visa ending 4242', 'STRIPE TEST BANK ending 6789'; null where nothing is known. */
export function methodText(shown: Shown): string | null {
  const { brand, bankName, last4 } = shown;
  const name = bankName ?? (brand === undefined ? undefined : (BRANDS[brand] ?? capitalised(brand)));
  if (last4 === undefined) return name ?? null;
  return `${name ?? (shown['type'] === 'card' ? 'Card' : 'Bank account')} ending ${last4}`;
}
