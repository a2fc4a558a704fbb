import type {
  EndpointMade,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
} from '@counterfoil/contract/operator/running/webhook-endpoints.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { consoleApi, getCursorPage, getWithState, patch } from '../../../lib/api/console-api.ts';

const path = '/v1/admin/webhook-endpoints';
const of = (id: string) => `${path}/${encodeURIComponent(id)}`;
const ofMessage = (id: string, messageId: string) => `${of(id)}/deliveries/${encodeURIComponent(messageId)}`;

/** What the deliveries are narrowed by. */
export interface DeliveryFilter {
  readonly state?: WebhookDelivery['state'];
}

/** A row of deliveries has the id of its message. */
export type ListedDelivery = WebhookDelivery & { readonly id: string };

/** While something is on its way, a page looks again. */
const LOOK_AGAIN_MS = 4_000;

export const outgoingQueries = {
  all: () =>
    queryOptions({
      queryKey: ['endpoints'],
      queryFn: ({ signal }) => consoleApi.get<readonly WebhookEndpoint[]>(path, { signal }),
      staleTime: 0,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ['endpoints', id],
      queryFn: ({ signal }) => getWithState<WebhookEndpoint>(of(id), signal),
      staleTime: 0,
      refetchInterval: ({ state }) => ((state.data?.data.waiting ?? 0) > 0 ? LOOK_AGAIN_MS : false),
    }),
  deliveries: (id: string, filter: DeliveryFilter) =>
    infiniteQueryOptions({
      queryKey: ['endpoints', id, 'deliveries', filter],
      queryFn: async ({ pageParam, signal }) => {
        const query = { ...filter, limit: 50, cursor: pageParam };
        const page = await getCursorPage<WebhookDelivery>(`${of(id)}/deliveries`, { query, signal });
        const data = page.data.map((row): ListedDelivery => Object.assign({ id: row.messageId }, row));
        return { ...page, data };
      },
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      staleTime: 0,
    }),
  delivery: (id: string, messageId: string) =>
    queryOptions({
      queryKey: ['endpoints', id, 'delivery', messageId],
      queryFn: ({ signal }) => consoleApi.get<WebhookDeliveryDetail>(ofMessage(id, messageId), { signal }),
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? LOOK_AGAIN_MS : false),
    }),
};

/** What is typed of an endpoint. */
export interface EndpointValues {
  readonly url: string;
  readonly description: string;
  readonly types: readonly string[];
}

export const addEndpoint = (values: EndpointValues) => consoleApi.post<EndpointMade>(path, values);

/** @param state the one that was read */
export const changeEndpoint = (
  id: string,
  change: Partial<EndpointValues> | { readonly state: WebhookEndpoint['state'] },
  state: string,
) => patch<WebhookEndpoint>(of(id), change, state);

export const removeEndpoint = (id: string) => consoleApi.delete<undefined>(of(id));

export const testEndpoint = (id: string) => consoleApi.post<WebhookDelivery>(`${of(id)}/test`);

export const rotateSecret = (id: string, overlapHours: number) =>
  consoleApi.post<EndpointMade>(`${of(id)}/rotate-secret`, { overlapHours });

export const redeliver = (id: string, messageId: string) =>
  consoleApi.post<WebhookDelivery>(`${ofMessage(id, messageId)}/redeliver`);

/** Sends again whatever was given up and is still kept. */
export const redeliverAll = (id: string) =>
  consoleApi.post<{ readonly count: number }>(`${of(id)}/redeliver`, { since: '2000-01-01T00:00:00Z' });
