import { envelope } from '@counterfoil/contract/envelope.ts';
import { tokenAnswer } from '@counterfoil/contract/people/auth.ts';
import { loginByCode } from '@counterfoil/contract/people/login-as.ts';
import type { App } from '../../http/app-type.ts';
import { originOf } from '../../http/requests/origin.ts';
import type { AuthDeps } from '../auth/service.ts';
import { signInByCode } from './service.ts';

/** Support signs in as a user by a one-time code (`counterfoil login-code`). */
export function loginAsRoutes(app: App, deps: AuthDeps): void {
  app.post(
    '/v1/ec/login-by-code',
    {
      config: { access: 'public', limit: 'loginCode' },
      schema: {
        tags: ['auth'],
        summary: 'Signs support in as a user by a one-time code; the access token names both (claim act)',
        body: loginByCode,
        response: { 200: envelope(tokenAnswer) },
      },
    },
    async (request) => ({ data: await signInByCode(deps, request.body.code, originOf(request)) }),
  );
}
