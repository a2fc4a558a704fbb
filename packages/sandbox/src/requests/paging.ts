/** Pages of a collection, newest first, by cursors that are ids. */
import type { Collection } from '../store.ts';

export interface Page<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/**
 * One page of the values that fit.
 * @param about.after id after which the page begins (older values)
 * @param about.before id before which the page ends (newer values)
 */
export function pageOf<T extends { readonly id: string }>(
  all: Collection<T>,
  about: {
    readonly limit: number;
    readonly after?: string | undefined;
    readonly before?: string | undefined;
  },
  fits: (value: T) => boolean,
): Page<T> {
  const items: T[] = [];
  let passed = about.after === undefined;
  let hasMore = false;
  for (const value of all.newest()) {
    if (value.id === about.before) break;
    if (passed && fits(value)) {
      // Before a cursor the page ends at the cursor, so the oldest of the newer ones are wanted.
      if (items.length === about.limit && about.before === undefined) {
        hasMore = true;
        break;
      }
      items.push(value);
      if (items.length > about.limit) {
        items.shift();
        hasMore = true;
      }
    }
    if (value.id === about.after) passed = true;
  }
  return { items, hasMore };
}
