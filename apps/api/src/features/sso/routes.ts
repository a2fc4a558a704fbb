import { ssoCallbackQuery, ssoLoginQuery } from '@counterfoil/contract/people/sso.ts';
import { ssoErrors } from '@counterfoil/domain/text/sso-error.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import { sendProblem } from '../../http/answers/problems.ts';
import type { App } from '../../http/app-type.ts';
import { addressOf } from '../../http/requests/address.ts';
import { browserOf, markBrowser } from './cookie.ts';
import { beginVisit, finishVisit } from './sign-in.ts';
import { type AskedFrom, CALLBACK_PATH, leadingOn, type SsoDeps, signInPage, VisitRefused } from './visit.ts';

type SsoLoginQuery = z.infer<typeof ssoLoginQuery>;

const from = (request: FastifyRequest): AskedFrom => ({
  address: addressOf(request),
  requestId: request.id,
});

/** Single sign-on: the way to a company's OpenID provider and back, all of it redirects of the browser. */
export function ssoRoutes(app: App, deps: SsoDeps): void {
  const send = (reply: FastifyReply, to: string) =>
    // Codes and states stand in these addresses: none may be kept, or told to the next page.
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(to, 303);
  /** A person stands before a refusal by a limit too: the sign-in page tells of it, and lets them try again. */
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (!(error instanceof AppError && error.code === 'rate.limited'))
      return sendProblem(error, request, reply);
    const { b, r } = request.validationError === undefined ? (request.query as Partial<SsoLoginQuery>) : {};
    send(reply.headers(error.headers), signInPage({ e: ssoErrors.failed, b, r }));
  };

  app.get(
    '/sso/login',
    {
      config: { access: 'public', limit: 'singleSignOn' },
      schema: {
        tags: ['sso'],
        summary:
          'Sends the browser to the company’s identity provider, or back to the sign-in page with an error',
        querystring: ssoLoginQuery,
        response: { 303: z.null() },
      },
      // A person stands before this: whatever is wrong is said by the sign-in page.
      attachValidation: true,
      errorHandler,
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const to = await leadingOn(deps, from(request), async () => {
        if (request.validationError !== undefined) throw new VisitRefused({ reason: 'bad request' });
        const { b = '', ct = '', r = null } = request.query;
        const mark = () => markBrowser(request, reply, deps.publicUrl);
        return beginVisit(deps, { b, ct, r, host: request.host }, mark);
      });
      return send(reply, to);
    },
  );

  app.get(
    CALLBACK_PATH,
    {
      config: { access: 'public', limit: 'singleSignOn' },
      schema: {
        tags: ['sso'],
        summary: 'Where the identity provider sends the browser back to; leads to the sign-in page',
        querystring: ssoCallbackQuery,
        response: { 303: z.null() },
      },
      attachValidation: true,
      errorHandler,
      // Something that only looks at a link must not use it up.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const to = await leadingOn(deps, from(request), async () => {
        if (request.validationError !== undefined) throw new VisitRefused({ reason: 'bad request' });
        const query = request.url.slice(request.url.indexOf('?'));
        return finishVisit(deps, request.query.state, query, browserOf(request, deps.publicUrl));
      });
      return send(reply, to);
    },
  );
}
