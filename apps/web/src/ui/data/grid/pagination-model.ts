/** A page number, or a gap of pages that are not listed. */
export type PageItem =
  | { readonly kind: 'page'; readonly page: number }
  | { readonly kind: 'gap'; readonly after: number };

/** How many pages `total` rows fill; an empty list still has one. */
export const pageCount = (total: number, size: number): number => Math.max(1, Math.ceil(total / size));

/** The page asked for, moved into 1..count; anything that is no whole number is page 1. */
export const clampPage = (page: number, count: number): number =>
  Number.isInteger(page) ? Math.min(Math.max(page, 1), count) : 1;

/** First and last row of a page, counted from 1; both 0 when there are none. */
export const rangeOf = (
  page: number,
  size: number,
  total: number,
): { readonly from: number; readonly to: number } =>
  total === 0 ? { from: 0, to: 0 } : { from: (page - 1) * size + 1, to: Math.min(page * size, total) };

/**
 * First, last, current ± 2, with an ellipsis where pages are left out (specification, portal §4). A gap of a
 * single page shows that page instead: an ellipsis would take the same room.
 */
export function pageItems(current: number, count: number): readonly PageItem[] {
  const wanted = new Set([1, count]);
  for (let page = current - 2; page <= current + 2; page++) if (page >= 1 && page <= count) wanted.add(page);
  const items: PageItem[] = [];
  let previous = 0;
  for (const page of [...wanted].sort((a, b) => a - b)) {
    if (page - previous === 2) items.push({ kind: 'page', page: page - 1 });
    else if (page - previous > 2) items.push({ kind: 'gap', after: previous });
    items.push({ kind: 'page', page });
    previous = page;
  }
  return items;
}
