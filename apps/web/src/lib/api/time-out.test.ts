import { expect, it, vi } from 'vitest';
import { createSessionStore, memoryStorage } from '../session/session-store.ts';
import { createTabLock } from '../session/tab-lock.ts';
import { createApi } from './client.ts';

/** A server that never answers: a call ends only by its signal. */
const silentFetch = ((_url: string, { signal }: RequestInit) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  })) as typeof fetch;

it('a call to a silent server is given up after 300000 ms, and says so [portal.calls.constant.time-out]', async () => {
  // Its own clock cannot be turned: the test holds the signal instead.
  const clock = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
  const storage = memoryStorage();
  const session = createSessionStore(storage);
  session.saveAuth({ access_token: 'a', refresh_token: 'r', token_type: 'Bearer', expires_in: 900 });
  const api = createApi({
    fetch: silentFetch,
    session,
    lock: createTabLock(undefined, storage),
    hosts: { api: '', reseller: '' },
    onSignedOut: vi.fn(),
    onForeignCustomer: vi.fn(),
    onSecondFactorRequired: vi.fn(),
  });
  const answer = api.get('/v1/ec/invoices').catch((error: unknown) => error);
  await vi.waitUntil(() => timeout.mock.calls.length > 0);
  expect(timeout.mock.calls).toEqual([[300_000]]);
  clock.abort(new DOMException('too late', 'TimeoutError'));
  expect(await answer).toMatchObject({ status: 0, code: 'client.timeout' });
});
