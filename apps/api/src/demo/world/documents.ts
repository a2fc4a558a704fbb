import { createHash } from 'node:crypto';
import {
  addMoney,
  type Money,
  money,
  multiplyBasisPoints,
  sumMoney,
  zero,
} from '@counterfoil/domain/money/money.ts';
import {
  checkInvoiceSums,
  type InvoiceMoney,
  InvoiceStatus,
  newInvoiceMoney,
  statusAfter,
} from '@counterfoil/domain/paying/invoice.ts';
import type { Day } from '@counterfoil/domain/time/dates.ts';
import type { DemoBrand } from './brand.ts';
import type { DemoCustomer } from './customers.ts';

/** One charge, before it stands on a document. */
export interface DemoLine {
  readonly id: string;
  readonly kind: 'line' | 'allowance';
  readonly product: string;
  readonly name: string;
  readonly details: string;
  readonly serviceId: string | null;
  readonly typeId: string | null;
  readonly itemId: string | null;
  readonly item: string;
  readonly site: string;
  readonly costCentre: string | null;
  readonly agreementId: string | null;
  readonly from: Day;
  readonly to: Day;
  readonly quantity: number;
  readonly unit: string;
  /** Decimal text with four decimals. */
  readonly price: string;
  readonly amount: Money;
  readonly taxPoints: number;
  readonly extra: readonly string[];
}

/** What is to become of a document after it was sent. */
export type DemoFate = 'open' | 'paid' | 'partPaid' | 'credited' | 'creditedInPart' | 'void' | 'disputed';

/** An invoice or credit note with all that the tables hold of it. Credits are below zero. */
export interface DemoDocument {
  readonly customer: DemoCustomer;
  readonly brand: DemoBrand;
  readonly id: string;
  readonly kind: 'invoice' | 'creditNote';
  readonly number: string;
  readonly issuedOn: Day;
  readonly dueOn: Day | null;
  readonly period: { readonly from: Day; readonly to: Day } | null;
  readonly agreementId: string | null;
  readonly lines: readonly (DemoLine & { readonly tax: Money })[];
  readonly subtotal: Money;
  readonly tax: Money;
  readonly payable: Money;
  readonly paid: Money;
  readonly credited: Money;
  readonly status: InvoiceStatus;
  readonly taxes: readonly { category: string; percent: string; taxableMinor: number; taxMinor: number }[];
  readonly discrepancies: readonly {
    kind: string;
    lineNo: null;
    expectedMinor: number;
    statedMinor: number;
  }[];
  /** The invoice a credit note takes back. */
  readonly credits: { readonly number: string; readonly issuedOn: Day } | null;
  readonly note: string | null;
  readonly contentHash: string;
}

export interface Draft {
  readonly customer: DemoCustomer;
  readonly brand: DemoBrand;
  readonly id: string;
  readonly kind: 'invoice' | 'creditNote';
  readonly number: string;
  readonly currency: string;
  readonly issuedOn: Day;
  readonly dueOn: Day | null;
  readonly period: { readonly from: Day; readonly to: Day } | null;
  readonly agreementId: string | null;
  readonly lines: readonly DemoLine[];
  readonly credits?: { readonly number: string; readonly issuedOn: Day };
  readonly note?: string;
  /** Stated beyond what the lines give, minor units: a supplier's mistake. */
  readonly misstatedBy?: bigint;
}

/** Adds up a document: tax per line by its rate, totals from the lines, and what does not agree. */
export function documentOf(draft: Draft): DemoDocument {
  const { currency, misstatedBy = 0n } = draft;
  const lines = draft.lines.map((line) => ({
    ...line,
    tax: multiplyBasisPoints(line.amount, line.taxPoints),
  }));
  const amounts = lines.map((line) => line.amount);
  const tax = sumMoney(
    lines.map((line) => line.tax),
    currency,
  );
  const subtotal = addMoney(sumMoney(amounts, currency), money(misstatedBy, currency));
  const payable = addMoney(subtotal, tax);
  const nothing = zero(currency);
  const found = checkInvoiceSums({
    lineTotals: amounts,
    subtotal,
    tax,
    total: payable,
    rounding: nothing,
    prepaid: nothing,
    payable,
  });
  const { customer, brand, id, kind, number, issuedOn, dueOn, period, agreementId, credits, note } = draft;
  const facts = [
    kind,
    number,
    issuedOn,
    dueOn,
    currency,
    `${payable.minor}`,
    lines.map((line) => [line.name, line.item, line.quantity, line.price, `${line.amount.minor}`]),
  ];
  return {
    customer,
    brand,
    id,
    kind,
    number,
    issuedOn,
    dueOn,
    period,
    agreementId,
    lines,
    subtotal,
    tax,
    payable,
    paid: nothing,
    credited: nothing,
    status: statusAfter(InvoiceStatus.OPEN, newInvoiceMoney(payable), 'import'),
    taxes: taxesOf(lines),
    discrepancies: found.map((one) => ({
      kind: one.name,
      lineNo: null,
      expectedMinor: Number(one.expected.minor),
      statedMinor: Number(one.stated.minor),
    })),
    credits: credits ?? null,
    note: note ?? null,
    contentHash: createHash('sha256').update(JSON.stringify(facts)).digest('hex'),
  };
}

/** The document after a payment of that much. */
export function afterPayment(document: DemoDocument, paid: Money): DemoDocument {
  const after: InvoiceMoney = { ...moneyOf(document), paid: addMoney(document.paid, paid) };
  return { ...document, paid: after.paid, status: statusAfter(document.status, after, 'payment') };
}

/** The document after a credit of that much. */
export function afterCredit(document: DemoDocument, credited: Money): DemoDocument {
  const after: InvoiceMoney = { ...moneyOf(document), credited: addMoney(document.credited, credited) };
  return { ...document, credited: after.credited, status: statusAfter(document.status, after, 'credit') };
}

const moneyOf = (document: DemoDocument): InvoiceMoney => ({
  payable: document.payable,
  paid: document.paid,
  credited: document.credited,
  reversed: zero(document.payable.currency),
});

/** Basis points as a percentage: 725 is '7.25'. */
export const percentOf = (points: number): string =>
  `${Math.floor(points / 100)}.${String(points % 100).padStart(2, '0')}`.replace(/\.?0+$/, '');
export const taxCategoryOf = (points: number): string => (points === 0 ? 'Z' : 'S');

function taxesOf(lines: DemoDocument['lines']): DemoDocument['taxes'] {
  const parts = new Map<number, { taxable: bigint; tax: bigint }>();
  for (const { taxPoints, amount, tax } of lines) {
    const part = parts.get(taxPoints) ?? { taxable: 0n, tax: 0n };
    parts.set(taxPoints, { taxable: part.taxable + amount.minor, tax: part.tax + tax.minor });
  }
  return [...parts]
    .sort(([a], [b]) => b - a)
    .map(([points, part]) => ({
      category: taxCategoryOf(points),
      percent: percentOf(points),
      taxableMinor: Number(part.taxable),
      taxMinor: Number(part.tax),
    }));
}
