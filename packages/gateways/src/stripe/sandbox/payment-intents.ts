/** `/v1/payment_intents`. https://docs.stripe.com/api/payment_intents */

import { id, ignored, required } from '@counterfoil/sandbox/params.ts';
import { isExpected } from './intents.ts';
import { common, created, isWithin, listOf, paging } from './lists.ts';

import {
  cancelFields,
  cancelRoute,
  confirmRoute,
  confirmRouteFields,
  findPayment,
  verifyFields,
  verifyRoute,
} from './payment-actions.ts';
import { createFields, createPayment } from './payment-create.ts';
import { type Route, route } from './route.ts';
import { searchPayments } from './search.ts';

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
