/** What GoCardless is sent and what it answers. No network, no clock. https://developer.gocardless.com/api-reference */
import { type Money, money } from '@counterfoil/domain/money/money.ts';
import * as z from 'zod/mini';
import { redact } from '../kit/redact.ts';
import type {
  Charge,
  Decline,
  GatewayRef,
  GatewayState,
  Method,
  Outcome,
  Refund,
  RemoteId,
  SetupRequest,
} from '../port/gateway.ts';
import { isGatewayRef, remoteId } from '../port/gateway-ref.ts';

// ---- What is read of each resource; other members are not looked at ----

const id = z.string().check(z.minLength(1), z.maxLength(200));
const currency = z.string().check(z.regex(/^[A-Z]{3}$/));
const texts = z.nullish(z.record(z.string(), z.string()));
/** Numbers on the wire; the vendor's own types say text. */
const minorUnits = z.union([z.int(), z.string().check(z.regex(/^\d{1,15}$/))]);
const optionalId = z.nullish(z.string().check(z.maxLength(200)));

export const paymentReply = z.object({
  id,
  status: z.string(),
  amount: minorUnits,
  currency,
  metadata: texts,
  created_at: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT/)),
  links: z.object({ mandate: optionalId }),
});
export const refundReply = z.object({
  id,
  status: z.string(),
  amount: minorUnits,
  currency,
  metadata: texts,
  links: z.object({ payment: optionalId }),
});
export const mandateReply = z.object({
  id,
  status: z.string(),
  scheme: z.string(),
  reference: z.nullish(z.string()),
  next_possible_charge_date: z.nullish(z.string()),
  links: z.object({ customer: optionalId, customer_bank_account: optionalId, new_mandate: optionalId }),
});
export const accountReply = z.object({
  id,
  account_holder_name: z.nullish(z.string()),
  account_number_ending: z.nullish(z.string()),
  bank_name: z.nullish(z.string()),
  country_code: z.nullish(z.string()),
  currency: z.nullish(z.string()),
});
export const billingRequestReply = z.object({
  id,
  status: z.string(),
  metadata: texts,
  links: z.object({ customer: optionalId, mandate_request_mandate: optionalId }),
});
export const flowReply = z.object({
  authorisation_url: z.string().check(z.regex(/^https?:\/\//), z.maxLength(2_000)),
});
export const creditorReply = z.object({ id, can_create_refunds: z.nullish(z.boolean()) });
export const eventReply = z.object({
  id,
  created_at: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)),
  resource_type: z.string(),
  action: z.string(),
  links: z.record(z.string(), z.nullish(z.string())),
  details: z.nullish(z.object({ cause: z.nullish(z.string()), will_attempt_retry: z.nullish(z.boolean()) })),
  metadata: texts,
  resource_metadata: texts,
});

export type PaymentReply = z.output<typeof paymentReply>;
export type RefundReply = z.output<typeof refundReply>;
export type MandateReply = z.output<typeof mandateReply>;
export type AccountReply = z.output<typeof accountReply>;
export type BillingRequestReply = z.output<typeof billingRequestReply>;
export type EventReply = z.output<typeof eventReply>;

/** Cursor of the next page; null on the last one. */
export const listMeta = z.object({ cursors: z.object({ after: z.nullish(z.string()) }) });

// ---- Errors ----

/** What an error says; `reason` is the first of its entries. */
export interface WireError {
  readonly type: string;
  readonly reason: string;
  readonly conflicting?: string;
  readonly newMandate?: string;
  /** For the operator, redacted: message, reasons, fields, and the id of the request. */
  readonly detail: string;
}

const errorReply = z.object({
  error: z.object({
    type: z.string(),
    message: z.nullish(z.string()),
    request_id: z.nullish(z.string()),
    errors: z.nullish(
      z.array(
        z.object({
          reason: z.nullish(z.string()),
          field: z.nullish(z.string()),
          message: z.nullish(z.string()),
          links: z.nullish(z.record(z.string(), z.nullish(z.string()))),
        }),
      ),
    ),
  }),
});

/** @returns undefined for anything but the documented envelope: a plain string, another gateway's page */
export function errorFromWire(body: unknown): WireError | undefined {
  const parsed = z.safeParse(errorReply, body);
  if (!parsed.success) return undefined;
  const { type, message, request_id: requestId, errors } = parsed.data.error;
  const entries = errors ?? [];
  const named = (link: string) => entries.flatMap(({ links }) => links?.[link] ?? [])[0];
  const [conflicting, newMandate] = [named('conflicting_resource_id'), named('new_mandate')];
  const said = entries.map((entry) => [entry.reason, entry.field, entry.message].filter(Boolean).join(' '));
  const detail = [type, message, ...said, requestId].filter(Boolean).join('; ');
  return {
    type,
    reason: entries.find(({ reason }) => reason)?.reason ?? '',
    detail: redact(detail),
    ...(conflicting === undefined ? {} : { conflicting }),
    ...(newMandate === undefined ? {} : { newMandate }),
  };
}

const gone = new Set(['mandate_is_inactive', 'bank_account_disabled', 'customer_data_removed']);

/** Why nothing was made of a refused order; undefined where that is not certain. */
export function refusalOf(
  status: number,
  error: WireError | undefined,
): Extract<Outcome, { is: 'notAttempted' }> | undefined {
  if (error === undefined || error.type === 'gocardless' || status >= 500 || status === 409) return undefined;
  const { reason, detail } = error;
  if (status === 401 || status === 403) return { is: 'notAttempted', why: 'config', detail };
  if (status === 429) return { is: 'notAttempted', why: 'unreachable', detail };
  const isOurs = status === 400 || status === 422 || reason === 'path_not_found';
  if ((status === 404 && !isOurs) || gone.has(reason) || reason === 'link_not_found')
    return { is: 'notAttempted', why: 'methodGone', detail };
  return isOurs ? { is: 'notAttempted', why: 'invalid', detail } : undefined;
}

// ---- Payments ----

/** Member of the metadata that carries our reference: an attempt's, a refund's; that of a setup is `setup`. */
const attemptKey = 'attempt';

/** Three members at most, of text. */
const labelled = (ref: GatewayRef, more: Readonly<Record<string, string>>) =>
  Object.fromEntries([
    [attemptKey, ref],
    ...Object.entries(more).map(([name, text]) => [name, text.slice(0, 500)]),
  ]);

/** Without the bank's `reference`: some schemes allow none, and one of BECS must never repeat. */
export const paymentBody = ({ ref, amount, labels }: Charge, mandate: string): object => ({
  payments: {
    amount: Number(amount.minor),
    currency: amount.currency,
    description: labels.description.slice(0, 200),
    metadata: labelled(ref, { invoice: labels.invoice, customer: labels.customer }),
    retry_if_possible: false,
    links: { mandate },
  },
});

export const refundBody = ({ ref, amount, of }: Refund): object => ({
  refunds: {
    amount: Number(amount.minor),
    total_amount_confirmation: Number(of.refundedBefore.minor + amount.minor),
    metadata: labelled(ref, { charge: of.ref }),
    links: { payment: of.remote },
  },
});

const refIn = (metadata: z.output<typeof texts>, name: string): GatewayRef | undefined => {
  const ref = metadata?.[name];
  return ref !== undefined && isGatewayRef(ref) ? ref : undefined;
};
export const refOf = ({ metadata }: Pick<PaymentReply, 'metadata'>): GatewayRef | undefined =>
  refIn(metadata, attemptKey);

export const amountOf = (reply: Pick<PaymentReply, 'amount' | 'currency'>): Money =>
  money(BigInt(reply.amount), reply.currency);

const words = {
  funds: 'Your bank could not collect the payment. Please check your balance or use another method.',
  account: 'The bank account details are no longer valid. Please add the account again.',
  mandate: 'The direct debit authority is not active. Please set it up again.',
  returned: 'The payment was returned by the bank. Please contact support.',
} as const;

/** What a bank's reason comes to; another one is read as returned. Only want of money may be tried again unasked. */
const causes: Readonly<Record<string, readonly [keyof typeof words, Decline['class']]>> = {
  insufficient_funds: ['funds', 'retryLater'],
  refer_to_payer: ['funds', 'retryLater'],
  bank_account_closed: ['account', 'otherMethod'],
  invalid_bank_details: ['account', 'otherMethod'],
  bank_account_transferred: ['account', 'otherMethod'],
  mandate_cancelled: ['mandate', 'otherMethod'],
  mandate_expired: ['mandate', 'otherMethod'],
  direct_debit_not_enabled: ['mandate', 'otherMethod'],
};

/** @param cause of the event that told of the failure; empty where none did */
export function declineOf(cause: string): Decline {
  const [text, kind] = causes[cause] ?? (['returned', 'otherMethod'] as const);
  const decline = { class: kind, code: cause === '' ? 'failed' : cause, text: words[text] };
  return kind === 'retryLater' ? decline : { ...decline, final: true };
}

/** What is known of a failure besides the payment itself. */
export interface Failure {
  readonly cause: string;
  /** The provider collects again by itself. */
  readonly isRetried: boolean;
}

export type PaymentState = 'underWay' | 'taken' | 'failed' | 'refused' | 'cancelled' | 'unknown';

/** One line per documented status. What came back was taken before: the reversals tell of it. */
const states: Readonly<Record<string, PaymentState>> = {
  pending_customer_approval: 'underWay',
  pending_submission: 'underWay',
  submitted: 'underWay',
  confirmed: 'taken',
  paid_out: 'taken',
  charged_back: 'taken',
  failed: 'failed',
  customer_approval_denied: 'refused',
  cancelled: 'cancelled',
};
export const stateOf = (status: string): PaymentState => states[status] ?? 'unknown';

/**
 * What a payment says.
 * @param failure of one whose status is `failed`
 */
export function outcomeFromPayment(
  payment: PaymentReply,
  failure: Failure | undefined,
): Outcome | { readonly is: 'closed' } {
  const remote = remoteId(payment.id);
  const state: GatewayState = { payment: payment.id };
  const underWay = { is: 'pending', because: 'bank', remote, state } as const;
  switch (stateOf(payment.status)) {
    case 'underWay':
      return underWay;
    case 'taken':
      return { is: 'succeeded', remote, captured: amountOf(payment), state };
    case 'failed':
      if (failure === undefined)
        return { is: 'unknown', evidence: `${payment.id}: why it failed is not known`, state };
      return failure.isRetried ? underWay : { is: 'declined', why: declineOf(failure.cause), remote };
    case 'refused':
      return { is: 'declined', why: declineOf('customer_approval_denied'), remote };
    case 'cancelled':
      return { is: 'closed' };
    case 'unknown':
      return {
        is: 'unknown',
        evidence: `${payment.id}: status ${redact(payment.status)} is not known`,
        state,
      };
  }
}

/** What a refund says. One line per documented status. */
export function outcomeFromRefund(refund: RefundReply): Outcome {
  const remote = remoteId(refund.id);
  const state: GatewayState = { refund: refund.id };
  switch (refund.status) {
    case 'created':
    case 'pending_submission':
    case 'submitted':
      return { is: 'pending', because: 'bank', remote, state };
    case 'paid':
      return { is: 'succeeded', remote, captured: amountOf(refund), state };
    case 'cancelled':
    case 'bounced':
    case 'funds_returned':
    case 'failed': {
      const text = 'The refund could not be delivered';
      return { is: 'declined', why: { class: 'otherMethod', code: refund.status, text }, remote };
    }
    default:
      return { is: 'unknown', evidence: `${refund.id}: status ${redact(refund.status)} is not known`, state };
  }
}

// ---- Setups and saved methods ----

export const billingRequestBody = (
  { ref, scheme = '' }: Pick<SetupRequest, 'ref' | 'scheme'>,
  about: { readonly currency: string; readonly customer?: string | undefined; readonly creditor: string },
): object => ({
  billing_requests: {
    mandate_request: { currency: about.currency, scheme, verify: 'minimum' },
    metadata: { setup: ref },
    links: {
      ...(about.customer === undefined ? {} : { customer: about.customer }),
      ...(about.creditor === '' ? {} : { creditor: about.creditor }),
    },
  },
});

/** Names of people are two; what is not split is a given name. */
export function flowBody(
  billingRequest: string,
  { person, returnTo }: Pick<SetupRequest, 'person' | 'returnTo'>,
): object {
  const [first = '', ...rest] = person.name.trim().split(/\s+/);
  const names = { given_name: first, ...(rest.length === 0 ? {} : { family_name: rest.join(' ') }) };
  return {
    billing_request_flows: {
      redirect_uri: returnTo,
      exit_uri: returnTo,
      prefilled_customer: { ...names, email: person.email },
      lock_currency: true,
      links: { billing_request: billingRequest },
    },
  };
}

export const setupRefOf = ({ metadata }: Pick<BillingRequestReply, 'metadata'>): GatewayRef | undefined =>
  refIn(metadata, 'setup');

type Use = readonly [usable: Method['usable'], state: NonNullable<Method['mandate']>['state']];
const usable: Readonly<Record<string, Use>> = {
  pending_customer_approval: ['pending', 'pending'],
  // Payments may be made before the bank has answered: the first day of charging accounts for it.
  pending_submission: ['now', 'pending'],
  submitted: ['now', 'pending'],
  active: ['now', 'active'],
  suspended_by_payer: ['never', 'suspended'],
  blocked: ['never', 'dead'],
  failed: ['never', 'dead'],
  expired: ['never', 'dead'],
};

/** Cancelled, used up, or replaced: nothing can be made of it again. */
export const isGone = ({ status, links }: MandateReply): boolean =>
  status === 'cancelled' || status === 'consumed' || typeof links.new_mandate === 'string';

/** The first id a mandate was known by stays the name of the method; a replaced one goes on under another. */
export interface MethodState {
  readonly id: string;
  readonly mandate: string;
  readonly account: string;
  readonly customer: string;
  readonly currency: string;
}

export const methodState = (state: GatewayState): MethodState => {
  const { id = '', mandate = '', account = '', customer = '', currency: of = '' } = state;
  return { id, mandate, account, customer, currency: of };
};

/** A mandate with its account. @param first the id by which the method is known */
export function methodFrom(mandate: MandateReply, account: AccountReply, first = mandate.id): Method {
  const [use, state] = usable[mandate.status] ?? (['never', 'dead'] as const);
  const { links, scheme, reference, next_possible_charge_date: from } = mandate;
  const kept: MethodState = {
    id: first,
    mandate: mandate.id,
    account: account.id,
    customer: links.customer ?? '',
    currency: account.currency ?? '',
  };
  const shown: Readonly<Record<string, string | null | undefined>> = {
    type: scheme,
    last4: account.account_number_ending,
    name: account.account_holder_name,
    bankName: account.bank_name,
    bankCountry: account.country_code,
  };
  const show = Object.entries(shown).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return {
    remote: remoteId(first),
    state: Object.fromEntries(Object.entries(kept)),
    kind: 'bank',
    show: Object.fromEntries(show),
    // One account has one id, however often a mandate is given for it.
    fingerprint: account.id,
    usable: use,
    mandate: {
      remote: remoteId(mandate.id),
      state,
      scheme,
      ...(from ? { from } : {}),
      ...(reference ? { show: { reference } } : {}),
    },
  };
}

export const remoteOf = (text: string | null | undefined): RemoteId | undefined =>
  typeof text === 'string' && text !== '' ? remoteId(text) : undefined;
