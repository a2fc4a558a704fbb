/** 3-D Secure challenges: opened with an intent's next action, finished by the cardholder on a page. */

import type { SandboxHost } from '@counterfoil/sandbox/gateway-sandbox.ts';
import {
  type Challenge,
  findChallenge as knownChallenge,
  openChallenge as waitForAnswer,
} from '@counterfoil/sandbox/money/challenge.ts';
import { gateway, type Work } from './account.ts';
import { cards, verdictOn } from './cards.ts';
import { refuse, take, updatePayment } from './charging.ts';
import type { StripeFault } from './errors.ts';
import { emit } from './events.ts';
import type { Failure, PaymentIntent, SetupIntent } from './objects.ts';
import { visible } from './render.ts';
import { finishSetup, refuseSetup, updateSetup } from './setting-up.ts';

/** Opens a challenge and gives the intent's `next_action` for it. */
export function openChallenge(
  work: Work,
  intent: PaymentIntent | SetupIntent,
  returnUrl: string | null,
): Pick<PaymentIntent, 'next_action' | '_challenge' | '_return_url'> & {
  readonly status: 'requires_action';
} {
  const id = waitForAnswer(work, gateway, work.account.id, intent.id);
  const url = `${work.host.publicUrl}/stripe/3ds/${id}`;
  return {
    status: 'requires_action',
    _challenge: id,
    _return_url: returnUrl,
    next_action:
      returnUrl === null
        ? {
            type: 'use_stripe_sdk',
            use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url, source: id },
          }
        : { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } },
  };
}

export interface OpenChallenge {
  readonly challenge: Challenge;
  readonly intent: PaymentIntent | SetupIntent;
  /** Whether the intent still waits for this very challenge. */
  readonly waiting: boolean;
}

export function findChallenge(
  host: SandboxHost,
  work: (account: string) => Work,
  id: string,
): OpenChallenge | undefined {
  const challenge = knownChallenge(host, gateway, id);
  if (challenge === undefined) return undefined;
  const { account } = work(challenge.account);
  const intent = account.payments.get(challenge.subject) ?? account.setups.get(challenge.subject);
  if (intent === undefined) return undefined;
  return { challenge, intent, waiting: intent.status === 'requires_action' && intent._challenge === id };
}

/** The cardholder's answer. A challenge the intent no longer waits for changes nothing. */
export function answerChallenge(
  work: Work,
  open: OpenChallenge,
  passed: boolean,
): PaymentIntent | SetupIntent {
  if (!open.waiting) return open.intent;
  return open.intent.object === 'payment_intent'
    ? answerPayment(work, open.intent, passed)
    : answerSetup(work, open.intent, passed);
}

function answerPayment(work: Work, intent: PaymentIntent, passed: boolean): PaymentIntent {
  const method = work.account.methods.get(intent.payment_method ?? '');
  const card = method && cards.named(method._behaviour);
  if (!passed || method === undefined || card === undefined) {
    const failed = updatePayment(work, intent, {
      last_payment_error: authenticationFailure('payment_intent', method),
      next_action: null,
      payment_method: null,
      status: 'requires_payment_method',
      _challenge: null,
    });
    emit(work, 'payment_intent.payment_failed', failed);
    return failed;
  }
  const verdict = verdictOn(card, { purpose: 'pay', offSession: false, challenged: true, setUp: true });
  if (verdict.is !== 'declined') return take(work, intent, method, true);
  // The refusal is the browser's to read from the intent: there is no request to answer with a 402.
  const fault: StripeFault = refuse(work, intent, method, verdict.decline);
  return work.account.payments.get(intent.id) ?? (fault.fields.payment_intent as PaymentIntent);
}

function answerSetup(work: Work, intent: SetupIntent, passed: boolean): SetupIntent {
  const method = work.account.methods.get(intent.payment_method ?? '');
  const card = method && cards.named(method._behaviour);
  if (!passed || method === undefined || card === undefined) {
    const failed = updateSetup(work, intent, {
      last_setup_error: authenticationFailure('setup_intent', method),
      next_action: null,
      payment_method: null,
      status: 'requires_payment_method',
      _challenge: null,
    });
    emit(work, 'setup_intent.setup_failed', failed);
    return failed;
  }
  const verdict = verdictOn(card, { purpose: 'save', offSession: false, challenged: true, setUp: true });
  if (verdict.is !== 'declined') return finishSetup(work, intent, method);
  refuseSetup(work, intent, method, verdict.decline);
  return work.account.setups.get(intent.id) ?? intent;
}

function authenticationFailure(what: 'payment_intent' | 'setup_intent', method: object | undefined): Failure {
  return {
    type: 'invalid_request_error',
    code: `${what}_authentication_failure`,
    message:
      'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this intent again.',
    ...(method === undefined ? {} : { payment_method: visible(method) }),
  };
}

/**
 * Where the browser goes after the challenge, with the parameters the real service appends; those already in
 * the address stay. https://docs.stripe.com/payments/3d-secure
 */
export function returnAddress(intent: PaymentIntent | SetupIntent): string | undefined {
  if (intent._return_url === null) return undefined;
  const url = new URL(intent._return_url);
  const good = ['succeeded', 'processing', 'requires_capture'].includes(intent.status);
  const name = intent.object;
  url.searchParams.append(name, intent.id);
  url.searchParams.append(`${name}_client_secret`, intent.client_secret);
  if (name === 'payment_intent') url.searchParams.append('source_type', 'card');
  url.searchParams.append('redirect_status', good ? 'succeeded' : 'failed');
  return url.href;
}
