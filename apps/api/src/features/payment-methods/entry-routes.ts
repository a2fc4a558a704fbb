import type { PreparedEntry } from '@counterfoil/contract/entry-config.ts';
import { preparedEntry } from '@counterfoil/contract/entry-config.ts';
import { envelope } from '@counterfoil/contract/envelope.ts';
import { newEntry } from '@counterfoil/contract/payment-methods.ts';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { App } from '../../http/app-type.ts';
import { addingOf } from './acting.ts';
import { type AddingDeps, prepareToSave } from './adding.ts';

/** Prepares the entry of a new method that pays a session once. @param uid of the session */
export type PrepareForSession = (
  request: FastifyRequest,
  about: { readonly uid: string; readonly kind: 'card' | 'bank'; readonly scheme?: string | undefined },
) => Promise<PreparedEntry>;

/** What a form of the signed-in portal needs to be made at the gateway before a method is typed into it. */
export function methodEntryRoutes(app: App, deps: AddingDeps, forSession: PrepareForSession): void {
  app.post(
    '/v1/ec/payments/entries',
    {
      config: { access: 'customer', areas: ['paymentsEnabled'], limit: 'saveMethod' },
      schema: {
        tags: ['payment-methods'],
        summary: 'Prepares the form of a new method at the gateway, to save it or to pay once; used once',
        body: newEntry,
        response: { 200: envelope(preparedEntry) },
      },
    },
    async (request) => {
      const { purpose, kind, scheme, uid } = request.body;
      if (purpose === 'payOnce') {
        if (uid === undefined)
          throw new AppError('request.invalid', { fields: [{ path: 'uid', message: 'missing' }] });
        return { data: await forSession(request, { uid, kind, scheme }) };
      }
      if (kind === 'bank' && scheme === undefined)
        throw new AppError('request.invalid', { fields: [{ path: 'scheme', message: 'missing' }] });
      const adding = await addingOf(deps, request);
      return { data: await prepareToSave(deps, adding, kind === 'bank' ? { scheme } : {}) };
    },
  );
}
