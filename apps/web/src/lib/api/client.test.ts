import { describe, expect, it, vi } from 'vitest';
import { createSessionStore, memoryStorage, type StoredAuth } from '../session/session-store.ts';
import { createTabLock, type TabLock } from '../session/tab-lock.ts';
import { ApiError } from './api-error.ts';
import { createOpenApi, fileNameFrom } from './calls.ts';
import { createApi } from './client.ts';
import { SignedOut } from './refresh.ts';

const auth = (n: number): StoredAuth => ({
  access_token: `access-${n}`,
  refresh_token: `refresh-${n}`,
  token_type: 'Bearer',
  expires_in: 900,
});
const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
const problem = (status: number, code: string): Response =>
  json(
    { type: 'about:blank', title: code, status, code, message: `text of ${code}`, requestId: 'req_1' },
    status,
  );

/** A server that takes only the newest access token, and each refresh token once. */
function fakeServer() {
  let generation = 1;
  const tokenCalls: string[] = [];
  const calls: { readonly path: string; readonly headers: Headers }[] = [];
  const server = {
    tokenCalls,
    calls,
    refuseRefresh: false,
    losses: 0,
    answer: (path: string): Response => json({ data: path }),
    /** Ends every access token given so far. */
    expire: () => {
      generation += 1;
    },
    fetch: (async (input: string, init: RequestInit) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (input.endsWith('/token')) {
        const form = init.body as URLSearchParams;
        tokenCalls.push(String(form.get('refresh_token')));
        if (server.losses > 0) {
          server.losses -= 1;
          throw new TypeError('connection reset');
        }
        if (server.refuseRefresh) return json({ error: 'invalid_grant' }, 400);
        return json(auth(generation));
      }
      const headers = new Headers(init.headers);
      calls.push({ path: input, headers });
      if (headers.get('authorization') !== `Bearer access-${generation}`)
        return problem(401, 'session.ended');
      return server.answer(input);
    }) as unknown as typeof fetch,
  };
  return server;
}

function tab(server: ReturnType<typeof fakeServer>, storage = memoryStorage(), lock?: TabLock) {
  const session = createSessionStore(storage);
  const onSignedOut = vi.fn();
  const onForeignCustomer = vi.fn();
  const onSecondFactorRequired = vi.fn();
  const api = createApi({
    fetch: server.fetch,
    session,
    lock: lock ?? createTabLock(undefined, storage),
    hosts: { api: '', reseller: 'https://reseller.example' },
    onSignedOut,
    onForeignCustomer,
    onSecondFactorRequired,
  });
  return { api, session, onSignedOut, onForeignCustomer, onSecondFactorRequired };
}

describe('calls', () => {
  it('unwrap data, send token and customer, and leave empty parameters out [portal.calls.bearer-token, portal.calls.customer-header]', async () => {
    const server = fakeServer();
    const { api, session } = tab(server);
    session.saveAuth(auth(1));
    session.saveCustomerId('c-7');
    await expect(api.get('/v1/ec/x', { query: { a: 1, b: undefined, c: null, d: 'ü &' } })).resolves.toBe(
      '/v1/ec/x?a=1&d=%C3%BC+%26',
    );
    expect(server.calls[0]?.headers.get('x-customer-id')).toBe('c-7');
  });

  it('of every kind carry the chosen customer, and still do when sent again with a new token', async () => {
    const server = fakeServer();
    const { api, session } = tab(server);
    session.saveAuth(auth(1));
    session.saveCustomerId('c-7');
    for (const method of Object.values(api) as ((path: string) => Promise<unknown>)[]) {
      server.expire();
      await method('/v1/ec/x');
      await method('/v1/ec/x');
    }
    await api.get('/v1/ec/x', { host: 'reseller' });
    expect(server.calls).toHaveLength(3 * Object.keys(api).length + 1);
    expect([...new Set(server.calls.map(({ headers }) => headers.get('x-customer-id')))]).toEqual(['c-7']);
    // The choice counts from the next call on.
    session.saveCustomerId('c-8');
    await api.get('/v1/ec/x');
    expect(server.calls.at(-1)?.headers.get('x-customer-id')).toBe('c-8');
  });

  it('carry neither token nor customer where nobody need be signed in, and go on with a refusal', async () => {
    const server = fakeServer();
    const openApi = createOpenApi(server.fetch, { api: '', reseller: '' });
    await expect(openApi.post('/v1/ec/pay', { a: 1 })).rejects.toMatchObject({ status: 401 });
    expect([...(server.calls[0]?.headers.keys() ?? [])]).toEqual(['accept', 'content-type']);
    expect([server.calls.length, server.tokenCalls]).toEqual([1, []]);
  });

  it('give the total beside a page, and go to the reseller host when asked', async () => {
    const server = fakeServer();
    const { api, session } = tab(server);
    session.saveAuth(auth(1));
    server.answer = () => json({ data: [1], totalCount: 132 });
    await expect(api.getPage('/v1/x', { host: 'reseller' })).resolves.toEqual({ data: [1], totalCount: 132 });
    expect(server.calls[0]?.path).toBe('https://reseller.example/v1/x');
  });

  it('turn problem+json into an ApiError with its request id', async () => {
    const server = fakeServer();
    const { api, session } = tab(server);
    session.saveAuth(auth(1));
    server.answer = () => problem(404, 'invoice.notFound');
    await expect(api.get('/v1/x')).rejects.toMatchObject({
      status: 404,
      code: 'invoice.notFound',
      message: 'text of invoice.notFound',
      requestId: 'req_1',
    });
  });

  it('survive an answer that is not ours', async () => {
    const server = fakeServer();
    const { api, session } = tab(server);
    session.saveAuth(auth(1));
    server.answer = () => new Response('<html>', { status: 502 });
    await expect(api.get('/v1/x')).rejects.toMatchObject({
      status: 502,
      code: 'server.fault',
      isPassing: true,
    });
    server.answer = () => new Response('<html>', { status: 200 });
    await expect(api.get('/v1/x')).rejects.toMatchObject({ code: 'client.unreadable' });
  });

  it('forget a customer that is not the user’s', async () => {
    const server = fakeServer();
    const { api, session, onForeignCustomer } = tab(server);
    session.saveAuth(auth(1));
    server.answer = () => problem(403, 'customer.notYours');
    await expect(api.get('/v1/x')).rejects.toBeInstanceOf(ApiError);
    expect(onForeignCustomer).toHaveBeenCalledOnce();
  });

  it('lead to the second factor that the brand asks for', async () => {
    const server = fakeServer();
    const { api, session, onSecondFactorRequired, onForeignCustomer } = tab(server);
    session.saveAuth(auth(1));
    server.answer = () => problem(403, 'secondFactor.required');
    await expect(api.get('/v1/x')).rejects.toBeInstanceOf(ApiError);
    expect(onSecondFactorRequired).toHaveBeenCalledOnce();
    expect(onForeignCustomer).not.toHaveBeenCalled();
  });

  it('give an aborted call back as aborted, not as a failure of the server', async () => {
    const server = fakeServer();
    const { api, session } = tab(server);
    session.saveAuth(auth(1));
    const controller = new AbortController();
    controller.abort();
    server.answer = () => json({ data: 1 });
    const failing = createApi({
      fetch: (async () => Promise.reject(controller.signal.reason)) as unknown as typeof fetch,
      session,
      lock: createTabLock(undefined, memoryStorage()),
      hosts: { api: '', reseller: '' },
      onSignedOut: vi.fn(),
      onForeignCustomer: vi.fn(),
      onSecondFactorRequired: vi.fn(),
    });
    await expect(failing.get('/v1/x', { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    await expect(api.get('/v1/x')).resolves.toBe(1);
  });
});

describe('a session that has run out', () => {
  it('is refreshed once for 20 calls at the same time, and all are answered [portal.session.refresh-once, portal.session.others-retried]', async () => {
    const server = fakeServer();
    const { api, session } = tab(server);
    session.saveAuth(auth(1));
    server.expire();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => api.get(`/v1/${i}`)));
    expect(answers).toHaveLength(20);
    expect(server.tokenCalls).toEqual(['refresh-1']);
    expect(session.auth()).toEqual(auth(2));
  });

  it('makes calls that start during the refresh wait for it [portal.session.others-wait]', async () => {
    const server = fakeServer();
    const { api, session } = tab(server);
    session.saveAuth(auth(1));
    server.expire();
    const first = api.get('/v1/first');
    await vi.waitUntil(() => server.tokenCalls.length === 1);
    await Promise.all([first, api.get('/v1/late')]);
    const late = server.calls.filter((call) => call.path === '/v1/late');
    expect(late.map((call) => call.headers.get('authorization'))).toEqual(['Bearer access-2']);
  });

  it.each(['Web Locks', 'a lease in storage'])('is refreshed once by two tabs with %s', async (kind) => {
    const server = fakeServer();
    const storage = memoryStorage();
    let queue: Promise<unknown> = Promise.resolve();
    const locks = {
      request: <T>(_name: string, work: () => Promise<T>): Promise<T> => {
        const mine = queue.then(work);
        queue = mine.catch(() => undefined);
        return mine;
      },
    } as unknown as LockManager;
    const lock = createTabLock(kind === 'Web Locks' ? locks : undefined, storage);
    const [one, two] = [tab(server, storage, lock), tab(server, storage, lock)];
    one.session.saveAuth(auth(1));
    server.expire();
    const calls = [one, two].flatMap(({ api }) => Array.from({ length: 5 }, (_, i) => api.get(`/v1/${i}`)));
    await Promise.all(calls);
    expect(server.tokenCalls).toEqual(['refresh-1']);
  });

  it('is over when the refresh is refused: all is forgotten and every waiting call says so [portal.session.failed-refresh-clears-super-user]', async () => {
    const server = fakeServer();
    const { api, session, onSignedOut } = tab(server);
    session.saveAuth(auth(1));
    session.saveSuperUser(true);
    session.saveCustomerId('c-7');
    server.expire();
    server.refuseRefresh = true;
    const outcomes = await Promise.allSettled([api.get('/v1/a'), api.get('/v1/b')]);
    expect(
      outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason instanceof SignedOut),
    ).toBe(true);
    expect([session.auth(), session.isSuperUser(), session.customerId()]).toEqual([null, false, null]);
    expect(onSignedOut).toHaveBeenCalledOnce();
  });

  it('asks again with the same token when the answer was lost', async () => {
    const server = fakeServer();
    const { api, session } = tab(server);
    session.saveAuth(auth(1));
    server.expire();
    server.losses = 1;
    await expect(api.get('/v1/a')).resolves.toBe('/v1/a');
    expect(server.tokenCalls).toEqual(['refresh-1', 'refresh-1']);
  });

  it('is kept when the server cannot be reached: that is no refusal', async () => {
    const server = fakeServer();
    const { api, session, onSignedOut } = tab(server);
    session.saveAuth(auth(1));
    server.expire();
    server.losses = 2;
    await expect(api.get('/v1/a')).rejects.toMatchObject({ code: 'client.unreachable' });
    expect(session.auth()).toEqual(auth(1));
    expect(onSignedOut).not.toHaveBeenCalled();
  });

  it('is over when even a new token is refused', async () => {
    const server = fakeServer();
    const { api, session, onSignedOut } = tab(server);
    session.saveAuth(auth(1));
    server.answer = () => problem(401, 'session.ended');
    await expect(api.get('/v1/a')).rejects.toBeInstanceOf(SignedOut);
    expect(onSignedOut).toHaveBeenCalledOnce();
    expect(session.auth()).toBeNull();
  });
});

describe('file names', () => {
  it.each([
    ['attachment; filename="a_b.pdf"; filename*=UTF-8\'\'r%C3%A9sum%C3%A9.pdf', 'résumé.pdf'],
    ['attachment; filename="invoice_1.pdf"', 'invoice_1.pdf'],
    ['attachment; filename="plain.csv"; filename*=UTF-8\'\'%E0%A4%A', 'plain.csv'],
    [null, undefined],
  ])('%s → %s', (header, name) => {
    expect(fileNameFrom(header)).toBe(name);
  });
});
