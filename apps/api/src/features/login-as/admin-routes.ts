import { envelope } from '@counterfoil/contract/envelope.ts';
import { signInLink, signInLinkRequest } from '@counterfoil/contract/operator/access/sign-in-as.ts';
import { customerUserParams } from '@counterfoil/contract/operator/customers/admin-customers.ts';
import { actedBy } from '../../audit/acted-by.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { makeSignInLink } from './look-only.ts';

interface SignInAsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly publicUrl: URL;
}

/** Operators sign in as a user of a customer, to look only. */
export function signInAsRoutes(app: App, { db, clock, publicUrl }: SignInAsDeps): void {
  app.post(
    '/v1/admin/customers/:id/users/by-email/:email/sign-in-links',
    {
      config: {
        access: 'program',
        scope: 'users:signInAs',
        refusals: ['customer.notFound', 'customer.noUser', 'customer.userShutOut'],
      },
      schema: {
        tags: ['users of customers'],
        operationId: 'makeSignInLink',
        summary: 'A link that opens the portal as a user of a customer, to look only',
        description:
          'It works once, for five minutes. The session refuses whatever would change something and ends by itself. The portal says all the time who looks; link, sign-in and reason stand in the audit trail, and the user sees the session among theirs.',
        params: customerUserParams,
        body: signInLinkRequest,
        response: { 201: envelope(signInLink) },
      },
    },
    async (request, reply) => {
      const { id: customerId, email } = request.params;
      const by = actedBy(request);
      const at = { resellerId: programOf(request).resellerId, customerId, email };
      const operatorId = request.operatorScope?.operatorId;
      const name = request.operatorScope?.displayName ?? programOf(request).actor;
      const data = await db.transaction((tx) =>
        makeSignInLink(tx, { at, name, by, operatorId, publicUrl }, request.body, clock.now()),
      );
      return reply.status(201).send({ data });
    },
  );
}
