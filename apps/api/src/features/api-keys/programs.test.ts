import { apiScopes } from '@counterfoil/contract/operator/access/api-keys.ts';
import { describe, expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { operationsOf } from '../../http/answers/openapi-document.ts';
import { createApp } from '../../http/app.ts';
import { programLimit } from '../../limits/limits.ts';
import { revokeApiKey, rotateApiKey } from './service.ts';

const fixture = useFixture();
const path = '/v1/admin/external-payments';
const HOUR_MS = 3_600_000;

async function read(key: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fixture.app.inject({
    url: path,
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  return { status: answer.statusCode, headers: answer.headers, ...answer.json() };
}
const later = (ms: number): Date => new Date(fixture.clock.now().getTime() + ms);

describe('a key of a program', () => {
  it('opens only what its scopes name, and the refusal names the one it lacks', async () => {
    const { reseller } = await fixture.seedPayer();
    const key = await programKey(fixture, reseller.id, 'reader', { scopes: ['payments:read'] });
    expect(await read(key)).toMatchObject({ status: 200 });
    const answer = await fixture.app.inject({
      method: 'POST',
      url: path,
      headers: { authorization: `Bearer ${key}` },
      payload: {},
    });
    expect(answer.json()).toMatchObject({
      status: 403,
      code: 'apiKey.scope',
      message: expect.stringContaining('payments:write'),
    });
    expect(answer.headers['www-authenticate']).toContain('scope="payments:write"');
  });

  it('works until it runs out, and no longer', async () => {
    const { reseller } = await fixture.seedPayer();
    const key = await programKey(fixture, reseller.id, 'short', { expiresAt: later(HOUR_MS) });
    expect(await read(key)).toMatchObject({ status: 200 });
    fixture.clock.advance(HOUR_MS);
    expect(await read(key)).toMatchObject({ status: 401, code: 'apiKey.refused' });
  });

  it('has two secrets for a while after it was rotated, then the new one; revoked it has none', async () => {
    const { reseller } = await fixture.seedPayer();
    const { databases, clock } = fixture.deps;
    const named = { resellerId: reseller.id, name: 'nightly' };
    const rotate = () =>
      databases.web.transaction((tx) =>
        rotateApiKey(tx, named, { previousUntil: later(HOUR_MS) }, clock.now()),
      );
    const statuses = async (...keys: (string | undefined)[]) => {
      const found: number[] = [];
      for (const key of keys) found.push((await read(key ?? '')).status);
      return found;
    };
    const first = await programKey(fixture, reseller.id, 'nightly');
    const second = await rotate();
    expect(await statuses(first, second)).toEqual([200, 200]);
    const third = await rotate();
    expect(await statuses(first, second, third)).toEqual([401, 200, 200]);
    fixture.clock.advance(HOUR_MS);
    expect(await statuses(second, third)).toEqual([401, 200]);
    const fourth = await rotate();
    await databases.web.transaction((tx) => revokeApiKey(tx, reseller.id, 'nightly', clock.now()));
    expect(await statuses(third, fourth)).toEqual([401, 401]);
    expect(await rotate()).toBeUndefined();
  });

  it('of a reseller is bound to it; one of the installation says whom each call is about', async () => {
    const [one, other] = [await fixture.seedPayer(), await fixture.seedPayer()];
    const record = async (key: string, headers: Readonly<Record<string, string>>, customer: string) => {
      const answer = await fixture.app.inject({
        method: 'POST',
        url: path,
        headers: { authorization: `Bearer ${key}`, ...headers },
        payload: {
          customer,
          reference: `of ${customer}`,
          amount: '1.00',
          currency: 'USD',
          receivedOn: '2026-01-01',
          method: 'cash',
        },
      });
      return [answer.statusCode, answer.json().code];
    };
    const about = (id: number) => ({ 'x-reseller-id': String(id) });
    const bound = await programKey(fixture, one.reseller.id, 'bound');
    expect(await record(bound, about(one.reseller.id), one.customer.id)).toEqual([201, undefined]);
    expect(await record(bound, about(other.reseller.id), other.customer.id)).toEqual([
      404,
      'reseller.notFound',
    ]);
    expect(await record(bound, about(999_999), other.customer.id)).toEqual([404, 'reseller.notFound']);

    const wide = await programKey(fixture, null, 'wide');
    expect(await read(wide)).toMatchObject({ status: 400, code: 'reseller.missing' });
    for (const strange of ['999999', 'x', '-1', '1e3', '99999999999'])
      expect(await read(wide, { 'x-reseller-id': strange })).toMatchObject({
        status: 404,
        code: 'reseller.notFound',
      });
    expect((await read(wide, about(one.reseller.id))).data).toHaveLength(1);
    expect((await read(wide, about(other.reseller.id))).data).toHaveLength(0);
    expect(await record(wide, about(one.reseller.id), other.customer.id)).toEqual([
      400,
      'externalPayment.noCustomer',
    ]);
    expect(await record(wide, about(other.reseller.id), other.customer.id)).toEqual([201, undefined]);
  });

  it('may call so many times a minute, refused calls included, and no other key is slowed down by it', async () => {
    const { reseller } = await fixture.seedPayer();
    const key = await programKey(fixture, reseller.id, 'wild', { scopes: ['usage:read'] });
    const calm = await programKey(fixture, reseller.id, 'calm');
    expect(await read(key)).toMatchObject({ status: 403 });
    const spend = "update rate_limit set used_until = used_until + $1::float8 * interval '1 ms'";
    await fixture.database.pool().query(spend, [programLimit.withinMs]);
    const refused = await read(key);
    expect(refused).toMatchObject({ status: 429, code: 'rate.limited' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await read(calm)).toMatchObject({ status: 200 });
  });
});

describe('a route for programs', () => {
  it('names the scope it needs, or the server does not start', () => {
    const app = createApp(fixture.deps);
    expect(() => app.get('/v1/admin/x', { config: { access: 'program' } }, async () => '')).toThrow(
      /names no scope/,
    );
    expect(() =>
      app.get('/v1/ec/x', { config: { access: 'session', scope: 'usage:read' } }, async () => ''),
    ).toThrow(/names no scope/);
  });

  it('has its scope, its name and its refusals in the document, and each scope opens something', async () => {
    const operations = operationsOf(await fixture.app.openapi()).filter(({ access }) => access === 'program');
    const scopes = operations.flatMap(({ security = [] }) => security.flatMap(({ program = [] }) => program));
    expect(new Set(scopes)).toEqual(new Set(Object.keys(apiScopes)));
    for (const { operationId, responses = {} } of operations) {
      expect(operationId).toMatch(/^[a-z][A-Za-z]+$/);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '401', '403', '404', '429']));
    }
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    const bodies = operations
      .filter(({ tags }) => tags?.some((tag) => / customers?$| provider$/.test(tag)))
      .flatMap(({ requestBody }) => requestBody?.content['application/json'] ?? []);
    expect(bodies.length).toBeGreaterThan(1);
    for (const { schema } of bodies) {
      expect(schema?.examples?.[0]).toMatchObject({
        [Object.keys(schema?.properties ?? {})[0] ?? '']: expect.any(String),
      });
      for (const [name, { description }] of Object.entries(schema?.properties ?? {}))
        expect(description, name).toMatch(/\w/);
    }
  });
});
