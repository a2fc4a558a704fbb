import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { PAPER_ROWS } from '../../ui/data/grid/grid-model.ts';
import type { GridPaging, GridState } from '../../ui/data/grid/grid-types.ts';
import { requestIdOf } from '../api/api-error.ts';
import type { Page } from '../api/calls.ts';
import {
  LIST_SIZE,
  type ListQuery,
  type ListSource,
  type LookAgain,
  listPage,
  listQuery,
} from './list-page.ts';

/** What paper holds of longer lists is not fetched ahead: there it is the page shown. */
const FETCHED_AHEAD_MOST = 5_000;

export interface PagedListOptions<Row> {
  readonly source: ListSource;
  readonly state: GridState;
  /** Beside page and order. */
  readonly filter?: ListQuery;
  readonly size?: number;
  /** Not yet known what to ask for. */
  readonly enabled?: boolean;
  readonly lookAgain?: LookAgain<Row>;
}

/** The page that a grid shows, with what the grid needs about it. */
export interface PagedList<Row> {
  /** Undefined: still loading. */
  readonly rows: readonly Row[] | undefined;
  readonly total: number | undefined;
  readonly paging: GridPaging;
  /** The rows are not those that were asked for; these are on their way. */
  readonly stale: boolean;
  /** As many of the first rows as paper holds. */
  readonly onPaper: readonly Row[] | undefined;
  readonly error: { readonly requestId: string | undefined; readonly retry: () => void } | undefined;
}

/** Reads a list by the page: the page before stands, dimmed, until the next one is there. */
export function usePagedList<Row>(options: PagedListOptions<Row>): PagedList<Row> {
  const { source, state, filter, size = LIST_SIZE, enabled = true, lookAgain } = options;
  const query = { ...filter, ...listQuery(state, source.orders, size) };
  const page = useQuery({
    ...listPage<Row>(source, query, lookAgain),
    enabled,
    placeholderData: keepPreviousData<Page<Row>>,
  });
  const total = page.data?.totalCount ?? 0;
  const sheet = useQuery({
    ...listPage<Row>(source, { ...query, limit: PAPER_ROWS, offset: 0 }),
    enabled: enabled && !page.isPlaceholderData && total > size && total <= FETCHED_AHEAD_MOST,
    meta: { quiet: true },
  });
  return {
    rows: page.data?.data,
    total: page.data?.totalCount,
    paging: { mode: 'server', size, total },
    stale: page.isPlaceholderData,
    onPaper: sheet.data?.data,
    error:
      page.isError && page.data === undefined
        ? { requestId: requestIdOf(page.error), retry: () => void page.refetch() }
        : undefined,
  };
}
