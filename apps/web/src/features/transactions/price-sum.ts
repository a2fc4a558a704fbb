import type { Transaction } from '@counterfoil/contract/transactions.ts';
import { formatDecimal, parseMoney, sumMoney } from '@counterfoil/domain/money/money.ts';
import { formatMoney } from '../../text/format.ts';

/** The exact sum of the prices as text; several currencies stand side by side and are never mixed. */
export const priceSum = (rows: readonly Pick<Transaction, 'price' | 'currency'>[]): string =>
  [...Map.groupBy(rows, ({ currency }) => currency)]
    .map(([currency, own]) => {
      const prices = own.map(({ price }) => parseMoney(String(price), currency));
      return formatMoney(formatDecimal(sumMoney(prices, currency)), { currency });
    })
    .join(' · ');
