import { serviceItemOrders } from '@counterfoil/contract/list-orders.ts';
import type { Service, ServiceItem, ServiceItemChange } from '@counterfoil/contract/service-items.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import type { Page } from '../../lib/api/calls.ts';
import { type ListQuery, type ListSource, listPage, listQuery } from '../../lib/lists/list-page.ts';

/** The customer's services and their items; loaded once, and again after a change of many. */
export const serviceItemQueries = {
  all: ['service-items'] as const,
  services: () =>
    queryOptions({
      queryKey: ['services'] as const,
      queryFn: ({ signal }) => api.get<readonly Service[]>('/v1/ec/services', { signal }),
    }),
  /** The cost centres in use, in order. */
  costCentres: () =>
    queryOptions({
      queryKey: ['known-cost-centres'] as const,
      queryFn: ({ signal }) => api.get<readonly string[]>('/v1/ec/service-items/cost-centres', { signal }),
      // Without them one types the whole name.
      meta: { quiet: true },
    }),
  /** @param service its id; null: the items of all services */
  list: (service: string | null) =>
    queryOptions({
      queryKey: [...serviceItemQueries.all, service] as const,
      queryFn: ({ signal }) =>
        api.get<readonly ServiceItem[]>('/v1/ec/service-items', {
          signal,
          query: service === null ? {} : { service },
        }),
    }),
};

/** The items by the page. */
export const serviceItemList: ListSource = {
  key: ['service-items', 'list'],
  path: '/v1/ec/service-items',
  orders: serviceItemOrders,
};

/** The items of a service, or of all, to choose one of. @param service its id; null: all */
export const itemChoice = (service: string | null): ListQuery =>
  itemsQuery(service, { order: 'serviceItem', orderDirection: 'asc', offset: 0 });

/** By words of an item and its description, which are what a choice shows. */
export const byLabel = (typed: string): ListQuery => ({ label: typed });

/** The item with an id, among those of a service, or of all; a page of one or none. */
export const namedItem = (id: string, service: string | null) => ({
  ...listPage<ServiceItem>(serviceItemList, itemsQuery(service, { ids: id, limit: 1 })),
  meta: { quiet: true },
});

/** The first page of a service's items, or of all. */
export const firstItems = (service: string | null) =>
  listPage<ServiceItem>(
    serviceItemList,
    itemsQuery(service, listQuery({ sort: null, page: 1 }, serviceItemOrders)),
  );

const itemsQuery = (service: string | null, query: ListQuery): ListQuery => ({
  service: service ?? undefined,
  ...query,
});

const isPage = (held: readonly ServiceItem[] | Page<ServiceItem>): held is Page<ServiceItem> =>
  'data' in held;

const texts = ['serviceItem', 'description', 'costCentre'] as const;

/** Whether a page is one of items with a part of a text, or in the order of one that has changed. */
function mayChange(query: unknown, change: ServiceItemChange): boolean {
  if (typeof query !== 'object' || query === null) return false;
  const asked = query as ListQuery;
  return texts.some((name) => asked[name] !== undefined || (asked['order'] === name && name in change));
}

/** Changes one item, and shows the answer wherever the item stands. */
export async function saveServiceItem(
  client: QueryClient,
  id: string,
  change: ServiceItemChange,
): Promise<ServiceItem> {
  const saved = await api.put<ServiceItem>(`/v1/ec/service-items/${encodeURIComponent(id)}`, change);
  const changed = (items: readonly ServiceItem[]) => items.map((item) => (item.id === id ? saved : item));
  client.setQueriesData<readonly ServiceItem[] | Page<ServiceItem>>(
    { queryKey: serviceItemQueries.all },
    (held) => held && (isPage(held) ? { ...held, data: changed(held.data) } : changed(held)),
  );
  // It may not be what is filtered for any more, or stand elsewhere.
  await client.invalidateQueries({
    queryKey: serviceItemList.key,
    predicate: ({ queryKey }) => mayChange(queryKey.at(-1), change),
  });
  if (change.costCentre !== undefined)
    await client.invalidateQueries({ queryKey: serviceItemQueries.costCentres().queryKey });
  return saved;
}
