/** Creating a PaymentIntent, confirmed at once or not. https://docs.stripe.com/api/payment_intents/create */

import { newId, newSecret } from '@counterfoil/sandbox/ids.ts';
import {
  flag,
  id,
  ignored,
  oneOf,
  type ReadFields,
  required,
  text,
  whole,
} from '@counterfoil/sandbox/params.ts';
import type { Call } from './account.ts';
import { type Confirmation, confirmPayment } from './confirm-payment.ts';
import { checkAmount, readCurrency } from './currency.ts';
import { invalid } from './errors.ts';
import { emit } from './events.ts';
import {
  acceptanceIn,
  checkCustomer,
  checkMethod,
  commonIntent,
  confirmFields,
  intentTypes,
  methodIn,
  offSession,
  optionsOf,
  typeFields,
} from './intents.ts';
import { common, mergeMetadata, metadata } from './lists.ts';
import type { PaymentIntent } from './objects.ts';

/** Parameters of create and confirm alike. */
export const payFields = {
  ...confirmFields,
  ...common,
  amount_details: ignored,
  capture_method: oneOf('automatic', 'automatic_async', 'manual'),
  error_on_requires_action: flag,
  hooks: ignored,
  off_session: offSession,
  payment_details: ignored,
  radar_options: ignored,
  receipt_email: text(512),
  setup_future_usage: oneOf('off_session', 'on_session'),
  shipping: ignored,
};

/** Parameters of create and update alike. */
export const descriptiveFields = {
  application_fee_amount: ignored,
  customer: id(),
  customer_account: ignored,
  description: text(1000),
  metadata,
  on_behalf_of: ignored,
  statement_descriptor: text(22),
  statement_descriptor_suffix: text(22),
  transfer_data: ignored,
  transfer_group: ignored,
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
