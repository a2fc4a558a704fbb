import type { Invoice, InvoiceOverview } from '@counterfoil/contract/invoices.ts';
import { isCredit, isDue, isOwed, isPayable, offersPay, signedAmount } from './invoice-state.ts';
import { sumOf } from './invoice-sums.ts';

/** What the server would say of these invoices in sums; for samples. */
export function overviewOf(invoices: readonly Invoice[]): InvoiceOverview {
  const standing = invoices.filter(({ state }) => state !== 'void');
  const payable = invoices.filter(isPayable);
  const firstDay = (of: readonly Invoice[]) =>
    of.flatMap(({ dateDue }) => dateDue ?? []).toSorted()[0] ?? null;
  const dueFirst = (a: Invoice, b: Invoice) => (a.dateDue ?? '9999').localeCompare(b.dateDue ?? '9999');
  return {
    count: invoices.length,
    owed: standing.filter(isOwed).length,
    offersPay: invoices.filter(offersPay).length,
    payable: payable.length,
    confirming: invoices.filter(({ state }) => state === 'beingConfirmed').length,
    first: invoices.filter(offersPay).toSorted(dueFirst)[0] ?? null,
    currencies: [...Map.groupBy(standing, ({ currency }) => currency)].map(([currency, all]) => {
      const sum = (of: readonly Invoice[], figure = ({ amountDue }: Invoice) => amountDue) => ({
        count: of.length,
        amount: Number(sumOf(of, currency, figure)),
      });
      const due = all.filter(isDue);
      const overdue = due.filter(({ state }) => state === 'overdue');
      const later = due.filter(({ state }) => state !== 'overdue');
      const bills = all.filter((one) => !isCredit(one));
      const own = payable.filter((one) => one.currency === currency);
      const late = own.filter(({ state }) => state === 'overdue').toSorted(dueFirst);
      return {
        currency,
        later: sum(later),
        overdue: sum(overdue),
        due: sum(due),
        overdueSince: firstDay(overdue),
        nextDay: firstDay(later),
        beingConfirmed: sum(bills.filter(({ state }) => state === 'beingConfirmed')),
        disputed: sum(bills.filter(({ state }) => state === 'disputed')),
        paid: sum(
          bills.filter(({ paid }) => paid),
          signedAmount,
        ),
        credits: sum(all.filter(isCredit), signedAmount),
        payable: own.length,
        payableOverdue: sum(late),
        payableOverdueIds: late.map(({ id }) => id),
        payableOverdueTogether: sum(late),
        payableDueIds: own.filter(isDue).map(({ id }) => id),
      };
    }),
  };
}
