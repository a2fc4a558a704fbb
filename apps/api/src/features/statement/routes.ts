import { envelope } from '@counterfoil/contract/envelope.ts';
import { statement, statementQuery } from '@counterfoil/contract/statement.ts';
import { scopeOf } from '../../http/access.ts';
import type { App } from '../../http/app.ts';
import { type StatementDeps, statementOf } from './service.ts';

/** The customer's running account: what was billed, paid and credited, and what is open. */
export function statementRoutes(app: App, deps: StatementDeps): void {
  app.get(
    '/v1/ec/statement',
    {
      config: { access: 'customer' },
      schema: {
        tags: ['statement'],
        summary: 'Running account over a span of days in one currency, with what is open by age',
        querystring: statementQuery,
        response: { 200: envelope(statement) },
      },
    },
    async (request) => ({ data: await statementOf(deps, scopeOf(request), request.query) }),
  );
}
