import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { formatDecimal, type Money, parseMoney, sumMoney } from '@counterfoil/domain/money/money.ts';

/** An amount as money of its currency; the API's numbers carry at most its decimals. */
export const moneyOf = (amount: number, currency: string): Money => parseMoney(String(amount), currency);

/** The sum of one figure over invoices of one currency, as a decimal text. */
export const sumOf = <I extends Partial<Invoice>>(
  invoices: readonly I[],
  currency: string,
  figure: (invoice: I) => number,
): string =>
  formatDecimal(
    sumMoney(
      invoices.map((invoice) => moneyOf(figure(invoice), currency)),
      currency,
    ),
  );
