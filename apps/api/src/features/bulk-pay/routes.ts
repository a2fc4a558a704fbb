import { envelope } from '@counterfoil/contract/envelope.ts';
import {
  bulkPayAnswer,
  bulkPayRequest,
  checkoutParams,
  checkoutSession,
  intentParams,
  newIntent,
  paymentIntent,
} from '@counterfoil/contract/paying/bulk-pay.ts';
import { confirmationRequest, payAnswer } from '@counterfoil/contract/paying/public-pay.ts';
import type { FastifyRequest } from 'fastify';
import { AppError, type AppErrorOptions } from '../../app-error.ts';
import type { App } from '../../http/app-type.ts';
import { scopeOf } from '../../http/guards/access.ts';
import { refuseCardNumbers, refuseNumbers } from '../../http/guards/number-guard.ts';
import { numbersOf } from '../../http/numbers/route-numbers.ts';
import { idempotencyKeyOf } from '../../http/requests/idempotency-key.ts';
import { leaveOutEmpty } from '../../http/requests/left-out.ts';
import { originOf } from '../../http/requests/origin.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow } from '../brand/service.ts';
import type { Preparer } from '../entries/service.ts';
import { METHOD_NUMBERS } from '../entries/service.ts';
import { confirmPublicly } from '../public-pay/service.ts';
import { findCheckout, openCheckout } from './checkout/checkout.ts';
import { confirmSession } from './checkout/confirm.ts';
import { prepareForSession } from './entry.ts';
import { payBulk } from './pay.ts';
import { type BulkPayDeps, makeIntent, type Payer, readIntent, renewIntent } from './service.ts';

const PATH = '/v1/ec/payments';

/** Why no area decides here. */
const OWN_SWITCH = 'paying several has a switch of its own, and says so to whom it meets half-way';

/** Whoever pays saw a price here a moment ago; the same call sent again may have been taken before it was switched off. */
const switchedOff = {
  text: 'Your provider has switched paying here off meanwhile. Nothing was charged now.',
};

/**
 * The current customer as a payer.
 * @param told instead of what an area that is off says by itself
 * @throws {AppError} where the brand has no bulk payment
 */
async function payerOf(deps: BulkPayDeps, request: FastifyRequest, told?: AppErrorOptions): Promise<Payer> {
  const scope = scopeOf(request);
  const brand = brandFromRow(await findCustomerBrand(deps.db, scope.customerId, scope.resellerId));
  if (!brand.settings.paymentsEnabled || !brand.settings.bulkPay) throw new AppError('area.disabled', told);
  return { scope, brand, account: await deps.accounts.activeFor(scope.resellerId) };
}

/** The form of a new method that pays a session. */
export const sessionEntry =
  (deps: BulkPayDeps) =>
  async (request: FastifyRequest, uid: string): Promise<Preparer> => {
    const payer = await payerOf(deps, request, switchedOff);
    return {
      account: payer.account,
      prepare: (kind) => prepareForSession(deps, payer, { uid, kind }),
    };
  };

/** Paying several invoices at once, for a signed-in customer; and how any payment stands. */
export function bulkPayRoutes(app: App, deps: BulkPayDeps): void {
  intentRoutes(app, deps);
  app.post(
    `${PATH}/pay/bulk`,
    {
      config: {
        access: 'customer',
        everyArea: OWN_SWITCH,
        limit: 'payBulk',
        idempotencyKey: true,
        numbers: METHOD_NUMBERS,
      },
      preValidation: leaveOutEmpty,
      schema: {
        tags: ['bulk-pay'],
        summary:
          'Pays an intent with a saved method or a new card; an uncertain outcome is an answer, not an error',
        body: bulkPayRequest,
        response: { 200: envelope(bulkPayAnswer) },
      },
    },
    async (request) => {
      const key = idempotencyKeyOf(request.headers);
      const { cardToken: _checkedByItsProvider, ...members } = request.body;
      refuseNumbers({ ...members, 'idempotency-key': key }, ['cardHolder']);
      const payer = await payerOf(deps, request, switchedOff);
      return { data: await payBulk(deps, payer, request.body, key, originOf(request), numbersOf(request)) };
    },
  );
  checkoutRoutes(app, deps);
  app.post(
    `${PATH}/confirmation/result`,
    {
      config: { access: 'public', limit: 'payPage', authenticatesIfSignedIn: true },
      preValidation: leaveOutEmpty,
      schema: {
        tags: ['public-pay'],
        summary: 'How a payment stands, after the browser came back or while it is being confirmed',
        body: confirmationRequest,
        response: { 200: envelope(payAnswer) },
      },
    },
    async (request) => {
      refuseCardNumbers(request.body);
      const { body, customerScope } = request;
      const isPublic = body.uid !== undefined;
      return {
        data: await (isPublic ? confirmPublicly(deps, body) : confirmSession(deps, customerScope, body)),
      };
    },
  );
}

function checkoutRoutes(app: App, deps: BulkPayDeps): void {
  const path = `${PATH}/checkout-session/:id`;
  app.post(
    path,
    {
      config: { access: 'customer', everyArea: OWN_SWITCH, limit: 'payBulk' },
      schema: {
        tags: ['bulk-pay'],
        summary: 'Begins to pay an intent on the gateway’s own page; the one that is open is used again',
        params: checkoutParams,
        response: { 200: checkoutSession },
      },
    },
    async (request) => openCheckout(deps, await payerOf(deps, request, switchedOff), request.params.id),
  );
  app.get(
    path,
    {
      config: { access: 'customer', everyArea: OWN_SWITCH, limit: 'payPage' },
      schema: {
        tags: ['bulk-pay'],
        summary: 'Where an intent is paid on the gateway’s own page; opens none',
        params: checkoutParams,
        response: { 200: checkoutSession },
      },
    },
    async (request) => findCheckout(deps, await payerOf(deps, request, switchedOff), request.params.id),
  );
}

function intentRoutes(app: App, deps: BulkPayDeps): void {
  app.post(
    `${PATH}/intents`,
    {
      config: { access: 'customer', everyArea: OWN_SWITCH, limit: 'payPage' },
      schema: {
        tags: ['bulk-pay'],
        summary: 'Prices invoices of one currency for paying them together: amounts due, credit, fees',
        body: newIntent,
        response: { 200: envelope(paymentIntent) },
      },
    },
    async (request) => ({ data: await makeIntent(deps, await payerOf(deps, request), request.body) }),
  );
  const path = `${PATH}/intents/:sessionId`;
  const config = { access: 'customer', everyArea: OWN_SWITCH, limit: 'payPage' } as const;
  const schema = { tags: ['bulk-pay'], params: intentParams, response: { 200: envelope(paymentIntent) } };
  app.get(
    path,
    { config, schema: { ...schema, summary: 'How such a payment stands, at the price it was last given' } },
    async (request) => ({
      data: await readIntent(deps, await payerOf(deps, request), request.params.sessionId),
    }),
  );
  app.post(
    path,
    { config, schema: { ...schema, summary: 'The same, after what is not paid yet was priced again' } },
    async (request) => ({
      data: await renewIntent(deps, await payerOf(deps, request), request.params.sessionId),
    }),
  );
}
