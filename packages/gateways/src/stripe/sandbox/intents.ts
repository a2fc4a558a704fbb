/** What payment and setup intents have in common: parameters, the fields at birth, checks before confirming. */

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
} from '@counterfoil/sandbox/params.ts';
import type { Call } from './account.ts';
import { conflict, invalid, missing, StripeFault } from './errors.ts';
import { acceptanceOf, mandateData } from './mandates.ts';
import { checkUsable, createMethod, findMethod, methodData } from './methods.ts';
import type { PaymentIntent, PaymentMethod, SetupIntent } from './objects.ts';
import { visible } from './render.ts';
import { knownTypes, readTypes } from './version.ts';

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
