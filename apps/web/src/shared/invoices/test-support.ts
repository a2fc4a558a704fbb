import type { Invoice, InvoiceDetail, InvoiceLine, InvoiceOverview } from '@counterfoil/contract/invoices.ts';
import type { QueryClient } from '@tanstack/react-query';
import { firstPage, invoiceQueries } from './invoice-queries.ts';
import { isCredit, isDue, isOwed, isPayable, offersPay, signedAmount } from './invoice-state.ts';
import { sumOf } from './invoice-sums.ts';

/** An open invoice; a test states only what matters to it. */
export const invoiceOf = (over: Partial<InvoiceDetail> = {}): InvoiceDetail => ({
  id: 'i-1',
  kind: 'invoice',
  number: 'INV-20431',
  amount: 1284.16,
  amountDue: 1284.16,
  subtotal: 1167.42,
  tax: 116.74,
  total: 1284.16,
  rounding: 0,
  prepaid: 0,
  paidAmount: 0,
  creditedAmount: 0,
  currency: 'USD',
  dateInvoice: '2026-11-05',
  dateDue: '2026-12-05',
  dateGenerated: '2026-11-05T00:00:00.000Z',
  periodLabel: 'October 2026',
  status: 10,
  state: 'open',
  paid: false,
  canPay: true,
  waitsForPayer: false,
  payToken: 'token',
  hasDiscrepancy: false,
  customer: { name: 'Harbour & Finch' },
  supplierName: 'Northline',
  costCentre: null,
  note: null,
  lines: [],
  usage: [],
  taxes: [],
  discrepancies: [],
  credits: [],
  payments: [],
  ...over,
});

export const lineOf = (over: Partial<InvoiceLine> = {}): InvoiceLine => ({
  id: 'l-1',
  lineNo: 1,
  kind: 'line',
  product: 'Business Mobile 20',
  details: '20 services',
  serviceItem: '',
  costCentre: null,
  dateFrom: '2026-11-01',
  dateTo: '2026-11-30',
  quantity: 20,
  unit: '',
  quantityUnit: null,
  price: 32.5,
  baseQuantity: 1,
  amount: 650,
  tax: 65,
  taxPercent: 10,
  usageRecords: 0,
  ...over,
});

/** What the server says of these invoices in sums. */
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
      const late = own.filter(({ state }) => state === 'overdue');
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
        payableDueIds: own.filter(isDue).map(({ id }) => id),
      };
    }),
  };
}

/** As if the server had answered with these invoices, in this order. */
export function holdInvoices(client: QueryClient, invoices: readonly Invoice[]): void {
  client.setQueryData(invoiceQueries.page(firstPage).queryKey, {
    data: invoices,
    totalCount: invoices.length,
  });
  client.setQueryData(invoiceQueries.overview().queryKey, overviewOf(invoices));
}
