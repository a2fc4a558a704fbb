/** `/v1/setup_intents`. https://docs.stripe.com/api/setup_intents */

import { newId, newSecret } from '@counterfoil/sandbox/ids.ts';
import {
  flag,
  id,
  ignored,
  ignoring,
  list,
  oneOf,
  type ReadFields,
  text,
  whole,
} from '@counterfoil/sandbox/requests/params.ts';
import { type Call, emit, type Route, route } from './account.ts';
import { confirmSetup, unexpectedSetup, verificationError, verify } from './confirming.ts';
import {
  acceptanceIn,
  checkCustomer,
  checkMethod,
  commonIntent,
  confirmFields,
  finishSetup,
  intentTypes,
  isExpected,
  methodIn,
  optionsOf,
  typeFields,
  updateSetup,
} from './intents.ts';
import type { SetupIntent } from './objects.ts';
import { common, created, isWithin, listOf, mergeMetadata, metadata, missing, paging } from './wire.ts';

const base = '/v1/setup_intents';
const descriptive = {
  attach_to_self: flag,
  customer: id(),
  ...ignoring('customer_account flow_directions on_behalf_of'),
  description: text(1000),
  metadata,
};
const createFields = {
  ...common,
  ...typeFields,
  ...confirmFields,
  ...descriptive,
  confirm: flag,
  single_use: ignored,
  usage: oneOf('off_session', 'on_session'),
};
const confirmOnlyFields = { ...common, ...confirmFields, ...typeFields, client_secret: id() };

function confirmationOf(call: Call, params: ReadFields<typeof confirmFields>) {
  return {
    method: methodIn(call, params),
    returnUrl: params.return_url ?? null,
    acceptance: acceptanceIn(call, params),
  };
}

function create(call: Call, params: ReadFields<typeof createFields>): SetupIntent {
  const how = confirmationOf(call, params);
  const seti = newId('seti');
  const intent: SetupIntent = {
    ...commonIntent,
    id: seti,
    object: 'setup_intent',
    ...intentTypes(call, params, undefined),
    client_secret: newSecret(seti),
    created: call.host.clock.seconds(),
    customer: checkCustomer(call, params.customer),
    description: params.description ?? null,
    last_setup_error: null,
    latest_attempt: null,
    mandate: null,
    metadata: mergeMetadata({}, params.metadata),
    payment_method: how.method?.id ?? null,
    payment_method_options: optionsOf(params.payment_method_options),
    single_use_mandate: null,
    status: how.method === undefined ? 'requires_payment_method' : 'requires_confirmation',
    usage: params.usage ?? 'off_session',
    _return_url: how.returnUrl,
  };
  if (how.method !== undefined) checkMethod(intent, how.method, undefined);
  call.tx.put(call.account.setups, seti, intent);
  emit(call, 'setup_intent.created', intent);
  return params.confirm ? confirmSetup(call, intent, how) : intent;
}

function find(call: Call, seti: string): SetupIntent {
  const intent = call.account.setups.get(seti);
  if (intent === undefined) throw missing('setupintent', seti, 'intent', true);
  return intent;
}

function cancel(
  call: Call,
  params: { readonly cancellation_reason: string | undefined },
  seti = '',
): SetupIntent {
  const intent = find(call, seti);
  const open = ['requires_payment_method', 'requires_confirmation', 'requires_action'];
  if (!open.includes(intent.status)) {
    throw unexpectedSetup(
      intent,
      `You cannot cancel this SetupIntent because it has a status of ${intent.status}. Only a SetupIntent with one of the following statuses may be canceled: ${open.join(', ')}.`,
    );
  }
  const canceled = updateSetup(call, intent, {
    status: 'canceled',
    cancellation_reason: params.cancellation_reason ?? null,
    next_action: null,
    _challenge: null,
  });
  emit(call, 'setup_intent.canceled', canceled);
  return canceled;
}

const verifyFields = { ...common, client_secret: id(), descriptor_code: id(), amounts: list(whole(0)) };

function verifyRoute(call: Call, params: ReadFields<typeof verifyFields>, seti = ''): SetupIntent {
  const intent = find(call, seti);
  isExpected(call, intent, params.client_secret);
  const method = call.account.methods.get(intent.payment_method ?? '');
  const ended = verify(intent, params, () => updateSetup(call, intent, { _attempts: intent._attempts + 1 }));
  if (ended === 'verified' && method !== undefined) return finishSetup(call, intent, method);
  const failed = updateSetup(call, intent, {
    status: 'requires_payment_method',
    next_action: null,
    payment_method: null,
    last_setup_error: verificationError(ended === 'timed-out' ? 'timed-out' : 'exceeded', method),
  });
  emit(call, 'setup_intent.setup_failed', failed);
  return failed;
}

export const setupIntentRoutes: readonly Route[] = [
  route('POST', base, createFields, create, { operation: 'save' }),
  route(
    'GET',
    base,
    {
      ...paging,
      attach_to_self: flag,
      created,
      customer: id(),
      customer_account: ignored,
      payment_method: id(),
    },
    (call, params) =>
      listOf(
        base,
        call.account.setups,
        params,
        (intent) =>
          isWithin(intent.created, params.created) &&
          (params.customer === undefined || intent.customer === params.customer) &&
          (params.payment_method === undefined || intent.payment_method === params.payment_method),
      ),
    { operation: 'find' },
  ),
  route(
    'GET',
    `${base}/:id`,
    { ...common, client_secret: id() },
    (call, params, seti = '') => {
      const intent = find(call, seti);
      isExpected(call, intent, params.client_secret);
      return intent;
    },
    { operation: 'find', browser: true },
  ),
  route(
    'POST',
    `${base}/:id/confirm`,
    confirmOnlyFields,
    (call, params, seti = '') => {
      const intent = find(call, seti);
      isExpected(call, intent, params.client_secret);
      const narrowed = params.allowed_payment_method_types ?? params.payment_method_types;
      const types = narrowed === undefined ? {} : intentTypes(call, params, undefined);
      return confirmSetup(call, { ...intent, ...types }, confirmationOf(call, params));
    },
    { operation: 'save', browser: true },
  ),
  route(
    'POST',
    `${base}/:id/cancel`,
    { ...common, cancellation_reason: oneOf('abandoned', 'requested_by_customer', 'duplicate') },
    cancel,
    { operation: 'save' },
  ),
  route('POST', `${base}/:id/verify_microdeposits`, verifyFields, verifyRoute, {
    operation: 'save',
    browser: true,
  }),
];
