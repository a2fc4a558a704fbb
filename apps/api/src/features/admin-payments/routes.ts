import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  adminPayment,
  adminPaymentStory,
  newRefund,
  paymentPage,
  paymentQuery,
  paymentResolution,
} from '@counterfoil/contract/operator/paying/admin-payments.ts';
import type { FastifyRequest } from 'fastify';
import { actedBy } from '../../audit/acted-by.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { idempotencyKeyOf } from '../../http/requests/idempotency-key.ts';
import { findCustomerNamed } from '../admin/queries.ts';
import { type EngineDeps, lookWithinMs } from '../payments/service.ts';
import { presentPayment, presentStory } from './present.ts';
import { listPayments, readPayment } from './queries.ts';
import {
  lookUpByOperator,
  type PaymentKey,
  paymentNamed,
  refundByOperator,
  resolveByOperator,
} from './service.ts';

const tags = ['payments of customers'];
const path = '/v1/admin/payments';

/** Payments and refunds through gateways, for a provider's programs. */
export function adminPaymentRoutes(app: App, deps: EngineDeps): void {
  const { db } = deps;
  const named = (request: FastifyRequest & { params: { id: string } }): Promise<PaymentKey> =>
    paymentNamed(deps, request.params.id, programOf(request).resellerId);
  const storyOf = async (key: PaymentKey) => ({ data: presentStory(await readPayment(db, key)) });

  app.get(
    path,
    {
      config: { access: 'program', scope: 'payments:read' },
      schema: {
        tags,
        operationId: 'listPayments',
        summary: 'Payments and refunds through gateways, the newest first, page by page',
        description: 'Filters are joined by and. The next page is asked for by `cursor`.',
        querystring: paymentQuery,
        response: { 200: paymentPage },
      },
    },
    async (request) => {
      const { resellerId } = programOf(request);
      const { customer, since, until, waiting, cursor: before, limit, ...filter } = request.query;
      const found = customer === undefined ? undefined : await findCustomerNamed(db, customer, resellerId);
      if (typeof found === 'string') return { data: [], nextCursor: null };
      const rows = await listPayments(db, {
        ...filter,
        resellerId,
        customerId: found?.customerId,
        since: since === undefined ? undefined : new Date(since),
        until: until === undefined ? undefined : new Date(until),
        isOpen: waiting === 'true',
        before,
        limit: limit + 1,
      });
      const page = rows.slice(0, limit);
      return {
        data: page.map(presentPayment),
        nextCursor: rows.length > limit ? (page.at(-1)?.id.replaceAll('-', '') ?? null) : null,
      };
    },
  );

  app.get(
    `${path}/:id`,
    {
      config: { access: 'program', scope: 'payments:read', refusals: ['payment.notFound'] },
      schema: {
        tags,
        operationId: 'getPayment',
        summary:
          'A payment or refund with its story: each change of its state, what was refunded and reversed',
        params: idParams,
        response: { 200: envelope(adminPaymentStory) },
      },
    },
    async (request) => storyOf(await named(request)),
  );

  app.post(
    `${path}/:id/refunds`,
    {
      config: {
        access: 'program',
        scope: 'payments:write',
        idempotencyKey: true,
        refusals: [
          'payment.notFound',
          'refund.amount',
          'refund.tooLarge',
          'refund.unsupported',
          'refund.notAgain',
          'refund.keyReused',
          'refund.impossible',
          'payments.paused',
        ],
      },
      schema: {
        tags,
        operationId: 'refundPayment',
        summary: 'Gives a payment back to its payer through its gateway, whole or in part',
        description: [
          '201: the refund that was made; 200: the same order made it before, and nothing moved now. Its `state` tells what became of it: `succeeded` and `pending` are on their way, `declined`, `notAttempted` and `absent` gave nothing back, of the others it is still being found out.',
          'With `Idempotency-Key` the same key is the same order. Without it payment and amount are: the same amount once more is ordered by naming in `again` the refund that there is. A refund does not make an invoice due again.',
        ].join('\n\n'),
        params: idParams,
        body: newRefund,
        response: { 200: envelope(adminPayment), 201: envelope(adminPayment) },
      },
    },
    async (request, reply) => {
      const payment = await named(request);
      const { amount, note, again } = request.body;
      const header = idempotencyKeyOf(request.headers);
      const key =
        header === null
          ? ({ by: 'amount', after: again?.toUpperCase() ?? null } as const)
          : ({ by: 'caller', key: header } as const);
      const wanted = { amount, note, key, waitMs: lookWithinMs(deps) };
      const { attempt, isNew } = await refundByOperator(deps, payment, wanted, actedBy(request));
      const refund = await readPayment(db, { customerId: payment.customerId, attemptId: attempt.id });
      return reply.status(isNew ? 201 : 200).send({ data: presentPayment(refund) });
    },
  );

  app.post(
    `${path}/:id/resolve`,
    {
      config: {
        access: 'program',
        scope: 'payments:write',
        refusals: ['payment.notFound', 'payment.ended', 'payment.notHeld', 'payment.nothingLost'],
      },
      schema: {
        tags,
        operationId: 'resolvePayment',
        summary: 'Ends a payment or refund that needs review, by your word, which stands with it',
        description:
          'Look at the gateway first. What has ended stays; what is just being sent or is on its way at the bank is refused. `lossSeen` books no money.',
        params: idParams,
        body: paymentResolution,
        response: { 200: envelope(adminPaymentStory) },
      },
    },
    async (request) => {
      const payment = await named(request);
      await resolveByOperator(deps, payment, request.body, actedBy(request));
      return storyOf(payment);
    },
  );

  app.post(
    `${path}/:id/look-up`,
    {
      config: { access: 'program', scope: 'payments:write', refusals: ['payment.notFound'] },
      schema: {
        tags,
        operationId: 'lookUpPayment',
        summary: 'Asks the gateway now what became of a payment or refund',
        description:
          'Charges nothing and sends nothing again that is not due to be. The pauses that a gateway asks for are kept, so that it may not be asked at all. Of a payment that succeeded it is asked soon what became of it since.',
        params: idParams,
        response: { 200: envelope(adminPaymentStory) },
      },
    },
    async (request) => {
      const payment = await named(request);
      await lookUpByOperator(deps, payment);
      return storyOf(payment);
    },
  );
}
