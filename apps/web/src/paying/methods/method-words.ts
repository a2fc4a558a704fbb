import type { SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { t } from './messages.ts';

/** Card networks by what gateways call them, in small letters without spaces; the mark stands in the small box. */
const networks: Readonly<Record<string, readonly [name: string, mark: string]>> = {
  visa: ['Visa', 'VISA'],
  mastercard: ['Mastercard', 'MC'],
  amex: ['American Express', 'AMEX'],
  americanexpress: ['American Express', 'AMEX'],
  discover: ['Discover', 'DISC'],
  diners: ['Diners Club', 'DC'],
  dinersclub: ['Diners Club', 'DC'],
  jcb: ['JCB', 'JCB'],
  unionpay: ['UnionPay', 'UP'],
  eftposau: ['eftpos', 'EFT'],
  maestro: ['Maestro', 'MAES'],
};

const networkOf = (brand: string | null) => networks[(brand ?? '').toLowerCase().replace(/[\s_-]/g, '')];

/** 'American Express'; a network nobody knows stands as the gateway gives it. */
export const networkName = (brand: string | null): string =>
  networkOf(brand)?.[0] ?? (brand ? brand.charAt(0).toUpperCase() + brand.slice(1) : t('method.card'));

/** 'AMEX' for the small box; undefined for an unknown network. */
export const networkMark = (brand: string | null): string | undefined => networkOf(brand)?.[1];

/** Members of the specification's direct-debit sources that name the bank (payments §3), and what people call them. */
const routingMembers = {
  bsbNumber: 'routing.bsb',
  bsb: 'routing.bsb',
  sort_code: 'routing.sortCode',
  bank_code: 'routing.bankCode',
  routing_number: 'routing.number',
  routingNumber: 'routing.number',
} as const;

/** 'BSB 062-000', 'Sort code 10-88-00'; undefined where the gateway does not tell it. */
export function routingText(source: SavedSource): string | undefined {
  for (const part of Object.values(source)) {
    if (typeof part !== 'object' || part === null) continue;
    for (const [member, word] of Object.entries(routingMembers)) {
      const value: unknown = (part as Readonly<Record<string, unknown>>)[member];
      if (typeof value === 'string' && value !== '') return `${t(word)} ${grouped(word, value)}`;
    }
  }
  return undefined;
}

/** As it is printed: '062-000', '10-88-00'. */
function grouped(word: (typeof routingMembers)[keyof typeof routingMembers], value: string): string {
  if (!/^\d{6}$/.test(value)) return value;
  if (word === 'routing.bsb') return `${value.slice(0, 3)}-${value.slice(3)}`;
  if (word === 'routing.sortCode') return `${value.slice(0, 2)}-${value.slice(2, 4)}-${value.slice(4)}`;
  return value;
}

/** 'Visa ending 4242', 'BSB 062-000, account ending 3456': digits as the gateway gives them (decisions §6). */
export function methodTitle(source: SavedSource): string {
  const last4 = source.last4 ?? '';
  if (source.kind === 'card') {
    const brand = networkName(source.brand);
    return last4 === '' ? brand : t('method.ending', { brand, last4 });
  }
  const routing = routingText(source) ?? source.brand ?? undefined;
  if (last4 === '') return routing ?? t('method.account');
  return routing === undefined
    ? t('method.ending', { brand: t('method.account'), last4 })
    : t('method.bank', { routing, last4 });
}

/** In a sentence: 'Visa ending 4242', 'account ending 3456'. */
export const methodName = (source: SavedSource): string =>
  source.kind === 'bank' && source.last4 !== null
    ? t('method.bankShort', { last4: source.last4 })
    : methodTitle(source);

const fullYear = (year: number): number => (year < 100 ? 2000 + year : year);

/** Whether a card is valid until the end of this month or the next only. */
export function expiresSoon(
  { expMonth, expYear, isExpired }: Pick<SavedSource, 'expMonth' | 'expYear' | 'isExpired'>,
  now: Date,
): boolean {
  if (isExpired || expMonth === null || expYear === null) return false;
  return fullYear(expYear) * 12 + expMonth - (now.getUTCFullYear() * 12 + now.getUTCMonth() + 1) <= 1;
}

/** '08 / 2028'; undefined for what does not expire. A year of two digits is of this century (payments §3). */
export function expiryText({
  expMonth,
  expYear,
}: Pick<SavedSource, 'expMonth' | 'expYear'>): string | undefined {
  if (expMonth === null || expYear === null) return undefined;
  return `${String(expMonth).padStart(2, '0')} / ${fullYear(expYear)}`;
}
