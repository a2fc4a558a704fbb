import * as z from 'zod/mini';
import { transactionOrders } from './list-orders.ts';
import { listPaging } from './paging.ts';
import { quantityUnit } from './usage.ts';

/** A contract of the customer; transactions and periods belong to one. */
export const agreement = z.object({ id: z.string(), agreementName: z.string() });
export type Agreement = z.infer<typeof agreement>;

/** A billing period of an agreement, both ends included. Month and year are those of its start. */
export const billingPeriod = z.object({
  id: z.string(),
  month: z.int(),
  year: z.int(),
  periodStart: z.string(),
  periodEnd: z.string(),
});
export type BillingPeriod = z.infer<typeof billingPeriod>;

/**
 * A charge of a period: a line of an invoice, or one not invoiced yet (`invoiceNumber` empty). `price` is what the
 * line costs before tax, in `currency`; `quantity` carries the stored digits. Days are 'YYYY-MM-DD'.
 */
export const transaction = z.object({
  id: z.string(),
  productLabel: z.string(),
  productName: z.string(),
  serviceName: z.string(),
  serviceItem: z.string(),
  siteLabel: z.string(),
  invoiceNumber: z.string(),
  invoiceId: z.nullable(z.string()),
  dateFrom: z.nullable(z.string()),
  dateTo: z.nullable(z.string()),
  price: z.number(),
  currency: z.string(),
  quantity: z.number(),
  /** Of the quantity, as the bill writes it: mostly a code of UN/ECE Recommendation 20. */
  unit: z.string(),
  /** What that means; of what is counted one by one, what its usage counts. */
  quantityUnit,
  extraField1: z.string(),
  extraField2: z.string(),
  extraField3: z.string(),
  extraField4: z.string(),
  extraField5: z.string(),
});
export type Transaction = z.infer<typeof transaction>;

/** `GET /v1/ec/transactions?period={id}`; `search` looks into products, services, items, sites and invoice numbers. */
export const transactionsQuery = z.extend(listPaging, {
  period: z.uuid(),
  order: z.optional(z.enum(transactionOrders)),
});
export type TransactionsQuery = z.infer<typeof transactionsQuery>;

/** `GET /v1/ec/transactions/sums?period={id}`: what all charges of a period come to, by currency in its alphabet. */
export const transactionSums = z.object({
  count: z.int(),
  currencies: z.array(z.object({ currency: z.string(), price: z.number() })),
  /** Columns that are empty in every charge. */
  hasProductLabels: z.boolean(),
  hasSiteLabels: z.boolean(),
});
export type TransactionSums = z.infer<typeof transactionSums>;
export const transactionSumsQuery = z.object({ period: z.uuid() });

/** What kind of record an extra field belongs to. */
export const ExtraFieldType = { TRANSACTION: 3 } as const;

/** The brand's header for one extra field, numbered from 1 as in `extraField1`. */
export const extraFieldLabel = z.object({ type: z.int(), number: z.int(), label: z.string() });
export type ExtraFieldLabel = z.infer<typeof extraFieldLabel>;
