import { BulkStatus } from '@counterfoil/domain/paying/bulk-pay.ts';
import * as z from 'zod/mini';
import { enteredMembers, oneTimeToken, payerMembers } from './entry-config.ts';
import { askedAmount, billingAddress, payAnswer, rawCard } from './public-pay.ts';

/** Invoices one payment may cover. */
export const MAX_BULK_INVOICES = 500;

/** `invoiceNumber` of the two fee lines (decisions §6); the chosen method's is added to the total. */
export const FEE_LINES = { card: 'CARD_FEE', bank: 'BANK_FEE' } as const;

/** `pay_session.public_id`: 128 random bits or more, base64url; it alone tells how its payment stands. */
const sessionId = z.string().check(z.regex(/^[\w-]{22,128}$/));

/** Body of `POST /v1/ec/payments/intents`. */
export const newIntent = z.object({
  invoiceIds: z.array(z.uuid()).check(z.minLength(1), z.maxLength(MAX_BULK_INVOICES)),
  /** Part of the one invoice to pay, without fee; refused where the brand does not offer it. */
  amount: z.optional(askedAmount),
  /** The portal's own random id: it comes back unchanged, so that an answer is known to be its own. */
  id: z.optional(z.string().check(z.regex(/^[\w-]{1,100}$/))),
});
export type NewIntent = z.infer<typeof newIntent>;

export const intentParams = z.object({ sessionId });

/** A bulk payment as its page shows it. Money is JSON numbers in units of `currency`. */
export const paymentIntent = z.object({
  /** The portal's own id, else the session's. */
  id: z.string(),
  sessionId: z.string(),
  status: z.enum(BulkStatus),
  /** Why it failed, for a person to read; null unless it did. */
  error: z.nullable(z.string()),
  companyName: z.string(),
  /** ISO 4217. */
  currency: z.string(),
  currencySymbol: z.string(),
  /** Amounts to pay less adjustments; without fee, never below 0. Once it is paid, what was taken without the fee. */
  total: z.number(),
  /** The customer's credit that is used here. */
  adjustmentsTotal: z.number(),
  /**
   * The invoices, then a fee line for each kind of method that has a fee; those have no `invoiceId`. Once it is paid, what
   * was paid of each, the fee that was taken, and what is still to be paid of an invoice: it may be that less was taken
   * than was asked for.
   */
  invoices: z.array(
    z.object({
      invoiceNumber: z.string(),
      invoiceAmount: z.number(),
      invoiceId: z.nullable(z.uuid()),
      stillDue: z.optional(z.number()),
    }),
  ),
  /**
   * What may be paid of its one invoice, without fee; once it is paid, `most` is what is still due. Null for several
   * invoices, where the brand does not offer it, and where nothing is due.
   */
  partPayment: z.nullable(
    z.object({
      least: z.number(),
      most: z.number(),
      leastRest: z.nullable(z.number()),
      step: z.nullable(z.number()),
    }),
  ),
  /** Where a receipt goes unless another address is typed; null: nowhere. */
  email: z.nullable(z.string()),
  /** Id of the payment whose receipt there is, once it is paid. */
  receiptOf: z.nullable(z.uuid()),
  /** The open or last attempt, so that a reload tells the truth. */
  attempt: z.nullable(
    z.object({
      status: z.enum(['succeeded', 'requires_action', 'processing', 'failed']),
      expected: z.optional(z.enum(['seconds', 'days'])),
      message: z.optional(z.string()),
      /** Where the browser goes to finish it, with `requires_action`. */
      redirectToUrl: z.optional(z.string()),
      reference: z.string(),
      /** When it came to how it stands, ISO: the payment's own time. */
      at: z.string(),
      /** Fee included: what was taken, once it has succeeded, else what was asked for. */
      amount: z.number(),
      /** What was asked for, where another amount was taken. */
      asked: z.optional(z.number()),
      /** What was taken beyond what it was for, and is the customer's credit now. */
      keptAsCredit: z.optional(z.number()),
      /** What it is paid with, e.g. 'Visa ending 4242'; null where the gateway has not said. */
      method: z.nullable(z.string()),
    }),
  ),
});
export type PaymentIntent = z.infer<typeof paymentIntent>;

/**
 * Body of `POST /v1/ec/payments/pay/bulk`. Paid with a saved method (`cardId`, also of a bank account) or with the
 * one-time token of a new card (`cardToken`); neither is needed where credit pays all. Beside `cardId`, `cardToken` is the same id.
 */
export const bulkPayRequest = z.object({
  uid: sessionId,
  cardId: z.optional(z.uuid()),
  cardToken: z.optional(oneTimeToken),
  cardHolder: z.optional(z.string().check(z.maxLength(200))),
  email: z.optional(z.string().check(z.maxLength(320))),
  billingAddress: z.optional(billingAddress),
  /** Of the payer, where the gateway asks for it. */
  nexioCustomerDetails: z.optional(payerMembers),
  ...enteredMembers,
  /** `paymentType` the page was made for; another one than now is refused. */
  type: z.optional(z.int()),
  ...rawCard,
});
export type BulkPayRequest = z.infer<typeof bulkPayRequest>;

export const bulkPayAnswer = payAnswer;

export const checkoutParams = z.object({ id: sessionId });

/**
 * Answer of `POST /v1/ec/payments/checkout-session/{id}`, which opens the gateway's page, and of the `GET`, which opens
 * none: `url` stands beside `data` (decisions §3).
 */
export const checkoutSession = z.object({
  /** The gateway's id of the session; by `GET`, while none is open, our own. */
  data: z.string(),
  /** Its page; by `GET`, while none is open, the portal's address that opens it. */
  url: z.string(),
});
export type CheckoutSession = z.infer<typeof checkoutSession>;
