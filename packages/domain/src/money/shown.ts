import { formatDecimal, type Money } from './money.ts';
import { type MoneyDigits, shownDecimals } from './shown-decimals.ts';

/** The amount as people read it, without symbol and grouping: 1200 yen as '1200.00' with `two`, '1200' with `currency`. */
export function formatShown(amount: Money, digits: MoneyDigits): string {
  const { least, most } = shownDecimals(amount.currency, digits);
  const [whole = '', fraction = ''] = formatDecimal(amount).split('.');
  const shortest = fraction.replace(/0+$/, '').padEnd(least, '0').slice(0, most);
  return shortest === '' ? whole : `${whole}.${shortest}`;
}
