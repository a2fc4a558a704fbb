import type { Preferences } from '@counterfoil/contract/preferences.ts';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api } from './api/api.ts';
import { usePortal } from './portal/portal-context.ts';

/** However slow the answer is, nobody waits longer for their data because of how they like to see it. */
export const PREFERENCES_WAIT_MS = 3_000;
const STORE_AFTER_MS = 500;

export const preferencesQuery = () =>
  queryOptions({
    queryKey: ['preferences'],
    queryFn: ({ signal }) =>
      api.get<Preferences>('/v1/ec/preferences', {
        signal: AbortSignal.any([signal, AbortSignal.timeout(PREFERENCES_WAIT_MS)]),
      }),
    retry: false,
    meta: { quiet: true },
  });

const waiting = new Map<string, ReturnType<typeof setTimeout>>();
/** One after the other, so that the last choice is the one that stays. */
let storing: Promise<unknown> = Promise.resolve();

/** What is chosen, from what was: components see a choice a moment later, and two may come within it. */
export type Change = (before: unknown) => unknown;

/**
 * A choice holds at once and is stored when the person pauses. A failure is quiet: the choice then lasts as long as
 * the page.
 * @param change null forgets the choice
 */
export function choose(client: QueryClient, key: string, change: Change, isStored: boolean): void {
  const { queryKey } = preferencesQuery();
  const { [key]: before, ...others } = client.getQueryData(queryKey) ?? {};
  const value = change(before);
  client.setQueryData(queryKey, value === null ? others : { ...others, [key]: value });
  if (!isStored) return;
  clearTimeout(waiting.get(key));
  const store = () => {
    waiting.delete(key);
    storing = storing.then(() => api.put(`/v1/ec/preferences/${key}`, { value }).catch(() => undefined));
  };
  waiting.set(key, setTimeout(store, STORE_AFTER_MS));
}

export interface Preference {
  /** `undefined`: nothing was chosen, or it could not be loaded. */
  readonly value: unknown;
  readonly isLoading: boolean;
  readonly choose: (change: Change) => void;
}

/** One choice of the user, loaded once for all. What support chooses is for the page only: it is not theirs to keep. */
export function usePreference(key: string): Preference {
  const { isSuperUser } = usePortal();
  const client = useQueryClient();
  const { data, isPending } = useQuery(preferencesQuery());
  return {
    value: data?.[key],
    isLoading: isPending,
    choose: useCallback((change) => choose(client, key, change, !isSuperUser), [client, key, isSuperUser]),
  };
}
