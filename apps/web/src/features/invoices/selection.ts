import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { isPayable } from '../../shared/invoices/invoice-state.ts';
import { sumOf } from '../../shared/invoices/invoice-sums.ts';

/** Invoices chosen to be paid together: of one currency, since amounts of two are never added (decisions 5). */
export interface Selection {
  /** In the order of the list. */
  readonly invoices: readonly Invoice[];
  readonly ids: ReadonlySet<string>;
  /** Undefined while nothing is chosen. */
  readonly currency: string | undefined;
  /** Sum of the amounts due, exact: decimal text. */
  readonly total: string;
}

/**
 * What is chosen of the list as it is now: what cannot be paid any more is not chosen, and of several currencies
 * the first counts, the brand's before others.
 * @param ids as they were chosen
 */
export function selectionOf(
  all: readonly Invoice[],
  ids: ReadonlySet<string>,
  brandCurrency: string,
): Selection {
  const payable = all.filter((invoice) => ids.has(invoice.id) && isPayable(invoice));
  const currency = payable.some((one) => one.currency === brandCurrency)
    ? brandCurrency
    : payable[0]?.currency;
  const invoices = payable.filter((invoice) => invoice.currency === currency);
  return {
    invoices,
    ids: new Set(invoices.map(({ id }) => id)),
    currency,
    total: currency === undefined ? '0' : sumOf(invoices, currency, ({ amountDue }) => amountDue),
  };
}

/** What a change makes of a selection: the currency chosen before stays, the new ones of another are left out. */
export function changed(
  before: Selection,
  next: ReadonlySet<string>,
  all: readonly Invoice[],
  brandCurrency: string,
): ReadonlySet<string> {
  const kept = [...before.ids].some((id) => next.has(id)) ? before.currency : undefined;
  const admitted =
    kept === undefined
      ? next
      : new Set(all.filter(({ id, currency }) => next.has(id) && currency === kept).map(({ id }) => id));
  return selectionOf(all, admitted, brandCurrency).ids;
}

/** Whether an invoice is of another currency than what is chosen. */
export const isForeign = (
  invoice: Pick<Invoice, 'currency'>,
  { currency }: Pick<Selection, 'currency'>,
): boolean => currency !== undefined && invoice.currency !== currency;
