import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Writable } from 'node:stream';
import { fakePortal } from '@counterfoil/testing/fake-portal.ts';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { readConfig } from '../../config.ts';
import { createLogger } from '../../logger.ts';
import { createApp } from '../app.ts';

const written: string[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    written.push(String(chunk));
    done();
  },
});
const lines = () => written.map((line) => JSON.parse(line) as Record<string, unknown>);
beforeEach(() => {
  written.length = 0;
});
// At the level that is the default, and at the one that tells all.
const fixture = useFixture({ log: createLogger(readConfig({}).logLevel, sink), dist: fakePortal });
const wordy = useFixture({ log: createLogger('trace', sink) });

describe('the request log', () => {
  it('has one line a request by default: method, route, status, time and the id of the answer', async () => {
    const answer = await fixture.app.inject('/v1/ec/payment/details/xxxxxxxxxxxxxxxxxxxxxx');
    expect(lines()).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        pid: process.pid,
        msg: 'answered',
        reqId: answer.headers['x-request-id'],
        ms: expect.any(Number),
        method: 'GET',
        route: '/v1/ec/payment/details/:token',
        status: answer.statusCode,
      },
    ]);
  });

  it.each(['/%E0%A4%A', '/v1/nothing', '/docs', '/assets/none.js', '/v1/ec/customers'])(
    'has one for %s, too',
    async (url) => {
      const { statusCode } = await fixture.app.inject(url);
      expect(lines()).toEqual([expect.objectContaining({ msg: 'answered', status: statusCode })]);
    },
  );

  it('has none of probes that are well, and those of probes that are not', async () => {
    for (const url of ['/healthz', '/readyz', '/metrics']) await fixture.app.inject(url);
    expect(lines()).toEqual([]);
    await fixture.app.inject({ url: '/metrics', headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(lines()).toEqual([expect.objectContaining({ route: '/metrics', status: 404 })]);
  });

  it('never has what an address, a form or a header holds, at no level', async () => {
    const secret = 'SECRETSECRETSECRETSECRET';
    const addresses = [
      '/pay',
      '/reset-password',
      '/finish-registration',
      '/la',
      '/v1/ec/payment/details',
      '/v1/ec/payment/invoice',
      '/v1/nothing',
      '/assets',
      '/%E0%A4%A',
      '/nothing.here',
    ].map((path) => `${path}/${secret}`);
    const queries = [
      '/login?code',
      '/login?r',
      '/sso/login?b',
      '/sso/callback?state=x&code',
      '/pay/x?attempt',
    ];
    for (const url of [...addresses, ...queries.map((query) => `${query}=${secret}`)])
      await wordy.app.inject({
        url,
        headers: { authorization: `Bearer ${secret}`, cookie: `sso=${secret}` },
      });
    const form = {
      grant_type: 'password',
      client_id: 'counterfoil-portal',
      username: secret,
      password: secret,
    };
    await wordy.app.inject({
      method: 'POST',
      url: '/token',
      payload: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    for (const url of ['/v1/ec/password-reset-request', '/v1/ec/password-reset', '/v1/ec/login-by-code'])
      for (const payload of [{ email: secret, token: secret, password: secret, code: secret }, `{${secret}`])
        await wordy.app.inject({
          method: 'POST',
          url,
          headers: { 'content-type': 'application/json' },
          payload,
        });
    expect(lines().filter(({ msg }) => msg === 'answered').length).toBeGreaterThanOrEqual(addresses.length);
    expect(written.join('')).not.toContain(secret);
  });
});

describe('a request that is left', () => {
  const app = createApp({ config: readConfig({}), log: createLogger('info', sink) });
  const reached = Promise.withResolvers<void>();
  app.get('/slow', { config: { access: 'public' } }, async (request) => {
    reached.resolve();
    await once(request.raw.socket, 'close');
    return 'too late';
  });
  afterAll(() => app.close());

  it('has a line as well', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' });
    written.length = 0;
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n');
    await reached.promise;
    socket.destroy();
    await vi.waitFor(() =>
      expect(lines()).toEqual([expect.objectContaining({ route: '/slow', msg: 'broken off' })]),
    );
  });
});
