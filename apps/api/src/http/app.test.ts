import { randomUUID } from 'node:crypto';
import { get as httpGet } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyContextConfig } from 'fastify';
import { describe, expect, it } from 'vitest';
import { useFixture } from '../../test/fixtures/test-fixture.ts';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { createApp } from './app.ts';
import { createLifecycle } from './requests/lifecycle.ts';

const fixture = useFixture();

describe('bad input', () => {
  const post = (payload: string, type = 'application/json') =>
    fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', headers: { 'content-type': type }, payload });

  it.each([
    ['malformed JSON', '{', 'application/json', 400, 'request.malformed'],
    ['an empty body', '', 'application/json', 400, 'request.malformed'],
    ['a list', '[]', 'application/json', 400, 'request.invalid'],
    ['another content type', '<xml/>', 'text/xml', 415, 'request.mediaType'],
    ['5 MB', JSON.stringify({ uid: 'x'.repeat(5_000_000) }), 'application/json', 413, 'request.tooLarge'],
    ['a prototype', '{"__proto__": {"a": 1}}', 'application/json', 400, 'request.malformed'],
    [
      'a lone surrogate',
      '{"uid": "\\ud800aaaaaaaaaaaaaaaa", "invoiceAmount": "1", "invoiceNumber": "1"}',
      'application/json',
      400,
      'request.malformed',
    ],
  ])('%s is refused with a clear code', async (_name, payload, type, status, code) => {
    const answer = await post(payload, type);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.body).not.toMatch(/at .*\.ts:\d+/);
  });

  it.each([
    '/%00',
    '/v1/ec/payment/details/%E0%A4%A',
    '/v1/brands-settings/99999999999999999999',
    '/v1/ec/payment/details/%00',
  ])('the address %s is refused without a fault', async (url) => {
    const answer = await fixture.app.inject(url);
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'/);
  });
});

describe('a route', () => {
  it('does not start without saying who may call it', () => {
    const app = createApp({ config: readConfig({}), log: createLogger('silent') });
    expect(() => app.get('/open', async () => 'x')).toThrow('does not say who may call it');
  });

  it('does not start without saying which parts of the portal it serves a customer', () => {
    const app = createApp({ config: readConfig({}), log: createLogger('silent') });
    const start = (config: FastifyContextConfig) => app.get(`/${randomUUID()}`, { config }, async () => 'x');
    expect(() => start({ access: 'customer' })).toThrow('says no areas');
    expect(() => start({ access: 'session', areas: ['endShowUsage'] })).toThrow('it has no customer');
    start({ access: 'customer', areas: ['endShowUsage'] });
    start({ access: 'customer', everyArea: 'a reason' });
    start({ access: 'session' });
  });
});

describe('a request that nothing answers', () => {
  it('is answered 503 in time, and what comes later changes nothing [decisions.9.server-answers-early]', async () => {
    const app = createApp({ config: readConfig({}), log: createLogger('silent') }, { answerWithinMs: 100 });
    app.get('/stuck', { config: { access: 'public' } }, async () => {
      await sleep(300);
      return { late: true };
    });
    const answer = await app.inject('/stuck');
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'server.unavailable']);
    await sleep(300);
    await app.close();
  });
});

describe('a long answer that has begun', () => {
  it('is not cut off when the time for its first byte is over', async () => {
    const app = createApp({ config: readConfig({}), log: createLogger('silent') }, { answerWithinMs: 100 });
    app.get('/file', { config: { access: 'public' } }, async (_request, reply) => {
      async function* lines() {
        for (let line = 0; line < 10; line += 1) {
          yield 'line\n';
          await sleep(50);
        }
      }
      return reply.type('text/csv').send(Readable.from(lines()));
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/file`);
    expect(await answer.text()).toBe('line\n'.repeat(10));
    await app.close();
  });
});

describe('stopping', () => {
  it('lets a short request finish and refuses new ones', async () => {
    const app = createApp({ config: readConfig({}), log: createLogger('silent') });
    const lifecycle = createLifecycle(app);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    app.get('/slow', { config: { access: 'public' } }, async () => {
      begin();
      await sleep(300);
      return { done: true };
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const answer = fetch(`http://127.0.0.1:${port}/slow`);
    await begun;
    const stopped = lifecycle.stop();
    const finished = await answer;
    expect([finished.headers.get('connection'), await finished.json()]).toEqual(['close', { done: true }]);
    await stopped;
    await expect(fetch(`http://127.0.0.1:${port}/slow`)).rejects.toThrow();
  });

  it('breaks a long download so that it is seen as broken', async () => {
    const app = createApp({ config: readConfig({}), log: createLogger('silent') });
    const lifecycle = createLifecycle(app, 300);
    app.get('/endless', { config: { access: 'public' } }, async (_request, reply) => {
      async function* lines() {
        for (;;) {
          yield 'line\n';
          await sleep(20);
        }
      }
      return reply.type('text/csv').send(Readable.from(lines()));
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const ended = new Promise<string>((resolve) => {
      httpGet(`http://127.0.0.1:${port}/endless`, (response) => {
        response.on('data', () => undefined);
        response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
        response.on('end', () => resolve('complete'));
      });
    });
    await sleep(100);
    await lifecycle.stop();
    expect(await ended).toBe('ECONNRESET');
  });
});
