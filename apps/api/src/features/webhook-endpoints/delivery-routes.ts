import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  deliveryPage,
  deliveryParams,
  deliveryQuery,
  redelivered,
  redelivery,
  webhookDelivery,
  webhookDeliveryDetail,
} from '@counterfoil/contract/operator/running/webhook-endpoints.ts';
import type { FastifyRequest } from 'fastify';
import { actedBy } from '../../audit/acted-by.ts';
import type { App } from '../../http/app-type.ts';
import { findMessageData, listDeliveries, listTries } from './queries.ts';
import { endpointAt, path, tags } from './routes.ts';
import type { SenderDeps } from './sending/sender.ts';
import {
  deliveryNamed,
  type EndpointAct,
  endpointNamed,
  presentDelivery,
  presentDeliveryDetail,
  redeliver,
  redeliverSince,
} from './service.ts';

/** What was sent to an endpoint, and sending it again. */
export function webhookDeliveryRoutes(app: App, { db, clock }: SenderDeps): void {
  const act = (request: FastifyRequest): EndpointAct => ({ by: actedBy(request), now: clock.now() });

  app.get(
    `${path}/:id/deliveries`,
    {
      config: { access: 'program', scope: 'webhookEndpoints:read', refusals: ['webhookEndpoint.notFound'] },
      schema: {
        tags,
        operationId: 'listWebhookDeliveries',
        summary: 'Messages to an endpoint, the newest first, page by page; kept for 30 days',
        description: 'Filters are joined by and. The next page is asked for by `cursor`.',
        params: idParams,
        querystring: deliveryQuery,
        response: { 200: deliveryPage },
      },
    },
    async (request) => {
      const { id: endpointId } = await endpointNamed(db, endpointAt(request));
      const { cursor: before, limit, ...filter } = request.query;
      const rows = await listDeliveries(db, { ...filter, endpointId, before, limit: limit + 1 });
      const page = rows.slice(0, limit);
      return {
        data: page.map(presentDelivery),
        nextCursor: rows.length > limit ? (page.at(-1)?.message_id.replaceAll('-', '') ?? null) : null,
      };
    },
  );

  app.get(
    `${path}/:id/deliveries/:messageId`,
    {
      config: {
        access: 'program',
        scope: 'webhookEndpoints:read',
        refusals: ['webhookEndpoint.notFound', 'webhookDelivery.notFound'],
      },
      schema: {
        tags,
        operationId: 'getWebhookDelivery',
        summary: 'A message to an endpoint: what was sent, and what each try was answered',
        params: deliveryParams,
        response: { 200: envelope(webhookDeliveryDetail) },
      },
    },
    async (request) => {
      const row = await deliveryNamed(db, endpointAt(request), request.params.messageId);
      const [data, tries] = await Promise.all([
        findMessageData(db, row.message_id),
        listTries(db, row.endpoint_id, row.message_id),
      ]);
      return { data: presentDeliveryDetail(row, data, tries) };
    },
  );

  app.post(
    `${path}/:id/deliveries/:messageId/redeliver`,
    {
      config: {
        access: 'program',
        scope: 'webhookEndpoints:write',
        refusals: ['webhookEndpoint.notFound', 'webhookDelivery.notFound', 'webhookEndpoint.notEnabled'],
      },
      schema: {
        tags,
        operationId: 'redeliverWebhook',
        summary: 'Sends a message again, with the same id, whatever came of it before',
        description: 'The answer does not wait for it.',
        params: deliveryParams,
        response: { 202: envelope(webhookDelivery) },
      },
    },
    async (request, reply) => {
      const at = endpointAt(request);
      const { messageId } = request.params;
      await db.transaction((tx) => redeliver(tx, at, messageId, act(request)));
      return reply.status(202).send({ data: presentDelivery(await deliveryNamed(db, at, messageId)) });
    },
  );

  app.post(
    `${path}/:id/redeliver`,
    {
      config: {
        access: 'program',
        scope: 'webhookEndpoints:write',
        refusals: ['webhookEndpoint.notFound', 'webhookEndpoint.notEnabled'],
      },
      schema: {
        tags,
        operationId: 'redeliverWebhooksSince',
        summary: 'Sends all messages again that were given up since a moment, in their order',
        description: 'The answer does not wait for them.',
        params: idParams,
        body: redelivery,
        response: { 202: envelope(redelivered) },
      },
    },
    async (request, reply) => {
      const since = new Date(request.body.since);
      const count = await db.transaction((tx) =>
        redeliverSince(tx, endpointAt(request), since, act(request)),
      );
      return reply.status(202).send({ data: { count } });
    },
  );
}
