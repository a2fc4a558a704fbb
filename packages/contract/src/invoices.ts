import * as z from 'zod/mini';
import { invoiceOrders } from './list-orders.ts';
import { LIST_PAGE_MAX, listPaging, rowIds } from './paging.ts';
import { quantityUnit } from './usage.ts';

/** Derived from status, dates and open attempts; what the Status column and pills show. */
export const invoiceState = z.enum([
  'open',
  'overdue',
  'partPaid',
  'beingConfirmed',
  'paid',
  'credited',
  'void',
  'disputed',
]);

/** A day is 'YYYY-MM-DD'; amounts are JSON numbers with at most the currency's decimals. */
export const invoice = z.object({
  id: z.string(),
  kind: z.enum(['invoice', 'creditNote']),
  number: z.string(),
  amount: z.number(),
  amountDue: z.number(),
  subtotal: z.number(),
  tax: z.number(),
  total: z.number(),
  rounding: z.number(),
  prepaid: z.number(),
  paidAmount: z.number(),
  creditedAmount: z.number(),
  currency: z.string(),
  dateInvoice: z.string(),
  dateDue: z.nullable(z.string()),
  dateGenerated: z.string(),
  periodLabel: z.nullable(z.string()),
  status: z.int(),
  state: invoiceState,
  paid: z.boolean(),
  canPay: z.boolean(),
  /**
   * It could be paid but for an open attempt that waits for its payer (3-D Secure, the gateway's own page). `canPay` is
   * false then, and the state is what it is without the attempt, since nobody confirms it: it is still due. The payer
   * may pay again, which first cancels that attempt.
   */
  waitsForPayer: z.boolean(),
  payToken: z.nullable(z.string()),
  hasDiscrepancy: z.boolean(),
  customer: z.object({ name: z.string() }),
});
export type Invoice = z.infer<typeof invoice>;

/** One charge of an invoice. `price` and `quantity` carry the stored digits. */
export const invoiceLine = z.object({
  id: z.string(),
  lineNo: z.int(),
  kind: z.enum(['line', 'allowance', 'charge']),
  product: z.string(),
  details: z.string(),
  serviceItem: z.string(),
  costCentre: z.nullable(z.string()),
  dateFrom: z.nullable(z.string()),
  dateTo: z.nullable(z.string()),
  quantity: z.number(),
  /** As the bill writes it: mostly a code of UN/ECE Recommendation 20. */
  unit: z.string(),
  /** What that means; of what is counted one by one, what its usage counts. */
  quantityUnit,
  price: z.number(),
  baseQuantity: z.number(),
  amount: z.number(),
  tax: z.number(),
  taxPercent: z.nullable(z.number()),
  usageRecords: z.int(),
});
export type InvoiceLine = z.infer<typeof invoiceLine>;

/** Usage of an invoice, by service item and record type; taxes split by largest remainder, so columns add up. */
export const invoiceUsage = z.object({
  serviceItem: z.string(),
  service: z.string(),
  recordType: z.string(),
  quantity: z.number(),
  unit: quantityUnit,
  invoiceAmount: z.number(),
  invoiceTax: z.number(),
  invoiceTotal: z.number(),
});
export type InvoiceUsage = z.infer<typeof invoiceUsage>;

/** Where an invoice's own figures contradict each other; taken as they came, never mended. */
export const discrepancy = z.object({
  kind: z.enum([
    'linesVsSubtotal',
    'subtotalPlusTaxVsTotal',
    'totalVsPayable',
    'lineAmount',
    'allowances',
    'charges',
    'taxParts',
    'taxableParts',
  ]),
  lineNo: z.nullable(z.int()),
  expected: z.number(),
  stated: z.number(),
});

export const taxLine = z.object({
  category: z.string(),
  percent: z.nullable(z.number()),
  taxable: z.number(),
  tax: z.number(),
});

/**
 * A payment through the portal, or what became of it later. `returned` (a chargeback, a debit that failed) makes the
 * invoice due again, `restored` takes that back; a refund changes nothing about what is due, nor does one that failed.
 */
export const invoicePayment = z.object({
  kind: z.enum(['payment', 'returned', 'restored', 'refund', 'refundFailed']),
  /** Day in the brand's zone. */
  date: z.string(),
  /** This invoice's share, without fee; never below 0. */
  amount: z.number(),
  /** What moved in all: with the fee, and for the other invoices it paid. */
  inAll: z.number(),
  /** What of that is fee. */
  fee: z.number(),
  /** Our reference of the payment. */
  reference: z.string(),
  /** 'Visa ending 4242'. */
  method: z.nullable(z.string()),
  /** What the receipt of a payment is asked for by. */
  receiptOf: z.nullable(z.string()),
});
export type InvoicePayment = z.infer<typeof invoicePayment>;

/**
 * `GET /v1/ec/invoice/{id}?linesMost=200`: an invoice of more lines comes without them and without its usage; with `only=usage`
 * it comes with its usage and without lines, however few.
 */
export const invoiceDetailQuery = z.object({
  linesMost: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(LIST_PAGE_MAX))),
  only: z.optional(z.literal('usage')),
});
export type InvoiceDetailQuery = z.infer<typeof invoiceDetailQuery>;

/** `GET /v1/ec/invoice/{id}/lines`: always a page, in the order of the invoice. */
export const invoiceLinesQuery = z.extend(
  z.pick(listPaging, { pageNumber: true, pageSize: true, limit: true, offset: true }),
  { ids: rowIds },
);
export type InvoiceLinesQuery = z.infer<typeof invoiceLinesQuery>;

/** Answer of `GET /v1/ec/invoice/{id}`. */
export const invoiceDetail = z.extend(invoice, {
  supplierName: z.string(),
  costCentre: z.nullable(z.string()),
  note: z.nullable(z.string()),
  lines: z.array(invoiceLine),
  /** Lines were not asked for, or there are more than were: `lines` is empty, and `usage` too unless it was asked for. */
  linesLeftOut: z.optional(z.literal(true)),
  usage: z.array(invoiceUsage),
  taxes: z.array(taxLine),
  discrepancies: z.array(discrepancy),
  credits: z.array(z.object({ id: z.string(), number: z.string(), amount: z.number() })),
  /** In the order they happened. */
  payments: z.array(invoicePayment),
});
export type InvoiceDetail = z.infer<typeof invoiceDetail>;

/** A state, all that is asked for (`due`), or all that can be paid now (`payable`). */
export const invoiceStateFilter = z.enum([...invoiceState.options, 'due', 'payable']);
export type InvoiceStateFilter = z.infer<typeof invoiceStateFilter>;

/** `GET /v1/ec/invoices`; `search` looks into the numbers. */
export const invoiceListQuery = z.extend(listPaging, {
  order: z.optional(z.enum(invoiceOrders)),
  state: z.optional(invoiceStateFilter),
  ids: rowIds,
});
export type InvoiceListQuery = z.infer<typeof invoiceListQuery>;

const sumOfInvoices = z.object({ count: z.int(), amount: z.number() });

/** `GET /v1/ec/invoices/overview`: all invoices and credits of the customer in a few sums. */
export const invoiceOverview = z.object({
  /** Invoices and credits of any state. */
  count: z.int(),
  /** Something is to be paid of them, now or later. */
  owed: z.int(),
  /** Pay stands beside them: those that are `payable`, and those whose payment waits for its payer. */
  offersPay: z.int(),
  payable: z.int(),
  /** A payment of theirs is being confirmed. */
  confirming: z.int(),
  /** Of those that offer Pay the one due first. */
  first: z.nullable(invoice),
  /** Amounts of two currencies are never added; the brand's currency stands first. What is void is in no sum. */
  currencies: z.array(
    z.object({
      currency: z.string(),
      /** Asked for, and due on a day to come or on none. */
      later: sumOfInvoices,
      overdue: sumOfInvoices,
      /** Both together. */
      due: sumOfInvoices,
      /** The first day of what is overdue. */
      overdueSince: z.nullable(z.string()),
      /** The first day of what is due later. */
      nextDay: z.nullable(z.string()),
      beingConfirmed: sumOfInvoices,
      disputed: sumOfInvoices,
      paid: sumOfInvoices,
      credits: sumOfInvoices,
      payable: z.int(),
      payableOverdue: sumOfInvoices,
      /** As many of these as can be paid together, what is overdue longest standing first. */
      payableOverdueIds: z.array(z.string()),
      /** What these come to. */
      payableOverdueTogether: sumOfInvoices,
      /** The same of all that is due, what is due first standing first. */
      payableDueIds: z.array(z.string()),
    }),
  ),
});
export type InvoiceOverview = z.infer<typeof invoiceOverview>;
