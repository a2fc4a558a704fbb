import { passwordReset, passwordResetRequest } from '@counterfoil/contract/auth.ts';
import * as z from 'zod/mini';
import type { App } from '../../http/app.ts';
import { originOf } from '../../http/origin.ts';
import { enqueueResetMail } from './mail-queue.ts';
import { type PasswordDeps, setPasswordByLink } from './password-service.ts';

/** Asking for a reset mail, and setting the password with its link. */
export function passwordResetRoutes(app: App, deps: PasswordDeps): void {
  app.post(
    '/v1/ec/password-reset-request',
    {
      config: { access: 'public', limit: 'resetRequest', errorDescription: true },
      schema: {
        tags: ['auth'],
        summary: 'Asks for a password-reset mail; answers the same whether the address is known or not',
        body: passwordResetRequest,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      // Nothing here depends on whether the address is known: one job is queued either way and the look-up happens
      // there, so answer, words and time are the same by construction.
      await deps.db.transaction((tx) => enqueueResetMail(tx, request.body.email, deps.clock.now()));
      return reply.status(204).send(null);
    },
  );

  app.post(
    '/v1/ec/password-reset',
    {
      config: { access: 'public', limit: 'mailedLink', errorDescription: true },
      schema: {
        tags: ['auth'],
        summary: 'Sets a new password by a mailed token, once, and ends every session of the user',
        body: passwordReset,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { token, password } = request.body;
      await setPasswordByLink(deps, 'reset', token, password, originOf(request));
      return reply.status(204).send(null);
    },
  );
}
