import type { AuditEventShown } from '@counterfoil/contract/operator/access/audit-trail.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ReceivedFile } from '../../lib/api/calls.ts';
import { consoleApi, getCursorPage } from '../../lib/api/console-api.ts';

const path = '/v1/admin/audit-events';

/** What the trail is narrowed by. */
export interface TrailFilter {
  readonly customer?: string;
  /** An e-mail address. */
  readonly user?: string;
  readonly action?: string;
  /** Days in UTC, the last one included: YYYY-MM-DD. */
  readonly since?: string;
  readonly until?: string;
}

const DAY_MS = 86_400_000;

const asked = ({ since, until, ...filter }: TrailFilter) => ({
  ...filter,
  since: since && `${since}T00:00:00Z`,
  until: until && new Date(Date.parse(until) + DAY_MS).toISOString(),
});

/** All lines of the filter as CSV, with the mark by which spreadsheets know UTF-8. */
export const exportTrail = (filter: TrailFilter): Promise<ReceivedFile> =>
  consoleApi.file(`${path}/export`, { query: { ...asked(filter), byteOrderMark: true } });

export const auditQueries = {
  list: (filter: TrailFilter) =>
    infiniteQueryOptions({
      queryKey: ['audit', filter],
      queryFn: ({ pageParam, signal }) =>
        getCursorPage<AuditEventShown>(path, {
          query: { ...asked(filter), limit: 50, cursor: pageParam },
          signal,
        }),
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
