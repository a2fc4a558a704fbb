import { dayText, type Show } from '../../letters/figures.ts';
import type { TableRow } from '../../pdf/letter/letter.ts';
import type { InvoiceDetailRow } from './invoice-row.ts';
import { dueMinor, isVoid } from './paper/paper-money.ts';
import type { CreditRow, InvoicePaymentRow } from './queries.ts';

/** What the sums below the charges are made of. */
export interface Sums {
  readonly row: InvoiceDetailRow;
  readonly credits: readonly CreditRow[];
  readonly payments: readonly InvoicePaymentRow[];
}

const BACK: Readonly<Partial<Record<string, string>>> = {
  refund: 'Refund',
  void: 'Refund',
  refundFailed: 'Refund that failed',
  chargebackWon: 'Payment restored',
  resubmitted: 'Payment restored',
};
/** Reversals after which the customer has paid again. */
const RESTORED = new Set(['refundFailed', 'chargebackWon', 'resubmitted']);

/** Subtotal, taxes with their base, total, what was settled with date and reference, and what is due; it adds up. */
export function sumRows(sums: Sums, show: Show, columns: number): TableRow[] {
  const { row } = sums;
  const isCredit = row.kind === 'creditNote';
  const cells = (label: string, minor: bigint): string[] => [
    label,
    ...Array.from({ length: columns - 2 }, () => ''),
    show(minor),
  ];
  const due = dayText(row.due_on);
  const left = dueMinor(row);
  const settled = isCredit ? roundingOf(row) : [...roundingOf(row), ...settlementsOf(sums)];
  const total = cells(isCredit ? 'Credit total' : 'Invoice total', row.total_minor);
  if (isCredit && settled.length === 0) return [...taxRows(row, cells), { kind: 'total', cells: total }];
  const label =
    left > 0n && due !== undefined && !isVoid(row) && !isCredit ? `Amount due by ${due}` : 'Amount due';
  return [
    ...taxRows(row, cells),
    { kind: 'sum', cells: total },
    ...settled.map(([text, minor]): TableRow => ({ kind: 'line', cells: cells(text, minor) })),
    {
      kind: 'total',
      cells: isCredit
        ? cells('Credit', row.payable_minor)
        : cells(isVoid(row) ? 'Amount due, void' : label, left),
    },
  ];
}

function taxRows(row: InvoiceDetailRow, cells: (label: string, minor: bigint) => string[]): TableRow[] {
  const taxed = row.taxes.reduce((sum, tax) => sum + BigInt(tax.taxMinor), 0n);
  const show = (minor: number) => cells('', BigInt(minor)).at(-1) ?? '';
  return [
    { kind: 'sum', cells: cells('Subtotal', row.subtotal_minor) },
    ...row.taxes.map((tax): TableRow => {
      const rate = tax.percent === null ? '' : ` ${Number(tax.percent)}%`;
      return { kind: 'line', cells: cells(`Tax${rate} on ${show(tax.taxableMinor)}`, BigInt(tax.taxMinor)) };
    }),
    // What its parts do not say; a notice tells of it.
    ...(row.taxes.length > 0 && taxed === row.tax_minor
      ? []
      : [{ kind: 'line', cells: cells('Tax', row.tax_minor) } as const]),
  ];
}

type Settled = readonly [label: string, minor: bigint];

const roundingOf = (row: InvoiceDetailRow): Settled[] =>
  [['Rounding', row.rounding_minor] as const, ['Prepaid', -row.prepaid_minor] as const].filter(
    ([, minor]) => minor !== 0n,
  );

function settlementsOf({ row, credits, payments }: Sums): Settled[] {
  const listed = payments.map((payment): Settled => {
    const { reversal, day, ref, method, minor } = payment;
    const what = reversal === null ? 'Payment' : (BACK[reversal] ?? 'Payment returned');
    const isMoneyIn = reversal === null || RESTORED.has(reversal);
    const words = [`${what} ${dayText(day) ?? ''}`, reversal === null ? method : null, ref].filter(Boolean);
    return [words.join(', '), isMoneyIn ? -minor : minor];
  });
  const noted = credits.map((credit): Settled => {
    const of = dayText(credit.issued_on);
    return [`Credit note ${credit.number}${of === undefined ? '' : ` of ${of}`}`, -credit.amount_minor];
  });
  const sum = (parts: readonly Settled[]) => parts.reduce((all, [, minor]) => all + minor, 0n);
  return [
    ...listed,
    // Paid to the provider itself, without a payment of the portal.
    ['Other payments', -(row.paid_minor - row.reversed_minor) - sum(listed)] as const,
    ...noted,
    // Of the customer's balance, with no credit note of its own.
    ['Credit used', -row.credited_minor - sum(noted)] as const,
  ].filter(([, minor]) => minor !== 0n);
}
