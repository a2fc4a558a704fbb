import { envelope } from '@counterfoil/contract/envelope.ts';
import {
  recordType,
  usagePage,
  usageQuery,
  usageSummary,
  usageSummaryQuery,
} from '@counterfoil/contract/usage.ts';
import * as z from 'zod/mini';
import type { Database } from '../../db/database.ts';
import type { App } from '../../http/app-type.ts';
import { scopeOf } from '../../http/guards/access.ts';
import { declaredOnly } from '../../http/requests/declared-only.ts';
import { Slots } from '../../limits/slots.ts';
import { answerAllUsage, usageExportRoutes } from './export-routes.ts';
import { UsagePages } from './pages/read-page.ts';
import { listRecordTypes } from './queries.ts';
import { usagePageOf, usageSummaryOf } from './service.ts';

interface UsageDatabases {
  readonly db: Database;
  /** With time for long reads. */
  readonly exports: Database;
}

/** Usage records: pages, sums and what they can be filtered by. */
export function usageRoutes(app: App, databases: UsageDatabases, pages = new UsagePages()): void {
  const { db } = databases;
  // Each takes a connection of the pool, and the first one a second.
  const slots = new Slots({
    atOnce: 3,
    each: 2,
    tooManyOfOne: 'usage.tooManyExports',
    tooManyOfAll: 'server.exporting',
  });
  const exported = { ...databases, slots };
  const config = { access: 'customer', areas: ['endShowUsage'] } as const;
  const tags = ['usage'];
  app.get(
    '/v1/ec/usage',
    {
      config: { access: 'customer', areas: ['endShowUsage', 'endShowInvoices'] },
      schema: {
        tags,
        summary:
          'Usage records of a filter or of one invoice line, page by page; without `pageNumber` all of them',
        querystring: usageQuery,
        response: { 200: envelope(usagePage) },
      },
      serializerCompiler: declaredOnly,
    },
    async (request, reply) => {
      if (request.query.pageNumber === undefined)
        return answerAllUsage(exported, request, reply, request.query);
      return { data: await usagePageOf({ db, pages }, scopeOf(request), request.query) };
    },
  );

  usageExportRoutes(app, exported);

  app.get(
    '/v1/ec/usage/summary',
    {
      config,
      schema: {
        tags,
        summary: 'What all usage records of a filter come to, in all and by day',
        querystring: usageSummaryQuery,
        response: { 200: envelope(usageSummary) },
      },
    },
    async (request) => ({ data: await usageSummaryOf({ db }, scopeOf(request), request.query) }),
  );

  app.get(
    '/v1/ec/record-types',
    {
      config,
      schema: {
        tags,
        summary: 'Record types of the services the current customer has items of',
        response: { 200: envelope(z.array(recordType)) },
      },
    },
    async (request) => {
      const rows = await listRecordTypes(db, scopeOf(request));
      return {
        data: rows.map(({ service_id, ...type }) => ({ ...type, serviceId: service_id })),
      };
    },
  );
}
