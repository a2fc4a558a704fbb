import type { InvoiceOverview } from '@counterfoil/contract/invoices.ts';
import { formatDecimal } from '@counterfoil/domain/money/money.ts';
import { moneyOf } from '../../shared/invoices/invoice-sums.ts';

/** What is due in one currency; amounts are decimal texts. */
export interface Due {
  readonly currency: string;
  readonly total: string;
  readonly count: number;
  readonly overdue: { readonly amount: string; readonly count: number; readonly since: string | null } | null;
  /** The next day something falls due; null when all of it is overdue or has no due date. */
  readonly nextDay: string | null;
}

type Sums = InvoiceOverview['currencies'][number];
type Currencies = Pick<InvoiceOverview, 'currencies'>;

const textOf = (amount: number, currency: string): string => formatDecimal(moneyOf(amount, currency));

/** What is due, by currency, the brand's first. Amounts of two currencies are never added. */
export const dueByCurrency = ({ currencies }: Currencies): readonly Due[] =>
  currencies
    .filter(({ due }) => due.count > 0)
    .map(({ currency, due, overdue, overdueSince, nextDay }) => ({
      currency,
      total: textOf(due.amount, currency),
      count: due.count,
      overdue:
        overdue.count === 0
          ? null
          : { amount: textOf(overdue.amount, currency), count: overdue.count, since: overdueSince },
      nextDay,
    }));

/** Currencies of invoices other than the brand's, in order of the alphabet. */
export const otherCurrencies = ({ currencies }: Currencies, brandCurrency: string): readonly string[] =>
  currencies
    .map(({ currency }) => currency)
    .filter((currency) => currency !== brandCurrency)
    .toSorted((a, b) => a.localeCompare(b, 'en'));

const always = ['later', 'overdue', 'due'] as const;
const further = ['beingConfirmed', 'disputed', 'paid', 'credits'] as const;

export interface SummaryPart {
  readonly id: (typeof always)[number] | (typeof further)[number];
  readonly count: number;
  readonly amount: string;
}

const nothing = { count: 0, amount: 0 };

/** All invoices of one currency, in parts: what is due adds up, then what is not asked for. */
export function summaryOf({ currencies }: Currencies, currency: string): readonly SummaryPart[] {
  const own: Partial<Sums> = currencies.find((one) => one.currency === currency) ?? {};
  const part = (id: SummaryPart['id']): SummaryPart => {
    const { count, amount } = own[id] ?? nothing;
    return { id, count, amount: textOf(amount, currency) };
  };
  return [...always.map(part), ...further.map(part).filter(({ count }) => count > 0)];
}
