import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  newOperator,
  operatorChange,
  operatorInvited,
  operatorShown,
  ownerCode,
} from '@counterfoil/contract/operator/operator-people.ts';
import { capitalised } from '@counterfoil/domain/text/capitalised.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { App } from '../../http/app-type.ts';
import { operatorOf } from '../../http/guards/access.ts';
import { originOf } from '../../http/requests/origin.ts';
import type { OperatorScope } from '../../http/requests/scope.ts';
import { AdminRefused } from '../admin/service.ts';
import { invitationUrl } from './invitations.ts';
import { requireCode, requireGivable } from './owner.ts';
import { type ListedOperator, listOperators, stateOf } from './queries.ts';
import { addOperator, type Change, resetOperator, setOperator, setOperatorActive } from './service.ts';
import { actorOf, type OperatorDeps } from './session.ts';

const tags = ['operators'];
const path = '/v1/operator/operators';
const owners = { access: 'operator', ownersOnly: true } as const;

/** What owners do about operators, as the command `operator` does it on the server. */
export function operatorPeopleRoutes(app: App, deps: OperatorDeps): void {
  const { db, clock, secrets } = deps;
  const present = (row: ListedOperator, { operatorId }: OperatorScope) => ({
    id: row.id,
    email: row.email,
    displayName: row.display_name,
    role: row.role,
    resellerId: row.reseller_id,
    state: stateOf(row, clock.now()),
    invitedUntil: row.invited_until?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    isSelf: row.id === operatorId,
  });
  const theirs = async (owner: OperatorScope) =>
    (await listOperators(db, owner.resellerId ?? undefined)).filter(({ is_demo }) => deps.isDemo || !is_demo);
  const find = async (
    owner: OperatorScope,
    is: (row: ListedOperator) => boolean,
  ): Promise<ListedOperator> => {
    const row = (await theirs(owner)).find(is);
    if (row === undefined) throw new AppError('operator.notFound');
    return row;
  };
  const byId = (request: FastifyRequest & { readonly params: { readonly id: string } }) =>
    find(operatorOf(request), ({ id }) => id === request.params.id);
  const shown = async (owner: OperatorScope, email: string) =>
    present(await find(owner, (row) => row.email === email.toLowerCase()), owner);
  const change = (request: FastifyRequest): Change => {
    const { address, requestId } = originOf(request);
    return { actor: actorOf(operatorOf(request)), now: clock.now(), address, requestId };
  };
  const other = (owner: OperatorScope, row: ListedOperator): ListedOperator => {
    if (row.id === owner.operatorId) throw new AppError('operator.self');
    return row;
  };

  app.get(
    path,
    {
      config: owners,
      schema: {
        tags,
        summary: 'Operators of the owner’s reseller, or of all, by address',
        response: { 200: envelope(z.array(operatorShown)) },
      },
    },
    async (request) => {
      const owner = operatorOf(request);
      return { data: (await theirs(owner)).map((row) => present(row, owner)) };
    },
  );

  app.post(
    path,
    {
      config: owners,
      schema: {
        tags,
        summary: 'Makes an operator; the link of the invitation is told this once',
        body: newOperator,
        response: { 201: envelope(operatorInvited) },
      },
    },
    async (request, reply) => {
      const owner = operatorOf(request);
      const { code, ...wanted } = request.body;
      await requireGivable(db, owner, wanted.resellerId);
      await requireCode(deps, owner, code);
      const made = await refusing(() =>
        db.transaction((tx) => addOperator(tx, secrets, wanted, change(request))),
      );
      const link = {
        url: invitationUrl(deps.publicUrl, made.token),
        expiresAt: made.expiresAt.toISOString(),
      };
      return reply.status(201).send({ data: { ...(await shown(owner, made.email)), ...link } });
    },
  );

  app.put(
    `${path}/:id`,
    {
      config: owners,
      schema: {
        tags,
        summary: 'Changes name, role or reseller of another operator; it holds from their next call on',
        params: idParams,
        body: operatorChange,
        response: { 200: envelope(operatorShown) },
      },
    },
    async (request) => {
      const owner = operatorOf(request);
      const row = other(owner, await byId(request));
      const { code, ...wanted } = request.body;
      await requireGivable(db, owner, wanted.resellerId);
      await requireCode(deps, owner, code);
      await refusing(() => db.transaction((tx) => setOperator(tx, row.email, wanted, change(request))));
      return { data: await shown(owner, row.email) };
    },
  );

  app.post(
    `${path}/:id/disable`,
    {
      config: owners,
      schema: {
        tags,
        summary: 'Shuts another operator out at once',
        params: idParams,
        response: { 200: envelope(operatorShown) },
      },
    },
    async (request) => {
      const owner = operatorOf(request);
      const { email } = other(owner, await byId(request));
      await refusing(() => db.transaction((tx) => setOperatorActive(tx, email, false, change(request))));
      return { data: await shown(owner, email) };
    },
  );

  app.post(
    `${path}/:id/enable`,
    {
      config: owners,
      schema: {
        tags,
        summary: 'Lets an operator in again',
        params: idParams,
        body: ownerCode,
        response: { 200: envelope(operatorShown) },
      },
    },
    async (request) => {
      const owner = operatorOf(request);
      const { email } = other(owner, await byId(request));
      await requireCode(deps, owner, request.body.code);
      await refusing(() => db.transaction((tx) => setOperatorActive(tx, email, true, change(request))));
      return { data: await shown(owner, email) };
    },
  );

  app.post(
    `${path}/:id/reset`,
    {
      config: owners,
      schema: {
        tags,
        summary:
          'Takes password and authenticator app of another operator away; the new link is told this once',
        params: idParams,
        body: ownerCode,
        response: { 200: envelope(operatorInvited) },
      },
    },
    async (request) => {
      const owner = operatorOf(request);
      const { email } = other(owner, await byId(request));
      await requireCode(deps, owner, request.body.code);
      const made = await refusing(() =>
        db.transaction((tx) => resetOperator(tx, secrets, email, change(request))),
      );
      const link = {
        url: invitationUrl(deps.publicUrl, made.token),
        expiresAt: made.expiresAt.toISOString(),
      };
      return { data: { ...(await shown(owner, email)), ...link } };
    },
  );
}

/** What the command would be refused with. @throws {AppError} operator.notSet */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error;
    throw new AppError('operator.notSet', { text: capitalised(error.message), cause: error });
  }
}
