import {
  costCentreAllocation,
  costCentreChange,
  costCentreChanged,
  costCentreSummary,
  costCentreSummaryQuery,
  costCentreUndone,
} from '@counterfoil/contract/cost-centres.ts';
import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import * as z from 'zod/mini';
import type { App } from '../../http/app-type.ts';
import { scopeOf, sessionOf } from '../../http/guards/access.ts';
import { authorOf, type ServiceItemDeps } from '../service-items/service.ts';
import { allocate, costSummary, recentChanges, undoChange } from './service.ts';

/** Allocating many service items to a cost centre, undoing it, and what each cost centre cost. */
export function costCentreRoutes(app: App, deps: ServiceItemDeps): void {
  const config = { access: 'customer', areas: ['endShowCostCentre'] } as const;
  const tags = ['cost-centres'];
  app.put(
    '/v1/ec/cost-centres',
    {
      config,
      schema: {
        tags,
        summary: 'Allocates many service items to one cost centre, all or none',
        body: costCentreAllocation,
        response: { 200: envelope(costCentreChanged) },
      },
    },
    async (request) => {
      const by = authorOf(sessionOf(request));
      return { data: await allocate(deps, scopeOf(request), by, request.body) };
    },
  );

  app.get(
    '/v1/ec/cost-centres/changes',
    {
      config,
      schema: {
        tags,
        summary: 'The latest changes of descriptions and cost centres, newest first',
        response: { 200: envelope(z.array(costCentreChange)) },
      },
    },
    async (request) => ({ data: await recentChanges(deps, scopeOf(request)) }),
  );

  app.post(
    '/v1/ec/cost-centres/changes/:id/undo',
    {
      config,
      schema: {
        tags,
        summary: 'Gives the items of a change back what they had; those changed again since stay as they are',
        params: idParams,
        response: { 200: envelope(costCentreUndone) },
      },
    },
    async (request) => {
      const by = authorOf(sessionOf(request));
      return { data: await undoChange(deps, scopeOf(request), by, request.params.id) };
    },
  );

  app.get(
    '/v1/ec/cost-centres/summary',
    {
      config,
      schema: {
        tags,
        summary: 'Cost by cost centre of the invoices issued in a span of days; adds up to them to the cent',
        querystring: costCentreSummaryQuery,
        response: { 200: envelope(costCentreSummary) },
      },
    },
    async (request) => {
      const { dateFrom, dateTo } = request.query;
      return { data: await costSummary(deps, scopeOf(request), dateFrom, dateTo) };
    },
  );
}
