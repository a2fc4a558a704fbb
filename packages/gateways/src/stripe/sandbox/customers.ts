/** `/v1/payment_methods`, `/v1/tokens`, `/v1/mandates` and `/v1/customers`. https://docs.stripe.com/api/payment_methods */
import { newId } from '@counterfoil/sandbox/ids.ts';
import { judge } from '@counterfoil/sandbox/money/card.ts';
import { group, id, type ReadFields, required, text, whole } from '@counterfoil/sandbox/requests/params.ts';
import { authenticationRequired, cards } from './data.ts';
import {
  attach,
  type CardEntry,
  cardFault,
  cardFields,
  createMethod,
  enterCard,
  findMethod,
  mergeBilling,
  methodFields,
  noBilling,
  present,
} from './methods.ts';
import {
  billingFields,
  cardError,
  common,
  conflict,
  invalid,
  mergeMetadata,
  metadata,
  paging,
} from './protocol.ts';
import {
  all,
  type Call,
  type Customer,
  change,
  emit,
  find,
  get,
  listOf,
  type Method,
  put,
  type Route,
  route,
  visible,
  type Work,
} from './work.ts';

function detach(work: Work, method: Method): Method {
  const owner = get(work, 'customer', method.customer);
  if (owner === undefined) throw conflict('The payment method you provided is not attached to a customer.');
  const detached = change(work, method, { customer: null, _spent: true });
  if (owner.invoice_settings.default_payment_method === method.id)
    change(work, owner, { invoice_settings: { default_payment_method: null } });
  emit(work, 'payment_method.detached', detached, { customer: owner.id });
  return detached;
}

const methods = '/v1/payment_methods';
const updateFields = {
  ...common,
  billing_details: billingFields,
  card: group({ exp_month: whole(), exp_year: whole() }),
};

function updateMethod(call: Call, params: ReadFields<typeof updateFields>, pm: string) {
  const method = findMethod(call, pm, true);
  if (method.customer === null)
    throw conflict('You must save this PaymentMethod to a customer before you can update it.');
  const { exp_month: month = 1, exp_year: year = 2000 } = params.card ?? {};
  if (params.card !== undefined && method.type !== 'card') throw invalid('This is no card.', 'card');
  if (month < 1 || month > 12) throw cardFault('month');
  if (year < 1970 || year > 9999) throw cardFault('year');
  const next = change(call, method, {
    billing_details: mergeBilling(method.billing_details, params.billing_details),
    [method.type]: { ...method[method.type], ...present({ ...params.card }) },
  });
  emit(call, 'payment_method.updated', next);
  return next;
}

function attachRoute(call: Call, { customer }: { readonly customer: string }, pm: string): Method {
  find(call, 'customer', customer, 'customer');
  const method = findMethod(call, pm, true);
  const card = method.type === 'card' ? cards.named(method._behaviour) : undefined;
  // A card that only needs authentication can be attached; its payments will ask for it.
  const asked = { purpose: 'save', offSession: false, challenged: true, setUp: true } as const;
  const verdict = card && judge(card, asked, authenticationRequired);
  if (verdict?.is === 'declined') {
    const { message, ...fields } = verdict.decline;
    throw cardError(message, { ...fields, payment_method: visible(method) }, true);
  }
  return attach(call, method, customer);
}

function createToken(call: Call, { card }: { readonly card: CardEntry }) {
  const { behaviour, hash } = enterCard(call, card);
  const address = {
    line1: card.address_line1,
    line2: card.address_line2,
    city: card.address_city,
    state: card.address_state,
    postal_code: card.address_zip,
    country: card.address_country,
  };
  const owner = { address, name: card.name, email: undefined, phone: undefined };
  return put(call, {
    id: newId('tok'),
    object: 'token',
    card: hash,
    type: 'card',
    used: false,
    _behaviour: behaviour,
    _billing: mergeBilling(noBilling, owner),
  });
}

const save = { operation: 'save' } as const;
const methodRoutes: readonly Route[] = [
  route('POST', methods, { ...common, ...methodFields }, createMethod, { ...save, browser: true }),
  route('GET', `${methods}/:id`, common, (call, _params, pm) => findMethod(call, pm, true)),
  route('POST', `${methods}/:id`, updateFields, updateMethod, save),
  route('POST', `${methods}/:id/attach`, { ...common, customer: required(id()) }, attachRoute, save),
  route(
    'POST',
    `${methods}/:id/detach`,
    common,
    (call, _, pm) => detach(call, findMethod(call, pm, true)),
    save,
  ),
  route('GET', '/v1/mandates/:id', common, (call, _params, name) => find(call, 'mandate', name)),
  route('POST', '/v1/tokens', { card: required(cardFields) }, createToken, { browser: true }),
];

// ---- Customers. https://docs.stripe.com/api/customers ----

const customers = '/v1/customers';
const customerFields = {
  ...common,
  email: text(512),
  invoice_settings: group({ default_payment_method: text(255) }),
  metadata,
  name: text(256),
};
type CustomerParams = ReadFields<typeof customerFields>;

function saveCustomer(call: Call, known: Customer, params: CustomerParams, event: string): Customer {
  const { default_payment_method: wanted = known.invoice_settings.default_payment_method } =
    params.invoice_settings ?? {};
  const param = 'invoice_settings[default_payment_method]';
  if (wanted !== null && find(call, 'payment_method', wanted, param).customer !== known.id)
    throw invalid(
      `The customer does not have a payment method with the ID ${wanted}.`,
      param,
      'resource_missing',
    );
  const { email = known.email, name = known.name } = params;
  const customer = change(call, known, {
    email,
    name,
    invoice_settings: { default_payment_method: wanted },
    metadata: mergeMetadata(known.metadata, params.metadata),
  });
  emit(call, event, customer);
  return customer;
}

function createCustomer(call: Call, params: CustomerParams): Customer {
  const invoice_settings = { default_payment_method: null };
  const made = {
    id: newId('cus'),
    object: 'customer',
    email: null,
    name: null,
    invoice_settings,
    metadata: {},
  } as const;
  return saveCustomer(call, made, params, 'customer.created');
}

function deleteCustomer(call: Call, _params: object, cus: string): object {
  const customer = find(call, 'customer', cus);
  for (const method of all(call, 'payment_method').newest())
    if (method.customer === cus) detach(call, method);
  change(call, find(call, 'customer', cus), { _deleted: true });
  emit(call, 'customer.deleted', customer);
  return deleted(cus);
}

const deleted = (cus: string) => ({ id: cus, object: 'customer', deleted: true });

export const customerRoutes: readonly Route[] = [
  ...methodRoutes,
  route('POST', customers, customerFields, createCustomer, save),
  route('GET', customers, paging, (call, params) => listOf(call, 'customer', params, (one) => !one._deleted)),
  route('GET', `${customers}/:id`, common, (call, _params, cus) =>
    get(call, 'customer', cus)?._deleted ? deleted(cus) : find(call, 'customer', cus),
  ),
  route(
    'POST',
    `${customers}/:id`,
    customerFields,
    (call, params, cus) => saveCustomer(call, find(call, 'customer', cus), params, 'customer.updated'),
    save,
  ),
  route('DELETE', `${customers}/:id`, common, deleteCustomer, save),
  route('GET', `${customers}/:id/payment_methods`, paging, (call, params, cus) => {
    find(call, 'customer', cus);
    return listOf(call, 'payment_method', params, ({ customer }) => customer === cus);
  }),
];
