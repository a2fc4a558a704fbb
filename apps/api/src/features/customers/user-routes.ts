import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  customerUser,
  customerUserParams,
  customerUserValues,
} from '@counterfoil/contract/operator/customers/admin-customers.ts';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import { actedBy } from '../../audit/acted-by.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { presentCustomerUser } from './present.ts';
import { putCustomerUsers } from './put-users.ts';
import { findCustomer, listCustomerUsers } from './queries.ts';
import { inviteCustomerUser, removeCustomerUser } from './users.ts';

const tags = ['users of customers'];
const path = '/v1/admin/customers/:id/users';

/** Who may sign in for a customer, for a provider's programs. */
export function customerUserRoutes(
  app: App,
  { db, clock }: { readonly db: Database; readonly clock: Clock },
): void {
  app.get(
    path,
    {
      config: { access: 'program', scope: 'users:read', refusals: ['customer.notFound'] },
      schema: {
        tags,
        operationId: 'listCustomerUsers',
        summary: 'Who may sign in for a customer, by e-mail address',
        params: idParams,
        response: { 200: envelope(z.array(customerUser)) },
      },
    },
    async (request) => {
      const customer = await findCustomer(db, programOf(request).resellerId, request.params.id);
      if (customer === undefined) throw new AppError('customer.notFound');
      return { data: (await listCustomerUsers(db, customer.customer_id)).map(presentCustomerUser) };
    },
  );

  app.put(
    `${path}/by-email/:email`,
    {
      config: {
        access: 'program',
        scope: 'users:write',
        refusals: ['customer.notFound', 'customer.userTaken'],
      },
      schema: {
        tags,
        operationId: 'putCustomerUser',
        summary: 'Lets a person sign in for a customer, and invites somebody new by mail',
        description:
          '201: a new user, without a password; with `invite` the link to choose one is mailed. 200: a user of this reseller, who gets the name that is sent and sees the customer from now on. The same again changes nothing and mails nothing.',
        params: customerUserParams,
        body: customerUserValues,
        response: { 200: envelope(customerUser), 201: envelope(customerUser) },
      },
    },
    async (request, reply) => {
      const { resellerId, ...at } = userAt(request);
      const of = { resellerId, by: actedBy(request) };
      const [done] = await db.transaction((tx) =>
        putCustomerUsers(tx, of, [{ ...at, ...request.body }], clock.now()),
      );
      if (done === undefined || done instanceof AppError) throw done ?? new Error('no user was written');
      return reply
        .status(done.outcome === 'created' ? 201 : 200)
        .send({ data: presentCustomerUser(done.user) });
    },
  );

  app.post(
    `${path}/by-email/:email/invitations`,
    {
      config: {
        access: 'program',
        scope: 'users:write',
        refusals: ['customer.notFound', 'customer.noUser', 'customer.userNoInvitation'],
      },
      schema: {
        tags,
        operationId: 'inviteCustomerUser',
        summary: 'Mails a user without a password the link to choose one; an earlier link ends',
        params: customerUserParams,
        response: { 202: envelope(customerUser) },
      },
    },
    async (request, reply) => {
      const user = await db.transaction((tx) =>
        inviteCustomerUser(tx, userAt(request), actedBy(request), clock.now()),
      );
      return reply.status(202).send({ data: presentCustomerUser(user) });
    },
  );

  app.delete(
    `${path}/by-email/:email`,
    {
      config: {
        access: 'program',
        scope: 'users:write',
        refusals: ['customer.notFound', 'customer.noUser'],
      },
      schema: {
        tags,
        operationId: 'removeCustomerUser',
        summary: 'Ends that a person signs in for a customer; the user stays',
        params: customerUserParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await db.transaction((tx) => removeCustomerUser(tx, userAt(request), actedBy(request), clock.now()));
      return reply.status(204).send(null);
    },
  );
}

const userAt = (
  request: Parameters<typeof programOf>[0] & { params: z.output<typeof customerUserParams> },
) => ({
  resellerId: programOf(request).resellerId,
  customerId: request.params.id,
  email: request.params.email,
});
