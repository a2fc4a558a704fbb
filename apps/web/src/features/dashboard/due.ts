import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { isCredit, isDue, offersPay, signedAmount } from '../../shared/invoices/invoice-state.ts';
import { sumOf } from '../../shared/invoices/invoice-sums.ts';

/** What is due in one currency; amounts are decimal texts. */
export interface Due {
  readonly currency: string;
  readonly total: string;
  readonly count: number;
  readonly overdue: { readonly amount: string; readonly count: number; readonly since: string | null } | null;
  /** The next day something falls due; null when all of it is overdue or has no due date. */
  readonly nextDay: string | null;
}

export const payableOf = (invoices: readonly Invoice[]) => invoices.filter(offersPay);

const inOrder = (a: string, b: string): number => a.localeCompare(b, 'en');
const amountDue = (invoice: Invoice): number => invoice.amountDue;
const firstDay = (invoices: readonly Invoice[]): string | null =>
  invoices
    .map(({ dateDue }) => dateDue)
    .filter((day) => day !== null)
    .toSorted(inOrder)[0] ?? null;

function dueIn(currency: string, invoices: readonly Invoice[]): Due {
  const overdue = invoices.filter(({ state }) => state === 'overdue');
  return {
    currency,
    total: sumOf(invoices, currency, amountDue),
    count: invoices.length,
    overdue:
      overdue.length === 0
        ? null
        : {
            amount: sumOf(overdue, currency, amountDue),
            count: overdue.length,
            since: firstDay(overdue),
          },
    nextDay: firstDay(invoices.filter(({ state }) => state !== 'overdue')),
  };
}

/** What is due, by currency, the brand's first. Amounts of two currencies are never added. */
export function dueByCurrency(invoices: readonly Invoice[], brandCurrency: string): readonly Due[] {
  const byCurrency = Map.groupBy(invoices.filter(isDue), ({ currency }) => currency);
  return [...byCurrency]
    .map(([currency, due]) => dueIn(currency, due))
    .toSorted((a, b) => Number(b.currency === brandCurrency) - Number(a.currency === brandCurrency));
}

/** Currencies of invoices other than the brand's, in order of the alphabet. */
export const otherCurrencies = (invoices: readonly Invoice[], brandCurrency: string): readonly string[] =>
  [...new Set(invoices.map(({ currency }) => currency))]
    .filter((currency) => currency !== brandCurrency)
    .toSorted(inOrder);

export interface SummaryPart {
  readonly id: 'later' | 'overdue' | 'due' | 'beingConfirmed' | 'disputed' | 'paid' | 'credits';
  readonly count: number;
  readonly amount: string;
}

/** All invoices of one currency, in parts: what is due adds up, then what is not asked for. */
export function summaryOf(invoices: readonly Invoice[], currency: string): readonly SummaryPart[] {
  const all = invoices.filter((invoice) => invoice.currency === currency && invoice.state !== 'void');
  const due = all.filter(isDue);
  const part = (
    id: SummaryPart['id'],
    of: readonly Invoice[],
    figure: (invoice: Invoice) => number,
  ): SummaryPart => ({ id, count: of.length, amount: sumOf(of, currency, figure) });
  const bills = all.filter((invoice) => !isCredit(invoice) && !isDue(invoice));
  const further = [
    part(
      'beingConfirmed',
      bills.filter(({ state }) => state === 'beingConfirmed'),
      amountDue,
    ),
    part(
      'disputed',
      bills.filter(({ state }) => state === 'disputed'),
      amountDue,
    ),
    part(
      'paid',
      bills.filter(({ paid }) => paid),
      signedAmount,
    ),
    part('credits', all.filter(isCredit), signedAmount),
  ];
  return [
    part(
      'later',
      due.filter(({ state }) => state !== 'overdue'),
      amountDue,
    ),
    part(
      'overdue',
      due.filter(({ state }) => state === 'overdue'),
      amountDue,
    ),
    part('due', due, amountDue),
    ...further.filter(({ count }) => count > 0),
  ];
}
