import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api/api-error.ts';
import { SignedOut } from './api/refresh.ts';
import { reportFailure } from './error-banner.ts';

/**
 * Loaded data sets are kept for the life of the page and not fetched again (specification, portal §4); a payment,
 * a customer switch or 'Try again' invalidates them. A query that is meant to fail quietly says
 * `meta: { quiet: true }`; one that some failures are answers to says `meta: { quiet: (error) => … }`.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!(error instanceof SignedOut) && !isQuiet(query.meta?.['quiet'], error)) reportFailure(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
        retry: (failures, error) => failures < 2 && error instanceof ApiError && error.isPassing,
        retryDelay: (failures) => 500 * 2 ** failures,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

const isQuiet = (quiet: unknown, error: unknown): boolean =>
  quiet === true || (typeof quiet === 'function' && quiet(error) === true);
