/** What can be done with a PaymentIntent that exists: confirm, change, capture, cancel, verify. */

import { id, list, oneOf, type ReadFields, whole } from '@counterfoil/sandbox/params.ts';
import type { Call } from './account.ts';
import { updatePayment } from './charging.ts';
import { confirmPayment, unexpected } from './confirm-payment.ts';
import { startDebit } from './debiting.ts';
import { conflict, missing } from './errors.ts';
import { emit } from './events.ts';
import { intentTypes, isExpected, typeFields } from './intents.ts';
import { common } from './lists.ts';
import { grantMandate } from './mandates.ts';
import { verificationError, verify } from './microdeposits.ts';
import type { PaymentIntent } from './objects.ts';
import { confirmationOf, payFields } from './payment-create.ts';

/** @throws {StripeFault} 404 resource_missing */
export function findPayment(call: Call, pi: string): PaymentIntent {
  const intent = call.account.payments.get(pi);
  if (intent === undefined) throw missing('payment_intent', pi, 'intent', true);
  return intent;
}

const changeable = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

export const confirmRouteFields = {
  ...payFields,
  allowed_payment_method_types: typeFields.allowed_payment_method_types,
  payment_method_types: typeFields.payment_method_types,
  amount_to_confirm: whole(),
  client_secret: id(),
};
const noTypes = {
  excluded_payment_method_types: undefined,
  automatic_payment_methods: undefined,
  payment_method_configuration: undefined,
};

export function confirmRoute(
  call: Call,
  params: ReadFields<typeof confirmRouteFields>,
  pi = '',
): PaymentIntent {
  const intent = findPayment(call, pi);
  isExpected(call, intent, params.client_secret);
  if (call.publishable && intent.confirmation_method === 'manual') {
    throw conflict('A publishable key cannot confirm a PaymentIntent whose confirmation_method is manual.');
  }
  const narrowed = params.allowed_payment_method_types ?? params.payment_method_types;
  const types = narrowed === undefined ? {} : intentTypes(call, { ...noTypes, ...params }, intent.currency);
  const setup_future_usage = params.setup_future_usage ?? intent.setup_future_usage;
  return confirmPayment(call, { ...intent, ...types, setup_future_usage }, confirmationOf(call, params));
}

export const cancelFields = {
  ...common,
  cancellation_reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'),
};

/** @throws {StripeFault} 400 in a state from which money may still come or has come */
export function cancelRoute(call: Call, params: ReadFields<typeof cancelFields>, pi = ''): PaymentIntent {
  const intent = findPayment(call, pi);
  const open = [...changeable, 'requires_capture'];
  const mayStop = intent.status === 'processing' && call.host.settings.cancelProcessing;
  if (!open.includes(intent.status) && !mayStop) {
    throw unexpected(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${open.join(', ')}.`,
    );
  }
  if (intent._session !== null && intent.status !== 'requires_capture') {
    throw unexpected(
      intent,
      'You cannot cancel this PaymentIntent because it was created by a Checkout Session. Expire the Checkout Session instead.',
    );
  }
  return cancelPayment(call, intent, params.cancellation_reason ?? null);
}

export function cancelPayment(call: Call, intent: PaymentIntent, reason: string | null): PaymentIntent {
  const canceled = updatePayment(call, intent, {
    status: 'canceled',
    amount_capturable: 0,
    canceled_at: call.host.clock.seconds(),
    cancellation_reason: reason,
    next_action: null,
    _challenge: null,
  });
  emit(call, 'payment_intent.canceled', canceled);
  return canceled;
}

export const verifyFields = {
  ...common,
  client_secret: id(),
  descriptor_code: id(),
  amounts: list(whole(0)),
};

export function verifyRoute(call: Call, params: ReadFields<typeof verifyFields>, pi = ''): PaymentIntent {
  const intent = findPayment(call, pi);
  isExpected(call, intent, params.client_secret);
  const method = call.account.methods.get(intent.payment_method ?? '');
  const ended = verify(intent, params, () =>
    updatePayment(call, intent, { _attempts: intent._attempts + 1 }),
  );
  if (ended !== 'verified' || method === undefined) {
    const failed = updatePayment(call, intent, {
      status: 'requires_payment_method',
      next_action: null,
      payment_method: null,
      last_payment_error: verificationError(ended === 'timed-out' ? 'timed-out' : 'exceeded', method),
    });
    emit(call, 'payment_intent.payment_failed', failed);
    return failed;
  }
  const verified = { ...method, _verified: true };
  call.tx.put(call.account.methods, method.id, verified);
  if (intent._acceptance !== null) grantMandate(call, verified, intent._acceptance);
  return startDebit(call, intent, call.account.methods.get(method.id) ?? verified);
}
