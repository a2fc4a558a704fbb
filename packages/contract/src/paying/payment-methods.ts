import * as z from 'zod/mini';
import { debitForm } from './direct-debit.ts';
import { enteredMembers, entryConfig, formField, oneTimeToken, payerMembers } from './entry-config.ts';
import { billingAddress, rawAccount, rawCard, rawNumber } from './public-pay.ts';

/** Paths of the gateways that have none of their own (payments §7, decisions §2); others name theirs in their manifest. */
export const SHARED_METHOD_PATHS = {
  cards: '/v1/ec/payments/cards',
  accounts: '/v1/ec/payments/payment-methods',
  defaultSource: '/v1/ec/payments/customer-default-source',
} as const;

const text = (longest: number) => z.string().check(z.trim(), z.maxLength(longest));
const filledToken = oneTimeToken.check(z.trim(), z.minLength(1));
const maybe = z.nullable(z.string());

const postalAddress = z.object({
  line1: maybe,
  line2: maybe,
  city: maybe,
  state: maybe,
  postalCode: maybe,
  country: maybe,
});

/**
 * A saved method. Beside the members named here it carries the provider's own object of the specification
 * (`stripeCard`, `aubecsDebit`, …), as the gateway's manifest declares it.
 */
export const savedSource = z.catchall(
  z.object({
    id: z.uuid(),
    paymentSourceId: z.uuid(),
    default: z.boolean(),
    isDefault: z.boolean(),
    kind: z.enum(['card', 'bank']),
    sourceType: z.enum(['CC', 'ACH']),
    /** `pending`: the bank or the customer has yet to confirm it; `unusable`: its mandate has ended. */
    status: z.enum(['ready', 'pending', 'unusable']),
    isExpired: z.boolean(),
    brand: maybe,
    /** As the gateway gives it: two to four digits. */
    last4: maybe,
    /** The same by the specification's other name (payments §3). */
    lastFour: maybe,
    /** Of a bank account, by whatever its country calls it; null where the gateway does not tell. */
    routingNumber: maybe,
    name: maybe,
    expMonth: z.nullable(z.int()),
    expYear: z.nullable(z.int()),
    address: postalAddress,
    billingDetails: z.object({ name: maybe, email: maybe, phone: maybe, address: postalAddress }),
    mandate: z.nullable(
      z.object({
        status: z.enum(['pending', 'active', 'suspended', 'dead']),
        reference: maybe,
        /** The document at the gateway. */
        url: maybe,
        agreedAt: maybe,
        /** What was agreed to. */
        text: maybe,
      }),
    ),
    /** What the customer must bring before a pending one can be used, for `POST …/setup-intent/result`. */
    verification: z.nullable(
      z.object({ reqUid: z.uuid(), fields: z.array(z.string()), page: z.nullable(z.string()) }),
    ),
  }),
  z.record(z.string(), z.union([z.string(), z.number(), z.record(z.string(), z.string())])),
);
export type SavedSource = z.infer<typeof savedSource>;

/** Answer of `GET /v1/ec/payments/details`: the payment settings, and what the reseller's gateway can do. */
export const paymentDetails = z.object({
  paymentType: z.int(),
  publishableKey: z.string(),
  paymentTypeDisclaimer: z.string(),
  directDebitPaymentMethodId: z.int(),
  companyName: z.string(),
  paymentEmailReceipt: z.boolean(),
  paymentBillingAddressRequired: z.boolean(),
  paymentCardHolderRequired: z.boolean(),
  currency: z.string(),
  currencySymbol: z.object({ symbol: z.string() }),
  invoiceLabelSingular: z.string(),
  invoiceLabelPlural: z.string(),
  /** Payments are switched on and there is a gateway. */
  enabled: z.boolean(),
  /** The gateway takes the keys it has. */
  apiStatus: z.boolean(),
  /** Nothing is charged for now, while it is found out what was paid; `apiStatus` is false. */
  paymentsPaused: z.boolean(),
  card: z.nullable(
    z.object({
      /** How it is typed: the manifest's first way unless the reseller chose another. */
      entry: entryConfig,
      /** Members that `PUT` on the cards path takes. */
      edit: z.array(z.string()),
      /** Those of them without which nothing of a card is changed. */
      editNeeds: z.array(z.string()),
      /** A new card may be used on bulk pay without being kept. */
      isNewAllowedInline: z.boolean(),
      /** What such a card needs beside its number, whatever the brand asks for. */
      payOnceFields: z.array(formField),
    }),
  ),
  bank: z.nullable(z.extend(debitForm, { edit: z.array(z.string()) })),
  /** Where this gateway's calls are. */
  paths: z.nullable(z.object({ cards: z.string(), accounts: z.string(), defaultSource: z.string() })),
});
export type PaymentDetails = z.infer<typeof paymentDetails>;

/**
 * Body of `POST` on a gateway's path of cards or accounts. The token comes from the provider's script; it works once and is not
 * stored. A gateway's manifest may add members of its own (payments §7).
 */
export const newMethod = z.object({
  /** Refused without one; a raw card instead of it is refused as such. */
  token: z.optional(filledToken),
  email: z.optional(text(320)),
  cardHolder: z.optional(text(200)),
  billingAddress: z.optional(billingAddress),
  /** Of the payer, where the gateway asks for it. */
  customer: z.optional(payerMembers),
  ...enteredMembers,
  /** `paymentType` the page was made for; another one than now is refused. */
  type: z.optional(z.int()),
  ...rawCard,
  /** What others call `cardCode`. */
  cvc: rawNumber,
  cvdValue: rawNumber,
  cvv: rawNumber,
  ...rawAccount,
  /** The `scheme` of the details, for a bank account where one path takes both. */
  paymentMethodType: z.optional(z.string().check(z.regex(/^[a-z_]{1,40}$/))),
  accountHolderName: z.optional(text(200)),
  phone: z.optional(text(40)),
  /** Of a bank account: its holder has agreed to the words of this version. */
  mandateAccepted: z.optional(z.boolean()),
  mandateVersion: z.optional(text(40)),
});
export type NewMethod = z.infer<typeof newMethod>;

const expiryPart = z.union([z.int(), z.string().check(z.maxLength(4))]);

/** Body of `PUT` on the cards path: what is given is changed; also of a bank account, by its id. */
export const cardChange = z.object({
  id: z.uuid(),
  expMonth: z.optional(expiryPart),
  expYear: z.optional(expiryPart),
  name: z.optional(text(200)),
  email: z.optional(text(320)),
  phone: z.optional(text(40)),
  address: z.optional(
    z.object({
      line1: z.optional(text(200)),
      line2: z.optional(text(200)),
      city: z.optional(text(100)),
      state: z.optional(text(100)),
      postalCode: z.optional(text(20)),
      country: z.optional(z.string().check(z.regex(/^([A-Z]{2})?$/))),
    }),
  ),
});
export type CardChange = z.infer<typeof cardChange>;

/** Body of the calls that name one method. */
export const methodId = z.object({ id: z.uuid() });

/** Body of the call that makes one the default; BPOINT's names it `cardToken` (decisions §2). */
export const defaultMethod = z.object({
  id: z.optional(z.uuid()),
  cardToken: z.optional(z.uuid()),
  isDefault: z.optional(z.boolean()),
});

/** Body of `POST /v1/ec/payments/entries`: for saving a method, or for a new card of a bulk payment's session. */
export const newEntry = z.object({
  purpose: z.enum(['payOnce', 'save']),
  kind: z.enum(['card', 'bank']),
  scheme: z.optional(z.string().check(z.regex(/^[a-z_]{1,40}$/))),
  /** Of the session that is to be paid. */
  uid: z.optional(z.string().check(z.regex(/^[\w-]{22,128}$/))),
});

/** Answer of the calls that save a method, HTTP 200. A refusal is a problem with the gateway's words. */
export const setupAnswer = z.object({
  status: z.enum(['succeeded', 'requires_action', 'processing']),
  redirectToUrl: z.optional(z.string()),
  /** `seconds`: ask again soon; `days`: the bank or a small deposit takes its time. */
  expected: z.optional(z.enum(['seconds', 'days'])),
  /** Of this setup, for `POST …/setup-intent/result`. */
  reqUid: z.uuid(),
  source: z.optional(savedSource),
});
export type SetupAnswer = z.infer<typeof setupAnswer>;

export const setupIntentQuery = z.object({
  /** 'card', or the `scheme` of the details. */
  paymentMethodType: z._default(z.string().check(z.regex(/^[a-z_]{1,40}$/)), 'card'),
});

/** Answer of `GET /v1/ec/payments/setup-intent`: an open set-up for the provider's script. */
export const openSetup = z.object({
  reqUid: z.uuid(),
  paymentMethodType: z.string(),
  /** What the provider's script needs to finish it. */
  config: z.record(z.string(), z.string()),
  /** Where the browser has to go instead, for a gateway whose own pages ask for the account. */
  redirectToUrl: z.optional(z.string()),
  /** Where it comes back to. */
  returnUrl: z.string(),
});
export type OpenSetup = z.infer<typeof openSetup>;

/** Body of `POST /v1/ec/payments/setup-intent`: saves what the provider's script has made. */
export const setupIntent = z.object({
  paymentMethodId: filledToken,
  paymentMethodType: z.string().check(z.regex(/^[a-z_]{1,40}$/)),
  email: z.optional(text(320)),
  /**
   * The mandate's box: `true` for a bank account, or it is refused; not needed for a card. Only the specification's body
   * of token and type alone does without, since it is sent once the box is ticked.
   */
  mandateAccepted: z.optional(z.boolean()),
  /** Version of the text that was shown; another one than now is refused. */
  mandateVersion: z.optional(text(40)),
});
export type SetupIntent = z.infer<typeof setupIntent>;

/** Body of `POST /v1/ec/payments/setup-intent/result`; `reqUid` alone asks how it stands. */
export const setupQuestion = z.object({
  reqUid: z.uuid(),
  /** Of the small deposit on the bank statement. */
  descriptorCode: z.optional(text(20)),
  /** The two small deposits in minor units, e.g. '32,45'. */
  amounts: z.optional(z.string().check(z.regex(/^\s*\d{1,3}([ ,;]+\d{1,3})?\s*$/))),
});
export type SetupQuestion = z.infer<typeof setupQuestion>;

/** Answer of `GET` and `PUT /v1/ec/allow-reseller-charge`. */
export const resellerCharge = z.object({
  allowResellerCharge: z.boolean(),
  requireCustomerPermissionForCharging: z.boolean(),
  confirmationMessageForCharging: z.string(),
  hidePaymentTypesForCustomerUsers: z.boolean(),
});
export type ResellerCharge = z.infer<typeof resellerCharge>;

export const resellerChargeChange = z.object({ allowResellerCharge: z.boolean() });
