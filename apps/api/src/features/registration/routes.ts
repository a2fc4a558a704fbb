import { userRegistration } from '@counterfoil/contract/people/registration.ts';
import * as z from 'zod/mini';
import type { App } from '../../http/app-type.ts';
import { originOf } from '../../http/requests/origin.ts';
import { type PasswordDeps, setPasswordByLink } from '../auth/service.ts';

/** Finishing a registration by the link that was mailed (`counterfoil user invite`). */
export function registrationRoutes(app: App, deps: PasswordDeps): void {
  app.post(
    '/v1/ec/user-registration',
    {
      config: { access: 'public', limit: 'mailedLink', errorDescription: true },
      schema: {
        tags: ['registration'],
        summary: 'Sets the password of a new user by a mailed token, once',
        body: userRegistration,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { token, password } = request.body;
      await setPasswordByLink(deps, 'registration', token, password, originOf(request));
      return reply.status(204).send(null);
    },
  );
}
