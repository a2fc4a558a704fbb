import { me } from '@counterfoil/contract/customers.ts';
import { CUSTOMER_HEADER, envelope } from '@counterfoil/contract/envelope.ts';
import { isId } from '@counterfoil/domain/text/ids.ts';
import type { App } from '../../http/app-type.ts';
import { sessionOf } from '../../http/guards/access.ts';

export function customersRoutes(app: App): void {
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
    },
    async (request) => {
      const session = sessionOf(request);
      const header = request.headers[CUSTOMER_HEADER];
      const wanted = typeof header === 'string' && isId(header) ? header.toLowerCase() : undefined;
      const current = session.customers.find((one) => one.customerId === wanted) ?? session.customers[0];
      return {
        data: {
          id: session.userId,
          email: session.email,
          displayName: session.displayName,
          needsSecondFactor: session.needsSecondFactor,
          passwordExpiresAt: session.passwordExpiresAt?.toISOString() ?? null,
          customers: session.customers.map((one) => ({
            customerId: one.customerId,
            label: one.label,
            selected: one === current,
            brandId: one.brandId,
          })),
        },
      };
    },
  );
}
