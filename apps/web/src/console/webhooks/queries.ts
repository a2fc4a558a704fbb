import type { WebhookEvent } from '@counterfoil/contract/operator/running/webhook-events.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { consoleApi, getCursorPage } from '../../lib/api/console-api.ts';

const path = '/v1/admin/webhook-events';
const ofEvent = (id: string) => `${path}/${encodeURIComponent(id)}`;

/** What the list is narrowed by. */
export interface EventFilter {
  readonly state?: WebhookEvent['state'];
}

export const eventQueries = {
  list: (filter: EventFilter) =>
    infiniteQueryOptions({
      queryKey: ['events', filter],
      queryFn: ({ pageParam, signal }) =>
        getCursorPage<WebhookEvent>(path, { query: { ...filter, limit: 50, cursor: pageParam }, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      staleTime: 0,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ['event', id],
      queryFn: ({ signal }) => consoleApi.get<WebhookEvent>(ofEvent(id), { signal }),
      staleTime: 0,
      // One that is due is followed up within seconds.
      refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? 3_000 : false),
    }),
};

export const retry = (id: string) => consoleApi.post<WebhookEvent>(`${ofEvent(id)}/retry`);

export const dismiss = (id: string, note: string) =>
  consoleApi.post<WebhookEvent>(`${ofEvent(id)}/dismiss`, { note });
