import { money } from '@counterfoil/domain/money/money.ts';
import { durationText, kindOfUnit, unitOf, writtenUnitLabel } from '@counterfoil/domain/money/quantity.ts';
import { parseRate, type Rate, roundRate } from '@counterfoil/domain/money/rate.ts';
import { formatShown } from '@counterfoil/domain/money/shown.ts';
import { formatDay, isDay } from '@counterfoil/domain/time/day.ts';
import type { Brand } from '../features/brand/service.ts';

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** An amount in minor units: '−1,234.50', the minus U+2212 first. */
export function plainAmount(minor: bigint, currency: string, { settings }: Pick<Brand, 'settings'>): string {
  const amount = money(minor < 0n ? -minor : minor, currency);
  const [whole = '', fraction] = formatShown(amount, settings.moneyDigits).split('.');
  return `${minor < 0n ? '−' : ''}${grouped(whole)}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** The sign before an amount: the brand's where it is the brand's currency, else the code and a no-break space. */
export function signOf({ currency, settings }: Pick<Brand, 'currency' | 'settings'>, of: string): string {
  if (of !== currency) return `${of}\u00a0`;
  // 'KD1.000' could be read as one word.
  return settings.currencySymbol.replace(/(\p{L})$/u, '$1\u00a0');
}

const PRICE_DECIMALS = 4;

export type Show = (minor: bigint) => string;

/** '−$1,234.50': minus, sign, the amount. */
export function amountFormatter(brand: Pick<Brand, 'currency' | 'settings'>, currency: string): Show {
  const sign = signOf(brand, currency);
  return (minor) =>
    `${minor < 0n ? '−' : ''}${sign}${plainAmount(minor < 0n ? -minor : minor, currency, brand)}`;
}

/** A price with four decimals: '$0.0125'. @param least with as few where the rest are zeros: '$32.50' */
export function priceText(price: Rate, sign: string, least = PRICE_DECIMALS): string {
  const four = roundRate(price, PRICE_DECIMALS);
  const [whole = '', fraction = ''] = four.replace('-', '').split('.');
  const decimals = /[^0]/.test(fraction.slice(least)) ? fraction : fraction.slice(0, least);
  return `${four.startsWith('-') ? '−' : ''}${sign}${grouped(whole)}${decimals === '' ? '' : `.${decimals}`}`;
}

/** 'AUD, Australian Dollar'. */
export function currencyText(currency: string): string {
  const name = new Intl.DisplayNames('en', { type: 'currency' }).of(currency);
  return name === undefined || name === currency ? currency : `${currency}, ${name}`;
}

/** 'YYYY-MM-DD' as 'MM.DD.YYYY'; undefined for none. */
export const dayText = (day: string | null): string | undefined =>
  day !== null && isDay(day) ? formatDay(day) : undefined;

const kindOf = (unit: string) => {
  const known = unitOf(unit);
  return known === null ? undefined : kindOfUnit(known);
};

/** Units of what is metered: time and data. */
export const isMetered = (unit: string): boolean => ['time', 'data'].includes(kindOf(unit) ?? '');

export const isTime = (unit: string): boolean => kindOf(unit) === 'time';

/**
 * A quantity with the unit it is shown in: seconds as h:mm:ss, everything else as short as it is exact.
 * @param unit as `domain/money/quantity.ts` names it, or as a bill writes it
 */
export function quantityText(quantity: Rate, unit: string): { readonly text: string; readonly unit: string } {
  const known = unitOf(unit);
  const time = known === null ? undefined : durationText(quantity, known, grouped);
  if (time !== undefined) return { text: time, unit: 'h:mm:ss' };
  const [whole = '', fraction = ''] = quantity.replace('-', '').split('.');
  const decimals = fraction.replace(/0+$/, '');
  const text = `${quantity.startsWith('-') ? '−' : ''}${grouped(whole)}${decimals === '' ? '' : `.${decimals}`}`;
  return { text, unit: writtenUnitLabel(unit, text === '1' || text === '−1') };
}

/** A stored decimal of whatever precision. */
export const storedRate = (text: string): Rate => parseRate(text, 'round');
