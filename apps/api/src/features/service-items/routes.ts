import { envelope, idParams, pageEnvelope } from '@counterfoil/contract/envelope.ts';
import { asksForPage } from '@counterfoil/contract/paging.ts';
import {
  service,
  serviceItem,
  serviceItemChange,
  serviceItemsQuery,
} from '@counterfoil/contract/service-items.ts';
import * as z from 'zod/mini';
import { answerWhole, type ListDeps } from '../../http/answers/whole-list.ts';
import type { App } from '../../http/app-type.ts';
import { scopeOf, sessionOf } from '../../http/guards/access.ts';
import { allServiceItems, listCostCentres, listServices } from './queries.ts';
import {
  authorOf,
  pageOfItems,
  presentService,
  presentServiceItem,
  type ServiceItemDeps,
  updateServiceItem,
} from './service.ts';

/** Offered while one is typed; any other text may be entered. */
const MOST_COST_CENTRES = 1_000;

/** The customer's services and their items: telephone numbers, lines, devices. */
export function serviceItemRoutes(app: App, deps: ServiceItemDeps & ListDeps): void {
  const changing = ['endShowCostCentre', 'endShowServiceItem'] as const;
  const listing = [...changing, 'endShowUsage'] as const;
  const tags = ['service-items'];
  app.get(
    '/v1/ec/services',
    {
      config: { access: 'customer', areas: [...listing, 'endShowReports'] },
      schema: {
        tags,
        summary: 'Services the current customer has items of, with the provider’s words for their records',
        response: { 200: envelope(z.array(service)) },
      },
    },
    async (request) => ({ data: (await listServices(deps.db, scopeOf(request))).map(presentService) }),
  );

  app.get(
    '/v1/ec/service-items',
    {
      config: { access: 'customer', areas: listing },
      schema: {
        tags,
        summary: 'Service items of one service, or of all of them, by name; all or one page',
        querystring: serviceItemsQuery,
        response: { 200: pageEnvelope(serviceItem) },
      },
    },
    async (request, reply) => {
      const { service: ofService, ...query } = request.query;
      const scope = scopeOf(request);
      if (asksForPage(query)) return pageOfItems(deps.db, scope, request.query);
      return answerWhole(deps, reply, scope.customerId, {
        rows: allServiceItems(scope, ofService),
        present: presentServiceItem,
        item: serviceItem,
      });
    },
  );

  app.get(
    '/v1/ec/service-items/cost-centres',
    {
      config: { access: 'customer', areas: changing },
      schema: {
        tags,
        summary: 'The cost centres in use, each once, in order; at most 1,000',
        response: { 200: envelope(z.array(z.string())) },
      },
    },
    async (request) => {
      const rows = await listCostCentres(deps.db, scopeOf(request), MOST_COST_CENTRES);
      return { data: rows.map((row) => row.cost_centre) };
    },
  );

  app.put(
    '/v1/ec/service-items/:id',
    {
      config: { access: 'customer', areas: changing },
      schema: {
        tags,
        summary: 'Changes description and cost centre of a service item; blank is saved as null',
        params: idParams,
        body: serviceItemChange,
        response: { 200: envelope(serviceItem) },
      },
    },
    async (request) => {
      const by = authorOf(sessionOf(request));
      return { data: await updateServiceItem(deps, scopeOf(request), by, request.params.id, request.body) };
    },
  );
}
