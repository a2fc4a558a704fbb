import { LIST_SEARCH_MAX } from '@counterfoil/contract/list-orders.ts';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { MoreOptions } from '../../ui/fields/combo-box.tsx';
import { MOST_LISTED } from '../../ui/fields/combo-box-model.ts';
import type { Page } from '../api/calls.ts';
import { type ListQuery, type ListSource, listPage } from './list-page.ts';

/** Whoever types on is not asked for yet. */
const PAUSE_MS = 250;

/** Rows of a list of any length to choose one of. */
export interface ChoiceRows<Row> {
  /** The first ones, and what was searched for and found; undefined: still loading. */
  readonly rows: readonly Row[] | undefined;
  /** What the rows lack of the list, or of what is searched for. */
  readonly more: MoreOptions;
  /** Loading failed: asks again. */
  readonly retry: (() => void) | undefined;
}

/** The longest word: what has it is asked for, and what has the others is found among that. */
export const longestWord = (text: string): string =>
  text
    .split(/\s+/)
    .reduce((longest, word) => (word.length > longest.length ? word : longest), '')
    .slice(0, LIST_SEARCH_MAX);

/** What of a list is asked for by what is typed. */
export type AskFor = (typed: string) => ListQuery;

/** By its longest word, where a list is searched for one text. */
export const byLongestWord: AskFor = (typed) => ({ search: longestWord(typed) });

const words = (typed: string): string => typed.trim().replace(/\s+/g, ' ').slice(0, LIST_SEARCH_MAX).trim();

/**
 * Reads the first rows of a list, as many as a choice lists; of a longer one, what is searched for is asked of the server.
 * @param first the page that the list begins with
 * @param ask what is typed as the list takes it; must stay the same over renders
 * @param enabled false: not yet known what to ask for
 */
export function useChoiceRows<Row extends { readonly id: string }>(
  source: ListSource,
  first: ListQuery,
  ask: AskFor,
  enabled = true,
): ChoiceRows<Row> {
  const [typed, setTyped] = useState('');
  const [word, setWord] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setWord(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const begin = useQuery({ ...listPage<Row>(source, { ...first, limit: MOST_LISTED }), enabled });
  const isLonger = begin.data !== undefined && begin.data.totalCount > begin.data.data.length;
  const isAsked = isLonger && word !== '';
  const found = useQuery({
    ...listPage<Row>(source, { ...first, limit: MOST_LISTED, ...ask(word) }),
    enabled: isAsked,
    // The first ones can be chosen from.
    meta: { quiet: true },
  });
  const whole = JSON.stringify(first);
  const seen = useRef({ of: whole, rows: new Map<string, Row>() });
  const rows = useMemo(() => {
    if (begin.data === undefined) return undefined;
    if (seen.current.of !== whole) seen.current = { of: whole, rows: new Map() };
    // What was found and perhaps chosen stays among them.
    for (const row of found.data?.data ?? []) seen.current.rows.set(row.id, row);
    const known = new Set(begin.data.data.map(({ id }) => id));
    return [...begin.data.data, ...[...seen.current.rows.values()].filter(({ id }) => !known.has(id))];
  }, [begin.data, found.data, whole]);
  const all = isAsked ? found.data : begin.data;
  const search = useCallback((text: string) => setTyped(words(text)), []);
  const { refetch } = begin;
  return {
    rows,
    more: {
      count: lacking(all, isAsked ? undefined : rows?.length),
      isSearching: isLonger && (typed !== word || (isAsked && found.isFetching)),
      search,
    },
    retry: begin.isError && begin.data === undefined ? () => void refetch() : undefined,
  };
}

/** How many rows a page lacks of all. @param here those that are here, where more are than the page has */
const lacking = (page: Page<unknown> | undefined, here = page?.data.length ?? 0): number =>
  page === undefined ? 0 : Math.max(0, page.totalCount - here);
