/**
 * What Authorize.Net is sent. Pure: no network, no clock, no settings. The service turns JSON into XML and validates it, so that keys
 * stand in the order of its schema (AnetApiSchema.xsd), values are cut at its lengths, and nothing unknown is sent.
 */
import { createHash } from 'node:crypto';
import { formatDecimal, type Money, parseMoney } from '@counterfoil/domain/money/money.ts';
import type { SecretBytes } from '../kit/secret-bytes.ts';
import type {
  BillingOwner,
  Charge,
  ChargeLabels,
  GatewayState,
  MethodKind,
  OneTimeInput,
  Refund,
} from '../port/gateway.ts';
import { duplicateWindowSeconds } from './manifest.ts';

/** A request's body in the order of its keys. */
export type WireBody = { readonly [name: string]: WireValue | undefined };
export type WireValue = string | boolean | number | SecretBytes | WireBody | readonly WireBody[];

/** The accept nonce's descriptor, the only one this adapter knows. */
const dataDescriptor = 'COMMON.ACCEPT.INAPP.PAYMENT';

/** Without what is empty or absent: an empty element is no element. */
const filled = (body: WireBody): WireBody =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([, value]) =>
        value !== undefined &&
        value !== '' &&
        !(typeof value === 'object' && !('use' in value) && Object.keys(value).length === 0),
    ),
  );

/**
 * A text as the service takes it: JSON strings go on in an older format, in which `&`, `<`, `>` and control characters break
 * the request. Cut at `most` characters, never within one.
 */
export function wireText(text: string | undefined, most: number): string | undefined {
  if (text === undefined) return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  const clean = text.replace(/[\u0000-\u001f\u007f]+/g, ' ').replace(/[&<>]/g, '');
  return [...clean.trim()].slice(0, most).join('').trim();
}

/** A customer as the service knows them: 20 characters, the same for the same customer. A UUID does not fit. */
export const customerKey = (customerId: string): string =>
  BigInt(`0x${createHash('sha256').update(customerId).digest('hex')}`)
    .toString(36)
    .toUpperCase()
    .slice(0, 20);

const TEXT_LENGTH = 255;
/**
 * What stands beside an order: what it is for, the invoices, and the customer, by which a scan after a restored backup knows whose it
 * is. Nothing else that the details show again has room for our customer's id.
 */
export function orderText({ description, invoice, customer }: Omit<ChargeLabels, 'session'>): string {
  const tail = ` ${customer}`;
  return `${wireText(`${description} (${invoice})`, TEXT_LENGTH - tail.length)}${tail}`;
}
/** The labels in the text of an order; a last invoice number that was cut off is none. */
export function labelsIn(text: string): Pick<ChargeLabels, 'customer' | 'invoice'> {
  const at = text.lastIndexOf(' ');
  const [head, customer] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  const numbers = head.slice(head.lastIndexOf('(') + 1).split(',');
  const whole = head.endsWith(')')
    ? [...numbers.slice(0, -1), numbers.at(-1)?.slice(0, -1)]
    : numbers.slice(0, -1);
  return { customer, invoice: whole.join(',') };
}

/** Money as a decimal string of two places. */
export const wireAmount = (amount: Money): string => formatDecimal(amount);

/** A decimal string or a number of the reporting answers as money; undefined for what is none. */
export function amountFromWire(value: string | number | undefined, currency: string): Money | undefined {
  if (value === undefined || value === '') return undefined;
  try {
    return parseMoney(String(value), currency);
  } catch {
    return undefined;
  }
}

// ---- Who pays ----

/** First and last name, from one name where they were not typed apart. */
function namesOf({ firstName, lastName, name = '' }: BillingOwner): readonly [string, string] {
  if (firstName !== undefined || lastName !== undefined) return [firstName ?? '', lastName ?? ''];
  const words = name.trim().split(/\s+/);
  return [words.slice(0, -1).join(' '), words.at(-1) ?? ''];
}

/** The owner's billing address; empty where nothing is known. */
export function billTo(owner: BillingOwner = {}): WireBody {
  const [firstName, lastName] = namesOf(owner);
  const { line1, line2, city, state, postalCode, country } = owner.billing ?? {};
  return filled({
    firstName: wireText(firstName, 50),
    lastName: wireText(lastName, 50),
    company: wireText(owner.company, 50),
    address: wireText([line1, line2].filter(Boolean).join(', '), 60),
    city: wireText(city, 40),
    state: wireText(state, 40),
    zip: wireText(postalCode, 20),
    country: wireText(country, 60),
    phoneNumber: wireText(owner.phone, 25),
  });
}

/** An account over the web, authorised by a consumer. */
const echeckType = 'WEB';

/**
 * The `payment` block of a method used once or saved: a nonce of Accept.js, or numbers that pass us.
 * @returns undefined where what is needed of that kind is not there
 */
export function paymentBlock(
  input: OneTimeInput,
  kind: MethodKind,
  owner: BillingOwner = {},
): WireBody | undefined {
  if ('token' in input) return { opaqueData: { dataDescriptor, dataValue: input.token } };
  if (!('secrets' in input)) return undefined;
  const { secrets, beside } = input;
  if (kind === 'card') {
    const { expirationDate } = beside;
    if (secrets.number === undefined || expirationDate === undefined) return undefined;
    return {
      creditCard: filled({ cardNumber: secrets.number, expirationDate, cardCode: secrets.code }),
    };
  }
  const { accountType, routingNumber, nameOnAccount = owner.name, bankName } = beside;
  if (secrets.account === undefined || routingNumber === undefined || accountType === undefined)
    return undefined;
  return {
    bankAccount: filled({
      accountType,
      routingNumber: routingNumber.replace(/\D/g, ''),
      accountNumber: secrets.account,
      nameOnAccount: wireText(nameOnAccount, 22),
      echeckType,
      bankName: wireText(bankName, 50),
    }),
  };
}

// ---- A charge ----

const settings = {
  setting: [
    { settingName: 'allowPartialAuth', settingValue: 'false' },
    { settingName: 'duplicateWindow', settingValue: String(duplicateWindowSeconds) },
  ],
};

/** What is charged with: a saved method's ids, or a `payment` block. */
export type ChargeWith =
  | { readonly profile: string; readonly paymentProfile: string; readonly kind: string }
  | { readonly payment: WireBody };

/**
 * `transactionRequest` of a charge. Equal charges give equal contents, which is what the service compares; our reference
 * stands as invoice number, so that two payments of one invoice are never taken for one, and lists can be searched for it.
 */
export function chargeRequest(charge: Charge, pays: ChargeWith): WireBody {
  const isSaved = 'profile' in pays;
  return filled({
    transactionType: 'authCaptureTransaction',
    amount: wireAmount(charge.amount),
    currencyCode: charge.amount.currency,
    ...(isSaved
      ? {
          profile: {
            customerProfileId: pays.profile,
            paymentProfile: { paymentProfileId: pays.paymentProfile },
          },
        }
      : { payment: pays.payment }),
    order: filled({
      invoiceNumber: charge.ref,
      description: orderText(charge.labels),
    }),
    // The profile has its own: both together are refused (E00093).
    ...(isSaved
      ? {}
      : {
          customer: filled({
            id: customerKey(charge.labels.customer),
            email: wireText(charge.owner?.email, 255),
          }),
          billTo: billTo(charge.owner),
        }),
    // IPv4 only.
    customerIP: charge.client !== undefined && charge.client.ip.length <= 15 ? charge.client.ip : undefined,
    transactionSettings: settings,
    // Rules of the card schemes: who has started a payment with a stored card.
    ...(isSaved && pays.kind === 'card'
      ? {
          processingOptions:
            charge.initiator === 'merchant' ? { isSubsequentAuth: true } : { isStoredCredentials: true },
        }
      : {}),
  });
}

export const voidRequest = (transId: string): WireBody => ({
  transactionType: 'voidTransaction',
  refTransId: transId,
});

/** The masked numbers that a refund names its original's method by. */
export type MaskedMethod =
  | { readonly kind: 'card'; readonly number: string }
  | {
      readonly kind: 'bank';
      readonly accountType: string;
      readonly routing: string;
      readonly account: string;
      readonly name: string;
      readonly echeckType: string;
    };

export function refundRequest(refund: Refund, method: MaskedMethod): WireBody {
  return {
    transactionType: 'refundTransaction',
    amount: wireAmount(refund.amount),
    currencyCode: refund.amount.currency,
    payment:
      method.kind === 'card'
        ? { creditCard: { cardNumber: method.number, expirationDate: 'XXXX' } }
        : {
            bankAccount: filled({
              accountType: method.accountType,
              routingNumber: method.routing,
              accountNumber: method.account,
              nameOnAccount: wireText(method.name, 22),
              echeckType: method.echeckType,
            }),
          },
    refTransId: refund.of.remote,
    order: { invoiceNumber: refund.ref },
    transactionSettings: settings,
  };
}

// ---- Saved methods ----

export interface PaymentProfile {
  readonly customerType?: string | undefined;
  readonly billTo: WireBody;
  readonly payment: WireBody;
  readonly isDefault?: boolean;
}

const paymentProfile = ({
  customerType = 'individual',
  billTo: address,
  payment,
  isDefault,
}: PaymentProfile): WireBody =>
  filled({
    customerType,
    billTo: address,
    payment,
    defaultPaymentProfile: isDefault,
  });

export const createProfileRequest = (customerId: string, email: string): WireBody => ({
  profile: filled({
    merchantCustomerId: customerKey(customerId),
    description: wireText(`Customer ${customerId}`, 255),
    email: wireText(email, 255),
  }),
});

export const addPaymentProfileRequest = (
  profile: string,
  method: PaymentProfile,
  validationMode: 'liveMode' | 'testMode',
): WireBody => ({
  customerProfileId: profile,
  paymentProfile: paymentProfile(method),
  validationMode,
});

/** Replaces the whole payment profile: what is left out is blanked. */
export const updatePaymentProfileRequest = (
  { profile, payment }: { readonly profile: string; readonly payment: string },
  method: PaymentProfile,
  validationMode: 'liveMode' | 'testMode' | 'none',
): WireBody => ({
  customerProfileId: profile,
  paymentProfile: { ...paymentProfile(method), customerPaymentProfileId: payment },
  validationMode,
});

// ---- What this adapter remembers ----

/** Of a charge. Absent members are not known. */
export interface ChargeState {
  /** The service's id of the transaction. */
  readonly transId?: string;
  readonly kind?: string;
  /** 'XXXX1111', by which a refund names the card. */
  readonly masked?: string;
  /** A reason after which nothing is sent again: whether it counts for the comparison of contents is not documented. */
  readonly noReplay?: string;
}

export const readChargeState = (state: GatewayState | undefined): ChargeState => state ?? {};

/** `state` with `more`, which wins; absent members stay away. */
export const intoState = (state: ChargeState, more: ChargeState): GatewayState =>
  Object.fromEntries(
    Object.entries({ ...state, ...more }).flatMap(([key, value]) => (value ? [[key, value]] : [])),
  );
