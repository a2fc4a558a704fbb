import { type MoneyDigits, shownDecimals } from '@counterfoil/domain/money/shown-decimals.ts';
import { formatDay as dayText, isDay } from '@counterfoil/domain/time/day.ts';
import { readerLocale } from './catalogue.ts';

/** The brand's currency: amounts in it carry the symbol, amounts in another carry their ISO code. */
export interface BrandCurrency {
  readonly code: string;
  readonly symbol: string;
  /** How many decimals money of any currency is shown with. */
  readonly digits: MoneyDigits;
}

let brandCurrency: BrandCurrency = { code: '', symbol: '$', digits: 'two' };

/** Called when the brand is known or changes (specification, portal §1; decisions 5). */
export const setBrandCurrency = (currency: BrandCurrency): void => {
  brandCurrency = currency;
};

/** A number or an exact decimal text, as the API gives them. */
export type Amount = number | string;

export interface MoneyFormat {
  /** ISO 4217; absent: the brand's currency. */
  readonly currency?: string | undefined;
  /** 4 for usage prices; absent: as many as the brand shows. */
  readonly decimals?: 4;
}

/**
 * Money as screens show it: '$1,284.16', 'EUR 1,284.16' for another currency than the brand's, '−$89.90'.
 * The minus is the sign that documents have, too. Only formats: sums are made with domain/money, never here.
 * @param amount major units; a decimal text is shown exactly, digit for digit
 */
export function formatMoney(amount: Amount, { currency, decimals }: MoneyFormat = {}): string {
  const { least, most } = decimals === undefined ? decimalsOf(currency) : { least: decimals, most: decimals };
  const figure = numberFormat(least, most).format(exact(amount));
  const own = currency === undefined || currency === brandCurrency.code;
  const unit = own ? brandCurrency.symbol : `${currency}\u00a0`;
  const plain = figure.replace(localMinus, '');
  return plain === figure ? `${unit}${figure}` : `\u2212${unit}${plain}`;
}

/** The same as a number for programs: '-1284.16', with as many decimals as {@link formatMoney} shows. */
export function plainMoney(amount: Amount, currency?: string): string {
  const { least, most } = decimalsOf(currency);
  return numberFormats(`en ${least} ${most}`).format(exact(amount)).replaceAll(',', '');
}

/** Languages have a sign of their own, some with a mark of direction before it. */
const localMinus = /^[\u200e\u200f\u061c]*[-\u2212]/;

/** A usage price: four decimals (specification, portal §9). */
export const formatPrice = (amount: Amount, currency?: string): string =>
  formatMoney(amount, { currency, decimals: 4 });

/** A quantity with the digits it has, at most four on screens (decisions 5), grouped for the reader's locale. */
export function formatNumber(value: Amount): string {
  const figure = numberFormat(0, 4).format(exact(value));
  const plain = figure.replace(localMinus, '');
  return plain === figure ? figure : `\u2212${plain}`;
}

/** 'MM.DD.YYYY' of an ISO day or instant, whatever the locale (decisions 1); '-' when there is none. */
export function formatDay(day: string | null | undefined): string {
  const date = day?.slice(0, 10);
  return date !== undefined && isDay(date) ? dayText(date) : '-';
}

/** 'March 2026' in the reader's language; month counted from 1. */
export const formatMonth = (year: number, month: number): string =>
  new Intl.DateTimeFormat(readerLocale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.UTC(year, month - 1, 1),
  );

/** Building a formatter costs a hundred times as much as using it, and grids use it for every cell. */
function remembered<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/** How many decimals an amount has at least, as {@link formatMoney} shows it. */
export const leastMoneyDecimals = (currency?: string): number => decimalsOf(currency).least;

const decimalsOf = (currency = brandCurrency.code): ReturnType<typeof shownDecimals> =>
  shownDecimals(currency, brandCurrency.digits);

const numberFormat = (least: number, most = least): Intl.NumberFormat =>
  numberFormats(`${readerLocale()} ${least} ${most}`);
const numberFormats = remembered((key) => {
  const [locale, least, most] = key.split(' ');
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: Number(least),
    maximumFractionDigits: Number(most),
    // Half away from zero, as the server rounds.
    roundingMode: 'halfExpand',
  });
});

/** Intl formats a decimal text exactly (ES2023); anything else would go through a float. */
const exact = (amount: Amount): number | Intl.StringNumericLiteral =>
  amount as number | Intl.StringNumericLiteral;
