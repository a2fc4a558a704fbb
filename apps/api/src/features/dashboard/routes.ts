import { bundle, credit, jasperUsage, nextBill, openingBalance } from '@counterfoil/contract/dashboard.ts';
import { envelope } from '@counterfoil/contract/envelope.ts';
import * as z from 'zod/mini';
import type { App } from '../../http/app-type.ts';
import { scopeOf } from '../../http/guards/access.ts';
import { openingBalance as openingBalanceOf } from '../statement/service.ts';
import { bundlesOf, creditOf, type DashboardDeps, dataUsage, nextBillOf } from './service.ts';

/** What the dashboard shows beside the invoices. */
export function dashboardRoutes(app: App, deps: DashboardDeps): void {
  const config = { access: 'customer', areas: ['endShowDashboard'] } as const;
  const tags = ['dashboard'];
  app.get(
    '/v1/ec/opening-balance',
    {
      config,
      schema: {
        tags,
        summary: 'What was owed at the start of the current month; positive is owed',
        response: { 200: envelope(openingBalance) },
      },
    },
    async (request) => ({ data: { balance: await openingBalanceOf(deps, scopeOf(request)) } }),
  );

  app.get(
    '/v1/ec/credit',
    {
      config,
      schema: {
        tags,
        summary: 'The credit that payments will use, by currency; none at 0',
        response: { 200: envelope(z.array(credit)) },
      },
    },
    async (request) => ({ data: await creditOf(deps, scopeOf(request)) }),
  );

  for (const which of ['latest', 'all'] as const) {
    app.get(
      which === 'all' ? '/v1/ec/jasper-usage/all' : '/v1/ec/jasper-usage',
      {
        config,
        schema: {
          tags,
          summary: `Data used by month in bytes, oldest first: ${which === 'all' ? 'all months' : 'the last five months'}`,
          response: { 200: envelope(z.array(jasperUsage)) },
        },
      },
      async (request) => ({ data: await dataUsage(deps, scopeOf(request), which) }),
    );
  }

  app.get(
    '/v1/ec/bundle-widget',
    {
      config,
      schema: {
        tags,
        summary: 'Bundles with what was used of them in the current month',
        response: { 200: envelope(z.array(bundle)) },
      },
    },
    async (request) => ({ data: await bundlesOf(deps, scopeOf(request)) }),
  );

  app.get(
    '/v1/ec/next-bill',
    {
      config,
      schema: {
        tags,
        summary: 'What has been charged but not invoiced yet, and this month’s usage so far; not final',
        response: { 200: envelope(nextBill) },
      },
    },
    async (request) => ({ data: await nextBillOf(deps, scopeOf(request)) }),
  );
}
