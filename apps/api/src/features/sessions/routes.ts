import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import { mySession } from '@counterfoil/contract/people/sessions.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { App } from '../../http/app-type.ts';
import { sessionOf } from '../../http/guards/access.ts';
import { addressOf } from '../../http/requests/address.ts';
import { type AskedFrom, endOtherSessions, endSession, mySessions, type SessionsDeps } from './service.ts';

const askedFrom = (request: FastifyRequest): AskedFrom => ({
  address: addressOf(request),
  requestId: request.id,
});

/** Where the signed-in user is signed in, and signing out there. */
export function sessionsRoutes(app: App, deps: SessionsDeps): void {
  app.get(
    '/v1/ec/sessions',
    {
      config: { access: 'session' },
      schema: {
        tags: ['sessions'],
        summary: 'Where the user is signed in: the session asked from first, then by last use',
        response: { 200: envelope(z.array(mySession)) },
      },
    },
    async (request) => ({ data: await mySessions(deps, sessionOf(request)) }),
  );

  app.delete(
    '/v1/ec/sessions/:id',
    {
      config: { access: 'session', inPersonOnly: true },
      schema: {
        tags: ['sessions'],
        summary: 'Ends one of the user’s sessions at once; an id that is not theirs answers 404',
        params: idParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const ended = await endSession(deps, sessionOf(request), id, askedFrom(request));
      if (!ended) throw new AppError('session.notFound');
      return reply.status(204).send(null);
    },
  );

  app.delete(
    '/v1/ec/sessions',
    {
      config: { access: 'session', inPersonOnly: true },
      schema: {
        tags: ['sessions'],
        summary: 'Ends all of the user’s sessions but the one asked from',
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await endOtherSessions(deps, sessionOf(request), askedFrom(request));
      return reply.status(204).send(null);
    },
  );
}
