import type {
  AutoPayRow,
  AutoPayRun,
  ForeseenCharge,
} from '@counterfoil/contract/operator/paying/auto-pay-runs.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type CursorPage, consoleApi, getCursorPage } from '../../lib/api/console-api.ts';

const path = '/v1/admin/auto-pay';

/** Which runs are shown, as the address keeps it. */
export interface RunFilter {
  readonly brand?: number;
  /** The last twelve months in the place of the last 31 days. */
  readonly days?: 'year';
}

export interface RowFilter {
  readonly brand?: number;
  readonly outcome?: AutoPayRow['outcome'];
}

/** A page of the preview, with the moment that it looks at. */
export interface PreviewPage extends CursorPage<ForeseenCharge> {
  readonly at: string;
}

/** A run with what a list knows a row by. */
export interface ListedRun extends AutoPayRun {
  readonly id: string;
}

/** An invoice of a run; one may be decided about twice on a day. */
export interface ListedRow extends AutoPayRow {
  readonly id: string;
}

const yearAgo = (): string => new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10);

export const autoPayQueries = {
  /** All of the days in one page. */
  runs: ({ brand, days }: RunFilter) =>
    infiniteQueryOptions({
      queryKey: ['auto-pay', 'runs', { brand, days }],
      queryFn: async ({ signal }): Promise<CursorPage<ListedRun>> => {
        const from = days === 'year' ? yearAgo() : undefined;
        const runs = await consoleApi.get<readonly AutoPayRun[]>(`${path}/runs`, {
          query: { brand, from },
          signal,
        });
        return { data: runs.map((run) => Object.assign({ id: run.day }, run)), nextCursor: null };
      },
      initialPageParam: undefined as string | undefined,
      getNextPageParam: () => undefined,
      staleTime: 0,
    }),
  run: (day: string, brand: number | undefined) =>
    queryOptions({
      queryKey: ['auto-pay', 'run', day, { brand }],
      queryFn: async ({ signal }) =>
        (
          await consoleApi.get<readonly AutoPayRun[]>(`${path}/runs`, {
            query: { from: day, to: day, brand },
            signal,
          })
        )[0] ?? null,
      staleTime: 0,
    }),
  rows: (day: string, filter: RowFilter) =>
    infiniteQueryOptions({
      queryKey: ['auto-pay', 'rows', day, filter],
      queryFn: async ({ pageParam, signal }): Promise<CursorPage<ListedRow>> => {
        const { data, nextCursor } = await getCursorPage<AutoPayRow>(`${path}/runs/${day}`, {
          query: { ...filter, limit: 50, cursor: pageParam },
          signal,
        });
        return {
          data: data.map((row) => Object.assign({ id: `${row.invoiceId} ${row.at}` }, row)),
          nextCursor,
        };
      },
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      staleTime: 0,
    }),
  /** What the next run would do; the pages after the first look at the moment of the first. */
  preview: () =>
    infiniteQueryOptions({
      queryKey: ['auto-pay', 'preview'],
      queryFn: async ({ pageParam, signal }) => {
        const query = { ...pageParam, limit: 200 };
        const page = (await getCursorPage<ForeseenCharge>(`${path}/preview`, {
          query,
          signal,
        })) as PreviewPage;
        return { at: page.at, nextCursor: page.nextCursor, data: page.data.map(withId) };
      },
      initialPageParam: {} as { readonly at?: string; readonly cursor?: string },
      getNextPageParam: ({ at, nextCursor }) =>
        nextCursor === null ? undefined : { at, cursor: nextCursor },
      staleTime: 0,
    }),
};

const withId = (row: ForeseenCharge) => Object.assign({ id: row.invoiceId }, row);
