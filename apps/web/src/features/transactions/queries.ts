import { transactionOrders } from '@counterfoil/contract/list-orders.ts';
import type {
  BillingPeriod,
  ExtraFieldLabel,
  Transaction,
  TransactionSums,
} from '@counterfoil/contract/transactions.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import type { ListSource } from '../../lib/lists/list-page.ts';
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
  sums: (period: string) =>
    queryOptions({
      queryKey: [...transactionQueries.all, 'sums', period],
      queryFn: ({ signal }) =>
        api.get<TransactionSums>('/v1/ec/transactions/sums', { signal, query: { period } }),
    }),
  extraLabels: () =>
    queryOptions({
      queryKey: [...transactionQueries.all, 'extra-labels'],
      queryFn: ({ signal }) => api.get<readonly ExtraFieldLabel[]>('/v1/ec/extra-fields/labels', { signal }),
    }),
};

/** The charges of a period, by the page. */
export const transactionList: ListSource = {
  key: [...transactionQueries.all, 'list'],
  path: '/v1/ec/transactions',
  orders: transactionOrders,
};

/** All charges of a period, for a file. */
export const fetchTransactions = (period: string) =>
  api.get<readonly Transaction[]>('/v1/ec/transactions', { query: { period } });
