import { envelope } from '@counterfoil/contract/envelope.ts';
import {
  enrolment,
  enrolmentConfirm,
  enrolmentStart,
  factorRemoval,
  recoveryCodes,
  recoveryCodesRequest,
  secondFactorState as stateSchema,
} from '@counterfoil/contract/people/second-factor.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { App } from '../../http/app-type.ts';
import { sessionOf } from '../../http/guards/access.ts';
import { originOf } from '../../http/requests/origin.ts';
import type { AuthDeps } from '../auth/service.ts';
import {
  confirmEnrolment,
  type Person,
  removeFactor,
  renewRecoveryCodes,
  secondFactorState,
  startEnrolment,
} from './enrolment.ts';

const tags = ['second-factor'];
/** Support may look, but only the person changes it; and it is reached while nothing else is. */
const change = { access: 'session', inPersonOnly: true, beforeSecondFactor: true } as const;
/** Takes the password, too. */
const proven = { ...change, limit: 'passwordChange' } as const;

/** The signed-in user's authenticator app and recovery codes. */
export function secondFactorRoutes(app: App, deps: AuthDeps): void {
  app.get(
    '/v1/ec/second-factor',
    {
      config: { access: 'session', beforeSecondFactor: true },
      schema: {
        tags,
        summary: 'Whether the signed-in user has a second factor, and whether the brand asks for one',
        response: { 200: envelope(stateSchema) },
      },
    },
    async (request) => ({ data: await secondFactorState(deps, sessionOf(request)) }),
  );

  app.post(
    '/v1/ec/second-factor/enrolment',
    {
      config: proven,
      schema: {
        tags,
        summary: 'Begins to set up an authenticator app: a new secret, which counts once it is confirmed',
        body: enrolmentStart,
        response: { 200: envelope(enrolment) },
      },
    },
    async (request) => ({ data: await startEnrolment(deps, personOf(request), request.body) }),
  );

  app.post(
    '/v1/ec/second-factor/enrolment/confirm',
    {
      config: change,
      schema: {
        tags,
        summary: 'Turns the second factor on; answers the recovery codes, this once, and ends other sessions',
        body: enrolmentConfirm,
        response: { 200: envelope(recoveryCodes) },
      },
    },
    async (request) => ({ data: await confirmEnrolment(deps, personOf(request), request.body.otp) }),
  );

  app.post(
    '/v1/ec/second-factor/recovery-codes',
    {
      config: proven,
      schema: {
        tags,
        summary: 'Makes new recovery codes, for the password or a code of the app; the old ones stop working',
        body: recoveryCodesRequest,
        response: { 200: envelope(recoveryCodes) },
      },
    },
    async (request) => ({ data: await renewRecoveryCodes(deps, personOf(request), request.body) }),
  );

  // Not DELETE: a body, which holds the password, has no meaning there (RFC 9110 9.3.5).
  app.post(
    '/v1/ec/second-factor/removal',
    {
      config: proven,
      schema: {
        tags,
        summary: 'Turns the second factor off, unless the brand asks for one; other sessions end',
        body: factorRemoval,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await removeFactor(deps, personOf(request), request.body);
      return reply.status(204).send(null);
    },
  );
}

const personOf = (request: FastifyRequest): Person => {
  const { userId, sessionId } = sessionOf(request);
  return { userId, sessionId, origin: originOf(request) };
};
