/** What Pinch is sent and what it answers. No network, no clock, no configuration. */
import { type Money, money } from '@counterfoil/domain/money/money.ts';
import * as z from 'zod/mini';
import { redact } from '../kit/redact.ts';
import type {
  Charge,
  Decline,
  GatewayRef,
  GatewayState,
  ListedCharge,
  LookupResult,
  Outcome,
  Refund,
  Reversal,
} from '../port/gateway.ts';
import { isGatewayRef, remoteId } from '../port/gateway-ref.ts';
import { errorsOf, type ProviderError } from './card-token.ts';

// ---- Answers, as the transport gives them ----

export type Answer =
  /** Understood: JSON, or undefined for an empty body. Says nothing yet about money. */
  | { readonly is: 'answer'; readonly status: number; readonly body: unknown }
  /** No token for these keys, or none that is taken: nothing was carried out. */
  | { readonly is: 'keysRefused'; readonly detail: string }
  /** `sent`: it may have been carried out. */
  | { readonly is: 'fault'; readonly reach: 'notSent' | 'sent'; readonly detail: string };

/** Sends one request of an account. */
export type Ask = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  withinMs?: number,
) => Promise<Answer>;

// ---- Objects ----

const nonces = z.nullish(z.union([z.string(), z.array(z.string())]));
const dishonour = z.nullish(z.looseObject({ type: z.nullish(z.string()) }));

/** A payment; a list's items have `dishonourType` alone. */
export const paymentReply = z.looseObject({
  id: z.string().check(z.minLength(1), z.maxLength(100)),
  amount: z.int(),
  status: z.string(),
  currency: z.nullish(z.string()),
  isSurcharged: z.nullish(z.boolean()),
  metadata: z.nullish(z.string()),
  transactionDate: z.nullish(z.string()),
  nonce: nonces,
  dishonourType: z.nullish(z.string()),
  dishonour,
  attempts: z.nullish(z.array(z.looseObject({ dishonour }))),
});
export type PaymentReply = z.output<typeof paymentReply>;

export const refundReply = z.looseObject({
  id: z.string().check(z.minLength(1), z.maxLength(100)),
  amount: z.int(),
  status: z.string(),
  currency: z.nullish(z.string()),
  paymentId: z.nullish(z.string()),
  nonce: nonces,
});
export type RefundReply = z.output<typeof refundReply>;

const replay = z.looseObject({ isNonceReplay: z.boolean(), data: z.nullish(z.unknown()) });

/** Our reference, where the object carries it: as its nonce, a payment at the head of its metadata too. */
export function refOf(of: { readonly nonce?: unknown; readonly metadata?: unknown }): GatewayRef | undefined {
  const [head] = typeof of.metadata === 'string' ? of.metadata.split(' ') : [];
  const names: readonly unknown[] = [head, ...(Array.isArray(of.nonce) ? of.nonce : [of.nonce])];
  return names.filter((name) => typeof name === 'string').find(isGatewayRef);
}

const METADATA_LENGTH = 250;
/** What comes back with every payment: the reference, and for a scan after a restored backup the customer and the invoices. */
const metadataOf = ({ ref, labels: { customer, invoice } }: Pick<Charge, 'ref' | 'labels'>): string =>
  `${ref} ${customer} ${invoice}`.slice(0, METADATA_LENGTH);
/** The labels in it; a last invoice number that was cut off is none. */
function labelsIn(metadata: string): NonNullable<ListedCharge['labels']> {
  const [, customer = '', ...rest] = metadata.split(' ');
  const numbers = rest.join(' ').split(',');
  return {
    customer,
    invoice: (metadata.length < METADATA_LENGTH ? numbers : numbers.slice(0, -1)).join(','),
  };
}

// ---- Reading ----

export type Found<Value> =
  | { readonly is: 'found'; readonly value: Value; readonly isReplay: boolean }
  /** Certainly not carried out, with what the provider says against it. */
  | { readonly is: 'refused'; readonly errors: readonly ProviderError[] }
  | { readonly is: 'absent' }
  | { readonly is: 'unclear'; readonly detail: string };

/** The first object of a nonce that was used before: a wrapper, or the bare object under a status of refusal. */
export function replayedOf(status: number, body: unknown): unknown {
  const wrapped = z.safeParse(replay, body);
  if (wrapped.success) return wrapped.data.isNonceReplay ? wrapped.data.data : undefined;
  const bare = z.safeParse(z.looseObject({ id: z.string().check(z.regex(/^(pmt|ref)_/)) }), body);
  return status === 403 && bare.success ? body : undefined;
}

/** Too slow, in conflict, too early, too many: nothing is said of what was asked for, or of the same request before it. */
const notNow: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** What came of a request that charges or refunds: a success may be 403 and a decline 201, so the body decides. */
export function readSent<Schema extends z.ZodMiniType>(
  { status, body }: { readonly status: number; readonly body: unknown },
  schema: Schema,
): Found<z.output<Schema>> {
  const replayed = replayedOf(status, body);
  if (replayed !== undefined || (status >= 200 && status < 300)) {
    const parsed = z.safeParse(schema, replayed ?? body);
    return parsed.success
      ? { is: 'found', value: parsed.data, isReplay: replayed !== undefined }
      : { is: 'unclear', detail: `status ${status}, an answer of another shape` };
  }
  const errors = errorsOf(body);
  // What is said against the nonce may be about a first request that still runs.
  const isRefused = errors.length > 0 && !errors.some(({ property }) => property === 'nonce');
  if (isRefused && status >= 400 && status < 500 && !notNow.has(status)) return { is: 'refused', errors };
  return { is: 'unclear', detail: `status ${status}, ${inBrief(errors) || 'without a reason'}` };
}

/** What a look-up by nonce found. */
export function readByNonce<Schema extends z.ZodMiniType>(
  { status, body }: { readonly status: number; readonly body: unknown },
  schema: Schema,
): Found<z.output<Schema>> {
  const wrapped = z.safeParse(replay, body);
  if (status !== 200 || !wrapped.success) return { is: 'unclear', detail: `status ${status}` };
  if (!wrapped.data.isNonceReplay)
    return wrapped.data.data == null
      ? { is: 'absent' }
      : { is: 'unclear', detail: 'no replay, and an object' };
  return readSent({ status, body }, schema);
}

/** For the log and the operator: what the provider says, redacted, without addresses of people. */
export const inBrief = (errors: readonly ProviderError[]): string =>
  redact(
    errors
      .map(({ property, message }) => `${property}: ${message}`)
      .join('; ')
      .replace(/\S+@\S+/g, '[e-mail]'),
  );

// ---- Charging ----

/** A card at Pinch: whose it is, and its own id. */
export interface Source {
  readonly payer: string;
  readonly source: string;
}

export const sourceOf = ({ payer, source }: GatewayState): Source | undefined =>
  payer === undefined || source === undefined ? undefined : { payer, source };

/** Text that the test service reads orders in: `#` and a code word force a decline. */
const withoutOrders = (text: string): string => text.replaceAll('#', '').trim();

/**
 * Body of the request that charges; the same every time. `surcharge` is never sent: our fee is in the amount. The reference is
 * the nonce, and stands in the metadata, which comes back with every payment.
 */
export const realtimeBody = (charge: Charge, { payer, source }: Source) => ({
  amount: Number(charge.amount.minor),
  payerId: payer,
  sourceId: source,
  description: withoutOrders(charge.labels.description).slice(0, 1_000),
  nonce: charge.ref,
  metadata: metadataOf(charge),
});

const declined = 'Your card was declined';

/** By dishonour code; one that is not here forbids a retry like a general decline. */
const dishonours: Readonly<Record<string, Omit<Decline, 'code'>>> = {
  'insufficient-funds': { class: 'retryLater', text: 'Your card was declined: insufficient funds.' },
  'temporary-problem': {
    class: 'retryLater',
    text: 'Your bank could not process this payment. Please try again later.',
  },
  'technical-error': {
    class: 'retryLater',
    text: 'The payment could not be processed. Please try again later.',
  },
  'blocked-by-bank': { class: 'otherMethod', text: declined, final: true },
  'invalid-card': { class: 'fixInput', text: 'Please check the card details.', final: true },
  'unsupported-card': {
    class: 'otherMethod',
    text: 'This card type is not supported. Please use Visa or Mastercard.',
    final: true,
  },
};

export const declineOf = (code: string): Decline => ({
  ...(dishonours[code] ?? { class: 'otherMethod', text: declined, final: true }),
  code,
});

/** The code of a dishonoured payment: of its last attempt, else of the payment; empty where none is told. */
export const dishonourCode = (payment: PaymentReply): string =>
  payment.attempts?.at(-1)?.dishonour?.type ?? payment.dishonourType ?? payment.dishonour?.type ?? '';

/** What the provider says against a card, for its owner. */
export const refusedCard = (errors: readonly ProviderError[]): Decline => ({
  class: 'fixInput',
  code: errors[0]?.property || 'refused',
  text: redact(errors[0]?.message ?? declined),
});

/** Properties that we make up: what is said against them is no decline, and nothing for a payer to read. */
const ours = new Set(
  'amount payerId fullName firstName lastName nonce description metadata sourceType surcharge'.split(' '),
);
export const isOurFault = (errors: readonly ProviderError[]): boolean =>
  errors.every(({ property }) => ours.has(property));

const succeeded = new Set([
  'approved',
  'settled',
  'transferred',
  'cleared-settlements-disabled',
  'cleared-pending-dispute',
]);
const pending = new Set(['scheduled', 'processing', 'pending-action']);
/** Took money once, and gave it back before it was settled. */
const returned = 'returned-without-settlement';

const otherCurrency = 'in another currency than the merchant’s';

/** The sum of a payment or refund; undefined where it is in another currency than `usual`, the merchant's. */
export const capturedOf = (
  of: Pick<PaymentReply, 'amount' | 'currency'>,
  usual: string,
): Money | undefined =>
  (of.currency ?? usual).toUpperCase() === usual ? money(BigInt(of.amount), usual) : undefined;

/** A payment's state. One that nobody documented is `unknown`. @param state what is kept of its source */
export function outcomeOf(
  payment: PaymentReply,
  charge: Pick<Charge, 'amount'>,
  state: GatewayState,
): Outcome {
  const remote = remoteId(payment.id);
  const kept = { ...state, payment: payment.id };
  if (succeeded.has(payment.status)) {
    const captured = capturedOf(payment, charge.amount.currency);
    return captured === undefined
      ? { is: 'unknown', evidence: `${payment.id}: ${otherCurrency}`, state: kept, needsPerson: true }
      : { is: 'succeeded', remote, captured, state: kept };
  }
  if (pending.has(payment.status)) return { is: 'pending', because: 'gateway', remote, state: kept };
  if (payment.status === 'dishonoured')
    return { is: 'declined', remote, why: declineOf(dishonourCode(payment)) };
  if (payment.status === 'cancelled') return { is: 'declined', remote, why: declineOf('cancelled') };
  return { is: 'unknown', evidence: redact(`${payment.id} is ${payment.status}`), state: kept };
}

/** The same for a look-up: what was given back before it settled takes nothing any more. */
export const foundPayment = (payment: PaymentReply, charge: Charge, state: GatewayState): LookupResult =>
  payment.status === returned ? { is: 'closed' } : outcomeOf(payment, charge, state);

/** What must be told to whoever runs this: a sum that is not ours. */
export function oddityOf(payment: PaymentReply, { amount }: Charge): string | undefined {
  if (payment.isSurcharged === true) return 'Pinch added a fee of its own to a payment';
  return BigInt(payment.amount) === amount.minor ? undefined : 'Pinch took another amount than was asked for';
}

/** A payment of a list, as far as it took money or still may; what cannot be told is followed as what is on its way. */
export function listedFrom(payment: PaymentReply, usual: string): ListedCharge | undefined {
  const amount = capturedOf(payment, usual);
  const at = new Date(payment.transactionDate ?? '');
  const ref = refOf(payment);
  if (ref === undefined) return undefined;
  if (amount === undefined || Number.isNaN(at.getTime()))
    throw new Error(`${payment.id} of the list cannot be read`);
  const read = outcomeOf(payment, { amount }, {});
  const isOver = read.is === 'declined' || read.is === 'notAttempted' || payment.status === returned;
  if (isOver || read.is === 'requiresAction') return undefined;
  const unclear = { is: 'pending', because: 'gateway', remote: remoteId(payment.id) } as const;
  const outcome = read.is === 'unknown' ? { ...unclear, state: { payment: payment.id } } : read;
  return { ref, amount, kind: 'card', at, labels: labelsIn(payment.metadata ?? ''), outcome };
}

// ---- After the end ----

/**
 * What a payment that was taken has lost since: a payment that its bank took back is dishonoured.
 * @returns 'inconclusive' where its sum is in another currency than the merchant's
 */
export function chargebackOf(payment: PaymentReply, usual: string): Reversal | 'inconclusive' | undefined {
  if (payment.status !== 'dishonoured') return undefined;
  const amount = capturedOf(payment, usual);
  if (amount === undefined) return 'inconclusive';
  const remote = remoteId(payment.id);
  return { kind: 'chargeback', remote, of: remote, amount, code: declineOf(dishonourCode(payment)).code };
}

// ---- Refunds ----

const reasons: Readonly<Record<NonNullable<Refund['reason']>, string>> = {
  duplicate: 'Duplicate payment',
  fraudulent: 'Fraudulent payment',
  requestedByCustomer: 'Requested by customer',
};

export const refundBody = ({ ref, amount, of, reason }: Refund) => ({
  paymentId: of.remote,
  amount: Number(amount.minor),
  reason: reasons[reason ?? 'requestedByCustomer'],
  nonce: ref,
});

export const isRefunded = ({ status }: RefundReply): boolean => status === 'completed';

/** A refund takes days; whatever is not known to be its end is on its way. */
export function refundOutcome(refund: RefundReply, order: Refund): Outcome {
  const remote = remoteId(refund.id);
  const state = { refund: refund.id };
  if (!isRefunded(refund)) return { is: 'pending', because: 'gateway', remote, state };
  const captured = capturedOf(refund, order.amount.currency);
  return captured === undefined
    ? { is: 'unknown', evidence: `${refund.id}: ${otherCurrency}`, state, needsPerson: true }
    : { is: 'succeeded', remote, captured, state };
}
