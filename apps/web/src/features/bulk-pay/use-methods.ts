import type { PaymentDetails, SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { listPaths, methodQueries } from '../../paying/methods/queries.ts';

export interface Methods {
  /** Undefined: still loading. */
  readonly details: PaymentDetails | undefined;
  readonly saved: readonly SavedSource[] | undefined;
  readonly error: { readonly requestId: string | undefined; readonly retry: () => void } | undefined;
}

/** What the gateway offers and what the customer has saved there. */
export function useMethods(): Methods {
  const details = useQuery(methodQueries.details());
  const paths = details.data === undefined ? [] : listPaths(details.data);
  const lists = useQueries({ queries: paths.map((path) => methodQueries.list(path)) });
  const failed = [details, ...lists].find((query) => query.isError && query.data === undefined);
  const isComplete = details.data !== undefined && lists.every(({ data }) => data !== undefined);
  return {
    details: details.data,
    saved: isComplete ? lists.flatMap(({ data }) => data ?? []) : undefined,
    error: failed && { requestId: requestIdOf(failed.error), retry: () => void failed.refetch() },
  };
}
