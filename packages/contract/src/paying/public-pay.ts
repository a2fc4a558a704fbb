import { moneyDigits } from '@counterfoil/domain/money/shown-decimals.ts';
import * as z from 'zod/mini';
import { feeSetting } from '../brand.ts';
import { debitForm } from './direct-debit.ts';
import { enteredMembers, entryConfig, oneTimeToken, payerMembers } from './entry-config.ts';

/** The link's token in an address. */
export const linkParams = z.object({ token: z.string().check(z.minLength(1), z.maxLength(128)) });
/** With the attempt that paid. */
export const linkReceiptParams = z.extend(linkParams, { id: z.uuid() });

/** An amount a payer asks to pay: plain decimal in units of the currency, never below 0. */
export const askedAmount = z.string().check(z.regex(/^\d{1,12}(\.\d{1,3})?$/));
/** The same, or the number that was answered. */
const sentAmount = z.union([askedAmount, z.number().check(z.minimum(0), z.maximum(999_999_999_999))]);

const paymentAttempt = z.object({
  id: z.string(),
  kind: z.enum(['card', 'bank']),
  status: z.enum(['succeeded', 'requires_action', 'processing', 'failed']),
  expected: z.optional(z.enum(['seconds', 'days'])),
  message: z.optional(z.string()),
  /** What was taken, once it has succeeded; else what was asked for. Fee included. */
  amount: z.string(),
  /** What was asked for, where another amount was taken; else null. */
  asked: z.nullable(z.string()),
  reference: z.string(),
  at: z.string(),
  method: z.nullable(z.string()),
  /** Its receipt can be had by this link: it has paid, and nothing but this invoice. */
  hasReceipt: z.boolean(),
  /** It had paid, and the bank has taken the money back since: the invoice is due again. */
  isTakenBack: z.boolean(),
});

/** A bank account that is debited once instead of a card, and not kept. */
const bankOnce = z.extend(debitForm, {
  /** Of all that is due. */
  fee: z.string(),
  total: z.string(),
  /** What the fee of another amount is made of. */
  feeSetting,
});

/**
 * Payment info as the page reckons with it: amounts are decimal texts with all decimals of the currency, ready to be
 * sent back. {@link paymentInfoAnswer} is what the call answers.
 */
const paymentInfo = z.object({
  uid: z.string(),
  invoiceAmount: z.string(),
  fee: z.string(),
  total: z.string(),
  currency: z.string(),
  currencySymbol: z.string(),
  moneyDigits: z.enum(moneyDigits),
  brandName: z.string(),
  companyName: z.string(),
  periodLabel: z.nullable(z.string()),
  invoiceDate: z.string(),
  invoiceDueDate: z.nullable(z.string()),
  InvoiceNumber: z.string(),
  invoiceStatus: z.int(),
  apiStatus: z.boolean(),
  enabledReceipt: z.boolean(),
  requiredCardHolder: z.boolean(),
  requiredBillingAddress: z.boolean(),
  customer: z.object({ name: z.string(), email: z.nullable(z.string()), country: z.nullable(z.string()) }),
  /** The card is typed into a page of the provider in a frame. */
  isFrame: z.boolean(),
  isCredited: z.boolean(),
  supportEmail: z.string(),
  supportPhone: z.string(),
  /** How to pay otherwise, a line each; for when it cannot be paid here. */
  bankDetails: z.array(z.string()),
  /** The same in the provider's own words; '' for none. */
  paymentInstructions: z.string(),
  /** How a card is taken; null: none is. */
  brandSettings: z.nullable(z.extend(entryConfig, { uid: z.string(), publishableKey: z.string() })),
  /** Null: only a card, if that, is taken. */
  bank: z.nullable(bankOnce),
  /** Nothing pays here, and a saved method pays behind the sign-in. */
  signInToPay: z.boolean(),
  /**
   * What may be paid instead of all that is due, without fee, and what the fee of that is made of; null where the brand
   * does not offer it, or nothing is due.
   */
  partPayment: z.nullable(
    z.object({
      least: z.string(),
      most: z.string(),
      /** The least that may be left to pay, unless nothing is; null: any amount. */
      leastRest: z.nullable(z.string()),
      fee: feeSetting,
    }),
  ),
  /** The least total that can be paid here, fee included; null where it is not known. */
  leastCharge: z.nullable(z.string()),
  /** Totals are whole numbers of this here; null: any amount can be paid. */
  chargeStep: z.nullable(z.string()),
  /** Payments are off for all, until the gateway was scanned after a restored backup: nothing is wrong with its settings. */
  paymentsPaused: z.boolean(),
  /** Too many cards were declined: the link takes none before this instant, ISO; null: it takes them now. */
  pausedUntil: z.nullable(z.string()),
  /** The open or last attempt of this link, so that a reload tells the truth. */
  attempt: z.nullable(paymentAttempt),
});
export type PaymentInfo = z.infer<typeof paymentInfo>;

const partNumbers = { least: z.number(), most: z.number(), leastRest: z.nullable(z.number()) };

/** Answer of `GET /v1/ec/payment/details/{token}` (payments §3). Amounts are JSON numbers (decisions §3). */
export const paymentInfoAnswer = z.extend(paymentInfo, {
  invoiceAmount: z.number(),
  fee: z.number(),
  total: z.number(),
  leastCharge: z.nullable(z.number()),
  chargeStep: z.nullable(z.number()),
  partPayment: z.nullable(z.object({ ...partNumbers, fee: feeSetting })),
  bank: z.nullable(z.extend(bankOnce, { fee: z.number(), total: z.number() })),
  attempt: z.nullable(z.extend(paymentAttempt, { amount: z.number(), asked: z.nullable(z.number()) })),
});
export type PaymentInfoAnswer = z.infer<typeof paymentInfoAnswer>;

export const billingAddress = z.object({
  address: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  city: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  state: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  zip: z.string().check(z.trim(), z.minLength(1), z.maxLength(20)),
  country: z.string().check(z.regex(/^[A-Z]{2}$/)),
});
export type BillingAddress = z.infer<typeof billingAddress>;

const rawMember = (longest: number) => z.nullish(z.string().check(z.maxLength(longest)));
/** What holds a number. The server takes it out of the body as bytes, and finds a placeholder of up to 40 letters here. */
export const rawNumber = rawMember(40);
/**
 * Members of a card whose number comes to the server (the specification's other variant): refused by name unless the account's way
 * of entry is `ownFieldsToUs`.
 */
export const rawCard = {
  /** Or what the page has encrypted of it, as base64, where the way of entry is `ownFieldsEncrypted`. */
  cardNumber: rawMember(1_000),
  /** 'YYYY-MM'. */
  expirationDate: rawMember(10),
  cardCode: rawNumber,
};
/** The same of a bank account, by the names of the specification's bank form (payments §3). */
export const rawAccount = {
  accountNumber: rawNumber,
  bankAccountNumber: rawNumber,
  routingNumber: rawMember(20),
  accountType: rawMember(20),
  bankName: rawMember(100),
  nameOnAccount: rawMember(100),
};

/**
 * Body of `POST /v1/ec/pay`. Amounts are compared with ours, never believed: `invoiceAmount` is what is due, with or
 * without fee, or what is to be paid of it (without fee) where the brand offers that.
 */
export const payRequest = z.object({
  uid: z.string().check(z.minLength(16), z.maxLength(128)),
  invoiceAmount: sentAmount,
  /** The total that was shown, fee included; another one than ours is refused. */
  total: z.optional(sentAmount),
  /** What was shown as due when a part of it is paid; when it has changed since, nothing is charged. */
  due: z.optional(sentAmount),
  invoiceNumber: z.string().check(z.maxLength(200)),
  cardHolder: z.optional(z.string().check(z.maxLength(200))),
  email: z.optional(z.string().check(z.maxLength(320))),
  cardToken: z.optional(oneTimeToken),
  /** Instead of a card: the one-time token of a bank account, and the `scheme` of the details. */
  paymentMethodId: z.optional(oneTimeToken),
  paymentMethodType: z.optional(z.string().check(z.regex(/^[a-z_]{1,40}$/))),
  /** The gateway's own page asks for the method: the answer says where it is. */
  ownPage: z.optional(z.boolean()),
  /** Who has agreed to its debit, and to which words: nothing is debited without. */
  accountHolderName: z.optional(z.string().check(z.maxLength(200))),
  mandateAccepted: z.optional(z.boolean()),
  mandateVersion: z.optional(z.string().check(z.maxLength(40))),
  billingAddress: z.optional(billingAddress),
  /** Of the payer, where the gateway asks for it. */
  nexioCustomerDetails: z.optional(payerMembers),
  ...enteredMembers,
  ...rawCard,
  ...rawAccount,
});
export type PayRequest = z.infer<typeof payRequest>;

/** Body of `POST /v1/ec/pay/{token}/entries`: what the form of a method that pays once needs. */
export const newLinkEntry = z.object({
  kind: z.enum(['card', 'bank']),
  scheme: z.optional(z.string().check(z.regex(/^[a-z_]{1,40}$/))),
});

/** Answer of every paying call, HTTP 200. `failed` only when certainly nothing was taken. */
export const payAnswer = z.object({
  status: z.enum(['succeeded', 'requires_action', 'processing', 'failed']),
  redirectToUrl: z.optional(z.string()),
  message: z.optional(z.string()),
  expected: z.optional(z.enum(['seconds', 'days'])),
  attemptId: z.optional(z.string()),
  reference: z.optional(z.string()),
  /** When it came to how it stands, ISO: the payment's own time. */
  at: z.optional(z.string()),
  /**
   * What was taken, once it has succeeded; else what the attempt is for: another tab's may be for another amount. Fee
   * included.
   */
  amount: z.optional(z.number()),
  /** What was asked for, where another amount was taken. */
  asked: z.optional(z.number()),
  /** What is still to be paid of what it was for, once it has succeeded; 0 where nothing is. */
  stillDue: z.optional(z.number()),
  /** What was taken beyond what it was for, and is the customer's credit now. */
  keptAsCredit: z.optional(z.number()),
  /** What it is paid with, as the gateway shows it. */
  method: z.optional(z.string()),
});
export type PayAnswer = z.infer<typeof payAnswer>;

/** Body of `POST /v1/ec/payments/confirmation/result`; on the public page `reqUid` is the attempt, `uid` the link. */
export const confirmationRequest = z.object({
  reqUid: z.string().check(z.maxLength(128)),
  uid: z.optional(z.string().check(z.maxLength(128))),
  paymentIntent: z.optional(z.string().check(z.maxLength(255))),
  paymentIntentClientSecret: z.optional(z.string().check(z.maxLength(255))),
  sourceType: z.optional(z.string().check(z.maxLength(50))),
});
export type ConfirmationRequest = z.infer<typeof confirmationRequest>;
