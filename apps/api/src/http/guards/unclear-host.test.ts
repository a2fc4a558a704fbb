import { problem } from '@counterfoil/contract/envelope.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../../../test/fixtures/trouble/send-raw.ts';
import { readConfig } from '../../config.ts';
import { createLogger } from '../../logger.ts';
import { createApp } from '../app.ts';
import type { App } from '../app-type.ts';

const appWith = (proxies: string) => {
  const app = createApp({ config: readConfig({ TRUST_PROXY: proxies }), log: createLogger('silent') });
  app.get('/host', { config: { access: 'public' } }, async (request) => ({ data: request.host }));
  return app;
};
const direct = appWith('0');
const behind = appWith('1');
beforeAll(() => Promise.all([direct, behind].map((app) => app.listen({ port: 0, host: '127.0.0.1' }))));
afterAll(() => Promise.all([direct, behind].map((app) => app.close())));

async function ask(app: App, headers: readonly string[], address = '/host', version = '1.1') {
  const lines = [`GET ${address} HTTP/${version}`, ...headers, 'connection: close', '', ''];
  const [head = '', body = ''] = (await sendRaw(app, lines.join('\r\n'))).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) as unknown };
}
const refused = async (...request: Parameters<typeof ask>) => {
  const { status, body } = await ask(...request);
  expect([status, problem.parse(body).code]).toEqual([400, 'request.malformed']);
};

describe('the host asked for', () => {
  it.each([
    ['two that differ', ['host: bills.example', 'host: evil.example']],
    ['two that are alike', ['host: bills.example', 'Host: bills.example']],
    ['none', []],
    ['an empty one', ['host:']],
    ['a path', ['host: bills.example/login']],
    ['a user', ['host: bills.example@evil.example']],
    ['two in one line', ['host: bills.example, evil.example']],
    ['a blank', ['host: bills example']],
    ['a bad port', ['host: bills.example:port']],
    ['a port beyond all', ['host: bills.example:70000']],
    ['no port after its colon', ['host: bills.example:']],
    ['brackets around nothing', ['host: []']],
    ['letters of no host name', ['host: bills.ex\xe4mple']],
    ['an encoded one', ['host: bills%2eexample']],
  ])('is refused: %s', async (_name, headers) => {
    await refused(direct, headers);
  });

  it('is refused when the address names another, and when long ago named two', async () => {
    await refused(direct, ['host: bills.example'], 'http://evil.example/host');
    await refused(direct, ['host: bills.example'], 'http://bills.example@evil.example/host');
    await refused(direct, ['host: a', 'host: b'], '/host', '1.0');
  });

  it.each([
    'bills.example',
    'BILLS.example:8443',
    'a',
    'my_host.internal',
    '127.0.0.1:3000',
    '[::1]:3000',
    'x--y.example.',
  ])('is taken: %s', async (host) => {
    expect(await ask(direct, [`host: ${host}`])).toEqual({ status: 200, body: { data: host } });
  });

  it('is taken from an address that names the same, and may be left out by HTTP/1.0', async () => {
    expect((await ask(direct, ['host: a'], 'http://a/host')).status).toBe(200);
    expect((await ask(direct, [], '/host', '1.0')).status).toBe(200);
  });
});

describe('the host a proxy forwards', () => {
  const forwarded = (...values: string[]) => [
    'host: inside',
    ...values.map((value) => `x-forwarded-host: ${value}`),
  ];

  it.each([
    ['two that differ', forwarded('evil.example', 'bills.example')],
    ['two that differ in one line', forwarded('evil.example, bills.example')],
    ['what is no host', forwarded('bills.example/..')],
    ['an empty one', forwarded('')],
  ])('is refused where proxies are believed: %s', async (_name, headers) => {
    await refused(behind, headers);
    expect(await ask(direct, headers)).toEqual({ status: 200, body: { data: 'inside' } });
  });

  it('is taken when all say the same', async () => {
    const taken = { status: 200, body: { data: 'bills.example' } };
    expect(await ask(behind, forwarded('bills.example'))).toEqual(taken);
    expect(await ask(behind, forwarded('bills.example', 'bills.example'))).toEqual(taken);
  });
});
