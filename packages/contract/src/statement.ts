import * as z from 'zod/mini';

const day = z.iso.date();

/** `GET /v1/ec/statement`: both days included; `currency` defaults to the brand's, else one there is. */
export const statementQuery = z.object({
  dateFrom: day,
  dateTo: day,
  currency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/))),
});

/** What moved the balance: billed (positive), paid or credited (negative), or a payment that came back (positive). */
export const statementEntry = z.object({
  kind: z.enum(['invoice', 'credit', 'payment', 'paymentReturned', 'adjustment']),
  date: z.string(),
  /** Number of the document, or our reference of the payment. */
  reference: z.string(),
  invoiceId: z.nullable(z.string()),
  /** Of a payment made through the portal: what its receipt is asked for by. */
  receiptOf: z.nullable(z.string()),
  amount: z.number(),
  /** Owed after this entry. */
  balance: z.number(),
});
export type StatementEntry = z.infer<typeof statementEntry>;

/** What is open now, by how long it has been due, and credit that is not used yet. */
export const ageing = z.object({
  notDue: z.number(),
  days1To30: z.number(),
  days31To60: z.number(),
  days61To90: z.number(),
  over90: z.number(),
  total: z.number(),
  credit: z.number(),
});
export type Ageing = z.infer<typeof ageing>;

/** A running account in one currency; opening + entries = closing. Positive is owed by the customer. */
export const statement = z.object({
  dateFrom: z.string(),
  dateTo: z.string(),
  currency: z.string(),
  /** All currencies the customer was ever billed in. */
  currencies: z.array(z.string()),
  opening: z.number(),
  entries: z.array(statementEntry),
  billed: z.number(),
  paidAndCredited: z.number(),
  closing: z.number(),
  ageing,
});
export type Statement = z.infer<typeof statement>;
