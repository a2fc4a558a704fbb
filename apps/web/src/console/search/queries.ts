import type { SearchResults } from '@counterfoil/contract/operator/customers/search.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { consoleApi } from '../../lib/api/console-api.ts';

/** As many of each kind as are listed beside the others. */
const LISTED = 5;
/** As many of one kind as are counted and listed by themselves. */
export const MOST_COUNTED = 100;
/** Shorter than this nothing is looked for. */
export const LEAST_TYPED = 2;

/** What begins as was typed; what was found before stays until that is known. */
export const searchQuery = (q: string, limit = LISTED) =>
  queryOptions({
    queryKey: ['search', q, limit],
    queryFn: ({ signal }) =>
      consoleApi.get<SearchResults>('/v1/admin/search', { query: { q, limit }, signal }),
    enabled: q.length >= LEAST_TYPED,
    staleTime: 10_000,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
