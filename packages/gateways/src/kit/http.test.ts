import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { jsonOf, outcomeOfFault, reachOf, send } from './http.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const get = (url: string, more: { timeoutMs?: number; maxBytes?: number } = {}) =>
  send({ method: 'GET', url, ...more });

describe('one request', () => {
  it('brings any complete answer, whatever its status', async () => {
    const url = await serve((_request, response) => response.writeHead(402, { 'x-a': 'b' }).end('no'));
    const reply = await get(url);
    expect(reply).toMatchObject({ is: 'reply', status: 402 });
    if (reply.is === 'reply') {
      expect(reply.headers.get('x-a')).toBe('b');
      expect(Buffer.from(reply.bytes).toString()).toBe('no');
    }
  });

  it('follows no redirect', async () => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await get(url)).toMatchObject({ is: 'reply', status: 307 });
    expect(asked).toBe(1);
  });

  it.each([
    ['before the answer', (): RequestListener => () => undefined],
    [
      'within its body',
      (): RequestListener => (_request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('half');
      },
    ],
  ])('a time-out %s may have been executed', async (_name, answer) => {
    expect(await get(await serve(answer()), { timeoutMs: 150 })).toMatchObject({
      is: 'fault',
      reach: 'sent',
    });
  });

  it('a connection cut may have been executed', async () => {
    const url = await serve((request) => request.socket.destroy());
    expect(await get(url)).toMatchObject({ is: 'fault', reach: 'sent' });
    const half = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.socket?.destroy());
    });
    expect(await get(half)).toMatchObject({ is: 'fault', reach: 'sent' });
  });

  it('an endless answer is cut', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200);
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(65_536), more);
      };
      more();
    });
    expect(await get(url, { maxBytes: 100_000 })).toMatchObject({ is: 'fault', reach: 'sent' });
  });

  it('refused or unknown to the name service: nothing was sent', async () => {
    const closed = createTcpServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    expect(await get(`http://127.0.0.1:${port}/`)).toMatchObject({ is: 'fault', reach: 'notSent' });
    expect(await get(`http://localhost:${port}/`)).toMatchObject({ is: 'fault', reach: 'notSent' });
    expect(await get('http://no-such-host.invalid/')).toMatchObject({ is: 'fault', reach: 'notSent' });
    expect(await get('not an address')).toMatchObject({ is: 'fault', reach: 'notSent' });
  });
});

describe('whether anything was sent', () => {
  const system = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });
  it.each([
    [system('ETIMEDOUT', 'connect'), 'notSent'],
    [system('EHOSTUNREACH', 'connect'), 'notSent'],
    [system('EHOSTUNREACH', 'read'), 'sent'],
    [system('ECONNRESET', 'read'), 'sent'],
    [new AggregateError([system('ECONNREFUSED', 'connect'), system('ETIMEDOUT', 'connect')]), 'notSent'],
    [new AggregateError([system('ECONNREFUSED', 'connect'), system('ECONNRESET', 'read')]), 'sent'],
    [new Error('what is this'), 'sent'],
    ['a string', 'sent'],
  ])('%s: %s', (fault, reach) => {
    expect(reachOf(fault)).toBe(reach);
    expect(reachOf(new TypeError('fetch failed', { cause: fault }))).toBe(reach);
  });

  it('decides the outcome of a money call', () => {
    expect(outcomeOfFault('notSent', 'x', { a: 'b' })).toEqual({
      is: 'notAttempted',
      why: 'unreachable',
      detail: 'x',
    });
    expect(outcomeOfFault('sent', 'x', { a: 'b' })).toEqual({
      is: 'unknown',
      evidence: 'x',
      state: { a: 'b' },
    });
  });
});

describe('a body', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  it('is JSON with or without byte-order mark', () => {
    expect(jsonOf(bytes('\uFEFF{"a":1}'))).toEqual({ is: 'json', value: { a: 1 } });
    expect(jsonOf(bytes('null'))).toEqual({ is: 'json', value: null });
  });

  it('says what came instead, without numbers', () => {
    expect(jsonOf(bytes(''))).toMatchObject({ is: 'fault', detail: expect.stringContaining('(empty)') });
    expect(jsonOf(bytes('<p>4242424242424242</p>'))).toMatchObject({
      detail: expect.not.stringContaining('4242'),
    });
    expect(jsonOf(new Uint8Array([0xff, 0xfe]))).toMatchObject({ is: 'fault' });
  });
});
