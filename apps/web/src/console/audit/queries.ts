import type { AuditEventShown } from '@counterfoil/contract/operator/audit-trail.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { getCursorPage } from '../../lib/api/console-api.ts';

/** What the trail is narrowed by. */
export interface TrailFilter {
  readonly customer?: string;
  /** An e-mail address. */
  readonly user?: string;
}

const path = '/v1/admin/audit-events';

export const auditQueries = {
  list: (filter: TrailFilter) =>
    infiniteQueryOptions({
      queryKey: ['audit', filter],
      queryFn: ({ pageParam, signal }) =>
        getCursorPage<AuditEventShown>(path, { query: { ...filter, limit: 50, cursor: pageParam }, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      staleTime: 0,
    }),
  ofCustomer: (customer: string) =>
    queryOptions({
      queryKey: ['customer', customer, 'audit'],
      queryFn: ({ signal }) =>
        getCursorPage<AuditEventShown>(path, { query: { customer, limit: 10 }, signal }),
      staleTime: 0,
    }),
};
