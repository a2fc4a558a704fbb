import type { ForeseenCharge } from '@counterfoil/contract/operator/paying/auto-pay-runs.ts';
import { addMoney, formatDecimal, parseMoney, zero } from '@counterfoil/domain/money/money.ts';

/** What a run would take in one currency, an exact decimal. */
export interface CurrencySum {
  readonly currency: string;
  readonly amount: string;
}

/** What the next run would do, added up. */
export interface NextFigures {
  readonly charged: number;
  readonly sums: readonly CurrencySum[];
  readonly announced: number;
  readonly withoutMethod: number;
  /** Skipped, or left as they are. */
  readonly left: number;
}

type Row = Pick<ForeseenCharge, 'would' | 'amount' | 'currency'>;

/** Adds up what a run would do with each invoice. */
export function figuresOf(rows: readonly Row[]): NextFigures {
  const count = (...would: readonly Row['would'][]) => rows.filter((row) => would.includes(row.would)).length;
  const charges = rows.filter(({ would }) => would === 'charge');
  const currencies = [...new Set(charges.map(({ currency }) => currency))].toSorted();
  return {
    charged: charges.length,
    sums: currencies.map((currency) => {
      const own = charges.filter((row) => row.currency === currency);
      const sum = own.reduce(
        (all, { amount }) => addMoney(all, parseMoney(amount, currency)),
        zero(currency),
      );
      return { currency, amount: formatDecimal(sum) };
    }),
    announced: count('announce'),
    withoutMethod: count('tellNoMethod'),
    left: count('skip', 'nothing'),
  };
}
