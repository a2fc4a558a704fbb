import {
  type RecordType,
  type UsageOrder,
  type UsagePage,
  type UsageRecord,
  type UsageSummary,
  usagePageSizes,
} from '@counterfoil/contract/usage.ts';
import type { Day } from '@counterfoil/domain/time/day.ts';
import type { Period } from '@counterfoil/domain/time/period.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import type { ReceivedFile } from '../../lib/api/calls.ts';
import { PAPER_ROWS } from '../../ui/data/grid/grid-model.ts';
import type { UsageFilter } from './usage-filter.ts';

/** Whoever leaves a page comes back to it soon or never; thousands of pages are not kept. */
const KEPT_MS = 600_000;

/** A page of a filter in an order; pages are counted from 1. */
export interface PageRequest extends UsageFilter {
  readonly order: UsageOrder;
  readonly orderDirection: 'asc' | 'desc';
  readonly pageNumber: number;
  readonly pageSize: number;
}

/** A page that knows which one it is: while another is on its way, this one still stands there. */
export interface LoadedPage extends UsagePage {
  /** Place of its first record, from 1. */
  readonly first: number;
}

/** Sums that know which days they are of, for the same reason. */
export interface LoadedSummary extends UsageSummary {
  readonly range: Period;
}

/** The server understood what was asked for and will not do it: its words say why, and no banner is needed. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  (error.status === 400 || error.status === 404 || error.code.startsWith('usage.'));

/** Why the server would not, in its own words as a sentence; undefined for failures of another kind. */
export const refusalOf = (error: unknown): string | undefined =>
  isRefusal(error) ? `${error.message.replace(/\.$/, '')}.` : undefined;

/** What the server holds about usage. */
export const usageQueries = {
  all: ['usage'] as const,
  recordTypes: () =>
    queryOptions({
      queryKey: [...usageQueries.all, 'record-types'],
      queryFn: ({ signal }) => api.get<readonly RecordType[]>('/v1/ec/record-types', { signal }),
    }),
  page: (request: PageRequest) =>
    queryOptions({
      queryKey: [...usageQueries.all, 'page', request],
      queryFn: async ({ signal }): Promise<LoadedPage> => ({
        ...(await api.get<UsagePage>('/v1/ec/usage', { signal, query: { ...request } })),
        first: (request.pageNumber - 1) * request.pageSize + 1,
      }),
      gcTime: KEPT_MS,
      meta: { quiet: isRefusal },
    }),
  /** The first records of a filter, as many as paper holds, in the order of the screen. */
  paper: (request: Omit<PageRequest, 'pageNumber' | 'pageSize'>) =>
    queryOptions({
      queryKey: [...usageQueries.all, 'paper', request],
      queryFn: async ({ signal }): Promise<readonly UsageRecord[]> => {
        const pageSize = Math.max(...usagePageSizes);
        const records: UsageRecord[] = [];
        for (let pageNumber = 1; records.length < PAPER_ROWS; pageNumber += 1) {
          const query = { ...request, pageNumber, pageSize };
          const page = await api.get<UsagePage>('/v1/ec/usage', { signal, query });
          records.push(...page.endUsageDetails);
          if (page.endUsageDetails.length < pageSize) break;
        }
        return records;
      },
      gcTime: KEPT_MS,
      meta: { quiet: isRefusal },
    }),
  summary: (filter: UsageFilter) =>
    queryOptions({
      queryKey: [...usageQueries.all, 'summary', filter],
      queryFn: async ({ signal }): Promise<LoadedSummary> => ({
        ...(await api.get<UsageSummary>('/v1/ec/usage/summary', { signal, query: { ...filter } })),
        range: { start: filter.dateFrom as Day, end: filter.dateTo as Day },
      }),
      gcTime: KEPT_MS,
      meta: { quiet: isRefusal },
    }),
};

/** All records of a filter as CSV, in the order of the screen. */
export const fetchUsage = (
  { dateFrom, dateTo, ...filter }: UsageFilter,
  sort: Pick<PageRequest, 'order' | 'orderDirection'>,
  { byteOrderMark, signal }: { readonly byteOrderMark: boolean; readonly signal: AbortSignal },
): Promise<ReceivedFile> => {
  const parameters = {
    startDate: `${dateFrom} 00:00:00`,
    endDate: `${dateTo} 23:59:59`,
    ...(filter.agreement !== undefined && { agreementId: filter.agreement }),
    ...(filter.service !== undefined && { serviceId: filter.service }),
    ...(filter.recordType !== undefined && { recordTypeId: filter.recordType }),
    ...(filter.serviceItem !== undefined && { serviceItemId: filter.serviceItem }),
    ...(filter.number !== undefined && { number: filter.number }),
    ...sort,
    byteOrderMark,
  };
  return api.postFile('/v1/ec/usage/download', { parameters }, { signal });
};
