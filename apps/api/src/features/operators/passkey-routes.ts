import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import { operatorPasskeySignIn, operatorProof } from '@counterfoil/contract/operator/access/operator-ways.ts';
import { operatorSession } from '@counterfoil/contract/operator/access/operators.ts';
import {
  passkeyChallenge as challenge,
  newPasskey,
  passkey,
  passkeyName,
  passkeyRegistration,
} from '@counterfoil/contract/people/passkeys.ts';
import * as z from 'zod/mini';
import type { App } from '../../http/app-type.ts';
import { operatorOf } from '../../http/guards/access.ts';
import { originOf } from '../../http/requests/origin.ts';
import { signInByPasskey } from './passkey-sign-in.ts';
import {
  addPasskey,
  myPasskeys,
  passkeyChallenge,
  removePasskey,
  renamePasskey,
  startPasskey,
} from './passkeys.ts';
import { type OperatorDeps, presentOperator, setCookie } from './session.ts';

const tags = ['operators'];
const path = '/v1/operator/passkeys';
const config = { access: 'operator' } as const;

/** Operators' own passkeys, and the sign-in by one. */
export function operatorPasskeyRoutes(app: App, deps: OperatorDeps): void {
  app.get(
    path,
    {
      config,
      schema: {
        tags,
        summary: 'The operator’s passkeys, the newest first',
        response: { 200: envelope(z.array(passkey)) },
      },
    },
    async (request) => ({ data: await myPasskeys(deps, operatorOf(request)) }),
  );

  app.post(
    `${path}/registration`,
    {
      config,
      schema: {
        tags,
        summary: 'Begins to add a passkey; ten minutes after the sign-in the code of the app is asked for',
        body: operatorProof,
        response: { 200: envelope(passkeyRegistration) },
      },
    },
    async (request) => ({
      data: await startPasskey(deps, operatorOf(request), request.host, request.body),
    }),
  );

  app.post(
    path,
    {
      config,
      schema: {
        tags,
        summary: 'Keeps the passkey the operator’s device has made',
        body: newPasskey,
        response: { 201: envelope(passkey) },
      },
    },
    async (request, reply) => {
      const made = await addPasskey(deps, operatorOf(request), request.host, request.body, originOf(request));
      return reply.status(201).send({ data: made });
    },
  );

  app.put(
    `${path}/:id`,
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
      const named = { id: request.params.id, name: request.body.name };
      return { data: await renamePasskey(deps, operatorOf(request), named, originOf(request)) };
    },
  );

  // Not DELETE: a body, which may hold a code, has no meaning there (RFC 9110 9.3.5).
  app.post(
    `${path}/:id/removal`,
    {
      config,
      schema: {
        tags,
        summary: 'Removes a passkey; other sessions that were begun with it end',
        params: idParams,
        body: operatorProof,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await removePasskey(deps, operatorOf(request), request.params.id, request.body, originOf(request));
      return reply.status(204).send(null);
    },
  );

  app.post(
    '/v1/operator/passkey-challenge',
    {
      config: { access: 'public', limit: 'passkey', signsOperatorsIn: true },
      schema: {
        tags,
        summary:
          'What a passkey signs to sign an operator in; the same for everybody, good once for five minutes',
        response: { 200: envelope(challenge) },
      },
    },
    async (request) => ({ data: await passkeyChallenge(deps, request.host) }),
  );

  app.post(
    '/v1/operator/session/passkey',
    {
      config: { access: 'public', limit: 'passkey', signsOperatorsIn: true },
      schema: {
        tags,
        summary: 'Signs an operator in by a passkey, which is both factors; the answer sets the cookie',
        body: operatorPasskeySignIn,
        response: { 200: envelope(operatorSession) },
      },
    },
    async (request, reply) => {
      const { operator, token } = await signInByPasskey(deps, request.host, request.body, originOf(request));
      setCookie(reply, deps.publicUrl, token);
      return { data: await presentOperator(deps, operator) };
    },
  );
}
