import type { PaymentDetails, SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { listPaths, methodQueries } from '../../paying/methods/queries.ts';

export interface Methods {
  readonly details: PaymentDetails | undefined;
  /** The oldest first; undefined: still loading. */
  readonly cards: readonly SavedSource[] | undefined;
  readonly accounts: readonly SavedSource[] | undefined;
  readonly error: { readonly requestId: string | undefined; readonly retry: () => void } | undefined;
  /** Loads the lists again; resolves when they are there, also when that failed. */
  readonly refresh: () => Promise<void>;
}

/** What the gateway can do and what is saved there, as the server knows it. */
export function useMethods(): Methods {
  const client = useQueryClient();
  const details = useQuery(methodQueries.details());
  const paths = details.data === undefined ? [] : listPaths(details.data);
  const lists = useQueries({ queries: paths.map((path) => methodQueries.list(path)) });
  const failed = [details, ...lists].filter((query) => query.isError && query.data === undefined);
  const isLoaded = details.data !== undefined && lists.every(({ data }) => data !== undefined);
  const sources = lists.flatMap(({ data }) => data ?? []);
  return {
    details: details.data,
    cards: isLoaded ? sources.filter(({ kind }) => kind === 'card') : undefined,
    accounts: isLoaded ? sources.filter(({ kind }) => kind === 'bank') : undefined,
    error:
      failed[0] === undefined
        ? undefined
        : {
            requestId: requestIdOf(failed[0].error),
            retry: () => {
              for (const query of failed) void query.refetch();
            },
          },
    refresh: () =>
      client.invalidateQueries({ queryKey: [...methodQueries.all, 'list'] }).catch(() => undefined),
  };
}
