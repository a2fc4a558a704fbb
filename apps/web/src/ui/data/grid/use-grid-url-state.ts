import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { sortFromText, sortToText } from './grid-model.ts';
import type { GridState } from './grid-types.ts';

interface GridUrlOptions {
  /** What holds when the URL says nothing; must stay the same over renders. */
  readonly initial?: Pick<GridState, 'sort'>;
  /** Keeps two grids of one page apart: 'usage' → `usage.sort`, `usage.page`. */
  readonly prefix?: string;
}

const unsorted: Pick<GridState, 'sort'> = { sort: null };

/**
 * Sort, page and page size of a grid, held in the URL (`?sort=-dateInvoice&page=2`), so that back, reload and
 * sharing work. What equals the initial state is left out of the URL.
 */
export function useGridUrlState({
  initial = unsorted,
  prefix,
}: GridUrlOptions = {}): readonly [GridState, (state: GridState) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const dot = prefix === undefined ? '' : `${prefix}.`;
  const [sortText, pageValue, sizeValue] = [search[`${dot}sort`], search[`${dot}page`], search[`${dot}size`]];

  const state = useMemo<GridState>(
    () => ({
      sort: sortFromText(sortText) ?? initial.sort,
      page: wholeNumber(pageValue) ?? 1,
      size: wholeNumber(sizeValue),
    }),
    [sortText, pageValue, sizeValue, initial],
  );
  const change = useCallback(
    (next: GridState) => {
      const sort = next.sort === null ? undefined : sortToText(next.sort);
      const initialSort = initial.sort === null ? undefined : sortToText(initial.sort);
      void navigate({
        to: '.',
        search: ((previous: Record<string, unknown>) => ({
          ...previous,
          [`${dot}sort`]: sort === initialSort ? undefined : sort,
          [`${dot}page`]: next.page === 1 ? undefined : next.page,
          [`${dot}size`]: next.size,
        })) as never,
        resetScroll: false,
      });
    },
    [navigate, dot, initial],
  );
  return [state, change];
}

const wholeNumber = (value: unknown): number | undefined =>
  Number.isSafeInteger(Number(value)) && Number(value) >= 1 ? Number(value) : undefined;
