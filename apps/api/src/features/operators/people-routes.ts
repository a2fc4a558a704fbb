import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  newOperator,
  operatorChange,
  operatorInvited,
  operatorShown,
  ownerCode,
} from '@counterfoil/contract/operator/access/operator-people.ts';
import { capitalised } from '@counterfoil/domain/text/capitalised.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/database.ts';
import type { App } from '../../http/app-type.ts';
import { operatorOf } from '../../http/guards/access.ts';
import { originOf } from '../../http/requests/origin.ts';
import type { OperatorScope } from '../../http/requests/scope.ts';
import { AdminRefused } from '../admin/service.ts';
import { invitationUrl } from './invitations.ts';
import { requireCode, requireGivable } from './owner.ts';
import { type ListedOperator, listOperators, stateOf } from './queries.ts';
import {
  addOperator,
  type Change,
  type Invited,
  type Inviting,
  inviteAgain,
  removeOperator,
  resetOperator,
  setOperator,
  setOperatorActive,
  withdrawInvitation,
} from './service.ts';
import { actorOf, type OperatorDeps } from './session.ts';

const tags = ['operators'];
const path = '/v1/operator/operators';
const owners = { access: 'operator', ownersOnly: true } as const;

/** What owners do about operators, as the command `operator` does it on the server. */
export function operatorPeopleRoutes(app: App, deps: OperatorDeps): void {
  const { db, clock, secrets, sendsMail } = deps;
  const inviting: Inviting = { secrets, byMail: sendsMail };
  const present = (row: ListedOperator, { operatorId }: OperatorScope) => ({
    id: row.id,
    email: row.email,
    displayName: row.display_name,
    role: row.role,
    resellerId: row.reseller_id,
    state: stateOf(row, clock.now()),
    invitedUntil: row.invited_until?.toISOString() ?? null,
    invitationMail: row.is_mailed === true ? mailStateOf(row) : null,
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
  const invited = async (owner: OperatorScope, { email, token, expiresAt }: Invited) => ({
    ...(await shown(owner, email)),
    url: token === undefined ? null : invitationUrl(deps.publicUrl, token),
    expiresAt: expiresAt.toISOString(),
  });
  const other = (owner: OperatorScope, row: ListedOperator): ListedOperator => {
    if (row.id === owner.operatorId) throw new AppError('operator.self');
    return row;
  };
  /** Does something about another operator, with the owner's code where it lets somebody in. */
  const act = async <T>(
    request: FastifyRequest & { readonly params: { readonly id: string } },
    code: string | undefined,
    work: (tx: Tx, email: string, change: Change) => Promise<T>,
  ) => {
    const owner = operatorOf(request);
    const { email } = other(owner, await byId(request));
    if (code !== undefined) await requireCode(deps, owner, code);
    const made = await refusing(() => db.transaction((tx) => work(tx, email, change(request))));
    return { owner, email, made };
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
        summary:
          'Makes an operator, who is invited by mail; without a mail server the link is told this once',
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
        db.transaction((tx) => addOperator(tx, inviting, wanted, change(request))),
      );
      return reply.status(201).send({ data: await invited(owner, made) });
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
      const { owner, email } = await act(request, undefined, (tx, email, by) =>
        setOperatorActive(tx, email, false, by),
      );
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
      const { owner, email } = await act(request, request.body.code, (tx, email, by) =>
        setOperatorActive(tx, email, true, by),
      );
      return { data: await shown(owner, email) };
    },
  );

  app.post(
    `${path}/:id/reset`,
    {
      config: owners,
      schema: {
        tags,
        summary: 'Takes every way in of another operator away and invites them again',
        params: idParams,
        body: ownerCode,
        response: { 200: envelope(operatorInvited) },
      },
    },
    async (request) => {
      const { owner, made } = await act(request, request.body.code, (tx, email, by) =>
        resetOperator(tx, inviting, email, by),
      );
      return { data: await invited(owner, made) };
    },
  );

  app.post(
    `${path}/:id/invitation`,
    {
      config: owners,
      schema: {
        tags,
        summary: 'Invites once more an operator who has not come in yet; the link before stops working',
        params: idParams,
        body: ownerCode,
        response: { 200: envelope(operatorInvited) },
      },
    },
    async (request) => {
      const { owner, made } = await act(request, request.body.code, (tx, email, by) =>
        inviteAgain(tx, inviting, email, by),
      );
      return { data: await invited(owner, made) };
    },
  );

  app.post(
    `${path}/:id/invitation/withdrawal`,
    {
      config: owners,
      schema: {
        tags,
        summary: 'Withdraws the open invitation of an operator',
        params: idParams,
        response: { 200: envelope(operatorShown) },
      },
    },
    async (request) => {
      const { owner, email } = await act(request, undefined, withdrawInvitation);
      return { data: await shown(owner, email) };
    },
  );

  app.post(
    `${path}/:id/removal`,
    {
      config: owners,
      schema: {
        tags,
        summary: 'Removes another operator, with all their ways in, at once',
        params: idParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await act(request, undefined, removeOperator);
      return reply.status(204).send(null);
    },
  );
}

const mailStates = {
  waiting: 'waiting',
  sent: 'sent',
  failing: 'failing',
  refused: 'undelivered',
  givenUp: 'undelivered',
  closed: 'undelivered',
} as const;

const mailStateOf = ({ mail_state: state, mail_problem }: ListedOperator) => {
  const shown = mailStates[state ?? 'waiting'];
  return { state: shown, problem: shown === 'waiting' || shown === 'sent' ? null : mail_problem };
};

/** What the command would be refused with. @throws {AppError} operator.notSet */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error;
    throw new AppError('operator.notSet', { text: capitalised(error.message), cause: error });
  }
}
