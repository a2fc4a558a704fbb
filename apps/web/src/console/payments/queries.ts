import type {
  AdminPayment,
  AdminPaymentStory,
  PaymentResolution,
} from '@counterfoil/contract/operator/paying/admin-payments.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { consoleApi, getCursorPage } from '../../lib/api/console-api.ts';

const path = '/v1/admin/payments';
const ofPayment = (id: string): string => `${path}/${encodeURIComponent(id)}`;

/** What the list is narrowed by. */
export interface PaymentFilter {
  readonly customer?: string;
  /** Only those whose end is not known, or whose loss was not seen to. */
  readonly waiting?: 'true';
}

export const paymentQueries = {
  list: (filter: PaymentFilter) =>
    infiniteQueryOptions({
      queryKey: ['payments', filter],
      queryFn: ({ pageParam, signal }) =>
        getCursorPage<AdminPayment>(path, { query: { ...filter, limit: 50, cursor: pageParam }, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      staleTime: 0,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ['payment', id],
      queryFn: ({ signal }) => consoleApi.get<AdminPaymentStory>(ofPayment(id), { signal }),
      staleTime: 0,
    }),
};

/** Asks the gateway what became of a payment. */
export const lookUp = (id: string) => consoleApi.post<AdminPaymentStory>(`${ofPayment(id)}/look-up`);

/** @param key the same for every try of one order, so that it is made once */
export const refund = (id: string, body: { readonly amount: string; readonly note: string }, key: string) =>
  consoleApi.post<AdminPayment>(`${ofPayment(id)}/refunds`, body, { headers: { 'idempotency-key': key } });

export const resolve = (id: string, body: PaymentResolution) =>
  consoleApi.post<AdminPaymentStory>(`${ofPayment(id)}/resolve`, body);
