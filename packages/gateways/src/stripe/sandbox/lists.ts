/** Lists, newest first. https://docs.stripe.com/api/pagination */
import type { Collection } from '@counterfoil/sandbox/store.ts';
import { missing } from './errors.ts';
import { visible } from './render.ts';

export interface Paging {
  readonly limit?: number | undefined;
  readonly starting_after?: string | undefined;
  readonly ending_before?: string | undefined;
}

export interface Range {
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
}

export function isWithin(created: number, range: Range | undefined): boolean {
  if (range === undefined) return true;
  return (
    created > (range.gt ?? -1) &&
    created >= (range.gte ?? 0) &&
    created < (range.lt ?? Number.POSITIVE_INFINITY) &&
    created <= (range.lte ?? Number.POSITIVE_INFINITY)
  );
}

/** One page of a collection's values that fit. */
export function listOf<T extends { readonly id: string }>(
  url: string,
  all: Collection<T>,
  paging: Paging,
  fits: (value: T) => boolean,
): Record<string, unknown> {
  const limit = paging.limit ?? 10;
  for (const param of ['starting_after', 'ending_before'] as const) {
    const cursor = paging[param];
    if (cursor !== undefined && all.get(cursor) === undefined) throw missing('object', cursor, param);
  }
  const page: T[] = [];
  let passed = paging.starting_after === undefined;
  let hasMore = false;
  for (const value of all.newest()) {
    if (value.id === paging.ending_before) break;
    if (passed && fits(value)) {
      // Before a cursor the page ends at the cursor, so the oldest of the newer ones are wanted.
      if (page.length === limit && paging.ending_before === undefined) {
        hasMore = true;
        break;
      }
      page.push(value);
      if (page.length > limit) {
        page.shift();
        hasMore = true;
      }
    }
    if (value.id === paging.starting_after) passed = true;
  }
  return { object: 'list', data: page.map((value) => visible(value)), has_more: hasMore, url };
}
