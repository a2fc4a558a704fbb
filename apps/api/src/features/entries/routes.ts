import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { App } from '../../http/app-type.ts';
import { type CallbackDeps, receiveCallback } from './callback.ts';
import { isShown, sendCallbackPage } from './callback-page.ts';

/** Longest value of a callback's member, characters. */
const LONGEST = 4_000;
/** Most members of a callback. */
const MOST = 100;
const posted = z.record(
  z.string().check(z.maxLength(100)),
  z.nullish(z.union([z.string().check(z.maxLength(LONGEST)), z.number(), z.boolean()])),
);

/** What gateways' pages post to. The entry's random id and the gateway's own signature are all that counts. */
export function entryRoutes(app: App, deps: CallbackDeps): void {
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
      const received = receive(deps, request.params.entryId, request.body);
      if (!isShown(request)) {
        await received;
        return reply.status(204).send(null);
      }
      const end = await received.catch((error: unknown) => {
        if (error instanceof AppError) return error;
        throw error;
      });
      return sendCallbackPage(reply, end);
    },
  );
}

async function receive(
  deps: CallbackDeps,
  entryId: string,
  body: z.infer<typeof posted>,
): Promise<string | undefined> {
  const fields = Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, String(value)]],
    ),
  );
  if (Object.keys(fields).length > MOST) throw new AppError('request.invalid');
  return receiveCallback(deps, entryId, fields);
}
