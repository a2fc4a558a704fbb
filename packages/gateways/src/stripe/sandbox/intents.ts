/** `/v1/payment_intents` and `/v1/setup_intents`: made, read, verified, canceled. */
import { newId, newSecret } from '@counterfoil/sandbox/ids.ts';
import {
  flag,
  id,
  list,
  oneOf,
  type ReadFields,
  required,
  text,
  webAddress,
  whole,
} from '@counterfoil/sandbox/requests/params.ts';
import {
  type Confirmation,
  checkMethod,
  confirm,
  endIntent,
  finishSetup,
  open,
  unexpected,
} from './confirming.ts';
import { checkAmount, knownTypes, readCurrency } from './data.ts';
import { acceptanceOf, findMethod, mandateData } from './methods.ts';
import { atRest, searchPayments } from './money.ts';
import {
  common,
  conflict,
  created,
  invalid,
  isEndive,
  mergeMetadata,
  metadata,
  needed,
  paging,
} from './protocol.ts';
import {
  type Call,
  emit,
  find,
  get,
  type Intent,
  listOf,
  type Payment,
  put,
  type Route,
  route,
  type Setup,
} from './work.ts';

// ---- Made ----

export const typeFields = { allowed_payment_method_types: list(id()), payment_method_types: list(id()) };
type TypeParams = ReadFields<typeof typeFields>;

/** The types an intent accepts. @throws {StripeFault} 400 for the parameter of another version, and for both */
export function typesOf({ version }: Call, params: TypeParams) {
  const { payment_method_types: older, allowed_payment_method_types: allowed = null } = params;
  if (older !== undefined && isEndive(version)) {
    const message =
      'The parameter `payment_method_types` is no longer supported. Use `allowed_payment_method_types`.';
    throw invalid(message, 'payment_method_types', 'payment_method_types_no_longer_supported');
  }
  if (older !== undefined && allowed !== null)
    throw invalid('You may only specify one of these parameters.', 'allowed_payment_method_types');
  const payment_method_types = older ?? allowed ?? ['card'];
  const unknown = payment_method_types.find((type) => !knownTypes.includes(type));
  if (unknown !== undefined)
    throw invalid(`The payment method type "${unknown}" is invalid.`, 'payment_method_types');
  return { payment_method_types, allowed_payment_method_types: allowed };
}

const confirmFields = {
  ...common,
  mandate_data: mandateData,
  payment_method: id(),
  return_url: webAddress,
};
const createFields = { ...typeFields, ...confirmFields, confirm: flag, customer: id(), metadata };
const paymentFields = {
  ...createFields,
  amount: required(whole()),
  capture_method: oneOf('automatic', 'manual'),
  currency: required(id()),
  description: text(1000),
  error_on_requires_action: flag,
  off_session: flag,
};
const setupFields = { ...createFields, usage: oneOf('off_session', 'on_session') };

const confirmationOf = (call: Call, params: ReadFields<typeof confirmFields>): Confirmation => ({
  method: params.payment_method === undefined ? undefined : findMethod(call, params.payment_method),
  returnUrl: params.return_url ?? null,
  acceptance: acceptanceOf(call, params.mandate_data),
});

export function checkCustomer(call: Call, customer: string | undefined): string | null {
  return customer === undefined ? null : find(call, 'customer', customer, 'customer').id;
}

/** What intents of both kinds have at birth. */
const unborn = (call: Call, prefix: 'pi' | 'seti') => {
  const name = newId(prefix);
  return {
    ...atRest,
    id: name,
    cancellation_reason: null,
    client_secret: newSecret(name),
    created: call.host.clock.seconds(),
    payment_method: null,
    status: 'requires_payment_method',
    _acceptance: null,
    _return_url: null,
    _session: null,
  } as const;
};
type Given = 'customer' | 'metadata' | 'payment_method_types' | 'allowed_payment_method_types';

/** Stores a new payment; what is not given has its value at birth. */
export function newPayment(
  call: Call,
  given: Pick<Payment, Given | 'amount' | 'currency'> & Partial<Payment>,
): Payment {
  const intent = put(call, {
    ...unborn(call, 'pi'),
    object: 'payment_intent',
    amount_received: 0,
    capture_method: 'automatic',
    description: null,
    last_payment_error: null,
    latest_charge: null,
    _key: call.idempotencyKey,
    _plan: {},
    ...given,
  });
  emit(call, 'payment_intent.created', intent);
  return intent;
}

/** The same of a setup. */
export function newSetup(call: Call, given: Pick<Setup, Given> & Partial<Setup>): Setup {
  const own = {
    object: 'setup_intent',
    last_setup_error: null,
    mandate: null,
    usage: 'off_session',
  } as const;
  const intent = put(call, { ...unborn(call, 'seti'), ...own, ...given });
  emit(call, 'setup_intent.created', intent);
  return intent;
}

/** Of both kinds: what the parameters say of a new intent. */
function given(call: Call, params: ReadFields<typeof createFields>, { method, returnUrl }: Confirmation) {
  return {
    ...typesOf(call, params),
    customer: checkCustomer(call, params.customer),
    metadata: mergeMetadata({}, params.metadata),
    payment_method: method?.id ?? null,
    status: method === undefined ? ('requires_payment_method' as const) : ('requires_confirmation' as const),
    _return_url: returnUrl,
  };
}

function createPayment(call: Call, params: ReadFields<typeof paymentFields>): Intent {
  const currency = readCurrency(params.currency);
  checkAmount(params.amount, currency);
  const how = {
    ...confirmationOf(call, params),
    offSession: params.off_session,
    refuseAction: params.error_on_requires_action,
  };
  const intent = newPayment(call, {
    ...given(call, params, how),
    amount: params.amount,
    capture_method: params.capture_method ?? 'automatic',
    currency,
    description: params.description ?? null,
  });
  return begun(call, intent, how, params.confirm);
}

function createSetup(call: Call, params: ReadFields<typeof setupFields>): Intent {
  const how = confirmationOf(call, params);
  const { usage = 'off_session' } = params;
  return begun(call, newSetup(call, { ...given(call, params, how), usage }), how, params.confirm);
}

function begun(call: Call, intent: Intent, how: Confirmation, isConfirmed = false): Intent {
  if (how.method !== undefined) checkMethod(intent, how.method);
  return isConfirmed ? confirm(call, intent, how) : intent;
}

// ---- Canceled, verified, read ----

const cancelFields = {
  ...common,
  cancellation_reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'),
};

/** @throws {StripeFault} 400 in a state from which money may still come or has come */
function cancel(call: Call, intent: Intent, reason: string | undefined): Intent {
  const isHeld = intent.status === 'requires_capture';
  const mayStop = intent.status === 'processing' && call.host.settings.cancelProcessing;
  if (!open.includes(intent.status) && !isHeld && !mayStop)
    throw unexpected(intent, `You cannot cancel this intent because it has a status of ${intent.status}.`);
  if (intent._session !== null && !isHeld)
    throw unexpected(intent, 'You cannot cancel this intent. Expire its Checkout Session instead.');
  return endIntent(call, intent, reason ?? null);
}

const verifyFields = { ...common, descriptor_code: id(), amounts: list(whole(0)) };

/** Compares what the account holder read on the statement. @throws {StripeFault} 400 with a code */
function verify(call: Call, params: ReadFields<typeof verifyFields>, seti: string): Setup {
  const intent = find(call, 'setup_intent', seti);
  const method = get(call, 'payment_method', intent.payment_method);
  if (intent.next_action?.['type'] !== 'verify_with_microdeposits' || method === undefined)
    throw conflict('You cannot verify microdeposits on this intent.', { code: 'intent_invalid_state' });
  const { descriptor_code: code, amounts = [] } = params;
  const isRight =
    code === undefined
      ? amounts.toSorted((one, other) => one - other).join() === '32,45'
      : /^SM11AA$/i.test(code);
  if (isRight) return finishSetup(call, intent, method);
  const param = code === undefined ? 'amounts' : 'descriptor_code';
  const wrong = code === undefined && amounts.length !== 2 ? 'invalid' : 'mismatch';
  throw conflict('The values provided do not match what was sent to the bank account.', {
    code: `payment_method_microdeposit_verification_${param}_${wrong}`,
    param,
  });
}

/** The client secret, which a browser must give and anybody else may. @throws {StripeFault} 400 */
function opened<T extends Intent>(call: Call, intent: T, secret: string | undefined): T {
  if (call.publishable && secret === undefined) throw needed('client_secret');
  if (secret !== undefined && secret !== intent.client_secret)
    throw invalid('The client_secret provided does not match this intent.', 'client_secret');
  return intent;
}

const secretField = { client_secret: id() };

/** What both kinds answer to. */
const routesOf = (
  base: string,
  kind: 'payment_intent' | 'setup_intent',
  operations: { readonly confirm: 'charge' | 'save'; readonly cancel: 'refund' | 'save' },
): readonly Route[] => [
  route(
    'GET',
    `${base}/:id`,
    { ...common, ...secretField },
    (call, params, name) => opened(call, find(call, kind, name), params.client_secret),
    { operation: 'find', browser: true },
  ),
  route(
    'POST',
    `${base}/:id/confirm`,
    { ...confirmFields, ...secretField },
    (call, params, name) =>
      confirm(call, opened(call, find(call, kind, name), params.client_secret), confirmationOf(call, params)),
    { operation: operations.confirm, browser: true },
  ),
  route(
    'POST',
    `${base}/:id/cancel`,
    cancelFields,
    (call, params, name) => cancel(call, find(call, kind, name), params.cancellation_reason),
    { operation: operations.cancel },
  ),
];

const payments = '/v1/payment_intents';
const setups = '/v1/setup_intents';

export const intentRoutes: readonly Route[] = [
  route('POST', payments, paymentFields, createPayment, { operation: 'charge' }),
  route(
    'GET',
    payments,
    { ...paging, created, customer: id() },
    (call, params) =>
      listOf(
        call,
        'payment_intent',
        params,
        (intent) =>
          intent.created >= (params.created?.gte ?? 0) &&
          (params.customer === undefined || intent.customer === params.customer),
      ),
    { operation: 'find' },
  ),
  route('GET', `${payments}/search`, { query: required(id(2000)) }, searchPayments, { operation: 'find' }),
  ...routesOf(payments, 'payment_intent', { confirm: 'charge', cancel: 'refund' }),
  route('POST', setups, setupFields, createSetup, { operation: 'save' }),
  route(
    'GET',
    setups,
    { ...paging, payment_method: required(id()) },
    (call, params) =>
      listOf(call, 'setup_intent', params, ({ payment_method }) => payment_method === params.payment_method),
    { operation: 'find' },
  ),
  ...routesOf(setups, 'setup_intent', { confirm: 'save', cancel: 'save' }),
  route('POST', `${setups}/:id/verify_microdeposits`, verifyFields, verify, { operation: 'save' }),
];
