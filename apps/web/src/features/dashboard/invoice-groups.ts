import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { isCredit, isOwed, signedAmount } from '../../shared/invoices/invoice-state.ts';
import { sumOf } from '../../shared/invoices/invoice-sums.ts';

/** Invoices of one number, kind and currency: a row of the list (decisions 5). */
export interface InvoiceGroup {
  /** The one that is opened. */
  readonly newest: Invoice;
  /** The others, newest first. */
  readonly others: readonly Invoice[];
  /** The one whose state the row shows: what is still owed speaks before what is settled. */
  readonly speaking: Invoice;
  /** Summed exactly; decimal texts. */
  readonly amount: string;
  readonly amountDue: string;
}

const newestFirst = (a: Invoice, b: Invoice): number =>
  b.dateInvoice.localeCompare(a.dateInvoice) || b.dateGenerated.localeCompare(a.dateGenerated);

function groupOf(invoices: readonly Invoice[]): InvoiceGroup | undefined {
  const [newest, ...others] = invoices;
  if (newest === undefined) return undefined;
  // What was withdrawn asks for nothing, so it adds nothing to what replaced it.
  const standing = invoices.filter(({ state }) => state !== 'void');
  const counted = standing.length > 0 ? standing : [newest];
  return {
    newest,
    others,
    speaking: invoices.find(isOwed) ?? newest,
    amount: sumOf(counted, newest.currency, signedAmount),
    amountDue: sumOf(counted, newest.currency, ({ amountDue }) => amountDue),
  };
}

/** Aggregates duplicates: same number, kind and currency, for one customer. Newest first. */
export function groupInvoices(invoices: readonly Invoice[]): readonly InvoiceGroup[] {
  const sorted = invoices.toSorted(newestFirst);
  const alike = Map.groupBy(sorted, ({ number, kind, currency }) => JSON.stringify([number, kind, currency]));
  return [...alike.values()].flatMap((same) => groupOf(same) ?? []);
}

/** Rows that ask for money: neither credits nor what was withdrawn. */
export const isBill = ({ newest, speaking }: InvoiceGroup): boolean =>
  !isCredit(newest) && speaking.state !== 'void';
