import { queryOptions } from '@tanstack/react-query';
import type { GridState } from '../../ui/data/grid/grid-types.ts';
import { api } from '../api/api.ts';
import type { QueryValue } from '../api/calls.ts';

/** Given by the specification (portal §9). */
export const LIST_SIZE = 25;
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
export type LookAgain<Row> = (rows: readonly Row[]) => number | false;
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
