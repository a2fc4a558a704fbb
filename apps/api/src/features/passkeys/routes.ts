import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  newPasskey,
  passkey,
  passkeyChallenge,
  passkeyName,
  passkeyRegistration,
  passkeyRegistrationRequest,
  passkeyRemoval,
} from '@counterfoil/contract/people/passkeys.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { App } from '../../http/app-type.ts';
import { sessionOf } from '../../http/guards/access.ts';
import { originOf } from '../../http/requests/origin.ts';
import { askForSignature } from './ceremonies.ts';
import { users } from './holders.ts';
import { relyingPartyAt } from './relying-party.ts';
import {
  addPasskey,
  myPasskeys,
  type PasskeysDeps,
  removePasskey,
  renamePasskey,
  startRegistration,
} from './service.ts';

export interface PasskeysRoutesDeps extends PasskeysDeps {
  readonly publicUrl: URL;
}

const config = { access: 'session', inPersonOnly: true } as const;
/** A passkey is a second factor: it may be added while nothing else is open. */
const adding = { ...config, beforeSecondFactor: true } as const;
const tags = ['passkeys'];

/** The signed-in user's passkeys, and what a browser is asked to sign before anybody has signed in. */
export function passkeysRoutes(app: App, deps: PasskeysRoutesDeps): void {
  const partyOf = async (request: FastifyRequest) => {
    const party = await relyingPartyAt(deps, request.host);
    if (party === undefined) throw new AppError('brand.notFound');
    return party;
  };

  app.get(
    '/v1/ec/passkeys',
    {
      config: { access: 'session', beforeSecondFactor: true },
      schema: {
        tags,
        summary: 'The user’s passkeys, newest first',
        response: { 200: envelope(z.array(passkey)) },
      },
    },
    async (request) => ({ data: await myPasskeys(deps, sessionOf(request).userId) }),
  );

  app.post(
    '/v1/ec/passkeys/registration',
    {
      config: { ...adding, limit: 'passwordChange' },
      schema: {
        tags,
        summary: 'Begins to add a passkey; ten minutes after the sign-in the password is asked for',
        body: passkeyRegistrationRequest,
        response: { 200: envelope(passkeyRegistration) },
      },
    },
    async (request) => {
      const party = await partyOf(request);
      const { password } = request.body;
      return { data: await startRegistration(deps, sessionOf(request), party, password) };
    },
  );

  app.post(
    '/v1/ec/passkeys',
    {
      config: adding,
      schema: {
        tags,
        summary: 'Keeps the passkey the user’s device has made',
        body: newPasskey,
        response: { 200: envelope(passkey) },
      },
    },
    async (request) => {
      const party = await partyOf(request);
      return { data: await addPasskey(deps, sessionOf(request), party, request.body, originOf(request)) };
    },
  );

  app.put(
    '/v1/ec/passkeys/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Names a passkey',
        params: idParams,
        body: passkeyName,
        response: { 200: envelope(passkey) },
      },
    },
    async (request) => {
      const { userId } = sessionOf(request);
      return { data: await renamePasskey(deps, userId, request.params.id, request.body.name) };
    },
  );

  // Not DELETE: a body, which holds the password, has no meaning there (RFC 9110 9.3.5).
  app.post(
    '/v1/ec/passkeys/:id/removal',
    {
      config: { ...config, limit: 'passwordChange' },
      schema: {
        tags,
        summary: 'Removes a passkey for the password; other sessions that were begun with it end',
        params: idParams,
        body: passkeyRemoval,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { password } = request.body;
      await removePasskey(deps, sessionOf(request), request.params.id, password, originOf(request));
      return reply.status(204).send(null);
    },
  );

  app.post(
    '/v1/ec/passkey-challenge',
    {
      config: { access: 'public', limit: 'passkey' },
      schema: {
        tags,
        summary: 'What a passkey signs to sign in; the same for everybody, good once for five minutes',
        response: { 200: envelope(passkeyChallenge) },
      },
    },
    async (request) => {
      const party = await partyOf(request);
      return { data: await askForSignature(deps, { of: users, party }) };
    },
  );
}
