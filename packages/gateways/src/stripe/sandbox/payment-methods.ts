/** `/v1/payment_methods`, `/v1/mandates` and `/v1/tokens`. https://docs.stripe.com/api/payment_methods */
import { newId } from '@counterfoil/sandbox/ids.ts';
import {
  group,
  id,
  ignored,
  oneOf,
  type Read,
  type ReadFields,
  required,
  whole,
} from '@counterfoil/sandbox/requests/params.ts';
import { type Call, emit, type Route, route } from './account.ts';
import { cards, verdictOn } from './data.ts';
import { cardFields, enterCard } from './entry.ts';
import { checkCustomer } from './intents.ts';
import {
  attach,
  billingFields,
  createMethod,
  detach,
  findMethod,
  given,
  mergeBilling,
  methodFields,
  noBilling,
  refuseRawNumber,
} from './methods.ts';
import type { PaymentMethod, Token } from './objects.ts';
import {
  common,
  conflict,
  invalid,
  listOf,
  mergeMetadata,
  metadata,
  missing,
  paging,
  StripeFault,
  visible,
} from './wire.ts';

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

function updateMethod(call: Call, params: ReadFields<typeof updateFields>, pm = ''): PaymentMethod {
  const method = findMethod(call, pm, 'payment_method', true);
  if (method.customer === null) {
    throw conflict('You must save this PaymentMethod to a customer before you can updateMethod it.');
  }
  for (const [type, change] of [
    ['card', params.card],
    ['us_bank_account', params.us_bank_account],
  ] as const) {
    if (change !== undefined && method.type !== type) {
      throw invalid(`You cannot updateMethod the ${type} of a PaymentMethod of type ${method.type}.`, type);
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
  route('POST', `${base}/:id`, updateFields, updateMethod, { operation: 'save' }),
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

function createToken(call: Call, params: { readonly card: NonNullable<Read<typeof cardFields>> }): Token {
  const { card } = params;
  if (card.number === undefined || card.number === null) {
    throw invalid('Missing required param: card[number].', 'card[number]', 'parameter_missing');
  }
  refuseRawNumber(call);
  const entered = enterCard({ ...card, number: card.number }, new Date(call.host.clock.now()));
  const tok = newId('tok');
  const {
    checks: _checks,
    networks: _networks,
    three_d_secure_usage: _usage,
    display_brand: _display,
    generated_from: _from,
    ...shown
  } = entered.hash;
  const token: Token = {
    id: tok,
    object: 'token',
    card: {
      ...shown,
      id: newId('card'),
      object: 'card',
      brand: brandNames[String(shown['brand'])] ?? 'Unknown',
      address_city: card.address_city ?? null,
      address_country: card.address_country ?? null,
      address_line1: card.address_line1 ?? null,
      address_line1_check: null,
      address_line2: card.address_line2 ?? null,
      address_state: card.address_state ?? null,
      address_zip: card.address_zip ?? null,
      address_zip_check: null,
      cvc_check: null,
      dynamic_last4: null,
      metadata: {},
      name: card.name ?? null,
      tokenization_method: null,
    },
    client_ip: call.clientIp,
    created: call.host.clock.seconds(),
    livemode: false,
    type: 'card',
    used: false,
    _behaviour: entered.behaviour,
    _hash: entered.hash,
    _billing: {
      ...noBilling,
      ...given({ name: card.name }),
      address: {
        ...noBilling.address,
        ...given({
          line1: card.address_line1,
          line2: card.address_line2,
          city: card.address_city,
          state: card.address_state,
          postal_code: card.address_zip,
          country: card.address_country,
        }),
      },
    },
  };
  call.tx.put(call.account.tokens, tok, token);
  return token;
}

/** Tokens call the brands by their display names. */
const brandNames: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'MasterCard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

export const tokenRoutes: readonly Route[] = [
  route('POST', '/v1/tokens', { ...common, card: required(cardFields), customer: ignored }, createToken, {
    browser: true,
  }),
];
