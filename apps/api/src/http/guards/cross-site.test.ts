import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { nameOf } from '../../../test/access-matrix/ids.ts';
import { allTables, fingerprint } from '../../../test/bad-input/fingerprint.ts';
import { asMeant, type Stage, setStage } from '../../../test/bad-input/stage.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const secure = useFixture({ env: () => ({ PUBLIC_URL: 'https://bills.example' }) });
const WEBHOOK = 'POST /v1/webhooks/{gateway}/{resellerId}';
/** For gateways: their servers, and the pages of theirs that payers type into. */
const FROM_GATEWAYS: ReadonlySet<string> = new Set([WEBHOOK, 'POST /v1/entries/{entryId}/callback']);
let stage: Stage;
beforeAll(async () => {
  stage = await setStage(fixture);
});

const writing = () => [...stage.good].filter(([{ method }]) => method !== 'GET');

describe('a request that a page of somebody else causes', () => {
  it.each([
    ['a browser that says so', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a browser that says no more', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour under the same domain', { 'sec-fetch-site': 'same-site', origin: 'http://evil.localhost' }],
    ['an older browser', { origin: 'https://evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['another port', { origin: 'http://localhost:81' }],
    ['an origin that is none', { origin: 'localhost' }],
  ])('is refused by every call that writes, and changes nothing: %s', async (_name, headers) => {
    const tables = await allTables(fixture);
    const before = await fingerprint(fixture, tables);
    expect(writing().length).toBeGreaterThan(10);
    for (const [operation, good] of writing()) {
      if (FROM_GATEWAYS.has(nameOf(operation))) continue;
      const meant = asMeant(stage, operation, good);
      const answer = await fixture.app.inject({ ...meant, headers: { ...meant.headers, ...headers } });
      expect([answer.statusCode, answer.headers['access-control-allow-origin']], nameOf(operation)).toEqual([
        403,
        undefined,
      ]);
      const { code, error, error_description } = answer.json();
      expect(code ?? [error, error_description], nameOf(operation)).toEqual(
        operation.path.startsWith('/token')
          ? ['invalid_request', 'This request came from another site. Please open the portal and try again']
          : 'request.crossSite',
      );
    }
    expect(await fingerprint(fixture, tables)).toEqual(before);
  });

  it('is taken where other servers send: their signature is the proof', async () => {
    const hook = stage.operations.find((one) => nameOf(one) === WEBHOOK);
    const good = hook === undefined ? undefined : stage.good.get(hook);
    if (hook === undefined || good === undefined) throw new Error(`there is no ${WEBHOOK}`);
    const meant = asMeant(stage, hook, good);
    const headers = { ...meant.headers, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await fixture.app.inject({ ...meant, headers })).json().code).not.toBe('request.crossSite');
  });
});

const revoke = (app: typeof fixture.app, headers: Record<string, string>) =>
  app.inject({
    ...({ method: 'POST', url: '/token/revoke', payload: 'token=x' } satisfies InjectOptions),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

describe('a request of the portal’s own page', () => {
  it.each([
    ['says that it is of the same origin', { 'sec-fetch-site': 'same-origin', origin: 'http://localhost' }],
    ['is sent by hand', { 'sec-fetch-site': 'none' }],
    ['comes from an older browser', { host: 'bills.example:8080', origin: 'http://bills.example:8080' }],
    ['names the scheme’s own port', { host: 'bills.example:80', origin: 'http://bills.example' }],
    ['comes from a program', {}],
  ])('passes when it %s', async (_name, headers) => {
    expect((await revoke(fixture.app, headers)).statusCode).toBe(200);
  });

  it('passes from another host of the brand, from an origin it lists, and to a host for calls only', async () => {
    const { reseller } = await fixture.seedPayer({ allowedOrigins: ['https://www.provider.example'] });
    const other = await fixture.seedPayer();
    await fixture.database
      .pool()
      .query('insert into brand_host (host, brand_id) values ($1, $2)', [
        'my.provider.example',
        reseller.brandId,
      ]);
    const { port } = fixture.deps.config.publicUrl;
    const from = async (origin: string, host: string) => {
      const site = { 'sec-fetch-site': 'same-site' };
      const answers = [
        await revoke(fixture.app, { host, origin }),
        await revoke(fixture.app, { host, origin, ...site }),
      ];
      expect(answers[1]?.statusCode).toBe(answers[0]?.statusCode);
      return answers[0]?.statusCode;
    };
    for (const host of [reseller.host, `${reseller.host}:${port}`]) {
      expect(await from(`http://my.provider.example:${port}`, host)).toBe(200);
      expect(await from('https://www.provider.example', host)).toBe(200);
      expect(await from('https://www.provider.example:8443', host)).toBe(403);
      // The same names, where somebody else may listen.
      for (const [scheme, other] of [
        ['http', ''],
        ['http', ':8080'],
        ['https', `:${port}`],
        ['https', ''],
      ])
        expect(await from(`${scheme}://my.provider.example${other}`, host), `${scheme} ${other}`).toBe(403);
      expect(await from(`http://${reseller.host}:8080`, host)).toBe(403);
      expect(await from(`https://${host}`, host)).toBe(403);
    }
    expect(await from(`http://${reseller.host}:${port}`, 'api.provider.example')).toBe(200);
    expect(await from(`http://${reseller.host}:8080`, 'api.provider.example')).toBe(403);
    expect(await from('https://www.provider.example', other.reseller.host)).toBe(403);
    expect(await from(`http://${reseller.host}:${port}`, other.reseller.host)).toBe(403);
  });

  it('is not one when it came unencrypted to a portal that is', async () => {
    const headers = (scheme: string) => ({ host: 'bills.example', origin: `${scheme}://bills.example` });
    expect((await revoke(secure.app, headers('http'))).statusCode).toBe(403);
    expect((await revoke(secure.app, headers('https'))).statusCode).toBe(200);
  });
});
