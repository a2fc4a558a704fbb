import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  type ApiKeyShown,
  apiKeyMade,
  apiKeyRotation,
  apiKeyShown,
  newApiKey,
} from '@counterfoil/contract/operator/access/operator-people.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import type { App } from '../../http/app-type.ts';
import { operatorOf } from '../../http/guards/access.ts';
import { originOf } from '../../http/requests/origin.ts';
import type { OperatorScope } from '../../http/requests/scope.ts';
import { actorOf, isOwners, type OperatorDeps, requireCode, requireGivable } from '../operators/service.ts';
import { endKey, type KeyRow, listApiKeys, makeKey, replaceKey } from './service.ts';

const tags = ['operators'];
const path = '/v1/operator/api-keys';
const owners = { access: 'operator', ownersOnly: true } as const;
const MINUTE_MS = 60_000;

/** What owners do about the keys of programs, as the command `api-key` does it on the server. No key ever makes one. */
export function apiKeyRoutes(app: App, deps: OperatorDeps): void {
  const { db, clock, isDemo } = deps;
  const theirs = async (owner: OperatorScope) =>
    (await listApiKeys(db, owner.resellerId ?? undefined)).filter(({ is_demo }) => isDemo || !is_demo);
  const byId = async (request: FastifyRequest & { readonly params: { readonly id: string } }) => {
    const owner = operatorOf(request);
    const row = (await theirs(owner)).find(({ id }) => id === request.params.id);
    if (row === undefined || !isOwners(owner, row.reseller_id)) throw new AppError('apiKey.notFound');
    return row;
  };
  const shown = async (owner: OperatorScope, is: (row: KeyRow) => boolean) => {
    const row = (await theirs(owner)).find(is);
    if (row === undefined) throw new AppError('apiKey.notFound');
    return present(row);
  };
  const by = (request: FastifyRequest): ActedBy => {
    const { address, requestId } = originOf(request);
    return { actor: actorOf(operatorOf(request)), address, requestId };
  };
  const ahead = (text: string | null): Date | null => {
    if (text === null) return null;
    const at = new Date(text);
    if (at > clock.now()) return at;
    throw new AppError('apiKey.expiryPast');
  };

  app.get(
    path,
    {
      config: owners,
      schema: {
        tags,
        summary: 'API keys of the owner’s reseller, or of all, those that have ended included',
        response: { 200: envelope(z.array(apiKeyShown)) },
      },
    },
    async (request) => ({ data: (await theirs(operatorOf(request))).map(present) }),
  );

  app.post(
    path,
    {
      config: owners,
      schema: {
        tags,
        summary: 'Makes an API key; its secret is told this once',
        body: newApiKey,
        response: { 201: envelope(apiKeyMade) },
      },
    },
    async (request, reply) => {
      const owner = operatorOf(request);
      const { code, expiresAt, scopes, ...wanted } = request.body;
      await requireGivable(db, owner, wanted.resellerId);
      const made = { ...wanted, scopes: [...new Set(scopes)], expiresAt: ahead(expiresAt) };
      await requireCode(deps, owner, code);
      const key = await db.transaction((tx) => makeKey(tx, made, by(request), clock.now()));
      if (key === undefined) throw new AppError('apiKey.nameTaken');
      const { resellerId, name } = made;
      const row = await shown(owner, (one) => one.reseller_id === resellerId && one.name === name);
      return reply.status(201).send({ data: { ...row, key } });
    },
  );

  app.post(
    `${path}/:id/rotate`,
    {
      config: owners,
      schema: {
        tags,
        summary: 'Gives a key a new secret, told this once; the one before works on for a while',
        params: idParams,
        body: apiKeyRotation,
        response: { 200: envelope(apiKeyMade) },
      },
    },
    async (request) => {
      const owner = operatorOf(request);
      const row = await byId(request);
      const { code, graceMinutes, expiresAt } = request.body;
      const runsOut = expiresAt === undefined ? undefined : ahead(expiresAt);
      await requireCode(deps, owner, code);
      const now = clock.now();
      const previousUntil = new Date(now.getTime() + graceMinutes * MINUTE_MS);
      const key = await db.transaction((tx) =>
        replaceKey(tx, row, { previousUntil, expiresAt: runsOut }, by(request), now),
      );
      if (key === undefined) throw new AppError('apiKey.ended');
      return { data: { ...(await shown(owner, ({ id }) => id === row.id)), key } };
    },
  );

  app.post(
    `${path}/:id/revoke`,
    {
      config: owners,
      schema: {
        tags,
        summary: 'Ends a key at once, with both its secrets',
        params: idParams,
        response: { 200: envelope(apiKeyShown) },
      },
    },
    async (request) => {
      const row = await byId(request);
      await db.transaction((tx) => endKey(tx, row, by(request), clock.now()));
      return { data: await shown(operatorOf(request), ({ id }) => id === row.id) };
    },
  );
}

const present = (row: KeyRow): ApiKeyShown => {
  const at = (moment: Date | null) => moment?.toISOString() ?? null;
  return {
    id: row.id,
    resellerId: row.reseller_id,
    name: row.name,
    scopes: row.scopes,
    createdAt: row.created_at.toISOString(),
    expiresAt: at(row.expires_at),
    rotatedAt: at(row.rotated_at),
    previousUntil: at(row.previous_until),
    lastUsedAt: at(row.last_used_at),
    revokedAt: at(row.revoked_at),
  };
};
