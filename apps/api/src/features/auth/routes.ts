import {
  CLIENT_ID,
  type TokenError,
  type TokenRequest,
  tokenAnswer,
  tokenError,
  tokenRequest,
} from '@counterfoil/contract/people/auth.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import { DatabaseUnavailable } from '../../db/database.ts';
import { textOf } from '../../http/answers/problems.ts';
import type { App } from '../../http/app-type.ts';
import { sessionOf } from '../../http/guards/access.ts';
import { originOf } from '../../http/requests/origin.ts';
import { type Grants, limitGrants } from './grants.ts';
import { signOut, signOutByRefreshToken, type TokenResult } from './session.ts';
import type { SignInDeps } from './sign-in.ts';

const revokeRequest = z.object({ token: z.string().check(z.maxLength(512)) });

/** `POST /token` (RFC 6749) and signing out. */
export function authRoutes(app: App, deps: SignInDeps, grants: Grants): void {
  const limited = limitGrants(grants, deps.limiter);
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16 * 1024 },
    (_request, body, done) => {
      // Given twice, a member is ambiguous: RFC 6749 3.2 forbids it, so neither counts.
      const form = new URLSearchParams(String(body));
      const names = [...form.keys()];
      done(null, new Set(names).size === names.length ? Object.fromEntries(form) : {});
    },
  );

  app.post(
    '/token',
    {
      config: { access: 'public' },
      schema: {
        tags: ['auth'],
        summary: 'Signs in, or renews a session (RFC 6749)',
        description: `Grants: ${Object.keys(grants).join(', ')}`,
        consumes: ['application/x-www-form-urlencoded'],
        body: tokenRequest,
        response: { 200: tokenAnswer, 400: tokenError, 429: tokenError, 503: tokenError },
      },
      // What is wrong with a form is answered in RFC 6749's words.
      attachValidation: true,
      errorHandler: answerTokenError,
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
      if (request.validationError !== undefined) return reply.status(400).send({ error: 'invalid_request' });
      const result = await grantToken(limited, request.body, request);
      if (result.ok) return result.answer;
      return reply
        .headers(result.headers ?? {})
        .status(result.status ?? 400)
        .send(result.error);
    },
  );

  app.post(
    '/v1/ec/logout',
    {
      config: { access: 'session', beforeSecondFactor: true, openToLooking: true },
      schema: {
        tags: ['auth'],
        summary: 'Ends the session at once: its tokens are refused from the next request on',
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await signOut(deps, sessionOf(request).sessionId, originOf(request));
      return reply.status(204).send(null);
    },
  );

  // RFC 7009: a browser whose access token is gone still ends its session.
  app.post(
    '/token/revoke',
    {
      config: { access: 'public' },
      schema: {
        tags: ['auth'],
        summary: 'Ends the session of a refresh token (RFC 7009); an unknown one answers 200 as well',
        consumes: ['application/x-www-form-urlencoded'],
        body: revokeRequest,
        response: { 200: z.null(), 400: tokenError },
      },
      attachValidation: true,
      errorHandler: answerTokenError,
    },
    async (request, reply) => {
      if (request.validationError === undefined) {
        await signOutByRefreshToken(deps, request.body.token, originOf(request));
      }
      return reply.status(200).send(null);
    },
  );
}

async function grantToken(grants: Grants, form: TokenRequest, request: FastifyRequest): Promise<TokenResult> {
  if (form.client_id !== CLIENT_ID) return { ok: false, error: { error: 'invalid_client' } };
  const grant = Object.hasOwn(grants, form.grant_type) ? grants[form.grant_type] : undefined;
  if (grant === undefined) return { ok: false, error: { error: 'unsupported_grant_type' } };
  return grant(form, originOf(request), request);
}

function answerTokenError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const status = statusOf(error);
  if (status >= 500) request.log.error({ err: error }, 'token request failed');
  const headers = error instanceof AppError ? error.headers : {};
  void reply
    .status(status)
    .headers(headers)
    .header('cache-control', 'no-store')
    .send(tokenErrorOf(error, status));
}

/** In the words of RFC 6749 and of the registry it began. */
function tokenErrorOf(error: unknown, status: number): TokenError {
  if (error instanceof DatabaseUnavailable) return inWords('server_error', textOf('server.unavailable'));
  if (error instanceof AppError && status === 503) return inWords('temporarily_unavailable', error.text);
  if (error instanceof AppError && status === 429) return inWords('slow_down', error.text);
  if (error instanceof AppError && status === 403) return inWords('invalid_request', error.text);
  return status >= 500 ? inWords('server_error', textOf('server.fault')) : { error: 'invalid_request' };
}

const inWords = (error: string, description: string): TokenError => ({
  error,
  error_description: description,
});

function statusOf(error: unknown): number {
  if (error instanceof DatabaseUnavailable) return 503;
  if (error instanceof AppError) return error.status;
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}
