import { QueryObserver } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorBanner } from './error-banner.ts';
import { createQueryClient } from './query-client.ts';

afterEach(() => errorBanner.close());

describe('loaded data', () => {
  it('is fetched once in the life of the page, however often it is shown [decisions.1.cached-for-page-life]', async () => {
    const client = createQueryClient();
    const queryFn = vi.fn(async () => 'loaded');
    for (let visit = 0; visit < 3; visit += 1) {
      const leave = new QueryObserver(client, { queryKey: ['list'], queryFn }).subscribe(() => undefined);
      expect(await client.fetchQuery({ queryKey: ['list'], queryFn })).toBe('loaded');
      leave();
    }
    expect(queryFn).toHaveBeenCalledTimes(1);
    await client.invalidateQueries({ queryKey: ['list'] });
    await client.fetchQuery({ queryKey: ['list'], queryFn });
    expect(queryFn).toHaveBeenCalledTimes(2);
  });

  it('that does not come is logged, shows the banner, and is no longer loading [payments.invoices.error.load-failure]', async () => {
    const logged = vi.fn();
    vi.stubGlobal('reportError', logged);
    const client = createQueryClient();
    const fault = new Error('broken');
    const observer = new QueryObserver(client, {
      queryKey: ['list'],
      queryFn: () => Promise.reject(fault),
    });
    const leave = observer.subscribe(() => undefined);
    await vi.waitFor(() => expect(observer.getCurrentResult().isError).toBe(true), 10_000);
    expect(observer.getCurrentResult().isFetching).toBe(false);
    expect(logged).toHaveBeenCalledExactlyOnceWith(fault);
    expect(errorBanner.isShown()).toBe(true);
    leave();
  });

  it('says nothing of failures the query answers for itself', async () => {
    const logged = vi.fn();
    vi.stubGlobal('reportError', logged);
    const client = createQueryClient();
    const failing = (quiet: unknown, message: string) =>
      client
        .fetchQuery({
          queryKey: [message],
          retry: false,
          meta: { quiet },
          queryFn: () => Promise.reject(new Error(message)),
        })
        .catch(() => undefined);
    const quiet = (error: unknown) => error instanceof Error && error.message === 'refused';
    await failing(true, 'whatever');
    await failing(quiet, 'refused');
    expect(errorBanner.isShown()).toBe(false);
    await failing(quiet, 'broken');
    expect(errorBanner.isShown()).toBe(true);
    expect(logged).toHaveBeenCalledTimes(1);
  });
});
