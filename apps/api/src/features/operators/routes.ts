import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  operatorAcceptance,
  operatorInvitation,
  operatorInvitationRequest,
  operatorPlace,
  operatorReset,
  operatorResetRequest,
  operatorSession,
  operatorSignIn,
} from '@counterfoil/contract/operator/access/operators.ts';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { App } from '../../http/app-type.ts';
import { operatorOf } from '../../http/guards/access.ts';
import { originOf } from '../../http/requests/origin.ts';
import { deviceOf } from '../sessions/service.ts';
import { acceptInvitation, showInvitation } from './invitations.ts';
import { enqueueResetMail } from './mail-queue.ts';
import { resetPassword } from './password-reset.ts';
import { listSessions } from './queries.ts';
import {
  clearCookie,
  endSessionOf,
  type OperatorDeps,
  presentOperator,
  type SignedIn,
  setCookie,
  signOut,
} from './session.ts';
import { signIn } from './sign-in.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Signs operators in: taken from a page of this very origin only. */
    signsOperatorsIn?: boolean;
  }
}

const tags = ['operators'];
const session = '/v1/operator/session';
const invitation = '/v1/operator/invitation';

/** How people of the provider sign in to the console. What they then do is `/v1/admin`. */
export function operatorRoutes(app: App, deps: OperatorDeps): void {
  app.post(
    session,
    {
      config: { access: 'public', signsOperatorsIn: true },
      schema: {
        tags,
        summary:
          'Signs an operator in by password and code of the authenticator app; the answer sets the cookie',
        body: operatorSignIn,
        response: { 200: envelope(operatorSession) },
      },
    },
    async (request, reply) => {
      const signedIn = await signIn(deps, request.body, originOf(request));
      setCookie(reply, deps.publicUrl, signedIn.token);
      return { data: await present(signedIn) };
    },
  );

  app.get(
    session,
    {
      config: { access: 'operator' },
      schema: {
        tags,
        summary: 'Who is signed in to the console, what their role may do, and for which resellers',
        response: { 200: envelope(operatorSession) },
      },
    },
    async (request) => {
      const { displayName: display_name, resellerId: reseller_id, ...operator } = operatorOf(request);
      return { data: await presentOperator(deps, { ...operator, display_name, reseller_id }) };
    },
  );

  app.delete(
    session,
    {
      config: { access: 'operator' },
      schema: { tags, summary: 'Signs the operator out', response: { 204: z.null() } },
    },
    async (request, reply) => {
      await signOut(deps, operatorOf(request), originOf(request));
      return clearCookie(reply, deps.publicUrl).status(204).send(null);
    },
  );

  app.get(
    '/v1/operator/sessions',
    {
      config: { access: 'operator' },
      schema: {
        tags,
        summary: 'Where the operator is signed in, the latest used first',
        response: { 200: envelope(z.array(operatorPlace)) },
      },
    },
    async (request) => {
      const { operatorId, sessionId } = operatorOf(request);
      const rows = await listSessions(deps.db, operatorId, deps.clock.now());
      return {
        data: rows.map(({ id, created_at, last_used_at, address, agent, method }) => ({
          id,
          createdAt: created_at.toISOString(),
          lastUsedAt: last_used_at.toISOString(),
          address,
          method,
          ...deviceOf(agent),
          current: id === sessionId,
        })),
      };
    },
  );

  app.delete(
    '/v1/operator/sessions/:id',
    {
      config: { access: 'operator' },
      schema: {
        tags,
        summary: 'Ends one of the operator’s sessions at once',
        params: idParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      if (!(await endSessionOf(deps, operatorOf(request), request.params.id, originOf(request))))
        throw new AppError('operator.sessionNotFound');
      return reply.status(204).send(null);
    },
  );

  app.post(
    invitation,
    {
      config: { access: 'public', limit: 'mailedLink', signsOperatorsIn: true },
      schema: {
        tags,
        summary: 'Whom an invitation is for, and what their authenticator app is given',
        body: operatorInvitationRequest,
        response: { 200: envelope(operatorInvitation) },
      },
    },
    async (request) => ({ data: await showInvitation(deps, request.body.token) }),
  );

  app.post(
    `${invitation}/acceptance`,
    {
      config: { access: 'public', limit: 'mailedLink', signsOperatorsIn: true },
      schema: {
        tags,
        summary: 'Sets password and authenticator app by an invitation, once, and signs the operator in',
        body: operatorAcceptance,
        response: { 200: envelope(operatorSession) },
      },
    },
    async (request, reply) => {
      const signedIn = await acceptInvitation(deps, request.body, originOf(request));
      setCookie(reply, deps.publicUrl, signedIn.token);
      return { data: await present(signedIn) };
    },
  );

  app.post(
    '/v1/operator/password-reset-request',
    {
      config: { access: 'public', limit: 'operatorResetRequest', signsOperatorsIn: true },
      schema: {
        tags,
        summary: 'Asks for a mail to a new password; answers the same whether the address is known or not',
        body: operatorResetRequest,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      // Whether the address is known changes nothing: answer and statements are the same, and the mail is written by the job.
      const { email } = request.body;
      await deps.db.transaction((tx) => enqueueResetMail(tx, deps.secrets, email, deps.clock.now()));
      return reply.status(204).send(null);
    },
  );

  app.post(
    '/v1/operator/password-reset',
    {
      config: { access: 'public', limit: 'mailedLink', signsOperatorsIn: true },
      schema: {
        tags,
        summary:
          'Sets a new password by a mailed link, once, and ends every session; nobody is signed in by it',
        body: operatorReset,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await resetPassword(deps, request.body, originOf(request));
      return reply.status(204).send(null);
    },
  );

  const present = ({ operator }: SignedIn) => presentOperator(deps, operator);
}
