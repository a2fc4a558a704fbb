import type { Jobs } from '@counterfoil/contract/operator/running/installation.ts';
import { queryOptions } from '@tanstack/react-query';
import { consoleApi } from '../../lib/api/console-api.ts';

const path = '/v1/admin/jobs';

export const jobsQuery = queryOptions({
  queryKey: ['jobs'],
  queryFn: ({ signal }) => consoleApi.get<Jobs>(path, { signal }),
  refetchInterval: 10_000,
  staleTime: 0,
  meta: { quiet: true },
});

export const retryJob = (id: string) => consoleApi.post<void>(`${path}/${encodeURIComponent(id)}/retry`);

export const dropJob = (id: string, note: string) =>
  consoleApi.post<void>(`${path}/${encodeURIComponent(id)}/drop`, { note });

export const runRound = (name: string) =>
  consoleApi.post<void>(`/v1/admin/rounds/${encodeURIComponent(name)}/run`);
