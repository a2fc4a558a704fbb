import { me } from '@counterfoil/contract/customers.ts';
import { CUSTOMER_HEADER, envelope } from '@counterfoil/contract/envelope.ts';
import { isId } from '@counterfoil/domain/text/ids.ts';
import type { Db } from '../../db/database.ts';
import type { App } from '../../http/app-type.ts';
import { sessionOf } from '../../http/guards/access.ts';
import { declaredOnly } from '../../http/requests/declared-only.ts';
import { listOwnCustomers } from '../auth/queries.ts';

export function customersRoutes(app: App, { db }: { readonly db: Db }): void {
  // Ignores a foreign customer id: it is how the portal finds out which ids are its user's.
  app.get(
    '/v1/ec/me',
    {
      config: { access: 'session', beforeSecondFactor: true },
      schema: {
        tags: ['customers'],
        summary: 'The signed-in user and their customers; a foreign X-Customer-Id is ignored here',
        response: { 200: envelope(me) },
      },
      // Of some people the list has thousands.
      serializerCompiler: declaredOnly,
    },
    async (request) => {
      const session = sessionOf(request);
      const header = request.headers[CUSTOMER_HEADER];
      const wanted = typeof header === 'string' && isId(header) ? header.toLowerCase() : undefined;
      const customers = await listOwnCustomers(db, session.userId);
      const current = customers.find((one) => one.customer_id === wanted) ?? customers[0];
      return {
        data: {
          id: session.userId,
          email: session.email,
          displayName: session.displayName,
          needsSecondFactor: session.needsSecondFactor,
          passwordExpiresAt: session.passwordExpiresAt?.toISOString() ?? null,
          customers: customers.map((one) => ({
            customerId: one.customer_id,
            label: one.label,
            selected: one === current,
            brandId: one.brand_id,
          })),
        },
      };
    },
  );
}
