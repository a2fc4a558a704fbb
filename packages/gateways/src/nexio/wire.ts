/** What Nexio (v3) is sent and what it answers. No network, no clock, no configuration. */
import { type Money, moneyToNumber, parseMoney } from '@counterfoil/domain/money/money.ts';
import * as z from 'zod/mini';
import type { BillingOwner, Decline, Method, MethodKind, Outcome, PostalAddress } from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import type { NexioSettings } from './manifest.ts';

const text = z.nullish(z.string());
/** A number, or one as a text: reporting has both. */
const numeric = z.nullish(z.union([z.number(), z.string()]));

// ---- Answers ----

const customerReply = z.nullish(
  z.object({
    customerRef: text,
    orderNumber: text,
    invoice: text,
    firstName: text,
    lastName: text,
    email: text,
    phone: text,
    billToAddressOne: text,
    billToAddressTwo: text,
    billToCity: text,
    billToState: text,
    billToPostal: text,
    billToCountry: text,
    billToPhone: text,
    shipToAddressOne: text,
    shipToPhone: text,
  }),
);
type CustomerReply = z.output<typeof customerReply>;

export const otuReply = z.object({ token: z.string(), expiration: text });

const cardReply = z.nullish(
  z.object({ cardHolderName: text, expirationMonth: numeric, expirationYear: numeric, cardType: text }),
);
const tokenReply = z.nullish(z.object({ token: text, firstSix: text, lastFour: text, cardType: text }));

/** A card or bank account of the vault, as it is saved and read; members that are not read are not checked. */
export const vaultReply = z.object({
  token: tokenReply,
  tokenex: tokenReply,
  card: cardReply,
  bank: z.nullish(z.object({ accountHolderName: text, routingNumber: text })),
  data: z.nullish(z.object({ customer: customerReply })),
});
/** A page of saved cards. */
export const cardsReply = z.object({ rows: z.array(z.object({ token: z.string(), customerRef: text })) });
export type VaultReply = z.output<typeof vaultReply>;

/** The answer to a payment, void or refund. A 3-D Secure redirect comes instead of all else. */
export const paymentReply = z.object({
  id: text,
  transactionStatus: text,
  amount: numeric,
  currency: text,
  data: z.nullish(z.object({ amount: numeric, currency: text, customer: customerReply })),
  card: cardReply,
  token: tokenReply,
  redirectUrl: text,
  asyncTraceId: text,
});
export type PaymentReply = z.output<typeof paymentReply>;

/** A transaction of the reporting calls: its `id` is another number than the payment's. */
export const rowReply = z.object({
  id: numeric,
  amount: numeric,
  transactionDate: text,
  transactionStatus: numeric,
  originalTransactionId: numeric,
  achDetailId: numeric,
  customer: customerReply,
  plugin: z.nullish(z.object({ originalId: text })),
});
export type RowReply = z.output<typeof rowReply>;
export const listReply = z.object({ rows: z.array(rowReply), hasMore: z.nullish(z.boolean()) });

/** How far a 3-D Secure check has come; the shape inside is the gateway's own. */
export const traceReply = z.object({
  id: text,
  paymentId: text,
  transactionStatus: numeric,
  history: z.nullish(z.array(z.object({ step: text }))),
});
export type TraceReply = z.output<typeof traceReply>;

export const errorReply = z.object({ error: z.nullish(z.union([z.number(), z.string()])), message: text });
export type ErrorReply = z.output<typeof errorReply>;

// ---- Requests ----

const given = (members: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value]],
    ),
  );

/** `data.customer`: whoever owns a method, by the provider's names. */
export function customerOf(owner: BillingOwner = {}): Record<string, string> {
  const { firstName, lastName, email, phone, billing = {}, shipping = {}, shippingPhone } = owner;
  return given({
    firstName,
    lastName,
    email,
    phone,
    billToAddressOne: billing.line1,
    billToAddressTwo: billing.line2,
    billToCity: billing.city,
    billToState: billing.state,
    billToPostal: billing.postalCode,
    billToCountry: billing.country,
    billToPhone: phone,
    shipToAddressOne: shipping.line1,
    shipToPhone: shippingPhone,
  });
}

/** The body for a one-time token: what is said here of checks counts for what is saved with it. */
export const otuRequest = (
  { currency, merchantId, checkFraud, verifyCvc }: NexioSettings,
  customerRef: string,
  { owner, amount }: { readonly owner?: BillingOwner | undefined; readonly amount?: Money | undefined } = {},
) => ({
  data: {
    currency: amount?.currency ?? currency,
    ...(amount && { amount: moneyToNumber(amount) }),
    customer: { ...customerOf(owner), customerRef },
  },
  processingOptions: { merchantId, checkFraud, verifyCvc },
});

/** What a page has encrypted, as far as it is to be sent on. */
export interface EncryptedForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly owner: BillingOwner | undefined;
}

/** Month and year of `expirationDate` (YYYY-MM), else as the specified body has them. */
export function expiryOf(
  fields: Readonly<Record<string, string>>,
): { month: string; year: string } | undefined {
  const [year = '', month = ''] = (fields['expirationDate'] ?? '').split('-');
  const [, mm] = /^0?([1-9]|1[0-2])$/.exec(month || (fields['expirationMonth'] ?? '')) ?? [];
  const [, yy] = /^(?:20)?(\d\d)$/.exec(year || (fields['expirationYear'] ?? '')) ?? [];
  return mm === undefined || yy === undefined ? undefined : { month: mm, year: yy };
}

const INVOICES_LENGTH = 50;

/** The numbers that a payment's `invoice` names; a last one that was cut off is none. */
export const invoicesFromWire = (invoice: string): string =>
  invoice.length < INVOICES_LENGTH ? invoice : invoice.slice(0, Math.max(invoice.lastIndexOf(','), 0));

/**
 * The body that pays. Without an idempotency key the order number is all that tells one payment from another: our reference,
 * new for each attempt.
 */
export const processRequest = (
  { merchantId, checkFraud, check3ds }: NexioSettings,
  charge: {
    readonly ref: string;
    readonly amount: Money;
    readonly customer: string;
    readonly invoice: string;
    readonly owner: BillingOwner | undefined;
    readonly returnTo: string;
    /** The payer is there to answer a bank's question. */
    readonly isPresent: boolean;
  },
  method: { readonly token: string; readonly kind: MethodKind },
) => ({
  tokenex: { token: method.token },
  ...(charge.owner?.name && method.kind === 'card' && { card: { cardHolderName: charge.owner.name } }),
  data: {
    amount: moneyToNumber(charge.amount),
    currency: charge.amount.currency,
    customer: {
      ...customerOf(charge.owner),
      // Also of what pays once, whose token names its entry instead: by it a payment is known that was forgotten here.
      customerRef: charge.customer,
      orderNumber: charge.ref,
      invoice: charge.invoice.slice(0, INVOICES_LENGTH),
    },
  },
  ...(method.kind === 'card' && { isAuthOnly: false }),
  processingOptions: {
    merchantId,
    verboseResponse: true,
    ...(method.kind === 'card' && {
      checkFraud,
      check3ds: check3ds && charge.isPresent,
      ...(check3ds && charge.isPresent && { customerRedirectUrl: charge.returnTo }),
    }),
  },
});

// ---- Outcomes ----

/** Numbers of the reporting calls and texts of the others. https://docs.nexiopay.com, Constant transaction values */
const STATUS: Readonly<Record<string, string>> = {
  '3': 'authOnlyPending',
  '9': 'authorizedPending',
  '10': 'pending',
  '11': 'authOnly',
  '20': 'settled',
  '30': 'declined',
  '32': 'fraudReject',
  '39': 'voidPending',
  '40': 'voided',
  '50': 'error',
};
export const statusOf = (status: string | number | null | undefined): string =>
  STATUS[String(status ?? '')] ?? String(status ?? '');

/** The bank has the money on its way; of a card that is as good as paid. */
const UNSETTLED = new Set(['authorizedPending', 'authorized', 'pending']);
const FAILED = new Set(['declined', 'fraudReject', 'error']);
export const isVoided = (status: string): boolean => status === 'voided' || status === 'voidPending';
export const isSettled = (status: string): boolean => status === 'settled';
export const isUnsettled = (status: string): boolean => UNSETTLED.has(status);
export const isFailed = (status: string): boolean => FAILED.has(status);

const declined = (kind: MethodKind): string =>
  kind === 'card' ? 'Your card was declined' : 'Your bank did not accept the payment';

type Row = readonly [words: RegExp, name: string, Omit<Decline, 'code'>];
/** The gateway's message alone tells why. In this order: https://docs.nexiopay.com, Handling gateway declines */
const byWords: readonly Row[] = [
  [/pick ?up|restricted/i, 'pick-up', { class: 'otherMethod', text: '', final: true }],
  [/insufficient|withdrawal/i, 'funds', { class: 'retryLater', text: 'Not enough funds or limit reached' }],
  [/cvv/i, 'code', { class: 'fixInput', text: 'Check the security code' }],
  [/issuer|checking account/i, 'number', { class: 'fixInput', text: 'Check the number' }],
];

/** A decline by its message. */
export function declineOf(code: string, message: string, kind: MethodKind): Decline {
  const found = byWords.find(([words]) => words.test(message));
  if (found === undefined) return { class: 'otherMethod', text: declined(kind), code };
  const [, name, decline] = found;
  return { ...decline, text: decline.text || declined(kind), code: `${code}/${name}` };
}

/** What an error means for a call; `unknown` where it says nothing of what was done. */
export type ErrorMeaning =
  | { readonly is: 'declined'; readonly why: Decline }
  | { readonly is: 'refused'; readonly why: 'config' | 'notFound' | 'invalid' }
  | { readonly is: 'unknown' };

/** Errors about our account or our request: 400, 409 and 418 come with HTTP 400. */
const refusals: Readonly<Record<string, 'config' | 'notFound' | 'invalid'>> = {
  '400': 'invalid',
  '401': 'config',
  '403': 'config',
  '404': 'notFound',
  '409': 'config',
  '418': 'config',
};
/** Address and fraud checks; which is which the provider does not say. */
const checks = new Set(['436', '438', '439']);

/**
 * Reads an error. The HTTP status is 400 for almost anything, so that `error` decides; one that is not documented, and a
 * time-out of the connected gateway (408), may have been carried out.
 */
export function meaningOf(status: number, { error, message }: ErrorReply, kind: MethodKind): ErrorMeaning {
  const code = String(error ?? status);
  if (status >= 500 || code === '408') return { is: 'unknown' };
  if (code === '435') return { is: 'declined', why: declineOf(code, message ?? '', kind) };
  if (code === '437')
    return { is: 'declined', why: { class: 'fixInput', text: 'Check the security code', code } };
  if (checks.has(code)) return { is: 'declined', why: { class: 'otherMethod', text: declined(kind), code } };
  const why = refusals[code];
  if (why === undefined) return { is: 'unknown' };
  // A merchant that is not found is no method that is gone.
  return { is: 'refused', why: why === 'notFound' && /merchant/i.test(message ?? '') ? 'config' : why };
}

/** An amount in major units; undefined for what is none. */
export function amountOf(amount: string | number | null | undefined, currency: string): Money | undefined {
  try {
    return amount === null || amount === undefined ? undefined : parseMoney(String(amount), currency);
  } catch {
    return undefined;
  }
}

/** What is asked about: our reference is the order number, and so the one name of the charge. */
export interface Asked {
  readonly ref: string;
  readonly amount: Money;
  readonly kind: MethodKind;
}

/** What a transaction's status comes to. @param amount as it was answered, where it was */
export function outcomeOf(
  status: string,
  amount: string | number | null | undefined,
  asked: Asked,
  state: Readonly<Record<string, string>>,
): Outcome | { readonly is: 'closed' } {
  const remote = remoteId(asked.ref);
  const evidence = `status ${status || '(none)'}`;
  const captured =
    amount === null || amount === undefined ? asked.amount : amountOf(amount, asked.amount.currency);
  if (isSettled(status) || isUnsettled(status)) {
    if (captured === undefined) return { is: 'unknown', evidence: `${evidence}, amount ${amount}`, state };
    if (asked.kind === 'bank' && !isSettled(status)) return { is: 'pending', because: 'bank', remote, state };
    return { is: 'succeeded', remote, captured, state };
  }
  if (isFailed(status))
    return {
      is: 'declined',
      why: { class: 'otherMethod', text: declined(asked.kind), code: status },
      remote,
    };
  if (isVoided(status)) return { is: 'closed' };
  return { is: 'unknown', evidence, state };
}

/** A transaction that carries our reference and is no follow-up of another; the one that took money first. */
export function rowOf(rows: readonly RowReply[], ref: string): RowReply | undefined {
  const ours = rows.filter(
    ({ customer, originalTransactionId }) =>
      customer?.orderNumber === ref && (originalTransactionId ?? '') === '',
  );
  const isTaken = ({ transactionStatus }: RowReply) => {
    const status = statusOf(transactionStatus);
    return isSettled(status) || isUnsettled(status);
  };
  return ours.find(isTaken) ?? ours[0];
}

// ---- Methods ----

const brands: Readonly<Record<string, string>> = {
  visa: 'visa',
  mastercard: 'mastercard',
  discover: 'discover',
  amex: 'amex',
  americanexpress: 'amex',
  jcb: 'jcb',
};

const postalOf = (customer: NonNullable<CustomerReply>): PostalAddress =>
  given({
    line1: customer.billToAddressOne ?? undefined,
    line2: customer.billToAddressTwo ?? undefined,
    city: customer.billToCity ?? undefined,
    state: customer.billToState ?? undefined,
    postalCode: customer.billToPostal ?? undefined,
    country: customer.billToCountry ?? undefined,
  });

const shownCustomer = (customer: NonNullable<CustomerReply>): Record<string, string> => ({
  ...given({
    firstName: customer.firstName ?? undefined,
    lastName: customer.lastName ?? undefined,
    email: customer.email ?? undefined,
    phone: customer.billToPhone ?? customer.phone ?? undefined,
    shippingLine1: customer.shipToAddressOne ?? undefined,
    shippingPhone: customer.shipToPhone ?? undefined,
  }),
  ...postalOf(customer),
});

/** What a card or account of the vault is shown as. */
export function shownOf({ token, tokenex, card, bank, data }: VaultReply): Record<string, string> {
  const known = { ...tokenex, ...token };
  const brand = card?.cardType ?? known.cardType ?? undefined;
  const last4 = known.lastFour ?? undefined;
  const customer = shownCustomer(data?.customer ?? {});
  if (bank)
    return {
      ...customer,
      ...given({
        type: 'ach',
        routing: bank.routingNumber ?? undefined,
        last4,
        name: bank.accountHolderName ?? undefined,
      }),
    };
  const { month, year } = yearAndMonth(card);
  return {
    ...customer,
    ...given({
      type: 'card',
      brand: brand && (brands[brand.toLowerCase()] ?? brand),
      last4,
      name: card?.cardHolderName ?? undefined,
      expMonth: month,
      expYear: year,
    }),
  };
}

function yearAndMonth(card: z.output<typeof cardReply>): { month?: string; year?: string } {
  const expiry = expiryOf({
    expirationMonth: String(card?.expirationMonth ?? ''),
    expirationYear: String(card?.expirationYear ?? ''),
  });
  return expiry === undefined ? {} : { month: expiry.month.padStart(2, '0'), year: `20${expiry.year}` };
}

/**
 * A method of the vault.
 * @param state with its `token` and `kind`; of a bank account also what its holder has typed, which the vault does not keep
 */
export function methodOf(reply: VaultReply, state: Readonly<Record<string, string>>): Method {
  const { token = '', kind, name, email, line1 } = state;
  const show = { ...given({ name, email, line1 }), ...shownOf(reply) };
  const { expMonth, expYear } = show;
  return {
    remote: remoteId(token),
    state,
    kind: kind === 'bank' ? 'bank' : 'card',
    show,
    ...(expMonth && expYear && { expires: `${expYear}-${expMonth}` }),
    usable: 'now',
  };
}
