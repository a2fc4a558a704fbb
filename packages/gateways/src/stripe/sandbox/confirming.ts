import { isExpired } from '@counterfoil/sandbox/money/card.ts';
import { planOf } from '@counterfoil/sandbox/money/movements.ts';
import { type Call, emit, type Work } from './account.ts';
import { refuse, startDebit, take, updatePayment } from './charges.ts';
import { banks, cards, declines, verdictOn } from './data.ts';
import {
  checkMethod,
  checkReturn,
  finishSetup,
  mandateMissing,
  openChallenge,
  refuseSetup,
  updateSetup,
} from './intents.ts';
import { checkHolder, grantMandate, liveMandate } from './methods.ts';
import type { Acceptance, IntentStatus, PaymentIntent, PaymentMethod, SetupIntent } from './objects.ts';
import { conflict, visible } from './wire.ts';

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

const arrivesAfterSeconds = 2 * 24 * 3600;
const mostAttempts = 10;
const prefix = 'payment_method_microdeposit_verification';

/** @throws {StripeFault} 400 when the deposits cannot be sent */
export function microdepositAction(
  work: Work,
  method: PaymentMethod,
  secret: string,
): Readonly<Record<string, unknown>> {
  if (banks.named(method._behaviour)?.noMicrodeposits) {
    throw conflict('The microdeposits could not be sent to this account.', {
      code: 'payment_method_microdeposit_failed',
    });
  }
  return {
    type: 'verify_with_microdeposits',
    verify_with_microdeposits: {
      arrival_date: work.host.clock.seconds() + arrivesAfterSeconds,
      hosted_verification_url: `${work.host.publicUrl}/stripe/microdeposits/${secret}`,
      microdeposit_type: 'descriptor_code',
    },
  };
}

export type Verification = 'verified' | 'exceeded' | 'timed-out';

/**
 * Compares what the account holder read on the statement.
 * @returns how the verification ends; a mistake that leaves attempts is thrown
 * @throws {StripeFault} 400 with a code for a mistake or a wrong state
 */
export function verify(
  intent: PaymentIntent | SetupIntent,
  given: { readonly descriptor_code?: string | undefined; readonly amounts?: readonly number[] | undefined },
  countAttempt: () => void,
): Verification {
  if (intent.next_action?.['type'] !== 'verify_with_microdeposits') {
    throw conflict(`You cannot verify microdeposits on this intent: its status is ${intent.status}.`, {
      code: intent.object === 'payment_intent' ? 'payment_intent_unexpected_state' : 'intent_invalid_state',
      [intent.object]: visible(intent),
    });
  }
  const answer = given.descriptor_code?.toUpperCase() ?? amountsKey(given.amounts);
  switch (answer) {
    case 'SM11AA':
    case '32,45':
      return 'verified';
    case 'SM33CC':
    case '10,11':
      return 'exceeded';
    case 'SM44DD':
    case '40,41':
      return 'timed-out';
  }
  if (intent._attempts + 1 >= mostAttempts) return 'exceeded';
  countAttempt();
  throw given.descriptor_code === undefined
    ? conflict('The amounts provided do not match the amounts that were sent to the bank account.', {
        code: `${prefix}_amounts_mismatch`,
        param: 'amounts',
      })
    : conflict('The descriptor code provided does not match the one sent to the bank account.', {
        code: `${prefix}_descriptor_code_mismatch`,
        param: 'descriptor_code',
      });
}

function amountsKey(amounts: readonly number[] | undefined): string {
  if (amounts === undefined || amounts.length !== 2) {
    throw conflict('You must provide two amounts, or a descriptor code.', {
      code: `${prefix}_amounts_invalid`,
      param: 'amounts',
    });
  }
  return [...amounts].sort((left, right) => left - right).join();
}

/** The error that stays on an intent whose verification has ended without success. */
export function verificationError(ended: 'exceeded' | 'timed-out', method: PaymentMethod | undefined) {
  return {
    type: 'invalid_request_error',
    code: ended === 'exceeded' ? `${prefix}_attempts_exceeded` : `${prefix}_timeout`,
    message:
      ended === 'exceeded'
        ? 'You have exceeded the number of allowed verification attempts.'
        : 'The microdeposits were not verified in time.',
    ...(method === undefined ? {} : { payment_method: visible(method) }),
  };
}

export interface SetupConfirmation {
  readonly method: PaymentMethod | undefined;
  readonly returnUrl: string | null;
  readonly acceptance: Acceptance | null;
}

const setupConfirmable = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

/** @throws {StripeFault} 402 for a refused card, 400 for a wrong state or a missing mandate; the intent stays */
export function confirmSetup(call: Call, before: SetupIntent, how: SetupConfirmation): SetupIntent {
  if (!setupConfirmable.includes(before.status)) {
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
