/** Confirming a SetupIntent: saving a card or an account for later payments. */
import type { Call } from './account.ts';
import { banks } from './banks.ts';
import { cards, verdictOn } from './cards.ts';
import { openChallenge } from './challenges.ts';
import { conflict } from './errors.ts';
import { emit } from './events.ts';
import { checkMethod, checkReturn, mandateMissing } from './intents.ts';
import { checkHolder } from './methods.ts';
import { microdepositAction } from './microdeposits.ts';
import type { Acceptance, PaymentMethod, SetupIntent } from './objects.ts';
import { visible } from './render.ts';
import { finishSetup, refuseSetup, updateSetup } from './setting-up.ts';

export interface SetupConfirmation {
  readonly method: PaymentMethod | undefined;
  readonly returnUrl: string | null;
  readonly acceptance: Acceptance | null;
}

const confirmable = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

/** @throws {StripeFault} 402 for a refused card, 400 for a wrong state or a missing mandate; the intent stays */
export function confirmSetup(call: Call, before: SetupIntent, how: SetupConfirmation): SetupIntent {
  if (!confirmable.includes(before.status)) {
    throw unexpectedSetup(
      before,
      `You cannot confirm this SetupIntent because it has already ${before.status}.`,
    );
  }
  const method = how.method ?? call.account.methods.get(before.payment_method ?? '');
  if (method === undefined) {
    throw unexpectedSetup(
      before,
      "You cannot confirm this SetupIntent because it's missing a payment method. Update the SetupIntent with a payment method and then confirm it again.",
    );
  }
  checkMethod(before, method, undefined);
  checkHolder(method, call.version);
  checkReturn(call, before, how.returnUrl);
  const intent = updateSetup(call, before, {
    payment_method: method.id,
    next_action: null,
    status: 'requires_confirmation',
    _acceptance: how.acceptance,
    _challenge: null,
    _return_url: how.returnUrl,
  });
  return method.type === 'card'
    ? saveCard(call, intent, method, how)
    : saveAccount(call, intent, method, how);
}

function saveCard(
  call: Call,
  intent: SetupIntent,
  method: PaymentMethod,
  how: SetupConfirmation,
): SetupIntent {
  const card = cards.named(method._behaviour);
  if (card === undefined) throw conflict('This card cannot be saved.');
  const verdict = verdictOn(card, {
    purpose: 'save',
    offSession: false,
    challenged: false,
    setUp: method._authenticated,
  });
  switch (verdict.is) {
    case 'approved':
      return finishSetup(call, intent, method);
    case 'declined':
      throw refuseSetup(call, intent, method, verdict.decline);
    case 'challenged': {
      const { next_action, status, _challenge, _return_url } = openChallenge(call, intent, how.returnUrl);
      const waiting = updateSetup(call, intent, { next_action, status, _challenge, _return_url });
      emit(call, 'setup_intent.requires_action', waiting);
      return waiting;
    }
  }
}

function saveAccount(
  call: Call,
  intent: SetupIntent,
  method: PaymentMethod,
  how: SetupConfirmation,
): SetupIntent {
  if (how.acceptance === null) throw mandateMissing(intent);
  if (banks.named(method._behaviour)?.setupRefused) {
    throw conflict('The account number is invalid.', {
      code: 'account_number_invalid',
      setup_intent: visible(intent),
    });
  }
  if (method._verified) return finishSetup(call, intent, method);
  const waiting = updateSetup(call, intent, {
    status: 'requires_action',
    next_action: microdepositAction(call, method, intent.client_secret),
  });
  emit(call, 'setup_intent.requires_action', waiting);
  return waiting;
}

/** 400 setup_intent_unexpected_state with the intent in it. */
export function unexpectedSetup(intent: SetupIntent, message: string) {
  return conflict(message, { code: 'setup_intent_unexpected_state', setup_intent: visible(intent) });
}
