/** `/v1/payment_methods` and `/v1/mandates`. https://docs.stripe.com/api/payment_methods */

import { group, id, ignored, oneOf, type ReadFields, required, whole } from '@counterfoil/sandbox/params.ts';
import type { Call } from './account.ts';
import { cards, verdictOn } from './cards.ts';
import { conflict, invalid, missing, StripeFault } from './errors.ts';
import { emit } from './events.ts';
import { checkCustomer } from './intents.ts';
import { common, listOf, mergeMetadata, metadata, paging } from './lists.ts';
import {
  attach,
  billingFields,
  createMethod,
  detach,
  findMethod,
  mergeBilling,
  methodFields,
} from './methods.ts';
import type { PaymentMethod } from './objects.ts';

import { visible } from './render.ts';
import { type Route, route } from './route.ts';

const base = '/v1/payment_methods';
const updateFields = {
  ...common,
  allow_redisplay: oneOf('always', 'limited', 'unspecified'),
  billing_details: billingFields,
  card: group({ exp_month: whole(), exp_year: whole(), networks: ignored }),
  metadata,
  us_bank_account: group({
    account_holder_type: oneOf('individual', 'company'),
    account_type: oneOf('checking', 'savings'),
  }),
};

function update(call: Call, params: ReadFields<typeof updateFields>, pm = ''): PaymentMethod {
  const method = findMethod(call, pm, 'payment_method', true);
  if (method.customer === null) {
    throw conflict('You must save this PaymentMethod to a customer before you can update it.');
  }
  for (const [type, change] of [
    ['card', params.card],
    ['us_bank_account', params.us_bank_account],
  ] as const) {
    if (change !== undefined && method.type !== type) {
      throw invalid(`You cannot update the ${type} of a PaymentMethod of type ${method.type}.`, type);
    }
  }
  const month = params.card?.exp_month;
  const year = params.card?.exp_year;
  if (month !== undefined && (month < 1 || month > 12)) throw invalidExpiry('month');
  if (year !== undefined && (year < 1970 || year > 9999)) throw invalidExpiry('year');
  const hash = Object.fromEntries(
    Object.entries({ ...params.us_bank_account, exp_month: month, exp_year: year }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const next: PaymentMethod = {
    ...method,
    allow_redisplay: params.allow_redisplay ?? method.allow_redisplay,
    billing_details: mergeBilling(method.billing_details, params.billing_details),
    metadata: mergeMetadata(method.metadata, params.metadata),
    [method.type]: { ...method[method.type], ...hash },
  };
  call.tx.put(call.account.methods, pm, next);
  emit(call, 'payment_method.updated', next);
  return next;
}

function invalidExpiry(part: 'month' | 'year'): StripeFault {
  return new StripeFault(402, 'card_error', `Your card's expiration ${part} is invalid.`, {
    code: `invalid_expiry_${part}`,
    param: `exp_${part}`,
  });
}

function attachRoute(call: Call, params: { readonly customer: string }, pm = ''): PaymentMethod {
  const customer = checkCustomer(call, params.customer) ?? '';
  const method = findMethod(call, pm, 'payment_method', true);
  const card = method.type === 'card' ? cards.named(method._behaviour) : undefined;
  // A card that only needs authentication can be attached; its payments will ask for it.
  const verdict =
    card && verdictOn(card, { purpose: 'save', offSession: false, challenged: true, setUp: true });
  if (verdict?.is === 'declined') {
    const { message, ...fields } = verdict.decline;
    throw new StripeFault(402, 'card_error', message, { ...fields, payment_method: visible(method) }, true);
  }
  return attach(call, method, customer);
}

export const paymentMethodRoutes: readonly Route[] = [
  route(
    'POST',
    base,
    { ...common, ...methodFields, customer: ignored, payment_method: ignored },
    (call, params) => {
      if (params.customer !== undefined) {
        throw invalid('You cannot create a PaymentMethod with a customer. Attach it instead.', 'customer');
      }
      return createMethod(call, params);
    },
    { operation: 'save', browser: true },
  ),
  route(
    'GET',
    base,
    {
      ...paging,
      allow_redisplay: ignored,
      customer: id(),
      customer_account: ignored,
      type: methodFields.type,
    },
    (call, params) =>
      listOf(
        base,
        call.account.methods,
        params,
        (method) =>
          method.customer !== null &&
          (params.customer === undefined || method.customer === params.customer) &&
          method.type === params.type,
      ),
  ),
  route('GET', `${base}/:id`, common, (call, _params, pm = '') =>
    findMethod(call, pm, 'payment_method', true),
  ),
  route('POST', `${base}/:id`, updateFields, update, { operation: 'save' }),
  route('POST', `${base}/:id/attach`, { ...common, customer: required(id()) }, attachRoute, {
    operation: 'save',
  }),
  route(
    'POST',
    `${base}/:id/detach`,
    common,
    (call, _params, pm = '') => detach(call, findMethod(call, pm, 'payment_method', true)),
    { operation: 'save' },
  ),
  route('GET', '/v1/mandates/:id', common, (call, _params, name = '') => {
    const mandate = call.account.mandates.get(name);
    if (mandate === undefined) throw missing('mandate', name, 'mandate', true);
    return mandate;
  }),
];
