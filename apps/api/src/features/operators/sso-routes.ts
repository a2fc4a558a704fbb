import { envelope } from '@counterfoil/contract/envelope.ts';
import {
  operatorSignInWays,
  operatorSsoChange,
  operatorSsoList,
  operatorSsoLogin,
  operatorSsoRemoval,
  operatorSsoTest,
  operatorSsoTested,
} from '@counterfoil/contract/operator/access/operator-sso.ts';
import { ssoCallbackQuery } from '@counterfoil/contract/people/sso.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import { sendProblem } from '../../http/answers/problems.ts';
import type { App } from '../../http/app-type.ts';
import { operatorOf } from '../../http/guards/access.ts';
import { originOf } from '../../http/requests/origin.ts';
import { browserOf, markBrowser } from '../sso/service.ts';
import { requireCode, requireGivable } from './owner.ts';
import { siteAt } from './passkeys.ts';
import { actorOf, setCookie } from './session.ts';
import { findWays } from './sso-queries.ts';
import {
  listSettings,
  removeSettings,
  type SsoSettingsDeps,
  setSettings,
  testSettings,
} from './sso-settings.ts';
import { beginSso, finishSso, SSO_CALLBACK, type SsoRefusal, SsoRefused } from './sso-sign-in.ts';

const tags = ['operators'];
const path = '/v1/operator/sso';
const owners = { access: 'operator', ownersOnly: true } as const;
const visiting = { access: 'public', limit: 'singleSignOn' } as const;

/** Single sign-on of operators: its settings, and the way to the provider and back. */
export function operatorSsoRoutes(app: App, deps: SsoSettingsDeps): void {
  const redirectUriAt = async ({ host }: FastifyRequest) =>
    `${(await siteAt(deps, host)).party.origin}${SSO_CALLBACK}`;
  const by = (request: FastifyRequest) => {
    const { address, requestId } = originOf(request);
    return { actor: actorOf(operatorOf(request)), address, requestId };
  };
  const listed = async (request: FastifyRequest) => ({
    redirectUri: await redirectUriAt(request),
    settings: await listSettings(deps, operatorOf(request)),
  });

  app.get(
    path,
    {
      config: owners,
      schema: {
        tags,
        summary:
          'Settings of single sign-on that are the owner’s, and the address to register at the provider',
        response: { 200: envelope(operatorSsoList) },
      },
    },
    async (request) => ({ data: await listed(request) }),
  );

  app.put(
    path,
    {
      config: owners,
      schema: {
        tags,
        summary: 'Sets single sign-on of a reseller’s operators or of the installation’s',
        body: operatorSsoChange,
        response: { 200: envelope(operatorSsoList) },
      },
    },
    async (request) => {
      const owner = operatorOf(request);
      const { code, ...wanted } = request.body;
      await requireGivable(deps.db, owner, wanted.resellerId);
      await requireCode(deps, owner, code);
      await setSettings(deps, owner.sessionId, wanted, by(request));
      return { data: await listed(request) };
    },
  );

  app.post(
    `${path}/test`,
    {
      config: owners,
      schema: {
        tags,
        summary: 'Tries single sign-on as it is set: the provider, and whether it takes the client',
        body: operatorSsoTest,
        response: { 200: envelope(operatorSsoTested) },
      },
    },
    async (request) => {
      const { resellerId } = request.body;
      await requireGivable(deps.db, operatorOf(request), resellerId);
      return { data: await testSettings(deps, resellerId, await redirectUriAt(request)) };
    },
  );

  app.post(
    `${path}/removal`,
    {
      config: owners,
      schema: {
        tags,
        summary: 'Takes single sign-on of a reseller’s operators, or of the installation’s, away',
        body: operatorSsoRemoval,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { resellerId, code } = request.body;
      const owner = operatorOf(request);
      await requireGivable(deps.db, owner, resellerId);
      await requireCode(deps, owner, code);
      await removeSettings(deps, resellerId, by(request));
      return reply.status(204).send(null);
    },
  );

  app.get(
    '/v1/operator/sign-in-ways',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Which single sign-on the sign-in page of the console offers',
        response: { 200: envelope(operatorSignInWays) },
      },
    },
    async () => {
      const { of_installation, by_name } = await findWays(deps.db);
      return { data: { ssoOfInstallation: of_installation, ssoByName: by_name } };
    },
  );

  const send = (reply: FastifyReply, to: string) =>
    // Codes and states stand in these addresses: none may be kept, or told to the next page.
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(to, 303);
  const signInPage = (told: SsoRefusal) => `/admin/sign-in?sso=${told}`;
  /** A person stands before a refusal by a limit too. */
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (!(error instanceof AppError && error.code === 'rate.limited'))
      return sendProblem(error, request, reply);
    send(reply.headers(error.headers), signInPage('failed'));
  };
  const leading = async (step: () => Promise<string>): Promise<string> => {
    try {
      return await step();
    } catch (error) {
      if (error instanceof SsoRefused) return signInPage(error.told);
      if (error instanceof AppError && error.code === 'brand.notFound') return signInPage('failed');
      throw error;
    }
  };

  app.get(
    `${path}/login`,
    {
      config: visiting,
      schema: {
        tags,
        summary: 'Sends the browser to the operators’ identity provider, or back to the sign-in page',
        querystring: operatorSsoLogin,
        response: { 303: z.null() },
      },
      // A person stands before this: whatever is wrong is said by the sign-in page.
      attachValidation: true,
      errorHandler,
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const to = await leading(async () => {
        if (request.validationError !== undefined) throw new SsoRefused('failed');
        const { origin } = (await siteAt(deps, request.host)).party;
        const mark = () => markBrowser(request, reply, deps.publicUrl);
        return beginSso(deps, { name: request.query.name, origin }, mark, originOf(request));
      });
      return send(reply, to);
    },
  );

  app.get(
    SSO_CALLBACK,
    {
      config: visiting,
      schema: {
        tags,
        summary: 'Where the identity provider sends operators back to; signs in and leads to the console',
        querystring: ssoCallbackQuery,
        response: { 303: z.null() },
      },
      attachValidation: true,
      errorHandler,
      // Something that only looks at a link must not use it up.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const to = await leading(async () => {
        if (request.validationError !== undefined) throw new SsoRefused('failed');
        const query = request.url.slice(request.url.indexOf('?'));
        const browser = browserOf(request, deps.publicUrl);
        const back = { state: request.query.state, query, browser };
        setCookie(reply, deps.publicUrl, (await finishSso(deps, back, originOf(request))).token);
        return '/admin';
      });
      return send(reply, to);
    },
  );
}
