/** What the adapter makes of answers that its sandbox does not give. */
import { expect, it } from 'vitest';
import type { Method } from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { casesData } from './cases-data.ts';
import { createGateway } from './gateway.ts';
import type { GocardlessSettings } from './manifest.ts';

/** @param answer to each call, by its address */
const open = (answer: (address: URL) => Response) =>
  createGateway({
    config: casesData.sandbox.settings as GocardlessSettings,
    addresses: { api: 'https://api.example', apiSandbox: 'https://api-sandbox.example' },
    clock: { now: () => new Date('2026-01-16T12:00:00Z') },
    log: { debug: () => undefined, warn: () => undefined },
    fetch: (address) => Promise.resolve(answer(new URL(String(address)))),
  });

const hour = 60 * 60_000;

it('more events than a list can hold are polled by parts of their time, each once and in order', async () => {
  const start = Date.parse('2026-01-15T00:00:00Z');
  const times = [0, 7, 7.5, 8, 20, 23].map((hours) => start + hours * hour);
  const gateway = open(({ searchParams: asked }) => {
    const [from = 0, to = 0] = ['gte', 'lt'].map((name) =>
      Date.parse(asked.get(`created_at[${name}]`) ?? ''),
    );
    const events = times
      .filter((at) => at >= from && at < to)
      .reverse()
      .map((at) => ({
        id: `EV${at}`,
        created_at: new Date(at).toISOString(),
        resource_type: 'payments',
        action: 'confirmed',
        links: { payment: 'PM1' },
      }));
    // More than two: a list whose pages do not end.
    const cursors = { after: events.length > 2 ? 'EV' : null };
    return Response.json({ events: cursors.after === null ? events : [], meta: { cursors } });
  });
  const since = new Date(start + 7 * hour + 2 * 60_000).toISOString();
  const polled: (readonly [string, string])[] = [];
  for await (const { id, cursor } of gateway.pollEvents?.(since) ?? []) polled.push([id, cursor]);
  // The first is from a little before the cursor, and does not bring it back.
  const told = times.slice(1).map((at, n) => [`EV${at}`, n === 0 ? since : new Date(at).toISOString()]);
  expect(polled).toEqual(told);
});

it('events after months in which nothing happened are polled by one call', async () => {
  let calls = 0;
  const gateway = open(() => {
    calls += 1;
    return Response.json({ events: [], meta: { cursors: { after: null } } });
  });
  for await (const _ of gateway.pollEvents?.('2025-06-01T00:00:00Z') ?? []);
  expect(calls).toBe(1);
});

it('events whose list does not end at all are not taken for read', async () => {
  const gateway = open(() => Response.json({ events: [], meta: { cursors: { after: 'EV' } } }));
  const poll = async () => {
    for await (const _ of gateway.pollEvents?.('2026-01-16T11:59:59Z') ?? []);
  };
  await expect(poll()).rejects.toThrow('events cannot be read');
});

const refusal = (reason: string) =>
  Response.json(
    { error: { type: 'invalid_api_usage', code: 404, message: 'm', errors: [{ reason, message: 'm' }] } },
    { status: 404 },
  );

it.each([
  ['resource_not_found', 'gone', []],
  ['path_not_found', 'unknown', 'inconclusive'],
])('a mandate behind the answer %s is %s', async (reason, is, events) => {
  const gateway = open(() => refusal(reason));
  const state = { id: 'MD1', mandate: 'MD1', account: 'BA1', customer: 'CU1', currency: 'AUD' };
  expect((await gateway.getMethod?.(state))?.is).toBe(is);
  expect(await gateway.removeMethod?.(state)).toBe(is);
  const event = { id: 'EV1', about: 'mandate', remote: remoteId('MD1') } as const;
  expect(await gateway.resolveEvent?.(event)).toEqual(events);
});

it('a mandate that was replaced twice stands in the list once, by the name it had first', async () => {
  const mandate = (id: string, status: string, newer?: string) => ({
    id,
    status,
    scheme: 'becs',
    links: { customer: 'CU1', customer_bank_account: 'BA1', new_mandate: newer },
  });
  const lists: Readonly<Record<string, readonly object[]>> = {
    mandates: [
      mandate('MD3', 'active'),
      mandate('MD2', 'cancelled', 'MD3'),
      mandate('MD9', 'active'),
      mandate('MD1', 'cancelled', 'MD2'),
    ],
    customer_bank_accounts: [{ id: 'BA1', currency: 'AUD' }],
  };
  const gateway = open(({ pathname }) => {
    const name = pathname.slice(1);
    return Response.json({ [name]: lists[name], meta: { cursors: { after: null } } });
  });
  const listed: Method[] = [];
  for await (const method of gateway.listMethods?.({ customer: 'CU1' }) ?? []) listed.push(method);
  expect(listed.map(({ remote, mandate: of }) => [remote, of?.remote])).toEqual([
    ['MD1', 'MD3'],
    ['MD9', 'MD9'],
  ]);
});
