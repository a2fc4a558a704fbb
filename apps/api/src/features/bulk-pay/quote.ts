import { FEE_LINES } from '@counterfoil/contract/paying/bulk-pay.ts';
import { isPositive, type Money, money, subtractMoney, sumMoney } from '@counterfoil/domain/money/money.ts';
import { sha256 } from '../../secrets.ts';
import type { PaymentTerms, Quote, SessionLine } from '../payments/service.ts';
import type { PayableRow } from './queries.ts';

/** What some invoices cost now, without the fee of a method. */
export interface PricedInvoices {
  readonly quote: Quote;
  readonly lines: readonly { readonly invoiceId: string; readonly amount: Money }[];
  /** The customer's credit that pays a part of them. */
  readonly credit: Money;
  /** What is left to be taken, before the fee. */
  readonly total: Money;
}

/**
 * Prices invoices: their amounts due, less the customer's credit, and what either kind of method would add.
 * @param rows of one currency, in the order they are shown
 * @param terms of what is to take the rest
 * @param most of one invoice, no more than this is to be paid; minor units. Else all that is due
 * @param unused the customer's credit in that currency, minor units
 */
export function priceInvoices(
  rows: readonly PayableRow[],
  currency: string,
  unused: bigint,
  terms: PaymentTerms,
  most?: bigint,
): PricedInvoices {
  const lines = rows.map((row) => {
    const isPart = most !== undefined && rows.length === 1 && most < row.due_minor;
    return { invoiceId: row.id, amount: money(isPart ? most : row.due_minor, currency) };
  });
  const due = sumMoney(
    lines.map(({ amount }) => amount),
    currency,
  );
  const credit = terms.creditFor(due, unused);
  const total = subtractMoney(due, credit);
  const fees = (['card', 'bank'] as const).flatMap((kind): SessionLine[] => {
    const { fee } = terms.price(total, kind);
    return isPositive(fee) ? [{ kind: FEE_LINES[kind], invoiceId: null, minor: fee.minor }] : [];
  });
  const all: SessionLine[] = [
    ...lines.map(({ invoiceId, amount }) => ({ kind: 'invoice' as const, invoiceId, minor: amount.minor })),
    ...(isPositive(credit) ? [{ kind: 'adjustment' as const, invoiceId: null, minor: -credit.minor }] : []),
    ...fees,
  ];
  // A part costs the same after another part was paid: what it is a part of tells the two apart.
  const wholes = rows.filter(({ due_minor: whole }, n) => lines[n]?.amount.minor !== whole);
  const digest = sha256(
    JSON.stringify([
      currency,
      ...all.map((line) => [line.kind, line.invoiceId, String(line.minor)]),
      ...wholes.map((row) => ['of', String(row.due_minor)]),
    ]),
  );
  return {
    lines,
    credit,
    total,
    quote: { currency, totalMinor: total.minor, creditMinor: credit.minor, digest, lines: all },
  };
}
