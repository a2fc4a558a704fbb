import * as z from 'zod/mini';
import { LIST_IDS_MAX, LIST_SEARCH_MAX } from './list-orders.ts';

/** Rows of a page whose size is not named. */
export const LIST_PAGE_SIZE = 25;
/** The most rows of one page. */
export const LIST_PAGE_MAX = 1000;

const MOST = 1_000_000_000;
const whole = (least: number, most: number) =>
  z.optional(z.coerce.number().check(z.int(), z.minimum(least), z.maximum(most)));

/** What is looked for; empty means all, as a missing one does. */
export const searchText = z.optional(
  z.pipe(
    z.string().check(z.trim(), z.maxLength(LIST_SEARCH_MAX)),
    z.transform((text) => (text === '' ? undefined : text)),
  ),
);

/** Ids with commas between them: only these rows of a list. */
export const rowIds = z.optional(
  z.pipe(
    z.string().check(z.maxLength(LIST_IDS_MAX * 37)),
    z.pipe(
      z.transform((text: string) => text.split(',')),
      z.array(z.uuid()).check(z.maxLength(LIST_IDS_MAX)),
    ),
  ),
);

/**
 * Which page of a list, by number and size or by limit and offset, which win; in what direction, and what is searched for. With
 * any of a list's parameters the answer is a page, without them the whole list.
 */
export const listPaging = z.object({
  pageNumber: whole(1, MOST),
  pageSize: whole(1, LIST_PAGE_MAX),
  limit: whole(1, LIST_PAGE_MAX),
  offset: whole(0, MOST),
  orderDirection: z.optional(z.enum(['asc', 'desc'])),
  search: searchText,
});
export type ListPaging = z.infer<typeof listPaging>;

/** The rows of a page: how many, and how many stand before them. */
export interface ListWindow {
  readonly limit: number;
  readonly offset: number;
}

export function windowOf({ pageNumber = 1, pageSize, limit, offset }: ListPaging): ListWindow {
  const size = limit ?? pageSize ?? LIST_PAGE_SIZE;
  return { limit: size, offset: offset ?? (pageNumber - 1) * size };
}

/** Whether a page was asked for. @param query without what the list has whole, too */
export const asksForPage = (query: object): boolean =>
  Object.values(query).some((value) => value !== undefined);
