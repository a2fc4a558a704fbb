import { passwordReset, passwordResetRequest } from '@counterfoil/contract/people/auth.ts';
import * as z from 'zod/mini';
import type { App } from '../../../http/app-type.ts';
import { originOf } from '../../../http/requests/origin.ts';
import type { Secrets } from '../../../secrets.ts';
import { enqueueResetMail } from '../mail-queue.ts';
import { type PasswordDeps, setPasswordByLink } from './account-password.ts';

/** Asking for a reset mail, and setting the password with its link. */
export function passwordResetRoutes(app: App, deps: PasswordDeps & { readonly secrets: Secrets }): void {
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
      // Whether the address is known changes nothing: answer, words and statements are the same, and the mail is
      // written by the job.
      const { email } = request.body;
      await deps.db.transaction((tx) => enqueueResetMail(tx, deps.secrets, email, deps.clock.now()));
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
