import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  endpointChange,
  endpointMade,
  newEndpoint,
  secretRotation,
  webhookDelivery,
  webhookEndpoint,
} from '@counterfoil/contract/operator/running/webhook-endpoints.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { actedBy } from '../../audit/acted-by.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { preconditionsOf } from '../../http/requests/preconditions.ts';
import { listEndpoints } from './queries.ts';
import type { SenderDeps } from './sending/sender.ts';
import {
  addEndpoint,
  changeEndpoint,
  deleteEndpoint,
  type EndpointAct,
  type EndpointAt,
  endpointNamed,
  etagOf,
  presentDelivery,
  presentEndpoint,
  rotateSecret,
  sendTest,
} from './service.ts';

export const tags = ['webhooks out'];
export const path = '/v1/admin/webhook-endpoints';

/** Which endpoint a call names. */
export const endpointAt = (
  request: FastifyRequest & { readonly params: { readonly id: string } },
): EndpointAt => ({
  id: request.params.id,
  resellerId: programOf(request).resellerId,
});

/** Where the provider's programs are told of what happens. */
export function webhookEndpointRoutes(app: App, deps: SenderDeps): void {
  const { db, clock } = deps;
  const act = (request: FastifyRequest): EndpointAct => ({ by: actedBy(request), now: clock.now() });

  app.get(
    path,
    {
      config: { access: 'program', scope: 'webhookEndpoints:read' },
      schema: {
        tags,
        operationId: 'listWebhookEndpoints',
        summary: 'Where messages about what happens are sent, the oldest first; all of them, 20 at most',
        response: { 200: envelope(z.array(webhookEndpoint)) },
      },
    },
    async (request) => {
      const rows = await listEndpoints(db, programOf(request).resellerId);
      return { data: rows.map((row) => presentEndpoint(row, clock.now())) };
    },
  );

  app.post(
    path,
    {
      config: {
        access: 'program',
        scope: 'webhookEndpoints:write',
        refusals: ['webhookEndpoint.address', 'webhookEndpoint.addressTaken', 'webhookEndpoint.tooMany'],
      },
      schema: {
        tags,
        operationId: 'addWebhookEndpoint',
        summary: 'Makes an endpoint; its secret is told this once',
        description: 'It is told of what happens from now on.',
        body: newEndpoint,
        response: { 201: envelope(endpointMade) },
      },
    },
    async (request, reply) => {
      const { resellerId } = programOf(request);
      const { row, secret } = await db.transaction((tx) =>
        addEndpoint(tx, deps, resellerId, request.body, act(request)),
      );
      const data = { ...presentEndpoint(row, clock.now()), secret };
      return reply.status(201).header('etag', etagOf(row)).send({ data });
    },
  );

  app.get(
    `${path}/:id`,
    {
      config: { access: 'program', scope: 'webhookEndpoints:read', refusals: ['webhookEndpoint.notFound'] },
      schema: {
        tags,
        operationId: 'getWebhookEndpoint',
        summary: 'An endpoint: what it is sent, whether it works, what waits for it',
        params: idParams,
        response: { 200: envelope(webhookEndpoint) },
      },
    },
    async (request, reply) => {
      const row = await endpointNamed(db, endpointAt(request));
      return reply.header('etag', etagOf(row)).send({ data: presentEndpoint(row, clock.now()) });
    },
  );

  app.patch(
    `${path}/:id`,
    {
      config: {
        access: 'program',
        scope: 'webhookEndpoints:write',
        preconditions: true,
        refusals: [
          'webhookEndpoint.notFound',
          'webhookEndpoint.address',
          'webhookEndpoint.addressTaken',
          'precondition.failed',
          'precondition.required',
        ],
      },
      schema: {
        tags,
        operationId: 'changeWebhookEndpoint',
        summary:
          'Changes an endpoint: address, types, description, or whether it is enabled, paused or disabled',
        description:
          '`If-Match` says which state of it was read. One that is enabled again is sent what waits; one that is disabled gives that up.',
        params: idParams,
        body: endpointChange,
        response: { 200: envelope(webhookEndpoint) },
      },
    },
    async (request, reply) => {
      const row = await db.transaction((tx) =>
        changeEndpoint(tx, deps, endpointAt(request), request.body, preconditionsOf(request), act(request)),
      );
      return reply.header('etag', etagOf(row)).send({ data: presentEndpoint(row, clock.now()) });
    },
  );

  app.delete(
    `${path}/:id`,
    {
      config: { access: 'program', scope: 'webhookEndpoints:write', refusals: ['webhookEndpoint.notFound'] },
      schema: {
        tags,
        operationId: 'deleteWebhookEndpoint',
        summary: 'Deletes an endpoint, with what waits for it',
        params: idParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await db.transaction((tx) => deleteEndpoint(tx, endpointAt(request), act(request)));
      return reply.status(204).send(null);
    },
  );

  app.post(
    `${path}/:id/rotate-secret`,
    {
      config: { access: 'program', scope: 'webhookEndpoints:write', refusals: ['webhookEndpoint.notFound'] },
      schema: {
        tags,
        operationId: 'rotateWebhookSecret',
        summary: 'Gives an endpoint a new secret, told this once; the one before signs on for a while',
        params: idParams,
        body: secretRotation,
        response: { 200: envelope(endpointMade) },
      },
    },
    async (request, reply) => {
      const { overlapHours } = request.body;
      const { row, secret } = await db.transaction((tx) =>
        rotateSecret(tx, deps, endpointAt(request), overlapHours, act(request)),
      );
      const data = { ...presentEndpoint(row, clock.now()), secret };
      return reply.header('etag', etagOf(row)).send({ data });
    },
  );

  app.post(
    `${path}/:id/test`,
    {
      config: {
        access: 'program',
        scope: 'webhookEndpoints:write',
        refusals: ['webhookEndpoint.notFound', 'webhookEndpoint.notEnabled'],
      },
      schema: {
        tags,
        operationId: 'testWebhookEndpoint',
        summary: 'Sends a test message at once, and tells what came of it',
        description:
          'The answer comes after that of the endpoint, 15 seconds at most. A test that fails is tried again like any message.',
        params: idParams,
        response: { 200: envelope(webhookDelivery) },
      },
    },
    async (request) => {
      const row = await sendTest(deps, endpointAt(request), act(request));
      return { data: presentDelivery(row) };
    },
  );
}
