import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  webhookEvent,
  webhookEventDismissal,
  webhookEventPage,
  webhookEventQuery,
} from '@counterfoil/contract/operator/running/webhook-events.ts';
import type { FastifyRequest } from 'fastify';
import { actedBy } from '../../audit/acted-by.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { presentEvent } from './present.ts';
import { listEvents } from './queries.ts';
import {
  dismissByOperator,
  type EventNamed,
  eventNamed,
  retryByOperator,
  type WebhookDeskDeps,
} from './service.ts';

const tags = ['events of gateways'];
const path = '/v1/admin/webhook-events';

/** Events that gateways have sent, for whoever looks after payments. */
export function adminWebhookRoutes(app: App, deps: WebhookDeskDeps): void {
  const { db } = deps;
  const named = (request: FastifyRequest & { params: { id: string } }): EventNamed => ({
    id: request.params.id,
    resellerId: programOf(request).resellerId,
  });
  const answer = async (event: EventNamed) => ({ data: presentEvent(await eventNamed(deps, event)) });

  app.get(
    path,
    {
      config: { access: 'program', scope: 'webhooks:read' },
      schema: {
        tags,
        operationId: 'listWebhookEvents',
        summary: 'Events that gateways have sent, or were asked for, the newest first, page by page',
        description: 'Filters are joined by and. The next page is asked for by `cursor`.',
        querystring: webhookEventQuery,
        response: { 200: webhookEventPage },
      },
    },
    async (request) => {
      const { resellerId } = programOf(request);
      const { cursor: before, limit, ...filter } = request.query;
      const rows = await listEvents(db, { ...filter, resellerId, before, limit: limit + 1 });
      const page = rows.slice(0, limit);
      return {
        data: page.map(presentEvent),
        nextCursor: rows.length > limit ? (page.at(-1)?.id.replaceAll('-', '') ?? null) : null,
      };
    },
  );

  app.get(
    `${path}/:id`,
    {
      config: { access: 'program', scope: 'webhooks:read', refusals: ['webhookEvent.notFound'] },
      schema: {
        tags,
        operationId: 'getWebhookEvent',
        summary: 'An event that a gateway has sent: when it came, how often it was tried, what came of it',
        params: idParams,
        response: { 200: envelope(webhookEvent) },
      },
    },
    (request) => answer(named(request)),
  );

  app.post(
    `${path}/:id/retry`,
    {
      config: {
        access: 'program',
        scope: 'webhooks:write',
        refusals: ['webhookEvent.notFound', 'webhookEvent.ended'],
      },
      schema: {
        tags,
        operationId: 'retryWebhookEvent',
        summary: 'Follows an event up at once, one that was given up included',
        description:
          'The answer does not wait for it. What the event says is not believed: the gateway is asked. However often this is called, each payment is booked once.',
        params: idParams,
        response: { 202: envelope(webhookEvent) },
      },
    },
    async (request, reply) => {
      const event = named(request);
      await retryByOperator(deps, event, actedBy(request));
      return reply.status(202).send(await answer(event));
    },
  );

  app.post(
    `${path}/:id/dismiss`,
    {
      config: {
        access: 'program',
        scope: 'webhooks:write',
        refusals: ['webhookEvent.notFound', 'webhookEvent.ended'],
      },
      schema: {
        tags,
        operationId: 'dismissWebhookEvent',
        summary: 'Says that an event was seen to: it is not followed up any more',
        params: idParams,
        body: webhookEventDismissal,
        response: { 200: envelope(webhookEvent) },
      },
    },
    async (request) => {
      const event = named(request);
      await dismissByOperator(deps, event, request.body.note, actedBy(request));
      return answer(event);
    },
  );
}
