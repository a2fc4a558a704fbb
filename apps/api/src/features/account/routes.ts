import { passwordChange } from '@counterfoil/contract/people/account.ts';
import * as z from 'zod/mini';
import type { App } from '../../http/app-type.ts';
import { sessionOf } from '../../http/guards/access.ts';
import { originOf } from '../../http/requests/origin.ts';
import { changePassword, type PasswordDeps } from '../auth/service.ts';

/** What signed-in users do with their own account. */
export function accountRoutes(app: App, deps: PasswordDeps): void {
  app.post(
    '/v1/ec/password',
    {
      config: { access: 'session', limit: 'passwordChange', inPersonOnly: true },
      schema: {
        tags: ['account'],
        summary: 'Changes the signed-in user’s password; their other sessions end, this one stays',
        body: passwordChange,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { oldPassword, newPassword } = request.body;
      await changePassword(deps, sessionOf(request), oldPassword, newPassword, originOf(request));
      return reply.status(204).send(null);
    },
  );
}
