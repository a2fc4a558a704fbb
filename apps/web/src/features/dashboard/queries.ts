import type {
  Bundle,
  Credit,
  JasperUsage,
  NextBill,
  OpeningBalance,
} from '@counterfoil/contract/dashboard.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';

/** What the server holds for the dashboard beside invoices; loaded once. */
export const dashboardQueries = {
  all: ['dashboard'] as const,
  openingBalance: () =>
    queryOptions({
      queryKey: [...dashboardQueries.all, 'opening-balance'],
      queryFn: ({ signal }) => api.get<OpeningBalance>('/v1/ec/opening-balance', { signal }),
    }),
  credit: () =>
    queryOptions({
      queryKey: [...dashboardQueries.all, 'credit'],
      queryFn: ({ signal }) => api.get<readonly Credit[]>('/v1/ec/credit', { signal }),
    }),
  /** Data used in the latest five periods, oldest first. */
  dataUsage: () =>
    queryOptions({
      queryKey: [...dashboardQueries.all, 'data-usage'],
      queryFn: ({ signal }) => api.get<readonly JasperUsage[]>('/v1/ec/jasper-usage', { signal }),
    }),
  bundles: () =>
    queryOptions({
      queryKey: [...dashboardQueries.all, 'bundles'],
      queryFn: ({ signal }) => api.get<readonly Bundle[]>('/v1/ec/bundle-widget', { signal }),
    }),
  nextBill: () =>
    queryOptions({
      queryKey: [...dashboardQueries.all, 'next-bill'],
      queryFn: ({ signal }) => api.get<NextBill>('/v1/ec/next-bill', { signal }),
    }),
};
