/** What the adapter makes of answers that its sandbox does not give. */
import { expect, it } from 'vitest';
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
