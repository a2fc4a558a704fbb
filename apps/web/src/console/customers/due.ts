import type { AdminInvoice } from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import { addMoney, formatDecimal, parseMoney, zero } from '@counterfoil/domain/money/money.ts';

/** What a customer owes in one currency, as exact decimals. */
export interface Due {
  readonly currency: string;
  readonly due: string;
  readonly overdue: string;
  /** How many invoices that is. */
  readonly open: number;
  /** The earliest day that has passed; null where none has. */
  readonly since: string | null;
}

type Owed = Pick<AdminInvoice, 'currency' | 'due' | 'dueOn'>;

/** Whether an invoice was due before that day. @param today ISO day */
export const isOverdue = ({ dueOn }: Pick<AdminInvoice, 'dueOn'>, today: string): boolean =>
  dueOn !== null && dueOn < today;

/** The sums of open invoices, one for each currency. @param today ISO day */
export function dueOf(invoices: readonly Owed[], today: string): Due[] {
  const currencies = [...new Set(invoices.map(({ currency }) => currency))].toSorted();
  return currencies.map((currency) => {
    const own = invoices.filter((one) => one.currency === currency);
    const late = own.filter((one) => isOverdue(one, today));
    const sum = (of: readonly Owed[]) =>
      formatDecimal(of.reduce((all, { due }) => addMoney(all, parseMoney(due, currency)), zero(currency)));
    return {
      currency,
      due: sum(own),
      overdue: sum(late),
      open: own.length,
      since: late.map(({ dueOn }) => dueOn ?? '').toSorted()[0] ?? null,
    };
  });
}
