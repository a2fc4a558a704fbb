/** Parameters of every call, and lists, newest first. https://docs.stripe.com/api/pagination */
import { pageOf } from '@counterfoil/sandbox/paging.ts';
import { group, id, list, metadataRule, type Rule, whole } from '@counterfoil/sandbox/params.ts';
import type { Collection } from '@counterfoil/sandbox/store.ts';
import { invalid, missing } from './errors.ts';
import { visible } from './render.ts';

/** On every call. */
export const common = { expand: list(id(), 20) };
/** On every list. */
export const paging = { ...common, limit: whole(1, 100), starting_after: id(), ending_before: id() };
export const metadata = metadataRule({ keys: 50, key: 40, value: 500 });

interface Range {
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
}

/** Takes a metadata parameter into existing metadata. */
export function mergeMetadata(
  known: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string>> | 'clear' | undefined,
): Record<string, string> {
  if (change === 'clear') return {};
  const merged = Object.entries({ ...known, ...change }).filter(([, value]) => value !== '');
  if (merged.length > 50) throw invalid('Metadata can have at most 50 keys.', 'metadata');
  return Object.fromEntries(merged);
}

export const created: Rule<Range | undefined> = {
  read(form, name) {
    if (form === undefined) return undefined;
    if (typeof form === 'string') {
      const at = whole(0).read(form, name) ?? 0;
      return { gte: at, lte: at };
    }
    const range = group({ gt: whole(0), gte: whole(0), lt: whole(0), lte: whole(0) }).read(form, name) ?? {};
    return Object.fromEntries(Object.entries(range).filter(([, value]) => value !== undefined));
  },
};

export function isWithin(at: number, range: Range | undefined): boolean {
  if (range === undefined) return true;
  return (
    at > (range.gt ?? -1) &&
    at >= (range.gte ?? 0) &&
    at < (range.lt ?? Number.POSITIVE_INFINITY) &&
    at <= (range.lte ?? Number.POSITIVE_INFINITY)
  );
}

/** One page of a collection's values that fit. */
export function listOf<T extends { readonly id: string }>(
  url: string,
  all: Collection<T>,
  params: {
    readonly limit?: number | undefined;
    readonly starting_after?: string | undefined;
    readonly ending_before?: string | undefined;
  },
  fits: (value: T) => boolean,
): Record<string, unknown> {
  const { limit = 10, starting_after: after, ending_before: before } = params;
  for (const param of ['starting_after', 'ending_before'] as const) {
    const cursor = params[param];
    if (cursor !== undefined && all.get(cursor) === undefined) throw missing('object', cursor, param);
  }
  const { items, hasMore } = pageOf(all, { limit, after, before }, fits);
  return { object: 'list', data: items.map((value) => visible(value)), has_more: hasMore, url };
}
