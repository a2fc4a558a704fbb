/** A toy gateway on a host in this process: `POST /pay` takes nine dollars, `GET /list` counts what was taken. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Mode } from '../faults.ts';
import type { GatewaySandbox, SandboxReply } from '../gateway-sandbox.ts';
import { type OpenHost, openHost } from '../host.ts';
import { recordCharge } from '../money/movements.ts';
import { queueEvent } from '../turn.ts';
import { Exchange, type Protocol, type Understood } from './exchange.ts';

class Refused extends Error {}
const json = (status: number, body: unknown) => ({ status, body: JSON.stringify(body) });

const protocol: Protocol = {
  gateway: 'toy',
  keys: {
    keptForMs: 60_000,
    replay(kept, { digest }) {
      if (kept.digest !== digest) throw new Refused('another request has this key');
      return kept;
    },
    inUse: () => new Refused('under way'),
  },
  read(passage): Understood {
    const { request } = passage;
    passage.account = 'acc';
    passage.operation = request.path === '/list' ? 'find' : 'charge';
    passage.key = request.headers['key'] ?? null;
    const digest = request.body.toString('utf8');
    return {
      account: 'acc',
      endpoint: request.path,
      digest,
      run(turn) {
        const taken = turn.host.captures.list('charge').length;
        if (request.path === '/list') return json(200, { taken });
        const named = { gateway: 'toy', account: 'acc', reference: null, metadata: {}, currency: 'AUD' };
        const movement = `m${taken}`;
        const own = { idempotencyKey: turn.idempotencyKey, remote: movement, movement, minor: 900 };
        recordCharge(turn, { ...named, ...own }, { plan: {}, disputed: undefined });
        queueEvent(turn, { gateway: 'toy', account: 'acc', id: `e${taken}`, type: 'paid' });
        if (digest === 'declined') throw new Refused('declined');
        return json(201, { movement });
      },
    };
  },
  refusal: (cause) =>
    cause instanceof Refused ? { answer: json(402, cause.message), begun: false } : undefined,
  trouble: (kind) => json(kind === 'failed' ? 500 : 503, kind),
  blind: () => json(200, { taken: 0 }),
  headers: (_passage, { original }) => (original === undefined ? {} : { replayed: 'yes' }),
};

const toy: GatewaySandbox = {
  gateway: 'toy',
  prefixes: ['/'],
  open(host) {
    const exchange = new Exchange(host, protocol);
    return {
      handle: (request) => exchange.handle(request),
      run: () => undefined,
      webhook: () => undefined,
      accountOf: (name) => name,
      reset: () => exchange.reset(),
    };
  },
};

const directory = mkdtempSync(join(tmpdir(), 'sandbox-exchange-'));
let host: OpenHost;
beforeAll(async () => {
  const publicUrl = 'http://127.0.0.1:1';
  host = await openHost({ directory, publicUrl, portalOrigins: [], sandboxes: [toy] });
});
afterEach(() => host.reset());
afterAll(async () => {
  await host.close();
  rmSync(directory, { recursive: true, force: true });
});

const ask = (method: string, path: string, key?: string, body = ''): Promise<SandboxReply> => {
  const headers: Record<string, string> = key === undefined ? {} : { key };
  return (host.instances.get('toy') as ReturnType<typeof toy.open>).handle({
    method,
    path,
    query: '',
    headers,
    body: Buffer.from(body),
  });
};
const pay = (key?: string, body?: string) => ask('POST', '/pay', key, body);
const order = (mode: Mode, more: object = {}) =>
  host.faults.add({ gateway: 'toy', operation: 'charge', mode, times: 1, ...more });
const taken = () => host.captures.list('charge').length;
const queued = () => host.webhooks.pending();

it('answers the same key with the saved answer, until its life is over', async () => {
  const first = await pay('k');
  expect(await pay('k')).toEqual({ ...first, headers: { replayed: 'yes' } });
  expect(await pay('k', 'other')).toMatchObject({ status: 402, body: '"another request has this key"' });
  expect(taken()).toBe(1);
  const tx = host.store.begin();
  host.clock.advance(tx, 61_000);
  await tx.commit();
  expect(await pay('k', 'other')).toMatchObject({ status: 201 });
  expect(taken()).toBe(2);
});

it('undoes what a refused request had written, events too, and leaves its key free', async () => {
  expect(await pay('k', 'declined')).toMatchObject({ status: 402 });
  expect([taken(), queued()]).toEqual([0, 0]);
  expect(await pay('k', 'paid')).toMatchObject({ status: 201 });
});

it.each([
  ['timeout-before', { kind: 'hang' }, 0],
  ['timeout-after', { kind: 'hang' }, 1],
  ['reset-after', { kind: 'reset' }, 1],
  ['error-500-after', { status: 500 }, 1],
  ['malformed', { status: 201, body: '{"moveme' }, 1],
  ['slow', { status: 201 }, 1],
  ['rate-limit', { status: 503 }, 0],
] as const)(
  '%s: the caller gets %j, and %i charge is taken; the key then tells',
  async (mode, reply, count) => {
    order(mode, { ms: 1 });
    expect(await pay('k')).toMatchObject(reply);
    expect(taken()).toBe(count);
    expect(await pay('k')).toMatchObject({ status: 201 });
    expect(taken()).toBe(1);
    expect(host.faults.list()).toEqual([]);
  },
);

it.each([true, false])('replay-500 is saved under the key for ever (executed: %s)', async (executed) => {
  order('replay-500', { executed });
  expect(await pay('k')).toMatchObject({ status: 500 });
  expect(await pay('k')).toMatchObject({ status: 500, headers: { replayed: 'yes' } });
  expect(taken()).toBe(executed ? 1 : 0);
});

it('late: cut off, unseen by the first look-up, then taken once; meanwhile the key is in use', async () => {
  order('late', { ms: 20 });
  expect(await pay('k')).toEqual({ kind: 'reset' });
  expect(await ask('GET', '/list')).toMatchObject({ body: '{"taken":0}' });
  expect(await pay('k')).toMatchObject({ status: 402, body: '"under way"' });
  await expect.poll(taken).toBe(1);
  await expect.poll(() => pay('k')).toMatchObject({ status: 201 });
  expect(taken()).toBe(1);
});

it('look-ups that see nothing, or fail, leave faults of charges alone', async () => {
  await pay();
  order('timeout-before');
  order('lookup-blind', { operation: 'find' });
  expect(await ask('GET', '/list')).toMatchObject({ body: '{"taken":0}' });
  order('lookup-down', { operation: 'find' });
  expect(await ask('GET', '/list')).toMatchObject({ status: 503 });
  expect(await ask('GET', '/list')).toMatchObject({ body: '{"taken":1}' });
  expect(host.faults.list()).toHaveLength(1);
});

it('a fault of one account passes the others by, and counts down', async () => {
  order('rate-limit', { account: 'somebody else' });
  order('rate-limit', { times: 2, account: 'acc' });
  const statuses: unknown[] = [];
  for (let count = 0; count < 3; count += 1) statuses.push(await pay());
  expect(statuses).toMatchObject([{ status: 503 }, { status: 503 }, { status: 201 }]);
});

it.each([
  ['webhook-twice', 2],
  ['webhook-late', 1],
  ['webhook-lost', 0],
] as const)('%s: %i deliveries are queued', async (mode, count) => {
  const tx = host.store.begin();
  host.webhooks.register(tx, { gateway: 'toy', url: 'http://127.0.0.1:1/hook', secret: 's' });
  await tx.commit();
  order(mode, { ms: 60_000 });
  await pay();
  expect(queued()).toBe(count);
});
