import { envelope } from '@counterfoil/contract/envelope.ts';
import { searchQuery, searchResults } from '@counterfoil/contract/operator/customers/search.ts';
import type { Db } from '../../db/database.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { search } from './service.ts';

/** One field that finds all of a provider's. */
export function searchRoutes(app: App, { db }: { readonly db: Db }): void {
  app.get(
    '/v1/admin/search',
    {
      config: { access: 'program', scope: 'search:read' },
      schema: {
        tags: ['search'],
        operationId: 'search',
        summary: 'Customers, users, invoices and service items that begin as is typed',
        description:
          'A customer is also found by any word of its name, and where several words are typed by all of them.',
        querystring: searchQuery,
        response: { 200: envelope(searchResults) },
      },
    },
    async (request) => {
      const { q: text, limit } = request.query;
      return { data: await search(db, { resellerId: programOf(request).resellerId, text, limit }) };
    },
  );
}
