/** Confirming a PaymentIntent: the moment at which money moves, or does not. */

import { isExpired } from '@counterfoil/sandbox/money/card.ts';
import { planOf } from '@counterfoil/sandbox/money/movements.ts';
import type { Call } from './account.ts';
import { banks } from './banks.ts';
import { cards, declines, verdictOn } from './cards.ts';
import { openChallenge } from './challenges.ts';
import { refuse, take, updatePayment } from './charging.ts';
import { startDebit } from './debiting.ts';
import { conflict } from './errors.ts';
import { emit } from './events.ts';
import { checkMethod, checkReturn, mandateMissing } from './intents.ts';
import { grantMandate, liveMandate } from './mandates.ts';
import { checkHolder } from './methods.ts';
import { microdepositAction } from './microdeposits.ts';
import type { Acceptance, IntentStatus, PaymentIntent, PaymentMethod } from './objects.ts';
import { visible } from './render.ts';

export interface Confirmation {
  readonly method: PaymentMethod | undefined;
  readonly offSession: boolean;
  readonly returnUrl: string | null;
  readonly refuseAction: boolean;
  readonly acceptance: Acceptance | null;
}

const confirmable: readonly IntentStatus[] = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
];

/**
 * @returns the intent as it is afterwards
 * @throws {StripeFault} 402 for a refused card, 400 for a wrong state or a missing mandate; the intent stays
 */
export function confirmPayment(call: Call, before: PaymentIntent, how: Confirmation): PaymentIntent {
  if (!confirmable.includes(before.status)) {
    throw unexpected(
      before,
      `You cannot confirm this PaymentIntent because it has a status of ${before.status}.`,
    );
  }
  const method = how.method ?? call.account.methods.get(before.payment_method ?? '');
  if (method === undefined) {
    throw unexpected(
      before,
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
    );
  }
  checkMethod(before, method, before.currency);
  checkHolder(method, call.version);
  if (!how.offSession) checkReturn(call, before, how.returnUrl);
  const intent = updatePayment(call, before, {
    payment_method: method.id,
    next_action: null,
    status: 'requires_confirmation',
    _acceptance: how.acceptance,
    _challenge: null,
    _return_url: how.returnUrl,
    _plan: planOf(call, before._plan, before.amount),
  });
  return method.type === 'card'
    ? payByCard(call, intent, method, how)
    : payByDebit(call, intent, method, how);
}

function payByCard(
  call: Call,
  intent: PaymentIntent,
  method: PaymentMethod,
  how: Confirmation,
): PaymentIntent {
  const card = cards.named(method._behaviour);
  if (card === undefined) throw conflict('This card cannot be charged.');
  const { exp_month: month, exp_year: year } = method.card ?? {};
  const expired = isExpired(Number(month), Number(year), new Date(call.host.clock.now()));
  const verdict = expired
    ? ({ is: 'declined', decline: declines.expired } as const)
    : verdictOn(card, {
        purpose: 'pay',
        offSession: how.offSession,
        challenged: false,
        setUp: method._authenticated,
      });
  switch (verdict.is) {
    case 'approved':
      return take(call, intent, method, false);
    case 'declined':
      throw refuse(call, intent, method, verdict.decline);
    case 'challenged': {
      if (how.refuseAction) throw refuse(call, intent, method, declines.notHandled);
      const waiting = updatePayment(call, intent, openChallenge(call, intent, how.returnUrl));
      emit(call, 'payment_intent.requires_action', waiting);
      return waiting;
    }
  }
}

function payByDebit(
  call: Call,
  intent: PaymentIntent,
  method: PaymentMethod,
  how: Confirmation,
): PaymentIntent {
  if (!method._verified) {
    if (how.acceptance === null) throw mandateMissing(intent);
    const waiting = updatePayment(call, intent, {
      status: 'requires_action',
      next_action: microdepositAction(call, method, intent.client_secret),
    });
    emit(call, 'payment_intent.requires_action', waiting);
    return waiting;
  }
  const mandate = liveMandate(call, method);
  if (mandate === undefined && how.acceptance === null) throw mandateMissing(intent);
  if (mandate === undefined && how.acceptance !== null) grantMandate(call, method, how.acceptance);
  if (banks.named(method._behaviour)?.setupRefused) {
    throw conflict('The account number is invalid.', {
      code: 'account_number_invalid',
      payment_intent: visible(intent),
    });
  }
  return startDebit(call, intent, call.account.methods.get(method.id) ?? method);
}

/** 400 payment_intent_unexpected_state with the intent in it. */
export function unexpected(intent: PaymentIntent, message: string) {
  return conflict(message, { code: 'payment_intent_unexpected_state', payment_intent: visible(intent) });
}
