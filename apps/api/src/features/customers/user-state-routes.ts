import { envelope } from '@counterfoil/contract/envelope.ts';
import {
  customerUser,
  customerUserParams,
} from '@counterfoil/contract/operator/customers/admin-customers.ts';
import { actedBy } from '../../audit/acted-by.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import type { Secrets } from '../../secrets.ts';
import { presentCustomerUser } from './present.ts';
import { mailPasswordReset, setCustomerUserActive } from './user-state.ts';

const tags = ['users of customers'];
const path = '/v1/admin/customers/:id/users/by-email/:email';

interface UserStateDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
}

/** Shutting users out, letting them in again, and helping who forgot the password; for programs and operators. */
export function userStateRoutes(app: App, { db, clock, secrets }: UserStateDeps): void {
  for (const [act, isActive, summary] of [
    ['disable', false, 'Shuts a user out at once, with every customer of theirs; sessions end'],
    ['enable', true, 'Lets a user in again who was shut out'],
  ] as const)
    app.post(
      `${path}/${act}`,
      {
        config: {
          access: 'program',
          scope: 'users:write',
          refusals: ['customer.notFound', 'customer.noUser'],
        },
        schema: {
          tags,
          operationId: `${act}CustomerUser`,
          summary,
          description: 'The same again changes nothing.',
          params: customerUserParams,
          response: { 200: envelope(customerUser) },
        },
      },
      async (request) => {
        const { id: customerId, email } = request.params;
        const at = { resellerId: programOf(request).resellerId, customerId, email };
        const user = await db.transaction((tx) =>
          setCustomerUserActive(tx, at, isActive, actedBy(request), clock.now()),
        );
        return { data: presentCustomerUser(user) };
      },
    );

  app.post(
    `${path}/password-resets`,
    {
      config: {
        access: 'program',
        scope: 'users:write',
        refusals: ['customer.notFound', 'customer.noUser', 'customer.userNoReset'],
      },
      schema: {
        tags,
        operationId: 'resetCustomerUserPassword',
        summary: 'Mails a user the link to choose a new password; the old one works until it is used',
        params: customerUserParams,
        response: { 202: envelope(customerUser) },
      },
    },
    async (request, reply) => {
      const { id: customerId, email } = request.params;
      const at = { resellerId: programOf(request).resellerId, customerId, email };
      const user = await db.transaction((tx) =>
        mailPasswordReset(tx, secrets, at, actedBy(request), clock.now()),
      );
      return reply.status(202).send({ data: presentCustomerUser(user) });
    },
  );
}
