/**
 * Stripe's payment objects and errors as outcomes, and a charge as a request. Pure: no network, no clock, no settings.
 * Field and status names: https://docs.stripe.com/api/payment_intents/object
 */

import { currencyExponent, isCurrencyCode, type Money, money } from '@counterfoil/domain/money/money.ts';
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import { outcomeOfFault } from '../kit/http.ts';
import { redact } from '../kit/redact.ts';
import type { Charge, Consent, GatewayRef, GatewayState, LookupResult, Outcome } from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { chargeSteps } from './manifest.ts';
import { declineOf } from './wire-decline.ts';
import { browserAddress, mandateData, type Shown, shownOfPaid } from './wire-method.ts';

/** What this adapter remembers between calls. */
export interface StripeState {
  /** `pi_…` once known. */
  readonly intent?: string;
  /** `pm_…` made from a one-time token, so that the same request can be sent again. */
  readonly paymentMethod?: string;
  /** Its type, unless it is a card. */
  readonly type?: string;
  /** What that method shows of itself, 'brand last4', so that it is still known after a crash; an account has no brand. */
  readonly shown?: string;
  /** From where the holder of an account agreed to its one debit: the same request again says the same. */
  readonly agreedIp?: string;
  readonly agreedAgent?: string;
  /** SHA-256 of the request's parameters; a replay that would differ is not sent. */
  readonly digest?: string;
  /** When a saved server error was replayed: from then on only the list tells. ISO 8601. */
  readonly replayStopped?: string;
  /** Paid on Stripe's own page, which was asked for ('opening') or is known ('open'). */
  readonly page?: string;
  /** `cs_…` of that page, once known. */
  readonly session?: string;
}

export const readState = (state: GatewayState | undefined): StripeState => state ?? {};

/** `state` with `more`; keys of `more` win. */
export const intoState = (state: StripeState, more: StripeState): GatewayState => ({ ...state, ...more });

const wireError = z.looseObject({
  code: z.nullish(z.string()),
  decline_code: z.nullish(z.string()),
  advice_code: z.nullish(z.string()),
});

export const intentReply = z.looseObject({
  object: z.literal('payment_intent'),
  id: z.string().check(z.regex(/^pi_/), z.maxLength(255)),
  status: z.string(),
  amount: z.int(),
  amount_received: z.nullish(z.int()),
  created: z.nullish(z.int()),
  currency: z.string(),
  client_secret: z.nullish(z.string()),
  metadata: z.nullish(z.record(z.string(), z.string())),
  payment_method_types: z.nullish(z.array(z.string())),
  next_action: z.nullish(
    z.looseObject({
      type: z.string(),
      redirect_to_url: z.nullish(z.looseObject({ url: z.nullish(z.string()) })),
      verify_with_microdeposits: z.nullish(z.looseObject({ hosted_verification_url: z.nullish(z.string()) })),
    }),
  ),
  last_payment_error: z.nullish(wireError),
  latest_charge: z.nullish(
    z.union([
      z.string(),
      z.looseObject({ failure_code: z.nullish(z.string()), payment_method_details: z.nullish(z.unknown()) }),
    ]),
  ),
});
export type IntentReply = z.output<typeof intentReply>;

/** An answer as a payment intent; undefined when it is none. */
export function readIntent(value: unknown): IntentReply | undefined {
  const parsed = z.safeParse(intentReply, value);
  return parsed.success ? parsed.data : undefined;
}

const bankTypes = new Set(['au_becs_debit', 'us_bank_account', 'bacs_debit', 'sepa_debit']);
export const isBankIntent = (intent: IntentReply): boolean =>
  (intent.payment_method_types ?? []).some((type) => bankTypes.has(type));

/** Where `next_action` sends the payer; undefined when a redirect cannot follow it (`use_stripe_sdk`). */
export const nextAddress = (object: Pick<IntentReply, 'next_action'>): string | undefined =>
  browserAddress(object.next_action?.redirect_to_url?.url) ??
  browserAddress(object.next_action?.verify_with_microdeposits?.hosted_verification_url);

/** Intents that took nothing, but might if somebody went on with them. Not an end: `close` them. */
export const isIdle = (intent: IntentReply): boolean =>
  intent.status === 'requires_confirmation' ||
  (intent.status === 'requires_payment_method' && refusedBy(intent) === undefined);

const refusedBy = (intent: IntentReply): NonNullable<IntentReply['last_payment_error']> | undefined =>
  intent.last_payment_error ?? undefined;

function failureCode(intent: IntentReply): string {
  const charge = intent.latest_charge;
  return typeof charge === 'object' && charge !== null ? (charge.failure_code ?? '') : '';
}

/**
 * What an intent says about the money. One line per documented status; another one is `unknown`.
 * @param state what is remembered so far; the intent's id is added
 */
export const lookupFromIntent = (intent: IntentReply, state: StripeState): LookupResult =>
  withShown(readFound(intent, state), shownByState(state) ?? shownByCharge(intent));

/** Says what pays, where that is known. */
function withShown<T extends LookupResult>(found: T, shown: Shown | undefined): T {
  if (shown === undefined || !['succeeded', 'pending', 'requiresAction', 'declined'].includes(found.is))
    return found;
  return { ...found, shown };
}

/** What a one-time token turned out to be. */
function shownByState({ shown, type = 'card' }: StripeState): Shown | undefined {
  if (shown === undefined) return undefined;
  const [brand = '', last4 = ''] = shown.split(' ');
  return { type, ...(brand === '' ? {} : { brand }), last4 };
}

/** On Stripe's own page nobody but its charge says what was paid with. */
function shownByCharge({ latest_charge: charge }: IntentReply): Shown | undefined {
  return typeof charge === 'object' && charge !== null
    ? shownOfPaid(charge.payment_method_details)
    : undefined;
}

function readFound(intent: IntentReply, state: StripeState): LookupResult {
  const remote = remoteId(intent.id);
  const kept = intoState(state, { intent: intent.id });
  const unknown = (evidence: string): LookupResult => ({
    is: 'unknown',
    evidence: `${intent.id}: ${evidence}`,
    state: kept,
  });
  switch (intent.status) {
    case 'succeeded':
      return succeeded(intent, kept);
    case 'processing':
      return { is: 'pending', because: isBankIntent(intent) ? 'bank' : 'gateway', remote, state: kept };
    case 'requires_action': {
      const to = nextAddress(intent);
      return to === undefined
        ? unknown(
            `requires_action by ${intent.next_action?.type ?? 'nothing'}, which a redirect cannot follow`,
          )
        : { is: 'requiresAction', action: { do: 'redirect', to }, remote, state: kept };
    }
    case 'requires_payment_method': {
      const refusal = refusedBy(intent);
      if (refusal === undefined) return unknown('requires_payment_method without an error: never tried');
      const why = declineOf({
        code: refusal.code ?? '',
        declineCode: refusal.decline_code ?? '',
        adviceCode: refusal.advice_code ?? '',
        failureCode: isBankIntent(intent) ? failureCode(intent) : '',
        isBank: isBankIntent(intent),
      });
      return { is: 'declined', why, remote };
    }
    case 'requires_confirmation':
      return unknown('requires_confirmation: created, not confirmed');
    case 'requires_capture':
      return unknown('requires_capture: authorised, although capture at once was asked for');
    case 'canceled':
      return (intent.amount_received ?? 0) > 0
        ? unknown('canceled, yet money was received')
        : { is: 'closed' };
    default:
      return unknown(`status ${redact(intent.status)} is not known`);
  }
}

function succeeded(intent: IntentReply, state: GatewayState): Outcome {
  const captured = fromWireAmount(intent.amount_received ?? 0, intent.currency);
  if (captured === undefined || captured.minor <= 0n) {
    const amount = `${String(intent.amount_received)} ${redact(intent.currency)}`;
    return { is: 'unknown', evidence: `${intent.id}: succeeded with amount_received ${amount}`, state };
  }
  return { is: 'succeeded', remote: remoteId(intent.id), captured, state };
}

/** Statuses in which an intent named by an error certainly took nothing. */
const tookNothing = new Set(['requires_payment_method', 'requires_confirmation', 'canceled']);

/**
 * What an error says about the money, when it answers the first send of a money call.
 * A replay needs more care: see gateway.ts.
 */
export function outcomeFromFault(fault: StripeFault, state: StripeState, usesSavedMethod: boolean): Outcome {
  const intent = readIntent(fault.paymentIntent);
  const kept = intent === undefined ? state : { ...state, intent: intent.id };
  const unknown: Outcome = { is: 'unknown', evidence: fault.detail, state: { ...kept } };
  const refused = (why: 'config' | 'invalid' | 'methodGone'): Outcome =>
    fault.mayHaveRun || (intent !== undefined && !tookNothing.has(intent.status))
      ? unknown
      : { is: 'notAttempted', why, detail: fault.detail };

  switch (fault.status) {
    case undefined:
      return outcomeOfFault(fault.mayHaveRun ? 'sent' : fault.reach, fault.detail, { ...kept });
    case 401:
    case 403:
      return refused('config');
    case 402:
      // Also the answer to raw card numbers: then the type says that the request was wrong.
      if (fault.type !== 'card_error') return refused('config');
      return withShown(
        {
          is: 'declined',
          why: declineOf(fault),
          ...(intent === undefined ? {} : { remote: remoteId(intent.id) }),
        },
        shownByState(state),
      );
    case 400:
    case 404:
      // The key was used before with other parameters: that request may have charged.
      if (fault.type === 'idempotency_error') return unknown;
      // The payer can know this: no card and no second try will do.
      if (fault.code === 'amount_too_small' && intent === undefined && !fault.mayHaveRun)
        return { is: 'declined', why: declineOf(fault) };
      return refused(usesSavedMethod && fault.param === 'payment_method' ? 'methodGone' : 'invalid');
    default:
      // 409 the first request still runs, 429 and 5xx after the adapter's own repeats, anything undocumented.
      return unknown;
  }
}

/** The same request may be sent again at once after a pause. */
export const isPassing = (fault: StripeFault): boolean =>
  fault.isCut || fault.status === 409 || fault.status === 429 || (isServerError(fault) && !fault.replayed);

export const isServerError = (fault: StripeFault): boolean => (fault.status ?? 0) >= 500;

/** An error answer, or a fault of the network, reduced to what decisions need. Texts are redacted. */
export interface StripeFault {
  /** HTTP status; undefined when no complete answer came. */
  readonly status: number | undefined;
  /** Only without a status: whether anything can have reached Stripe. */
  readonly reach: 'notSent' | 'sent';
  /** Only without a status: the connection was closed on us, as an idle one may be. */
  readonly isCut: boolean;
  readonly type: string;
  readonly code: string;
  readonly declineCode: string;
  readonly adviceCode: string;
  readonly param: string;
  readonly detail: string;
  /** The saved result of an earlier request with the same key. */
  readonly replayed: boolean;
  /** An earlier send of this very request ended without certainty: whatever came now, that one may have run. */
  readonly mayHaveRun: boolean;
  /** Objects that an error carries, as they came. */
  readonly paymentIntent: unknown;
  readonly setupIntent: unknown;
}

// ---- Amounts: integers in Stripe's own smallest unit, which is not always the currency's ----

/**
 * Decimals Stripe uses where they differ from ISO 4217: MGA is sent whole; ISK and UGX have no decimals but are
 * sent with two zeros. https://docs.stripe.com/currencies#special-cases
 */
const stripeDecimals: Readonly<Record<string, number>> = { MGA: 0, ISK: 2, UGX: 2 };

const decimalsOf = (currency: string): number => stripeDecimals[currency] ?? currencyExponent(currency);

export type WireAmount =
  | { readonly is: 'amount'; readonly value: number }
  | { readonly is: 'refused'; readonly why: string };

/** `amount` in Stripe's smallest unit, or why it cannot be said there. */
export function toWireAmount(amount: Money): WireAmount {
  const { minor, currency } = amount;
  if (minor <= 0n) return { is: 'refused', why: 'the amount is not above zero' };
  const shift = decimalsOf(currency) - currencyExponent(currency);
  const divisor = 10n ** BigInt(Math.max(-shift, 0));
  const step = chargeSteps[currency];
  if (step !== undefined && minor % BigInt(step) !== 0n)
    return { is: 'refused', why: `${currency} is charged in steps of ${step} minor units` };
  const value = (minor / divisor) * 10n ** BigInt(Math.max(shift, 0));
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) return { is: 'refused', why: 'the amount is too large' };
  return { is: 'amount', value: Number(value) };
}

/** Stripe's integer as money; undefined for an unknown currency, an unsafe integer or a fraction of our unit. */
export function fromWireAmount(value: number, wireCurrency: string): Money | undefined {
  const currency = wireCurrency.toUpperCase();
  if (!isCurrencyCode(currency) || !Number.isSafeInteger(value)) return undefined;
  const shift = decimalsOf(currency) - currencyExponent(currency);
  const divisor = 10n ** BigInt(Math.max(shift, 0));
  if (BigInt(value) % divisor !== 0n) return undefined;
  return money((BigInt(value) / divisor) * 10n ** BigInt(Math.max(-shift, 0)), currency);
}

// ---- A charge as the body of a request ----

/** The metadata key that carries our reference. */
export const metadataRef = 'attemptId';
const longestMetadata = 500;

/**
 * `allowed_payment_method_types` since 2026-09-30.endive; until 2026-08-26.dahlia it was `payment_method_types`,
 * which is refused now. https://docs.stripe.com/changelog/endive
 */
export const allowedTypes = (
  type: string,
): Pick<Stripe.PaymentIntentCreateParams, 'allowed_payment_method_types'> => ({
  allowed_payment_method_types: [type as Stripe.PaymentIntentCreateParams.AllowedPaymentMethodType],
});

/** Metadata by which a list, a hook and the back office find the attempt. Values are cut at Stripe's 500 characters. */
export function chargeMetadata(ref: GatewayRef, labels: Charge['labels']): Record<string, string> {
  const cut = (value: string): string => value.slice(0, longestMetadata);
  return {
    [metadataRef]: ref,
    reqUid: cut(labels.session),
    customerId: cut(labels.customer),
    invoices: cut(labels.invoice),
  };
}

/** What a charge's request is built from, besides the charge. */
export interface ChargeParts {
  readonly wireAmount: number;
  readonly paymentMethod: string;
  /** Stripe's type of the method (`card`, `sepa_debit`). */
  readonly type: string;
  readonly customer: string | undefined;
  /** From where the holder of an account that is debited once has agreed to it. */
  readonly agreed?: Pick<Consent, 'ip' | 'agent'> | undefined;
}

/**
 * The body of `POST /v1/payment_intents`. The same charge gives the same body, byte for byte: a replay with
 * any difference would be refused.
 */
export function chargeRequest(charge: Charge, parts: ChargeParts): Stripe.PaymentIntentCreateParams {
  const whoIsThere =
    charge.initiator === 'merchant' ? { off_session: true as const } : { return_url: charge.returnTo };
  return {
    amount: parts.wireAmount,
    currency: charge.amount.currency.toLowerCase(),
    ...(parts.customer === undefined ? {} : { customer: parts.customer }),
    payment_method: parts.paymentMethod,
    confirm: true,
    ...whoIsThere,
    ...(parts.agreed === undefined ? {} : { mandate_data: mandateData(parts.agreed) }),
    description: charge.labels.description.slice(0, longestMetadata),
    metadata: chargeMetadata(charge.ref, charge.labels),
    ...allowedTypes(parts.type),
  };
}
