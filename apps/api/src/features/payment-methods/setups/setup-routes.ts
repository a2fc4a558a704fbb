import { envelope } from '@counterfoil/contract/envelope.ts';
import {
  openSetup as openSetupAnswer,
  type SetupIntent,
  setupAnswer,
  setupIntent,
  setupIntentQuery,
  setupQuestion,
} from '@counterfoil/contract/paying/payment-methods.ts';
import type { App } from '../../../http/app-type.ts';
import { refuseNumbers } from '../../../http/guards/number-guard.ts';
import { idempotencyKeyOf } from '../../../http/requests/idempotency-key.ts';
import { PaymentTerms } from '../../payments/service.ts';
import { addingOf } from '../acting.ts';
import { type AddingDeps, addMethod, openSetup, resultOf } from '../adding.ts';

const PATH = '/v1/ec/payments/setup-intent';

/** Saving through the provider's script: the set-up it works on, what it has made, and how that stands. */
export function setupRoutes(app: App, deps: AddingDeps): void {
  app.get(
    PATH,
    {
      config: { access: 'customer', areas: ['paymentsEnabled'] },
      schema: {
        tags: ['payment-methods'],
        summary: 'A set-up for the provider’s script; the one that is open is used again',
        querystring: setupIntentQuery,
        response: { 200: envelope(openSetupAnswer) },
      },
    },
    async (request) => ({
      data: await openSetup(deps, await addingOf(deps, request), request.query.paymentMethodType),
    }),
  );

  app.post(
    PATH,
    {
      config: { access: 'customer', areas: ['paymentsEnabled'], limit: 'saveMethod', idempotencyKey: true },
      schema: {
        tags: ['payment-methods'],
        summary:
          'Saves what the provider’s script has made; of a bank account with the agreement to its mandate',
        body: setupIntent,
        response: { 200: envelope(setupAnswer) },
      },
    },
    async (request) => {
      const { paymentMethodId: token, paymentMethodType: scheme, email, mandateVersion } = request.body;
      const clientKey = idempotencyKeyOf(request.headers);
      const { paymentMethodId: _checkedByItsProvider, ...members } = request.body;
      refuseNumbers({ ...members, 'idempotency-key': clientKey }, []);
      const adding = await addingOf(deps, request);
      new PaymentTerms(adding.brand, adding.account).refuseNumbersAsTokens({ paymentMethodId: token });
      const wanted = { entered: { token }, scheme, email, mandateVersion, clientKey };
      return { data: await addMethod(deps, adding, { ...wanted, isAgreed: isAgreed(request.body) }) };
    },
  );

  app.post(
    `${PATH}/result`,
    {
      config: { access: 'customer', areas: ['paymentsEnabled'], limit: 'payPage' },
      schema: {
        tags: ['payment-methods'],
        summary:
          'How a setup stands, after the browser came back or while it waits; takes the proof of small deposits',
        body: setupQuestion,
        response: { 200: envelope(setupAnswer) },
      },
    },
    async (request) => {
      refuseNumbers(request.body, []);
      return { data: await resultOf(deps, await addingOf(deps, request), request.body) };
    },
  );
}

/**
 * Agreement is said, not assumed. The one body that says nothing of it is the specification's own, of token and type
 * alone (payments §7): who sends that has let the box be ticked before (§5).
 */
const isAgreed = ({ mandateAccepted, mandateVersion, email }: SetupIntent): boolean =>
  mandateAccepted ?? (mandateVersion === undefined && email === undefined);
