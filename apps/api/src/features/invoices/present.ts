import type { Invoice, InvoiceDetail, InvoiceLine, InvoicePayment } from '@counterfoil/contract/invoices.ts';
import { type Money, money, moneyToNumber } from '@counterfoil/domain/money/money.ts';
import { unitOfLine } from '@counterfoil/domain/money/quantity.ts';
import { parseRate, rateToNumber } from '@counterfoil/domain/money/rate.ts';
import {
  amountDue,
  canPay,
  type InvoiceMoney,
  InvoiceStatus,
  invoiceLabel,
  isInvoiceStatus,
} from '@counterfoil/domain/paying/invoice.ts';
import { isDay, parseDay } from '@counterfoil/domain/time/day.ts';
import { periodText } from '@counterfoil/domain/time/period.ts';
import { today } from '@counterfoil/domain/time/time-zone.ts';
import type { Secrets } from '../../secrets.ts';
import type { Brand } from '../brand/service.ts';
import { openPayLink } from '../pay-links/service.ts';
import type { InvoiceDetailRow, InvoiceLineRow, InvoiceRow } from './invoice-row.ts';
import type { InvoicePaymentRow } from './queries.ts';

/** What presenting needs beside the rows. */
export interface PresentContext {
  readonly brand: Brand;
  readonly secrets: Secrets;
  readonly now: Date;
  /** The reseller has a working gateway account. */
  readonly gatewayConfigured: boolean;
}

/** The money of an invoice, as the domain's rules take it. */
export function moneyOf(row: InvoiceRow): InvoiceMoney {
  const of = (minor: bigint) => money(minor, row.currency);
  return {
    payable: of(row.payable_minor),
    paid: of(row.paid_minor),
    credited: of(row.credited_minor),
    reversed: of(row.reversed_minor),
  };
}

/** One row of the invoice list. */
export function presentInvoice(row: InvoiceRow, context: PresentContext): Invoice {
  const number = (minor: bigint) => moneyToNumber(money(minor, row.currency));
  const status = isInvoiceStatus(row.status) ? row.status : InvoiceStatus.OPEN;
  const paidNet = money(row.paid_minor - row.reversed_minor, row.currency);
  const due: Money = amountDue(moneyOf(row));
  // A credit is never paid, and nothing is due on it or on what is void.
  const isBill = row.kind === 'invoice' && row.payable_minor >= 0n;
  const isPayable = (attemptOpen: boolean) =>
    isBill &&
    canPay({
      status,
      amountDue: due,
      paymentsEnabled: context.brand.settings.paymentsEnabled,
      gatewayConfigured: context.gatewayConfigured,
      attemptOpen,
    });
  const waitsForPayer = row.waits_for_payer && isPayable(false);
  const isOwing = isBill && status !== InvoiceStatus.VOID;
  return {
    id: row.id,
    kind: row.kind,
    number: row.number,
    amount: number(row.total_minor),
    amountDue: isOwing ? moneyToNumber(due) : 0,
    subtotal: number(row.subtotal_minor),
    tax: number(row.tax_minor),
    total: number(row.total_minor),
    rounding: number(row.rounding_minor),
    prepaid: number(row.prepaid_minor),
    paidAmount: moneyToNumber(paidNet),
    creditedAmount: number(row.credited_minor),
    currency: row.currency,
    dateInvoice: row.issued_on,
    dateDue: row.due_on,
    dateGenerated: row.generated_at.toISOString(),
    periodLabel: periodLabel(row, context.brand.settings.language),
    status,
    state: invoiceLabel({
      status,
      money: moneyOf(row),
      dueOn: row.due_on === null ? null : parseDay(row.due_on),
      today: today(context.brand.timeZone, context.now),
      // What waits for its payer is not being confirmed by anybody: it is still asked for.
      attemptOpen: row.attempt_open && !waitsForPayer,
    }),
    paid: status === InvoiceStatus.PAID && isBill,
    canPay: isPayable(row.attempt_open),
    waitsForPayer,
    payToken: row.token_sealed === null ? null : openPayLink(context.secrets, row.token_sealed, row.id),
    hasDiscrepancy: row.has_discrepancy,
    customer: { name: row.customer_label },
  };
}

/** Month and year, or both dates; null where the invoice names no period. */
export function periodLabel(
  row: Pick<InvoiceRow, 'period_start' | 'period_end'>,
  language: string,
): string | null {
  const { period_start: start, period_end: end } = row;
  if (start === null || end === null || !isDay(start) || !isDay(end)) return null;
  return periodText({ start, end }, language);
}

export interface DetailParts {
  readonly lines: readonly InvoiceLineRow[];
  /** They are too many: there are more, and usage, than stand here. */
  readonly linesLeftOut: boolean;
  readonly usage: InvoiceDetail['usage'];
  readonly credits: readonly { id: string; number: string; amount_minor: bigint }[];
  readonly payments: readonly InvoicePaymentRow[];
}

/** Answer of `GET /v1/ec/invoice/{id}`. */
export function presentDetail(
  row: InvoiceDetailRow,
  parts: DetailParts,
  context: PresentContext,
): InvoiceDetail {
  const number = (minor: bigint) => moneyToNumber(money(minor, row.currency));
  return {
    ...presentInvoice(row, context),
    supplierName: row.supplier.name ?? context.brand.companyName,
    costCentre: row.details.costCentre ?? null,
    note: row.details.note ?? null,
    lines: parts.lines.map((line) => presentLine(line, row.currency)),
    ...(parts.linesLeftOut && { linesLeftOut: true as const }),
    usage: parts.usage,
    taxes: row.taxes.map((tax) => ({
      category: tax.category,
      percent: tax.percent === null ? null : Number(tax.percent),
      taxable: number(BigInt(tax.taxableMinor)),
      tax: number(BigInt(tax.taxMinor)),
    })),
    discrepancies: row.discrepancies.map(({ kind, lineNo, expectedMinor, statedMinor }) => ({
      kind,
      lineNo,
      expected: number(BigInt(expectedMinor)),
      stated: number(BigInt(statedMinor)),
    })),
    credits: parts.credits.map((credit) => ({
      id: credit.id,
      number: credit.number,
      amount: number(credit.amount_minor),
    })),
    payments: parts.payments.map((payment) => presentPayment(payment, number)),
  };
}

const kindsOfReversal: Readonly<Partial<Record<string, InvoicePayment['kind']>>> = {
  refund: 'refund',
  void: 'refund',
  refundFailed: 'refundFailed',
  chargebackWon: 'restored',
  resubmitted: 'restored',
};

function presentPayment(row: InvoicePaymentRow, number: (minor: bigint) => number): InvoicePayment {
  const { reversal } = row;
  return {
    kind: reversal === null ? 'payment' : (kindsOfReversal[reversal] ?? 'returned'),
    date: row.day,
    amount: number(row.minor),
    inAll: number(row.in_all_minor),
    fee: number(row.fee_minor),
    reference: row.ref,
    method: row.method,
    receiptOf: reversal === null ? row.capture_id : null,
  };
}

export function presentLine(line: InvoiceLineRow, currency: string): InvoiceLine {
  const number = (minor: bigint) => moneyToNumber(money(minor, currency));
  const decimal = (text: string) => rateToNumber(parseRate(text));
  return {
    id: line.id,
    lineNo: line.line_no,
    kind: line.kind,
    product: line.product_name,
    details: line.details,
    serviceItem: line.service_item,
    costCentre: line.cost_centre,
    dateFrom: line.date_from,
    dateTo: line.date_to,
    quantity: decimal(line.quantity),
    unit: line.unit,
    quantityUnit: unitOfLine(line.unit, line.record_unit),
    price: decimal(line.price),
    baseQuantity: decimal(line.base_quantity),
    amount: number(line.amount_minor),
    tax: number(line.tax_minor),
    taxPercent: line.tax_percent === null ? null : Number(line.tax_percent),
    usageRecords: line.usage_records,
  };
}
