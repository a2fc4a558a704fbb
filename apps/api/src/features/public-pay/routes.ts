import { envelope } from '@counterfoil/contract/envelope.ts';
import { preparedEntry } from '@counterfoil/contract/paying/entry-config.ts';
import {
  linkParams,
  newLinkEntry,
  payAnswer,
  paymentInfoAnswer,
  payRequest,
} from '@counterfoil/contract/paying/public-pay.ts';
import type { App } from '../../http/app-type.ts';
import { refuseNumbers } from '../../http/guards/number-guard.ts';
import { numbersOf } from '../../http/numbers/route-numbers.ts';
import { idempotencyKeyOf } from '../../http/requests/idempotency-key.ts';
import { leaveOutEmpty } from '../../http/requests/left-out.ts';
import { originOf } from '../../http/requests/origin.ts';
import { METHOD_NUMBERS } from '../entries/service.ts';
import { infoAnswer } from './details.ts';
import { linkEntry } from './entry.ts';
import type { PublicPayDeps } from './link.ts';
import { paymentDetails, payPublicly } from './service.ts';

/** The page that pays one invoice without a sign-in. Its link is the whole authority. */
export function publicPayRoutes(app: App, deps: PublicPayDeps): void {
  app.get(
    '/v1/ec/payment/details/:token',
    {
      config: { access: 'public', limit: 'payPage' },
      schema: {
        tags: ['public-pay'],
        summary: 'What a pay link asks for: invoice, fee, fields, and how its last attempt stands',
        params: linkParams,
        response: { 200: envelope(paymentInfoAnswer) },
      },
    },
    async (request) => ({ data: infoAnswer(await paymentDetails(deps, request.params.token)) }),
  );

  app.post(
    '/v1/ec/pay/:token/entries',
    {
      config: { access: 'public', limit: 'pay' },
      schema: {
        tags: ['public-pay'],
        summary: 'Prepares the form of a method at the gateway, to pay the invoice of a pay link once',
        params: linkParams,
        body: newLinkEntry,
        response: { 200: envelope(preparedEntry) },
      },
    },
    async (request) => {
      const { kind, scheme } = request.body;
      const { prepare } = await linkEntry(deps, request.params.token);
      return { data: await prepare(kind, scheme) };
    },
  );

  app.post(
    '/v1/ec/pay',
    {
      config: { access: 'public', limit: 'pay', idempotencyKey: true, numbers: METHOD_NUMBERS },
      preValidation: leaveOutEmpty,
      schema: {
        tags: ['public-pay'],
        summary: 'Pays the invoice of a pay link; an uncertain outcome is an answer, not an error',
        body: payRequest,
        response: { 200: envelope(payAnswer) },
      },
    },
    async (request) => {
      // An invoice's number may look like a card's: it is compared with ours and goes nowhere else. Whether a token may, its
      // provider says.
      const {
        invoiceNumber: _compared,
        cardToken: _card,
        paymentMethodId: _account,
        ...members
      } = request.body;
      const key = idempotencyKeyOf(request.headers);
      refuseNumbers({ ...members, 'idempotency-key': key }, ['accountHolderName']);
      return { data: await payPublicly(deps, request.body, key, originOf(request), numbersOf(request)) };
    },
  );
}
