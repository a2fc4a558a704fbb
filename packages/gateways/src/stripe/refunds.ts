/** Refunds and voids, with a reference and a key of their own. */
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import { redact } from '../kit/redact.ts';
import type { GatewayState, LookupResult, LookupStrategy, Outcome, Refund } from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { askWithRepeats, keyFor } from './charging.ts';
import {
  ask,
  closeIntent,
  elapsed,
  everyOf,
  inconclusive,
  notListed,
  notRead,
  readIntentById,
  replayBar,
  type StripeDeps,
} from './client.ts';
import { absenceProvenMs } from './manifest.ts';
import { fromWireAmount, isServerError, metadataRef, type StripeFault, toWireAmount } from './wire.ts';

const refundReply = z.looseObject({
  object: z.literal('refund'),
  id: z.string().check(z.regex(/^(re|pyr)_/), z.maxLength(255)),
  status: z.nullish(z.string()),
  amount: z.int(),
  currency: z.string(),
  failure_reason: z.nullish(z.string()),
  metadata: z.nullish(z.record(z.string(), z.string())),
});
type RefundReply = z.output<typeof refundReply>;

const readRefund = (value: unknown): RefundReply | undefined => {
  const parsed = z.safeParse(refundReply, value);
  return parsed.success ? parsed.data : undefined;
};

/** What a refund says. One line per documented status. https://docs.stripe.com/api/refunds/object */
export function outcomeFromRefund(value: unknown): Outcome {
  const refund = readRefund(value);
  if (refund === undefined) return { is: 'unknown', evidence: 'the answer is not a refund' };
  const remote = remoteId(refund.id);
  const state: GatewayState = { refund: refund.id };
  const amount = fromWireAmount(refund.amount, refund.currency);
  if (amount === undefined)
    return { is: 'unknown', evidence: `${refund.id}: the amount cannot be read`, state };
  switch (refund.status) {
    case 'succeeded':
      return { is: 'succeeded', remote, captured: amount, state };
    case 'pending':
      return { is: 'pending', because: 'bank', remote, state };
    case 'requires_action':
      // The payer is asked by mail where to send the money.
      return { is: 'pending', because: 'gateway', remote, state };
    case 'failed':
    case 'canceled': {
      const code = refund.failure_reason ?? refund.status;
      const text = 'The refund could not be delivered';
      return { is: 'declined', why: { class: 'otherMethod', code, text }, remote };
    }
    default:
      return {
        is: 'unknown',
        evidence: `${refund.id}: status ${redact(refund.status ?? '')} is not known`,
        state,
      };
  }
}

const reasons = {
  duplicate: 'duplicate',
  fraudulent: 'fraudulent',
  requestedByCustomer: 'requested_by_customer',
} as const;

function refundBody(refund: Refund, wireAmount: number): Stripe.RefundCreateParams {
  return {
    payment_intent: refund.of.remote,
    amount: wireAmount,
    ...(refund.reason === undefined ? {} : { reason: reasons[refund.reason] }),
    metadata: { [metadataRef]: refund.ref, chargeId: refund.of.ref },
  };
}

const sendRefund = (
  deps: StripeDeps,
  refund: Refund,
  wireAmount: number,
): Promise<Stripe.Response<unknown>> =>
  deps.stripe.refunds.create(refundBody(refund, wireAmount), {
    // Not the word of today: a refund that an earlier version sent is looked up by sending this key again.
    idempotencyKey: keyFor(refund.ref, 'give-back'),
  });

function outcomeFromRefundFault(fault: StripeFault): Outcome {
  const { status, detail } = fault;
  if (fault.mayHaveRun && !(isServerError(fault) && fault.replayed))
    return { is: 'unknown', evidence: detail };
  if (status === undefined && fault.reach === 'notSent')
    return { is: 'notAttempted', why: 'unreachable', detail };
  if (status === 401 || status === 403) return { is: 'notAttempted', why: 'config', detail };
  if (status !== undefined && status >= 400 && status < 500 && status !== 409 && status !== 429) {
    return fault.type === 'idempotency_error'
      ? { is: 'unknown', evidence: detail }
      : { is: 'notAttempted', why: 'invalid', detail };
  }
  return {
    is: 'unknown',
    evidence: detail,
    ...(isServerError(fault) && fault.replayed ? { state: stopped } : {}),
  };
}

/** From here on only the list tells. */
const stopped: GatewayState = { replayStopped: 'yes' };

/**
 * {@link Gateway.refund} of Stripe. What was captured is refunded; what was not can only be cancelled, and
 * then as a whole.
 */
export async function refundWith(deps: StripeDeps, refund: Refund): Promise<Outcome> {
  const amount = toWireAmount(refund.amount);
  if (amount.is === 'refused') return { is: 'notAttempted', why: 'invalid', detail: amount.why };
  const read = await readIntentById(deps, refund.of.remote);
  if (read.is === 'fault') {
    // Only a read: nothing went back.
    const outcome = read.fault === undefined ? undefined : outcomeFromRefundFault(read.fault);
    if (outcome?.is === 'notAttempted') return outcome;
    return { is: 'notAttempted', why: 'unreachable', detail: 'the payment could not be read' };
  }
  if (read.intent.status !== 'succeeded') return cancelInstead(deps, refund);
  const answer = await askWithRepeats(deps, () => sendRefund(deps, refund, amount.value));
  return answer.is === 'ok' ? current(deps, answer) : outcomeFromRefundFault(answer.fault);
}

/** A replayed refund is the saved first answer; it is read again, for a pending one may have ended. */
async function current(
  deps: StripeDeps,
  answer: { readonly value: unknown; readonly replayed: boolean },
): Promise<Outcome> {
  const refund = answer.replayed ? readRefund(answer.value) : undefined;
  if (refund === undefined) return outcomeFromRefund(answer.value);
  const now = await ask(deps.stripe.refunds.retrieve(refund.id));
  return now.is === 'ok'
    ? outcomeFromRefund(now.value)
    : { is: 'unknown', evidence: now.fault.detail, state: { refund: refund.id } };
}

async function cancelInstead(deps: StripeDeps, refund: Refund): Promise<Outcome> {
  const id = refund.of.remote;
  const closed = await closeIntent(deps, id, {});
  switch (closed.is) {
    case 'closed':
      return { is: 'succeeded', remote: id, captured: refund.amount, state: {} };
    case 'cannotCancel':
    case 'pending':
      return {
        is: 'notAttempted',
        why: 'invalid',
        detail: 'on its way: can neither be cancelled nor refunded yet',
      };
    case 'succeeded':
      return { is: 'notAttempted', why: 'invalid', detail: 'was captured meanwhile: refund it' };
    default:
      return { is: 'unknown', evidence: `cancelling answered ${closed.is}` };
  }
}

/** {@link Gateway.lookupRefund} of Stripe. */
export async function lookupRefundWith(
  deps: StripeDeps,
  refund: Refund,
  state: GatewayState | undefined,
  plan: LookupStrategy,
): Promise<LookupResult> {
  // A void leaves no refund behind: it is found by its effect.
  const read = await readIntentById(deps, refund.of.remote);
  if (read.is === 'fault') return notRead(read.fault, {});
  if (read.intent.status === 'canceled') {
    return { is: 'succeeded', remote: refund.of.remote, captured: refund.amount, state: {} };
  }
  if (plan.by === 'scan') return byList(deps, refund);
  if (read.intent.status !== 'succeeded') return inconclusive(`the payment is ${redact(read.intent.status)}`);
  if (plan.by !== 'replay' || !plan.mayCharge)
    return inconclusive(`Stripe has no way ${plan.by} for refunds`);
  const bar = replayBar(deps, refund.sentAt, state?.['replayStopped']);
  if (bar !== undefined) return inconclusive(bar);
  const amount = toWireAmount(refund.amount);
  if (amount.is === 'refused') return inconclusive(amount.why);
  const answer = await ask(sendRefund(deps, refund, amount.value));
  if (answer.is === 'ok') return current(deps, answer);
  const outcome = outcomeFromRefundFault(answer.fault);
  if (outcome.is !== 'notAttempted') return outcome;
  return outcome.why === 'unreachable'
    ? { is: 'unknown', evidence: outcome.detail }
    : { is: 'inconclusive', why: outcome.detail, sent: true };
}

async function byList(deps: StripeDeps, refund: Refund): Promise<LookupResult> {
  const about = { payment_intent: refund.of.remote };
  try {
    for await (const listed of everyOf(
      (query) => deps.stripe.refunds.list({ ...about, ...query }),
      readRefund,
    ))
      if (listed.metadata?.[metadataRef] === refund.ref) return outcomeFromRefund(listed);
    return { is: 'absent', proven: elapsed(deps, refund.lastSentAt) >= absenceProvenMs + 60_000 };
  } catch (cause) {
    return notListed(cause, {});
  }
}
