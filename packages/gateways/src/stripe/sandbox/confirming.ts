/** Intents on their way: confirmed, challenged by the bank, done or refused. */
import { isExpired, judge } from '@counterfoil/sandbox/money/card.ts';
import { type Challenge, openChallenge as waitForAnswer } from '@counterfoil/sandbox/money/challenge.ts';
import { planOf } from '@counterfoil/sandbox/money/movements.ts';
import { authenticationRequired, cards, currencyOf, expired, notHandled } from './data.ts';
import { attach, checkHolder, checkUsable, grantMandate, liveMandate } from './methods.ts';
import { atRest, refuse, reopen, startDebit, take } from './money.ts';
import { conflict, invalid, StripeFault } from './protocol.ts';
import {
  type Acceptance,
  type Call,
  change,
  changeIntent,
  emit,
  get,
  type Intent,
  type Method,
  type Setup,
  visible,
  type Work,
} from './work.ts';

export interface Confirmation {
  readonly method: Method | undefined;
  readonly returnUrl: string | null;
  readonly acceptance: Acceptance | null;
  readonly offSession?: boolean | undefined;
  readonly refuseAction?: boolean | undefined;
  /** The cardholder has just passed the challenge. */
  readonly isChallenged?: true;
}

/** @throws {StripeFault} 400 when the intent cannot take the method */
export function checkMethod(intent: Intent, method: Method): void {
  checkUsable(method, intent.customer);
  const { type } = method;
  if (!intent.payment_method_types.includes(type))
    throw invalid(`The PaymentMethod provided (${type}) is not allowed for this intent.`, 'payment_method');
  const currency = currencyOf[type];
  if (intent.object === 'payment_intent' && currency !== undefined && currency !== intent.currency)
    throw invalid(`The currency provided (${intent.currency}) is invalid for ${type}.`, 'currency');
}

/** Statuses from which an intent can go on. */
export const open: readonly string[] = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
];

/** 400 …_unexpected_state with the intent in it. */
export const unexpected = (intent: Intent, message: string): StripeFault =>
  conflict(message, { code: `${intent.object}_unexpected_state`, [intent.object]: visible(intent) });

/**
 * @returns the intent as it is afterwards
 * @throws {StripeFault} 402 for a refused card, 400 for a wrong state or a missing mandate; the intent stays
 */
export function confirm(call: Call, before: Intent, how: Confirmation): Intent {
  if (!open.includes(before.status))
    throw unexpected(before, `You cannot confirm this intent because it has a status of ${before.status}.`);
  const method = how.method ?? get(call, 'payment_method', before.payment_method);
  if (method === undefined)
    throw unexpected(before, "You cannot confirm this intent because it's missing a payment method.");
  checkMethod(before, method);
  checkHolder(method, call.version);
  const intent = changeIntent(call, before, {
    ...atRest,
    payment_method: method.id,
    status: 'requires_confirmation',
    _acceptance: how.acceptance,
    _return_url: how.returnUrl,
    ...(before.object === 'payment_intent' && { _plan: planOf(call, before._plan, before.amount) }),
  });
  return method.type === 'card' ? byCard(call, intent, method, how) : byAccount(call, intent, method, how);
}

function byCard(work: Work, intent: Intent, method: Method, how: Omit<Confirmation, 'method'>): Intent {
  const card = cards.named(method._behaviour);
  if (card === undefined) throw conflict('This is none of the test cards.');
  const { exp_month: month, exp_year: year } = method.card ?? {};
  if (isExpired(Number(month), Number(year), new Date(work.host.clock.now())))
    throw refuse(work, intent, method, expired);
  const asked = {
    purpose: intent.object === 'payment_intent' ? 'pay' : 'save',
    offSession: how.offSession ?? false,
    challenged: how.isChallenged ?? false,
    setUp: method._authenticated,
  } as const;
  const verdict = judge(card, asked, authenticationRequired);
  if (verdict.is === 'declined') throw refuse(work, intent, method, verdict.decline);
  if (verdict.is === 'approved')
    return intent.object === 'payment_intent'
      ? take(work, intent, method)
      : finishSetup(work, intent, method);
  if (how.refuseAction) throw refuse(work, intent, method, notHandled);
  const challenge = waitForAnswer(work, 'stripe', work.account, intent.id);
  const url = `${work.host.publicUrl}/stripe/3ds/${challenge}`;
  const redirect = { type: 'redirect_to_url', redirect_to_url: { return_url: how.returnUrl, url } };
  const next_action = how.returnUrl === null ? { type: 'use_stripe_sdk' } : redirect;
  return wait(
    work,
    changeIntent(work, intent, { next_action, status: 'requires_action', _challenge: challenge }),
  );
}

function wait(work: Work, intent: Intent): Intent {
  emit(work, `${intent.object}.requires_action`, intent);
  return intent;
}

const arrivesAfterSeconds = 2 * 24 * 3600;

function byAccount(work: Work, intent: Intent, method: Method, { acceptance }: Confirmation): Intent {
  const isPayment = intent.object === 'payment_intent';
  const mandate = isPayment ? liveMandate(work, method) : undefined;
  if (mandate === undefined && acceptance === null) {
    // The intent stays, waiting for a confirmation that brings it.
    const message =
      'This payment method requires a mandate. Please provide `mandate_data` when confirming the intent.';
    throw conflict(message, { [intent.object]: visible(intent) });
  }
  if (!method._verified) {
    const verify_with_microdeposits = {
      arrival_date: work.host.clock.seconds() + arrivesAfterSeconds,
      hosted_verification_url: `${work.host.publicUrl}/stripe/microdeposits/${intent.client_secret}`,
      microdeposit_type: 'descriptor_code',
    };
    const next_action = { type: 'verify_with_microdeposits', verify_with_microdeposits };
    return wait(work, changeIntent(work, intent, { next_action, status: 'requires_action' }));
  }
  if (!isPayment) return finishSetup(work, intent, method);
  if (mandate === undefined && acceptance !== null) grantMandate(work, method, acceptance);
  return startDebit(work, intent, method);
}

/** The method is saved: with the customer, if the intent has one, and with a mandate, if it is a debit. */
export function finishSetup(work: Work, before: Setup, method: Method): Setup {
  const kept = before.customer === null ? method : attach(work, method, before.customer);
  const saved = change(work, kept, { _authenticated: true, _verified: true });
  const isDebit = saved.type !== 'card' && before._acceptance !== null;
  const mandate = isDebit ? grantMandate(work, saved, before._acceptance).id : null;
  const intent = changeIntent(work, before, {
    ...atRest,
    last_setup_error: null,
    mandate,
    status: 'succeeded',
  });
  emit(work, 'setup_intent.succeeded', intent);
  return intent;
}

// ---- Challenged ----

/** What a challenge is about, and whether it still waits for this very one. */
export function challenged(work: Work, { id: name, subject }: Challenge) {
  const intent = get(work, 'payment_intent', subject) ?? get(work, 'setup_intent', subject);
  return intent && { intent, waiting: intent.status === 'requires_action' && intent._challenge === name };
}

/** The cardholder's answer to the challenge that the intent waits for. */
export function answerChallenge(work: Work, intent: Intent, passed: boolean): Intent {
  const method = get(work, 'payment_method', intent.payment_method);
  if (!passed || method === undefined) {
    const code = `${intent.object}_authentication_failure`;
    const message = 'The provided PaymentMethod has failed authentication.';
    return reopen(work, intent, { type: 'invalid_request_error', code, message }, method);
  }
  try {
    const how = { returnUrl: intent._return_url, acceptance: null, isChallenged: true } as const;
    return byCard(work, intent, method, how);
  } catch (cause) {
    // The refusal is the browser's to read from the intent: there is no request to answer with a 402.
    if (!(cause instanceof StripeFault)) throw cause;
    return get(work, 'payment_intent', intent.id) ?? get(work, 'setup_intent', intent.id) ?? intent;
  }
}

/**
 * Where the browser goes after the challenge, with the parameters the real service appends; those already in
 * the address stay. https://docs.stripe.com/payments/3d-secure
 */
export function returnAddress({ object, id: name, status, client_secret, _return_url }: Intent): string {
  const url = new URL(_return_url ?? 'about:blank');
  url.searchParams.append(object, name);
  url.searchParams.append(`${object}_client_secret`, client_secret);
  if (object === 'payment_intent') url.searchParams.append('source_type', 'card');
  const isGood = ['succeeded', 'processing', 'requires_capture'].includes(status);
  url.searchParams.append('redirect_status', isGood ? 'succeeded' : 'failed');
  return url.href;
}

/** Ends an intent for good. */
export function endIntent(work: Work, intent: Intent, reason: string | null): Intent {
  const ended = changeIntent(work, intent, { ...atRest, status: 'canceled', cancellation_reason: reason });
  emit(work, `${intent.object}.canceled`, ended);
  return ended;
}
