import type { Agreement } from '@counterfoil/contract/transactions.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/api.ts';

/** The customer's agreements, the oldest first; loaded once for all pages. */
export const agreementsQuery = () =>
  queryOptions({
    queryKey: ['agreements'] as const,
    queryFn: ({ signal }) => api.get<readonly Agreement[]>('/v1/ec/agreements', { signal }),
  });
