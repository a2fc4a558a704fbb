/** Reading payments back: one by its id, all of an attempt from the list, and cancelling one. */
import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import type { CancelResult, Charge, LookupResult } from '../port/gateway.ts';
import { ask, type StripeDeps, type StripeFault } from './client.ts';
import { absenceAfterReplayed5xxMs, absenceProvenMs } from './manifest.ts';
import {
  type IntentReply,
  intoState,
  isIdle,
  lookupFromIntent,
  readIntent,
  type StripeState,
} from './wire.ts';
import { fromWireAmount } from './wire-amount.ts';
import { metadataRef } from './wire-request.ts';

/** Repeats of the adapter itself and a slow network, added to every span that begins with the last send. */
const sendingMarginMs = 60_000;
export const pageSize = 100;
/** 10,000 intents: beyond that a scan says that it cannot tell, instead of running on. */
const mostPages = 100;

export const inconclusive = (why: string): LookupResult => ({ is: 'inconclusive', why });

/** Milliseconds since then. */
export const elapsed = (deps: StripeDeps, since: Date): number => deps.now().getTime() - since.getTime();

/** @returns the intent as it is now; never throws */
export async function readIntentById(
  deps: StripeDeps,
  id: string,
): Promise<{ is: 'intent'; intent: IntentReply } | { is: 'fault'; fault: StripeFault | undefined }> {
  const answer = await ask(deps.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }));
  if (answer.is === 'error') return { is: 'fault', fault: answer.fault };
  const intent = readIntent(answer.value);
  return intent === undefined ? { is: 'fault', fault: undefined } : { is: 'intent', intent };
}

/** A failed read says nothing about the money. Refused ones will not get better by asking again this way. */
export function notRead(fault: StripeFault | undefined, state: StripeState): LookupResult {
  const evidence = fault === undefined ? 'the answer is not a payment intent' : fault.detail;
  const status = fault?.status ?? 0;
  if (status >= 400 && status < 500 && status !== 409 && status !== 429) return inconclusive(evidence);
  return { is: 'unknown', evidence, state: intoState({}, state) };
}

/** Whether an intent is the one of this attempt: our reference, the amount and the currency. */
export function isOurs(charge: Charge, intent: IntentReply): 'ours' | 'other' | 'differs' {
  if (intent.metadata?.[metadataRef] !== charge.ref) return 'other';
  const amount = fromWireAmount(intent.amount, intent.currency);
  const same = amount?.minor === charge.amount.minor && amount.currency === charge.amount.currency;
  return same ? 'ours' : 'differs';
}

/** What a found intent means for this attempt. One that nobody can be working on any more is cancelled. */
export async function settle(
  deps: StripeDeps,
  charge: Charge,
  intent: IntentReply,
  state: StripeState,
): Promise<LookupResult> {
  switch (isOurs(charge, intent)) {
    case 'other':
      return inconclusive(`${intent.id} does not carry our reference`);
    case 'differs':
      return {
        is: 'unknown',
        evidence: `${intent.id} carries our reference with another amount`,
        state: intoState(state, { intent: intent.id }),
      };
    case 'ours': {
      const isOver = elapsed(deps, charge.lastSentAt) > absenceProvenMs + sendingMarginMs;
      if (!isIdle(intent) || !isOver) return lookupFromIntent(intent, state);
      const closed = await closeIntent(deps, intent.id, state);
      return closed.is === 'cannotCancel' ? lookupFromIntent(intent, state) : closed;
    }
  }
}

/**
 * Cancels a payment. A refusal is followed by reading it: it may have succeeded meanwhile.
 * @returns `closed` when it can never capture; `cannotCancel` when it is still open and Stripe will not cancel it
 */
export async function closeIntent(deps: StripeDeps, id: string, state: StripeState): Promise<CancelResult> {
  // Cancelling twice is harmless, and a saved refusal must not stand in the way of a later try: a new key each time.
  const answer = await ask(
    deps.stripe.paymentIntents.cancel(
      id,
      { cancellation_reason: 'abandoned' },
      { idempotencyKey: `counterfoil:${id}:cancel:${randomUUID()}` },
    ),
  );
  if (answer.is === 'ok') {
    const intent = readIntent(answer.value);
    if (intent !== undefined) return lookupFromIntent(intent, state);
  }
  const read = await readIntentById(deps, id);
  if (read.is === 'fault') return notRead(read.fault, state);
  const found = lookupFromIntent(read.intent, state);
  const isStillOpen = found.is === 'requiresAction' || found.is === 'unknown' || found.is === 'declined';
  if (!isStillOpen) return found;
  if (answer.is === 'error' && answer.fault.status === 400) return { is: 'cannotCancel' };
  const evidence =
    answer.is === 'error' ? answer.fault.detail : 'the answer to cancel is not a payment intent';
  return { is: 'unknown', evidence, state: intoState(state, { intent: id }) };
}

/** {@link Gateway.find} by the list, which is consistent; search is not and is never used. */
export async function findByList(
  deps: StripeDeps,
  charge: Charge,
  state: StripeState,
): Promise<LookupResult> {
  const listed = await listOurs(deps, charge);
  if (listed.is === 'fault') return notRead(listed.fault, state);
  if (listed.is === 'tooMany') return inconclusive(`not among the newest ${mostPages * pageSize} payments`);
  const [first, ...others] = listed.intents;
  if (first === undefined) return { is: 'absent', proven: isAbsenceProven(deps, charge, state) };
  if (others.length === 0) return settle(deps, charge, first, state);
  const ids = listed.intents.map((intent) => intent.id).join(', ');
  return { is: 'unknown', evidence: `several payments carry our reference: ${ids}` };
}

/** Whether a list that shows nothing proves that nothing was made. */
export function isAbsenceProven(deps: StripeDeps, charge: Charge, state: StripeState): boolean {
  if (elapsed(deps, charge.lastSentAt) < absenceProvenMs + sendingMarginMs) return false;
  return (
    state.replayStopped === undefined ||
    elapsed(deps, new Date(state.replayStopped)) >= absenceAfterReplayed5xxMs
  );
}

type Listed =
  | { readonly is: 'intents'; readonly intents: readonly IntentReply[] }
  | { readonly is: 'tooMany' }
  | { readonly is: 'fault'; readonly fault: StripeFault | undefined };

/** One page of a list. */
export const readList = (
  value: unknown,
): { readonly data: readonly unknown[]; readonly hasMore: boolean } | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('data' in value) || !Array.isArray(value.data) || !('has_more' in value)) return undefined;
  return { data: value.data, hasMore: value.has_more === true };
};

/** All payments since the attempt that carry its reference. Every page is read: one may stand on any. */
async function listOurs(deps: StripeDeps, charge: Charge): Promise<Listed> {
  const customer = charge.payer['customer'];
  const query: Stripe.PaymentIntentListParams = {
    created: { gte: Math.floor(charge.sentAt.getTime() / 1000) - 60 },
    limit: pageSize,
    ...(customer === undefined ? {} : { customer }),
  };
  const intents: IntentReply[] = [];
  let after: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await ask(
      deps.stripe.paymentIntents.list(after === undefined ? query : { ...query, starting_after: after }),
    );
    if (answer.is === 'error') return { is: 'fault', fault: answer.fault };
    const list = readList(answer.value);
    if (list === undefined) return { is: 'fault', fault: undefined };
    for (const value of list.data) {
      const intent = readIntent(value);
      if (intent === undefined) return { is: 'fault', fault: undefined };
      if (isOurs(charge, intent) !== 'other') intents.push(intent);
      after = intent.id;
    }
    if (!list.hasMore || list.data.length === 0) return { is: 'intents', intents };
  }
  return { is: 'tooMany' };
}
