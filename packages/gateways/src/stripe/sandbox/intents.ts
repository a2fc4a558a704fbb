/** What payment and setup intents have in common: parameters, checks, 3-D Secure challenges. */

import type { SandboxHost } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { newId } from '@counterfoil/sandbox/ids.ts';
import {
  type Challenge,
  findChallenge as knownChallenge,
  openChallenge as waitForAnswer,
} from '@counterfoil/sandbox/money/challenge.ts';
import {
  flag,
  group,
  id,
  ignored,
  list,
  oneOf,
  type Read,
  type Rule,
  webAddress,
} from '@counterfoil/sandbox/requests/params.ts';
import { type Call, emit, gateway, type Work } from './account.ts';
import { refuse, take, updatePayment } from './charges.ts';
import { cards, type Decline, verdictOn } from './data.ts';
import {
  acceptanceOf,
  attach,
  checkUsable,
  createMethod,
  findMethod,
  grantMandate,
  mandateData,
  methodData,
} from './methods.ts';
import type { Failure, PaymentIntent, PaymentMethod, SetupIntent } from './objects.ts';
import { conflict, invalid, knownTypes, missing, readTypes, StripeFault, visible } from './wire.ts';

/** `off_session`: a boolean, or the older words that mean true. */
export const offSession: Rule<boolean | undefined> = {
  read: (form, name) => (form === 'one_off' || form === 'recurring' ? true : flag.read(form, name)),
};

export const typeFields = {
  allowed_payment_method_types: list(id()),
  payment_method_types: list(id()),
  excluded_payment_method_types: list(id()),
  automatic_payment_methods: group({ enabled: flag, allow_redirects: oneOf('always', 'never') }),
  payment_method_configuration: id(),
};

export const confirmFields = {
  payment_method: id(),
  payment_method_data: methodData,
  payment_method_options: ignored,
  confirmation_token: ignored,
  mandate: id(),
  mandate_data: mandateData,
  return_url: webAddress,
  use_stripe_sdk: flag,
};
type ConfirmParams = { readonly [K in keyof typeof confirmFields]: Read<(typeof confirmFields)[K]> };
type TypeParams = { readonly [K in keyof typeof typeFields]: Read<(typeof typeFields)[K]> };

/** The types an intent accepts: given ones, or whatever the account has switched on for the currency. */
export function intentTypes(call: Call, params: TypeParams, currency: string | undefined) {
  const { types, allowed } = readTypes(call.version, params);
  const excluded = params.excluded_payment_method_types;
  const automatic = params.automatic_payment_methods;
  const dynamic = types === undefined;
  const candidates = types ?? (dynamic ? knownTypes.filter((type) => fits(type, currency)) : ['card']);
  return {
    allowed_payment_method_types: allowed,
    excluded_payment_method_types: excluded ?? null,
    payment_method_types: candidates.filter((type) => !excluded?.includes(type)),
    automatic_payment_methods: dynamic
      ? { allow_redirects: automatic?.allow_redirects ?? 'always', enabled: true }
      : null,
  };
}

const currencyOf: Readonly<Record<string, string>> = {
  au_becs_debit: 'aud',
  us_bank_account: 'usd',
  bacs_debit: 'gbp',
  sepa_debit: 'eur',
};

function fits(type: string, currency: string | undefined): boolean {
  const needed = currencyOf[type];
  return needed === undefined || currency === undefined || needed === currency;
}

/** The method a request names or brings along; `undefined` when it does neither. */
export function methodIn(
  call: Call,
  params: Pick<ConfirmParams, 'payment_method' | 'payment_method_data'>,
): PaymentMethod | undefined {
  if (params.payment_method_data !== undefined) {
    if (params.payment_method !== undefined) {
      throw invalid(
        'You may only specify one of these parameters: payment_method, payment_method_data.',
        'payment_method',
      );
    }
    return createMethod(call, params.payment_method_data);
  }
  return params.payment_method === undefined
    ? undefined
    : findMethod(call, params.payment_method, 'payment_method');
}

/** @throws {StripeFault} 400 resource_missing for a customer that does not exist */
export function checkCustomer(call: Call, customer: string | null | undefined): string | null {
  if (customer === undefined || customer === null) return null;
  const known = call.account.customers.get(customer);
  if (known === undefined || known._deleted) throw missing('customer', customer, 'customer');
  return customer;
}

/** Checks the method against the intent. @throws {StripeFault} 400 */
export function checkMethod(
  intent: PaymentIntent | SetupIntent,
  method: PaymentMethod,
  currency: string | undefined,
): void {
  checkUsable(method, intent.customer);
  if (!intent.payment_method_types.includes(method.type)) {
    throw invalid(
      `The PaymentMethod provided (${method.type}) is not allowed for this intent. It accepts: ${intent.payment_method_types.join(', ')}.`,
      'payment_method',
    );
  }
  if (!fits(method.type, currency)) {
    throw invalid(
      `The currency provided (${currency}) is invalid for the payment method type ${method.type}. It supports: ${currencyOf[method.type]}.`,
      'currency',
    );
  }
}

/** Methods switched on in the account may redirect, so the caller must say where to return to. */
export function checkReturn(call: Call, intent: PaymentIntent | SetupIntent, returnUrl: string | null): void {
  if (
    returnUrl !== null ||
    call.publishable ||
    intent.automatic_payment_methods?.allow_redirects !== 'always'
  )
    return;
  throw new StripeFault(
    400,
    'invalid_request_error',
    "This intent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.",
    { param: 'return_url' },
  );
}

/** 400 for a debit without consent; the intent stays, waiting for a confirmation that brings it. */
export function mandateMissing(intent: PaymentIntent | SetupIntent): StripeFault {
  return conflict(
    'This payment method requires a mandate. Please provide `mandate_data` when confirming the intent.',
    { [intent.object]: visible(intent) },
  );
}

export function acceptanceIn(call: Call, params: Pick<ConfirmParams, 'mandate_data'>) {
  return acceptanceOf(call, params.mandate_data);
}

/** The client secret, which a browser must give and anybody else may. @throws {StripeFault} 400 */
export function isExpected(
  call: Call,
  intent: { readonly client_secret: string },
  secret: string | undefined,
): void {
  if (secret !== undefined && secret !== intent.client_secret) {
    throw new StripeFault(
      400,
      'invalid_request_error',
      'The client_secret provided does not match the client_secret associated with this intent.',
      {
        param: 'client_secret',
      },
    );
  }
  if (call.publishable && secret === undefined) {
    throw invalid('Missing required param: client_secret.', 'client_secret', 'parameter_missing');
  }
}

export const commonIntent = {
  application: null,
  cancellation_reason: null,
  livemode: false,
  next_action: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  _challenge: null,
  _session: null,
  _acceptance: null,
  _attempts: 0,
} as const;

/** The options a request gave, as stored: only whole objects are kept. */
export function optionsOf(form: unknown): Readonly<Record<string, unknown>> {
  return typeof form === 'object' && form !== null ? { ...form } : {};
}

export function updateSetup(work: Work, intent: SetupIntent, change: Partial<SetupIntent>): SetupIntent {
  const next = { ...intent, ...change };
  work.tx.put(work.account.setups, intent.id, next);
  return next;
}

/** The method is saved: with the customer, if the intent has one, and with a mandate, if it is a debit. */
export function finishSetup(work: Work, before: SetupIntent, method: PaymentMethod): SetupIntent {
  const saved = before.customer === null ? method : attach(work, method, before.customer);
  work.tx.put(work.account.methods, saved.id, { ...saved, _authenticated: true, _verified: true });
  const mandate =
    saved.type === 'card' || before._acceptance === null
      ? null
      : grantMandate(work, { ...saved, _authenticated: true, _verified: true }, before._acceptance);
  const intent = updateSetup(work, before, {
    last_setup_error: null,
    latest_attempt: newId('setatt'),
    mandate: mandate?.id ?? null,
    next_action: null,
    status: 'succeeded',
    _challenge: null,
  });
  emit(work, 'setup_intent.succeeded', intent);
  return intent;
}

/** The bank refused to save a card: leaves the intent open and gives back the 402 to throw. */
export function refuseSetup(
  work: Work,
  before: SetupIntent,
  method: PaymentMethod,
  decline: Decline,
): StripeFault {
  const intent = updateSetup(work, before, {
    last_setup_error: { type: 'card_error', ...decline, payment_method: visible(method) },
    latest_attempt: newId('setatt'),
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
    _challenge: null,
  });
  emit(work, 'setup_intent.setup_failed', intent);
  const { message, ...fields } = decline;
  return new StripeFault(
    402,
    'card_error',
    message,
    { ...fields, setup_intent: visible(intent), payment_method: visible(method) },
    true,
  );
}

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
