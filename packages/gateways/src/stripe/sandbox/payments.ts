/** `/v1/payment_intents`. https://docs.stripe.com/api/payment_intents */

import { newId, newSecret } from '@counterfoil/sandbox/ids.ts';
import {
  flag,
  id,
  ignored,
  ignoring,
  list,
  oneOf,
  type ReadFields,
  required,
  text,
  whole,
} from '@counterfoil/sandbox/requests/params.ts';
import { type Call, emit, type Route, route } from './account.ts';
import { startDebit, updatePayment } from './charges.ts';
import { type Confirmation, confirmPayment, unexpected, verificationError, verify } from './confirming.ts';
import { checkAmount, readCurrency } from './data.ts';
import {
  acceptanceIn,
  checkCustomer,
  checkMethod,
  commonIntent,
  confirmFields,
  intentTypes,
  isExpected,
  methodIn,
  offSession,
  optionsOf,
  typeFields,
} from './intents.ts';
import { grantMandate } from './methods.ts';
import type { PaymentIntent } from './objects.ts';
import { searchPayments } from './records.ts';
import {
  common,
  conflict,
  created,
  invalid,
  isWithin,
  listOf,
  mergeMetadata,
  metadata,
  missing,
  paging,
} from './wire.ts';

/** Parameters of create and confirm alike. */
export const payFields = {
  ...confirmFields,
  ...common,
  ...ignoring('amount_details hooks payment_details radar_options shipping'),
  capture_method: oneOf('automatic', 'automatic_async', 'manual'),
  error_on_requires_action: flag,
  off_session: offSession,
  receipt_email: text(512),
  setup_future_usage: oneOf('off_session', 'on_session'),
};

/** Parameters of create and update alike. */
export const descriptiveFields = {
  ...ignoring('application_fee_amount customer_account on_behalf_of transfer_data transfer_group'),
  customer: id(),
  description: text(1000),
  metadata,
  statement_descriptor: text(22),
  statement_descriptor_suffix: text(22),
};

export const createFields = {
  amount: required(whole()),
  currency: required(id()),
  confirm: flag,
  confirmation_method: oneOf('automatic', 'manual'),
  ...typeFields,
  ...descriptiveFields,
  ...payFields,
};

const onlyWithConfirm = ['return_url', 'off_session', 'error_on_requires_action', 'mandate_data'] as const;

/** Reads how to confirm; a method in the parameters is made or looked up here. */
export function confirmationOf(call: Call, params: ReadFields<typeof payFields>): Confirmation {
  return {
    method: methodIn(call, params),
    offSession: params.off_session ?? false,
    returnUrl: params.return_url ?? null,
    refuseAction: params.error_on_requires_action ?? false,
    acceptance: acceptanceIn(call, params),
  };
}

/**
 * @throws {StripeFault} 400 before anything is stored, or what {@link confirmPayment} throws after it was
 */
export function createPayment(call: Call, params: ReadFields<typeof createFields>): PaymentIntent {
  const currency = readCurrency(params.currency);
  checkAmount(params.amount, currency);
  if (!params.confirm) {
    const early = onlyWithConfirm.find((name) => params[name] !== undefined);
    if (early !== undefined)
      throw invalid(`The parameter ${early} can only be set when confirm is true.`, early);
  }
  const how = confirmationOf(call, params);
  const intent = newPayment(call, {
    amount: params.amount,
    ...intentTypes(call, params, currency),
    capture_method: params.capture_method ?? 'automatic_async',
    confirmation_method: params.confirmation_method ?? 'automatic',
    currency,
    customer: checkCustomer(call, params.customer),
    description: params.description ?? null,
    metadata: mergeMetadata({}, params.metadata),
    payment_method: how.method?.id ?? null,
    payment_method_options: optionsOf(params.payment_method_options),
    receipt_email: params.receipt_email ?? null,
    setup_future_usage: params.setup_future_usage ?? null,
    shipping: params.shipping ?? null,
    statement_descriptor: params.statement_descriptor ?? null,
    statement_descriptor_suffix: params.statement_descriptor_suffix ?? null,
    status: how.method === undefined ? 'requires_payment_method' : 'requires_confirmation',
    _return_url: how.returnUrl,
  });
  if (how.method !== undefined) checkMethod(intent, how.method, currency);
  return params.confirm ? confirmPayment(call, intent, how) : intent;
}

type Given = 'amount' | 'currency' | 'customer' | 'payment_method_types' | 'metadata' | 'status';

/** Stores a new intent; what is not given has its value at birth. */
export function newPayment(
  call: Call,
  given: Pick<PaymentIntent, Given> & Partial<PaymentIntent>,
): PaymentIntent {
  const pi = newId('pi');
  const intent: PaymentIntent = {
    ...commonIntent,
    id: pi,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    capture_method: 'automatic_async',
    client_secret: newSecret(pi),
    confirmation_method: 'automatic',
    created: call.host.clock.seconds(),
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    payment_method: null,
    payment_method_options: {},
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    transfer_data: null,
    transfer_group: null,
    _return_url: null,
    _key: call.idempotencyKey,
    _plan: {},
    ...given,
  };
  call.tx.put(call.account.payments, pi, intent);
  emit(call, 'payment_intent.created', intent);
  return intent;
}

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

const base = '/v1/payment_intents';

export const paymentIntentRoutes: readonly Route[] = [
  route('POST', base, createFields, createPayment, { operation: 'charge' }),
  route(
    'GET',
    base,
    { ...paging, created, customer: id(), customer_account: ignored },
    (call, params) =>
      listOf(
        base,
        call.account.payments,
        params,
        (intent) =>
          isWithin(intent.created, params.created) &&
          (params.customer === undefined || intent.customer === params.customer),
      ),
    { operation: 'find' },
  ),
  route('GET', `${base}/search`, { ...common, query: required(id(2000)) }, searchPayments, {
    operation: 'find',
  }),
  route(
    'GET',
    `${base}/:id`,
    { ...common, client_secret: id() },
    (call, params, pi = '') => {
      const intent = findPayment(call, pi);
      isExpected(call, intent, params.client_secret);
      return intent;
    },
    { operation: 'find', browser: true },
  ),
  route('POST', `${base}/:id/confirm`, confirmRouteFields, confirmRoute, {
    operation: 'charge',
    browser: true,
  }),
  route('POST', `${base}/:id/cancel`, cancelFields, cancelRoute, { operation: 'refund' }),
  route('POST', `${base}/:id/verify_microdeposits`, verifyFields, verifyRoute, {
    operation: 'charge',
    browser: true,
  }),
];
