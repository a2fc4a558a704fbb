import type { Report, ReportJob, ReportRequest, ReportStatusAnswer } from '@counterfoil/contract/reports.ts';
import type { Service } from '@counterfoil/contract/service-items.ts';
import { isFinished } from '@counterfoil/domain/report-job.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { POLL_MS } from './report-run.ts';

const hasUnfinished = (jobs: readonly ReportJob[] | undefined): boolean =>
  jobs?.some(({ status }) => !isFinished(status)) ?? false;

export const reportQueries = {
  /** Loaded once. */
  list: () =>
    queryOptions({
      queryKey: ['reports', 'list'],
      queryFn: ({ signal }) => api.get<readonly Report[]>('/v1/ec/reports', { signal }),
    }),
  /** What was asked for, newest first: again at each visit, and while something is being made. */
  jobs: () =>
    queryOptions({
      queryKey: ['reports', 'jobs'],
      queryFn: ({ signal }) => api.get<readonly ReportJob[]>('/v1/ec/reports/jobs', { signal }),
      staleTime: 0,
      refetchInterval: ({ state }) => (hasUnfinished(state.data) ? POLL_MS : false),
      // One look that fails is made up for by the next; the list says when there is none.
      meta: { quiet: true },
    }),
  services: () =>
    queryOptions({
      queryKey: ['reports', 'services'],
      queryFn: ({ signal }) => api.get<readonly Service[]>('/v1/ec/services', { signal }),
    }),
};

export const startReport = (request: ReportRequest) =>
  api.post<{ readonly reportId: string }>('/v1/ec/reports', request);

export const fetchReportStatus = (id: string, signal: AbortSignal) =>
  api.get<ReportStatusAnswer>(`/v1/ec/reports/status/${encodeURIComponent(id)}`, { signal });

/** The file of a finished report. */
export const fetchReportFile = (path: string, signal?: AbortSignal) =>
  api.file(`/v1/ec/reports/blob/${encodeURIComponent(path)}`, { signal });
