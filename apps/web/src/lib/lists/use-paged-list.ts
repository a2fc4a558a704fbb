import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { PAPER_ROWS } from '../../ui/data/grid/grid-model.ts';
import type { GridPaging, GridState } from '../../ui/data/grid/grid-types.ts';
import { api } from '../api/api.ts';
import { requestIdOf } from '../api/api-error.ts';
import type { Page, QueryValue } from '../api/calls.ts';

/** Given by the specification (portal §9). */
export const LIST_SIZE = 25;
/** What paper holds of longer lists is not fetched ahead: there it is the page shown. */
const FETCHED_AHEAD_MOST = 5_000;
/** Whoever leaves a page comes back to it soon or never; thousands of pages are not kept. */
const KEPT_MS = 600_000;

export type ListQuery = Readonly<Record<string, QueryValue>>;

/** A list that the server pages, sorts and searches. */
export interface ListSource {
  /** Below it lie its pages; what changes the list invalidates it. */
  readonly key: readonly unknown[];
  readonly path: string;
  /** What the server sorts by. */
  readonly orders: readonly string[];
}

/** Milliseconds until a page is looked at again; false: it is as long as it stands. */
type LookAgain<Row> = (rows: readonly Row[]) => number | false;
const never = () => false as const;

/** Rows of a list: `limit` of them from `offset`. */
export const listPage = <Row>(
  { key, path }: Pick<ListSource, 'key' | 'path'>,
  query: ListQuery,
  lookAgain: LookAgain<Row> = never,
) =>
  queryOptions({
    queryKey: [...key, 'page', query],
    queryFn: ({ signal }) => api.getPage<Row>(path, { signal, query }),
    gcTime: KEPT_MS,
    refetchInterval: ({ state: { data } }) => data !== undefined && lookAgain(data.data),
  });

/** Which rows a grid's state means; an order that the server does not know is none. */
export function listQuery({ sort, page }: GridState, orders: readonly string[], size = LIST_SIZE): ListQuery {
  const isKnown = sort !== null && orders.includes(sort.column);
  return {
    ...(isKnown && { order: sort.column, orderDirection: sort.direction }),
    limit: size,
    offset: (page - 1) * size,
  };
}

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
