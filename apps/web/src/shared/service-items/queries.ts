import type { Service, ServiceItem, ServiceItemChange } from '@counterfoil/contract/service-items.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';

/** The customer's services and their items; loaded once, and again after a change of many. */
export const serviceItemQueries = {
  all: ['service-items'] as const,
  services: () =>
    queryOptions({
      queryKey: ['services'] as const,
      queryFn: ({ signal }) => api.get<readonly Service[]>('/v1/ec/services', { signal }),
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

/** Changes one item, and shows the answer wherever the item stands. */
export async function saveServiceItem(
  client: QueryClient,
  id: string,
  change: ServiceItemChange,
): Promise<ServiceItem> {
  const saved = await api.put<ServiceItem>(`/v1/ec/service-items/${encodeURIComponent(id)}`, change);
  client.setQueriesData<readonly ServiceItem[]>({ queryKey: serviceItemQueries.all }, (items) =>
    items?.map((item) => (item.id === id ? saved : item)),
  );
  return saved;
}
