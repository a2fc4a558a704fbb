/** `/v1/customers`. https://docs.stripe.com/api/customers */
import { newId, random } from '@counterfoil/sandbox/ids.ts';
import {
  group,
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
import { addressFields, addressOf, attach, detach, findMethod } from './methods.ts';
import type { Customer } from './objects.ts';
import {
  common,
  created,
  invalid,
  isWithin,
  listOf,
  mergeMetadata,
  metadata,
  missing,
  paging,
} from './wire.ts';

const base = '/v1/customers';

const fields = {
  ...common,
  address: addressFields,
  balance: whole(),
  ...ignoring('business_name cash_balance individual_name'),
  description: text(),
  email: text(512),
  invoice_prefix: text(12),
  invoice_settings: group({
    custom_fields: ignored,
    default_payment_method: text(255),
    footer: text(),
    rendering_options: ignored,
  }),
  metadata,
  name: text(256),
  next_invoice_sequence: whole(1),
  phone: text(20),
  preferred_locales: list(id()),
  ...ignoring('shipping source tax validate'),
  tax_exempt: oneOf('none', 'exempt', 'reverse'),
};
const createOnly = { payment_method: id(), tax_id_data: ignored, test_clock: ignored };
const updateOnly = { default_source: ignored };

function settingsOf(
  call: Call,
  known: Customer,
  form: ReadFields<typeof fields>['invoice_settings'],
): Customer['invoice_settings'] {
  const wanted = form?.default_payment_method;
  if (wanted === undefined) return known.invoice_settings;
  if (wanted !== null) {
    const method = call.account.methods.get(wanted);
    const param = 'invoice_settings[default_payment_method]';
    if (method === undefined) throw missing('PaymentMethod', wanted, param);
    if (method.customer !== known.id) {
      throw invalid(
        `The customer does not have a payment method with the ID ${wanted}. The payment method must be attached to the customer.`,
        param,
        'resource_missing',
      );
    }
  }
  return { ...known.invoice_settings, default_payment_method: wanted };
}

function changed(known: Customer, params: ReadFields<typeof fields>): Customer {
  return {
    ...known,
    address: params.address === undefined ? known.address : addressOf(params.address),
    balance: params.balance ?? known.balance,
    description: params.description === undefined ? known.description : params.description,
    email: params.email === undefined ? known.email : params.email,
    metadata: mergeMetadata(known.metadata, params.metadata),
    name: params.name === undefined ? known.name : params.name,
    phone: params.phone === undefined ? known.phone : params.phone,
    preferred_locales: params.preferred_locales ?? known.preferred_locales,
    shipping: params.shipping ?? known.shipping,
    tax_exempt: params.tax_exempt ?? known.tax_exempt,
  };
}

function create(call: Call, params: ReadFields<typeof fields & typeof createOnly>): Customer {
  const cus = newId('cus');
  const customer = changed(
    {
      id: cus,
      object: 'customer',
      address: null,
      balance: 0,
      created: call.host.clock.seconds(),
      currency: null,
      default_source: null,
      delinquent: false,
      description: null,
      discount: null,
      email: null,
      invoice_prefix: params.invoice_prefix ?? random(8).toUpperCase(),
      invoice_settings: {
        custom_fields: null,
        default_payment_method: null,
        footer: null,
        rendering_options: null,
      },
      livemode: false,
      metadata: {},
      name: null,
      phone: null,
      preferred_locales: [],
      shipping: null,
      tax_exempt: 'none',
      test_clock: null,
    },
    params,
  );
  call.tx.put(call.account.customers, cus, customer);
  emit(call, 'customer.created', customer);
  if (params.payment_method !== undefined)
    attach(call, findMethod(call, params.payment_method, 'payment_method'), cus);
  const withDefault = { ...customer, invoice_settings: settingsOf(call, customer, params.invoice_settings) };
  call.tx.put(call.account.customers, cus, withDefault);
  return withDefault;
}

/** @throws {StripeFault} 404 resource_missing; a deleted customer counts as missing except when read */
export function findCustomer(call: Call, cus: string): Customer {
  const customer = call.account.customers.get(cus);
  if (customer === undefined || customer._deleted) throw missing('customer', cus, 'id', true);
  return customer;
}

function update(call: Call, params: ReadFields<typeof fields & typeof updateOnly>, cus = ''): Customer {
  const known = findCustomer(call, cus);
  const customer = {
    ...changed(known, params),
    invoice_settings: settingsOf(call, known, params.invoice_settings),
  };
  call.tx.put(call.account.customers, cus, customer);
  emit(call, 'customer.updated', customer);
  return customer;
}

function remove(call: Call, _params: object, cus = ''): object {
  const customer = findCustomer(call, cus);
  for (const method of call.account.methods.newest()) if (method.customer === cus) detach(call, method);
  call.tx.put(call.account.customers, cus, { ...customer, _deleted: true });
  emit(call, 'customer.deleted', customer);
  return deleted(cus);
}

const deleted = (cus: string) => ({ id: cus, object: 'customer', deleted: true });

const methodTypes = oneOf('card', 'au_becs_debit', 'us_bank_account', 'bacs_debit', 'sepa_debit', 'link');

export const customerRoutes: readonly Route[] = [
  route('POST', base, { ...fields, ...createOnly }, create, { operation: 'save' }),
  route('GET', base, { ...paging, created, email: text(512), test_clock: ignored }, (call, params) =>
    listOf(
      base,
      call.account.customers,
      params,
      (customer) =>
        !customer._deleted &&
        isWithin(customer.created, params.created) &&
        (params.email === undefined || customer.email === params.email),
    ),
  ),
  route('GET', `${base}/:id`, common, (call, _params, cus = '') =>
    call.account.customers.get(cus)?._deleted ? deleted(cus) : findCustomer(call, cus),
  ),
  route('POST', `${base}/:id`, { ...fields, ...updateOnly }, update, { operation: 'save' }),
  route('DELETE', `${base}/:id`, common, remove, { operation: 'save' }),
  route(
    'GET',
    `${base}/:id/payment_methods`,
    { ...paging, allow_redisplay: oneOf('always', 'limited', 'unspecified'), type: methodTypes },
    (call, params, cus = '') => {
      findCustomer(call, cus);
      return listOf(
        `${base}/${cus}/payment_methods`,
        call.account.methods,
        params,
        (method) => method.customer === cus && (params.type === undefined || method.type === params.type),
      );
    },
  ),
  route('GET', `${base}/:id/payment_methods/:method`, common, (call, _params, cus = '', pm = '') => {
    findCustomer(call, cus);
    const method = call.account.methods.get(pm);
    if (method?.customer !== cus) throw missing('PaymentMethod', pm, 'payment_method', true);
    return method;
  }),
];
