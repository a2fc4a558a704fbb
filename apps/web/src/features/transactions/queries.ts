import type { BillingPeriod, ExtraFieldLabel, Transaction } from '@counterfoil/contract/transactions.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { agreementsQuery } from '../../lib/values/agreements.ts';

/** What the server holds about transactions; loaded once. */
export const transactionQueries = {
  all: ['transactions'] as const,
  agreements: agreementsQuery,
  /** Billing periods of an agreement, newest first. */
  periods: (agreementId: string) =>
    queryOptions({
      queryKey: [...transactionQueries.all, 'periods', agreementId],
      queryFn: ({ signal }) =>
        api.get<readonly BillingPeriod[]>(`/v1/ec/billing-periods/${encodeURIComponent(agreementId)}`, {
          signal,
        }),
    }),
  list: (period: string) =>
    queryOptions({
      queryKey: [...transactionQueries.all, 'list', period],
      queryFn: ({ signal }) =>
        api.get<readonly Transaction[]>('/v1/ec/transactions', { signal, query: { period } }),
    }),
  extraLabels: () =>
    queryOptions({
      queryKey: [...transactionQueries.all, 'extra-labels'],
      queryFn: ({ signal }) => api.get<readonly ExtraFieldLabel[]>('/v1/ec/extra-fields/labels', { signal }),
    }),
};
