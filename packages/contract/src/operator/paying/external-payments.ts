import * as z from 'zod/mini';
import { cursor, customerNamed, pageLimit, said } from '../parts.ts';

/** How money reaches a provider outside the portal. */
export const externalMethods = ['bankTransfer', 'cheque', 'cash', 'cardTerminal', 'other'] as const;
export type ExternalMethod = (typeof externalMethods)[number];

/** The same as people read it. */
export const externalMethodNames: Readonly<Record<ExternalMethod, string>> = {
  bankTransfer: 'Bank transfer',
  cheque: 'Cheque',
  cash: 'Cash',
  cardTerminal: 'Card terminal',
  other: 'Other',
};

export const isExternalMethod = (method: string): method is ExternalMethod =>
  Object.hasOwn(externalMethodNames, method);

const text = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most));
/** An exact decimal in major units, such as `12.50`. */
const amount = z.string().check(z.regex(/^\d{1,13}(\.\d{1,3})?$/));

/** Body of `POST /v1/admin/external-payments`. */
export const newExternalPayment = z.object({
  customer: customerNamed,
  reference: said(
    text(100),
    'The provider’s own name of the payment, of a bank’s statement, say: the same again is the same payment.',
  ),
  amount: said(amount, 'An exact decimal of the currency, above 0.'),
  currency: said(z.string().check(z.regex(/^[A-Z]{3}$/)), 'ISO 4217.'),
  receivedOn: said(z.iso.date(), 'The day the money came.'),
  method: said(z.enum(externalMethods), 'How it came.'),
  invoices: said(
    z.optional(z.array(text(100)).check(z.minLength(1), z.maxLength(100))),
    'Numbers of the invoices it pays, in this order; without them the open ones, the longest due first.',
  ),
  note: said(z._default(z.string().check(z.maxLength(500)), ''), 'What it is about.'),
});

/** Body of `POST /v1/admin/external-payments/{id}/void`. */
export const voidedExternalPayment = z.object({ note: text(500) });

/** A payment that was received outside the portal. */
export const externalPayment = z.object({
  id: z.uuid(),
  customerId: z.uuid(),
  reference: z.string(),
  amount: z.string(),
  currency: z.string(),
  receivedOn: z.string(),
  method: z.enum(externalMethods),
  note: z.string(),
  status: z.enum(['booked', 'voided']),
  /** Who recorded it: the name of an API key, or whoever ran the command. */
  recordedBy: z.string(),
  invoices: z.array(z.object({ number: z.string(), amount: z.string() })),
  /** What no invoice could use: it became the customer's credit. */
  toCredit: z.string(),
});
export type ExternalPayment = z.infer<typeof externalPayment>;

export const externalPaymentQuery = z.object({
  /** Our id of a customer, or the provider's own reference of it. */
  customer: z.optional(text(200)),
  limit: pageLimit,
  cursor,
});

export const externalPaymentPage = z.object({
  data: z.array(externalPayment),
  /** Null on the last page. */
  nextCursor: z.nullable(z.string()),
});
