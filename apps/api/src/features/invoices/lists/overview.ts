import type { InvoiceOverview } from '@counterfoil/contract/invoices.ts';
import { MAX_BULK_INVOICES } from '@counterfoil/contract/paying/bulk-pay.ts';
import { money, moneyToNumber } from '@counterfoil/domain/money/money.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import { presentInvoice } from '../present.ts';
import { contextFor, type InvoiceDeps, stateContextOf } from '../service.ts';
import { firstToPay, type OverviewRow, sumInvoices } from './overview-queries.ts';

/** All invoices of a customer in a few sums, whatever page of them is shown. */
export async function overviewOf(deps: InvoiceDeps, scope: CustomerScope): Promise<InvoiceOverview> {
  const context = await contextFor(deps, scope);
  const of = stateContextOf(context);
  const [rows, first] = await Promise.all([
    sumInvoices(deps.db, scope, of, MAX_BULK_INVOICES),
    firstToPay(deps.db, scope, of),
  ]);
  const all = (figure: (row: OverviewRow) => number) => rows.reduce((sum, row) => sum + figure(row), 0);
  const isBrands = ({ currency }: OverviewRow) => currency === context.brand.currency;
  return {
    count: all(({ invoices }) => invoices),
    owed: all(({ owed }) => owed),
    offersPay: all(({ offers_pay }) => offers_pay),
    payable: all(({ payable }) => payable),
    confirming: all(({ confirming }) => confirming),
    first: first === undefined ? null : presentInvoice(first, context),
    currencies: [...rows.filter(isBrands), ...rows.filter((row) => !isBrands(row))].map(presentSums),
  };
}

function presentSums(row: OverviewRow): InvoiceOverview['currencies'][number] {
  const part = (count: number, minor: bigint) => ({
    count,
    amount: moneyToNumber(money(minor, row.currency)),
  });
  return {
    currency: row.currency,
    later: part(row.later, row.later_minor),
    overdue: part(row.overdue, row.overdue_minor),
    due: part(row.later + row.overdue, row.later_minor + row.overdue_minor),
    overdueSince: row.overdue_since,
    nextDay: row.next_day,
    beingConfirmed: part(row.confirming, row.confirming_minor),
    disputed: part(row.disputed, row.disputed_minor),
    paid: part(row.paid, row.paid_minor),
    credits: part(row.credits, row.credits_minor),
    payable: row.payable,
    payableOverdue: part(row.payable_overdue, row.payable_overdue_minor),
    payableOverdueIds: row.payable_overdue_ids,
    payableOverdueTogether: part(row.payable_overdue_ids.length, row.payable_overdue_together_minor),
    payableDueIds: row.payable_due_ids,
  };
}
