import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { App } from '../../http/app-type.ts';
import { refuseCardNumbers } from '../../http/guards/number-guard.ts';
import { type EntryDeps, receiveCallback } from './service.ts';

/** Longest value of a callback's member, characters. */
const LONGEST = 4_000;
const posted = z.record(
  z.string().check(z.maxLength(100)),
  z.nullish(z.union([z.string().check(z.maxLength(LONGEST)), z.number(), z.boolean()])),
);

/** What gateways' pages post to. The entry's random id and the gateway's own signature are all that counts. */
export function entryRoutes(app: App, deps: EntryDeps): void {
  app.post(
    '/v1/entries/:entryId/callback',
    {
      config: { access: 'public', limit: 'payPage', fromServers: true },
      schema: {
        tags: ['entries'],
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        summary: 'Takes in what a gateway’s page made of a method; kept once, and no proof of a payment',
        params: z.object({ entryId: z.uuid() }),
        body: posted,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      refuseCardNumbers(request.body);
      const fields = Object.fromEntries(
        Object.entries(request.body).flatMap(([name, value]) =>
          value === null || value === undefined ? [] : [[name, String(value)]],
        ),
      );
      if (Object.keys(fields).length > 100) throw new AppError('request.invalid');
      await receiveCallback(deps, request.params.entryId, fields);
      return reply.status(204).send(null);
    },
  );
}
