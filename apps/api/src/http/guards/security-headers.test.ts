import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameOf } from '../../../test/access-matrix/ids.ts';
import { asMeant, type Stage, setStage } from '../../../test/bad-input/stage.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { sendRaw } from '../../../test/fixtures/trouble/send-raw.ts';
import { AppError } from '../../app-error.ts';
import { readConfig } from '../../config.ts';
import { createLogger } from '../../logger.ts';
import { createApp } from '../app.ts';
import { PAGES as PORTAL_PAGES } from '../pages/portal-files.ts';
import { securityHeaders } from './security-headers.ts';

const FOREVER = 'public, max-age=31536000, immutable';
const fixture = useFixture({ dist: builtPortal });
const secure = useFixture({ dist: builtPortal, env: () => ({ PUBLIC_URL: 'https://bills.example' }) });
let stage: Stage;
beforeAll(async () => {
  stage = await setStage(fixture);
  await Promise.all([fixture, secure].map(({ app }) => app.listen({ port: 0, host: '127.0.0.1' })));
});

/** A portal as the build leaves it, as small as can be. */
function builtPortal(): string {
  const dist = mkdtempSync(join(tmpdir(), 'counterfoil-dist-'));
  mkdirSync(join(dist, 'assets'));
  writeFileSync(join(dist, 'assets', 'page-abc.js'), 'export {};\n');
  writeFileSync(join(dist, 'assets', 'page-abc.css'), 'a{}\n');
  const html = '<!doctype html><html lang="en"><head><!--brand-head--><!--runtime-config--></head></html>';
  for (const page of PORTAL_PAGES) writeFileSync(join(dist, page), html);
  return dist;
}

interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** What a browser heeds on documents alone; scripts and style sheets of the build are sent without. */
const OF_DOCUMENTS =
  /^\d+ (content-security-policy|permissions-policy|referrer-policy|cross-origin-opener-policy): missing$/;

/** What is wrong with the headers of an answer, whatever it is. */
function faultsOf({ statusCode, headers, body }: Answer, https = false): string[] {
  const faults: string[] = [];
  const want = (name: string, fits: RegExp) => {
    const value = String(headers[name] ?? '');
    if (!fits.test(value)) faults.push(`${statusCode} ${name}: ${value === '' ? 'missing' : value}`);
  };
  want('content-security-policy', /^default-src 'none'; /);
  want('content-security-policy', /frame-ancestors 'none'/);
  want('content-security-policy', /^(?!.*(unsafe-inline|unsafe-eval|strict-dynamic| \*|http:)).*$/);
  want('x-content-type-options', /^nosniff$/);
  want('referrer-policy', /^(same-origin|no-referrer)$/);
  want('cross-origin-opener-policy', /^same-origin$/);
  want('cross-origin-resource-policy', /^same-origin$/);
  want('permissions-policy', /camera=\(\).*geolocation=\(\).*microphone=\(\)/);
  want('strict-transport-security', https ? /^max-age=31536000; includeSubDomains$/ : /^$/);
  want('x-robots-tag', /^(noindex, nofollow|all)$/);
  want('x-request-id', /^[\da-f-]{36}$/);
  want('cache-control', statusCode >= 400 ? /^no-store$/ : /^(no-store|public, max-age=\d+(, immutable)?)$/);
  for (const name of ['server', 'x-powered-by', 'access-control-allow-origin']) want(name, /^$/);
  if (body !== '') want('content-type', /./);
  if (/^text\/(html|css)/.test(String(headers['content-type']))) want('content-type', /charset=utf-8/);
  return faults;
}

const PAGES = ['/', '/login', '/pay/x', '/reset-password/x', '/finish-registration/x', '/invoices', '/docs'];
const FILES = ['/assets/page-abc.js', '/assets/page-abc.css'];
const PUBLIC = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs/style.css',
  '/brand.css?b=0',
  '/v1/brands/0/logo',
  '/v1/brands/0/banner',
  '/robots.txt',
];
const REFUSED: InjectOptions[] = [
  '/v1/nothing',
  '/assets/none.js',
  '/assets/../x.js',
  '/assets/',
  '/none.png',
  '/%00',
  '/%E0%A4%A',
  '/v1/brands/99999/logo',
  '/brand.css?b=x',
  `/v1/${'x'.repeat(600)}`,
  '/openapi.json/x',
].map((url) => ({ url }));

describe('the safety headers', () => {
  it('stand on the answer and on the refusal of every call of the document, and on those to a wrong method [decisions.9.strict-csp]', {
    timeout: 120_000,
  }, async () => {
    const faults: string[] = [];
    for (const [operation, good] of stage.good) {
      const meant = asMeant(stage, operation, good);
      const tries: readonly (readonly [string, InjectOptions])[] = [
        ['as meant', meant],
        ['without a session', { ...meant, headers: { ...meant.headers, authorization: '' } }],
        ['by another method', { ...meant, method: operation.method === 'PUT' ? 'PATCH' : 'PUT' }],
        ['with another type', { ...meant, headers: { 'content-type': 'text/xml' }, payload: '<x/>' }],
        ['with too much', { ...meant, method: 'POST', payload: 'x'.repeat(1_100_000) }],
        ['from another site', { ...meant, headers: { ...meant.headers, 'sec-fetch-site': 'cross-site' } }],
      ];
      for (const [how, request] of tries) {
        const answer = await fixture.app.inject(request);
        faults.push(...faultsOf(answer).map((fault) => `${nameOf(operation)} ${how}: ${fault}`));
        if (answer.statusCode === 204) await stage.renewSession();
        const isPrivate = /^\/(v1\/ec|token)/.test(operation.path);
        if (isPrivate && answer.headers['cache-control'] !== 'no-store')
          faults.push(`${nameOf(operation)} ${how}: may be kept`);
      }
    }
    expect(faults).toEqual([]);
  });

  it('stand on pages, files, images and figures, and on what is not there, unencrypted and encrypted', async () => {
    const faults: string[] = [];
    const all: InjectOptions[] = [...[...PAGES, ...FILES, ...PUBLIC].map((url) => ({ url })), ...REFUSED];
    for (const [{ app }, https] of [[fixture, false] as const, [secure, true] as const]) {
      for (const request of all) {
        for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'] as const) {
          const answer = await app.inject({ ...request, method });
          const name = `${method} ${String(request.url).slice(0, 40)}`;
          const isPart = FILES.includes(String(request.url)) && answer.statusCode === 200;
          const told = faultsOf(answer, https).filter((fault) => !isPart || !OF_DOCUMENTS.test(fault));
          faults.push(...told.map((fault) => `${name}: ${fault}`));
          if (method === 'GET' && answer.statusCode >= 400 !== REFUSED.includes(request))
            faults.push(`${name}: answered ${answer.statusCode}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it('leave out on scripts and style sheets of the build what is heeded on documents alone', async () => {
    for (const url of FILES) {
      const told = faultsOf(await fixture.app.inject(url));
      expect(told.filter((fault) => !OF_DOCUMENTS.test(fault))).toEqual([]);
      expect(new Set(told).size, url).toBe(4);
    }
  });

  it('let files be kept for ever, what is drawn for everybody for minutes, and pages never', async () => {
    const kept = async (url: string) => (await fixture.app.inject(url)).headers['cache-control'];
    for (const url of FILES) expect(await kept(url), url).toBe(FOREVER);
    for (const url of PUBLIC.slice(3)) expect(await kept(url), url).toMatch(/^public, max-age=(60|300)$/);
    for (const url of PAGES.filter((page) => page !== '/docs')) expect(await kept(url), url).toBe('no-store');
    for (const url of PUBLIC.slice(0, 3)) expect(await kept(url), url).toBe('no-store');
  });

  it('keep search engines from everything but the plain sign-in page: by header, and by tag where there is a page', async () => {
    const tag = '<meta name="robots" content="noindex, nofollow">';
    const told = async (url: string) => {
      const { headers, body } = await fixture.app.inject(url);
      return [headers['x-robots-tag'], body.includes(tag)];
    };
    expect(await told('/login')).toEqual(['all', false]);
    const pages = ['/', '/pay/x', '/pay/x?attempt=1', '/reset-password/x', '/finish-registration/x', '/la/x'];
    for (const url of [...pages, '/login?code=x', '/login?e=x', '/invoices'])
      expect(await told(url), url).toEqual(['noindex, nofollow', true]);
    const { token } = await fixture.seedPayable((await fixture.seedPayer()).customer);
    const documents = [`/v1/ec/payment/details/${token}`, `/v1/ec/payment/invoice/${token}`];
    for (const url of [...documents, ...FILES, ...PUBLIC, '/docs', '/none.png'])
      expect(await told(url), url).toEqual(['noindex, nofollow', false]);
    expect((await fixture.app.inject(`/v1/ec/payment/invoice/${token}`)).headers['content-type']).toBe(
      'application/pdf',
    );
  });

  it('name nothing in robots.txt that holds a token: its noindex would never be read', async () => {
    const { headers, body } = await fixture.app.inject('/robots.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(body).toBe('User-agent: *\nDisallow: /sso/\n');
  });

  it('give each page a nonce of its own, and run no script or style without it [decisions.9.strict-csp]', async () => {
    const policy = async (url: string) =>
      String((await fixture.app.inject(url)).headers['content-security-policy']);
    const [one, other] = [await policy('/login'), await policy('/login')];
    expect(one).toMatch(/script-src 'self' 'nonce-[\w-]{22}'; style-src 'self' 'nonce-[\w-]{22}'/);
    expect(one).not.toBe(other);
    for (const part of ["base-uri 'none'", "object-src 'none'", "form-action 'self'"])
      expect(one).toContain(part);
  });
});

/** Sends bytes as they are. */
async function answerTo(app: typeof fixture.app, bytes: string): Promise<Answer> {
  const [head = '', body = ''] = (await sendRaw(app, bytes)).split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ]);
  return { statusCode: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), body };
}

it.each([
  ['what is no request', 400, 'noise\r\n\r\n'],
  ['no host', 400, 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n'],
  ['TRACE', 404, 'TRACE /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
  ['two hosts', 400, 'GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n'],
  ['no host, long ago', 200, 'GET /healthz HTTP/1.0\r\n\r\n'],
  ['headers of 200 kB', 431, `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(200_000)}\r\n\r\n`],
  [
    'an expectation',
    417,
    'POST /token HTTP/1.1\r\nhost: a\r\nexpect: a-miracle\r\ncontent-length: 0\r\n\r\n',
  ],
  [
    'a body that is too long',
    413,
    'POST /v1/ec/pay HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 9999999\r\n\r\n',
  ],
  ['an absolute address', 200, 'GET http://a/login HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
])('stand on the answer to %s', async (_name, status, bytes) => {
  for (const [{ app }, https] of [[fixture, false] as const, [secure, true] as const]) {
    const answer = await answerTo(app, bytes);
    expect([answer.statusCode, faultsOf(answer, https)]).toEqual([status, []]);
  }
});

describe('a server in trouble', () => {
  const app = createApp({ config: readConfig({}), log: createLogger('silent') }, { answerWithinMs: 50 });
  securityHeaders(app, { https: false });
  const config = { access: 'public' } as const;
  app.get('/gone', { config }, () => Promise.reject(new AppError('server.unavailable')));
  app.get('/fault', { config }, () => Promise.reject(new Error('a fault of ours')));
  app.get('/stuck', { config }, async () => {
    await sleep(200);
    return 'late';
  });
  afterAll(() => app.close());

  it.each([
    ['/gone', 503],
    ['/fault', 500],
    ['/stuck', 503],
  ])('sends them too: %s', async (url, status) => {
    const answer = await app.inject(url);
    expect([answer.statusCode, faultsOf(answer)]).toEqual([status, []]);
  });
});
