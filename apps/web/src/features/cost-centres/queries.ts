import type {
  CostCentreAllocation,
  CostCentreChange,
  CostCentreChanged,
  CostCentreSummary,
  CostCentreUndone,
} from '@counterfoil/contract/cost-centres.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { serviceItemQueries } from '../../shared/service-items/queries.ts';

/** What the server holds about cost centres. A change anywhere makes all of it stale. */
export const costCentreQueries = {
  all: ['cost-centres'] as const,
  changes: () =>
    queryOptions({
      queryKey: [...costCentreQueries.all, 'changes'],
      queryFn: ({ signal }) =>
        api.get<readonly CostCentreChange[]>('/v1/ec/cost-centres/changes', { signal }),
      // Colleagues change allocations too.
      staleTime: 0,
    }),
  summary: (dateFrom: string, dateTo: string) =>
    queryOptions({
      queryKey: [...costCentreQueries.all, 'summary', dateFrom, dateTo],
      queryFn: ({ signal }) =>
        api.get<CostCentreSummary>('/v1/ec/cost-centres/summary', {
          signal,
          query: { dateFrom, dateTo },
        }),
      staleTime: 0,
    }),
};

/** Sets many items at once, and loads again what that changed. */
export async function allocateItems(
  client: QueryClient,
  allocation: CostCentreAllocation,
): Promise<CostCentreChanged> {
  const changed = await api.put<CostCentreChanged>('/v1/ec/cost-centres', allocation);
  await loadAgain(client);
  return changed;
}

/** Gives the items of a change back what they had. */
export async function undoChange(client: QueryClient, id: string): Promise<CostCentreUndone> {
  const undone = await api.post<CostCentreUndone>(
    `/v1/ec/cost-centres/changes/${encodeURIComponent(id)}/undo`,
  );
  await loadAgain(client);
  return undone;
}

/** A failure to load is told by the query itself: the change is made all the same. */
const loadAgain = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    client.invalidateQueries({ queryKey: serviceItemQueries.all }),
    client.invalidateQueries({ queryKey: serviceItemQueries.costCentres().queryKey }),
    client.invalidateQueries({ queryKey: costCentreQueries.all }),
  ]);
