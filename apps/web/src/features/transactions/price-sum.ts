import type { TransactionSums } from '@counterfoil/contract/transactions.ts';
import { formatMoney } from '../../text/format.ts';

/** The sums of the prices as text; several currencies stand side by side and are never mixed. */
export const priceSum = ({ currencies }: Pick<TransactionSums, 'currencies'>): string =>
  currencies.map(({ currency, price }) => formatMoney(price, { currency })).join(' · ');
