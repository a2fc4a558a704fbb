import type { Query, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api/api-error.ts';
import { errorBanner } from './error-banner.ts';

/** Pauses between two looks whether a failing server answers again; the last one stays. */
const PAUSES_MS = [3_000, 6_000, 12_000, 30_000] as const;

const hasFailed = ({ state }: Query): boolean =>
  state.fetchStatus === 'idle' && state.error instanceof ApiError && state.error.isPassing;

/**
 * Brings back by itself what failed because the server could not be reached or could not answer: when the browser is
 * online again, and from time to time while the error banner is shown. What nobody looks at any more is forgotten.
 * @param reload asks for the page itself again where it could not be drawn; whether it did
 */
export function recoverByItself(client: QueryClient, reload: () => boolean): void {
  const retry = (): void => {
    if (reload()) return;
    for (const query of client.getQueryCache().findAll({ predicate: hasFailed })) {
      if (query.isActive()) void askAgain(client, query);
      else if (query.state.error instanceof ApiError) errorBanner.mend(query.state.error.call);
    }
  };
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (!errorBanner.isShown()) return;
    const pause = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)];
    tries += 1;
    timer = setTimeout(() => {
      retry();
      plan();
    }, pause);
  };
  const start = (): void => {
    tries = 0;
    plan();
  };
  errorBanner.subscribe(start);
  globalThis.addEventListener('online', () => {
    errorBanner.mendUnreached();
    retry();
    start();
  });
}

/** Beside the query: while it is asked, its section stays as it is, and so does the focus in it. */
async function askAgain(client: QueryClient, { queryKey, options, meta }: Query): Promise<void> {
  const { queryFn } = options;
  if (typeof queryFn !== 'function') return;
  const { signal } = new AbortController();
  try {
    const data = await queryFn({ client, queryKey, signal, meta } as never);
    client.setQueryData(queryKey, data);
  } catch {
    // It is asked again after the next pause.
  }
}
