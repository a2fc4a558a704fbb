import { get as httpGet } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { createLogger } from '../../logger.ts';
import { type AppLimits, createApp } from '../app.ts';
import type { App } from '../app-type.ts';
import { connectionsWithin, standardLimits } from './connections.ts';

const clients: Socket[] = [];
let app: App;
let letGo: () => void = () => undefined;

afterEach(async () => {
  letGo();
  for (const client of clients.splice(0)) client.destroy();
  await app.close();
});

/** 40 MB, more than the system keeps for a client that does not read. */
async function* large() {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  for (let n = 0; n < 40; n += 1) yield piece;
}

async function start(limits: Partial<AppLimits>): Promise<void> {
  app = createApp(
    { config: readConfig({}), log: createLogger('silent') },
    { checkEveryMs: 20, lingerMs: 200, ...limits },
  );
  const config = { access: 'public' } as const;
  app.post('/echo', { config }, async () => ({ data: 'taken' }));
  app.get('/large', { config }, async (_request, reply) =>
    reply.type('text/csv').send(Readable.from(large())),
  );
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  app.get('/held', { config }, async () => {
    await held;
    return { data: 'held' };
  });
  app.get('/in-parts', { config }, async (_request, reply) => {
    async function* parts() {
      yield 'a';
      await held;
      yield 'b';
    }
    return reply.type('text/csv').send(Readable.from(parts()));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
}

interface Client {
  readonly socket: Socket;
  /** What came back. */
  readonly answer: () => string;
  /** Whether the server has ended its side, or broken the connection. */
  readonly isEnded: () => boolean;
}

/** A client that never ends its side by itself. */
async function open(bytes: string, reads = true): Promise<Client> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  clients.push(socket);
  let [answer, isEnded] = ['', false];
  const end = () => {
    isEnded = true;
  };
  socket.on('error', end).on('close', end);
  if (reads)
    socket
      .on('data', (part) => {
        answer += part.toString('latin1');
      })
      .on('end', end);
  await new Promise((resolve) => socket.once('connect', resolve));
  if (bytes !== '') socket.write(bytes);
  return { socket, answer: () => answer, isEnded: () => isEnded };
}

const connections = () =>
  new Promise<number>((resolve, reject) =>
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );

const head = (first: string, ...headers: string[]) => [first, 'host: a', ...headers, '', ''].join('\r\n');
const json = ['content-type: application/json', 'content-length: 20'];

describe('a client that does not go on', () => {
  it.each([
    ['sends nothing', '', /^$/],
    ['sends half a line', 'GET /ec', /^HTTP\/1\.1 408 .*"code":"request\.timeout"/s],
    [
      'sends half a head',
      'GET /echo HTTP/1.1\r\nhost: a\r\nx: ',
      /^HTTP\/1\.1 408 .*"code":"request\.timeout"/s,
    ],
    ['sends no body', head('POST /echo HTTP/1.1', ...json), /^HTTP\/1\.1 408 .*"code":"request\.timeout"/s],
    [
      'sends half a body',
      `${head('POST /echo HTTP/1.1', ...json)}{"a":`,
      /^HTTP\/1\.1 408 .*"code":"request\.timeout"/s,
    ],
    [
      'sends half a chunk',
      `${head('POST /echo HTTP/1.1', 'content-type: application/json', 'transfer-encoding: chunked')}9\r\n{"a"`,
      /^HTTP\/1\.1 408 .*"code":"request\.timeout"/s,
    ],
    ['sends half a second request', `${head('POST /nowhere HTTP/1.1')}GET /`, /^HTTP\/1\.1 404 .*}$/s],
    ['sends noise and stays', 'noise\r\n\r\n', /^HTTP\/1\.1 400 .*"code":"request\.malformed"/s],
    ['expects something and stays', head('GET / HTTP/1.1', 'expect: miracles'), /^HTTP\/1\.1 417 /],
  ])('who %s is told what it can be told, and its connection is closed', async (_what, bytes, expected) => {
    await start({ receiveWithinMs: 200, answerWithinMs: 200 });
    const client = await open(bytes);
    await expect.poll(client.isEnded).toBe(true);
    await expect.poll(connections).toBe(0);
    expect(client.answer()).toMatch(expected);
  });

  it('who sends a byte now and then is closed as well', async () => {
    await start({ receiveWithinMs: 200, answerWithinMs: 200 });
    const client = await open('GET /echo HTTP/1.1\r\nx: ');
    const drip = setInterval(() => client.socket.write('x'), 20);
    await expect.poll(client.isEnded).toBe(true);
    await expect.poll(connections).toBe(0);
    clearInterval(drip);
  });

  it('who asks and never reads is closed', async () => {
    await start({ stalledAfterMs: 200 });
    await open(head('GET /large HTTP/1.1'), false);
    await expect.poll(connections).toBe(1);
    await expect.poll(connections).toBe(0);
  });
});

describe('a client that goes on', () => {
  it('who reads slowly gets everything, however long it takes', async () => {
    await start({ stalledAfterMs: 1_000 });
    const { port } = app.server.address() as AddressInfo;
    const begun = performance.now();
    const size = await new Promise<number>((resolve, reject) => {
      httpGet({ port, path: '/large' }, async (response) => {
        let read = 0;
        for await (const part of response) {
          const before = read;
          read += part.length;
          // Two seconds in all.
          if (Math.floor(read / 2 ** 21) > Math.floor(before / 2 ** 21)) await sleep(100);
        }
        resolve(read);
      }).on('error', reject);
    });
    expect([size, performance.now() - begun > 1_000]).toEqual([40 * 2 ** 20, true]);
  });

  it.each(['/held', '/in-parts'])('whom we let wait at %s is not cut off', async (path) => {
    await start({ stalledAfterMs: 100 });
    const client = await open(head(`GET ${path} HTTP/1.1`, 'connection: close'));
    await sleep(350);
    expect([client.isEnded(), await connections()]).toEqual([false, 1]);
    letGo();
    await expect.poll(client.isEnded).toBe(true);
    expect(client.answer()).toMatch(/"held"|b\r\n0\r\n/);
  });
});

describe('too many connections', () => {
  it('those that ask nothing make room, oldest first, and who is answered is not cut off', async () => {
    await start({ maxConnections: 4 });
    const held = await open(head('GET /held HTTP/1.1', 'connection: close'));
    const rested = await open(head('GET /nowhere HTTP/1.1'));
    await expect.poll(rested.answer).toMatch(/}$/);
    const half = await open(`${head('POST /echo HTTP/1.1', ...json)}{`);
    const idle: Client[] = [];
    for (let n = 0; n < 20; n += 1) idle.push(await open(''));
    await expect.poll(() => idle.filter((one) => !one.isEnded()).length).toBe(2);
    expect(idle.slice(-2).map((one) => one.isEnded())).toEqual([false, false]);
    expect([half.isEnded(), rested.isEnded(), held.isEnded(), await connections()]).toEqual([
      true,
      false,
      false,
      4,
    ]);

    const asking = await open(`${head('POST /echo HTTP/1.1', ...json)}{"data": "whatever"}`);
    await expect.poll(asking.answer).toMatch(/^HTTP\/1\.1 200 /);
    letGo();
    await expect.poll(held.isEnded).toBe(true);
    expect(held.answer()).toMatch(/"held"/);
  });

  it('the one that has rested longest makes room when none waits; a new one goes when all are being answered', async () => {
    await start({ maxConnections: 2 });
    const rested = [await open(head('GET /nowhere HTTP/1.1')), await open(head('GET /nowhere HTTP/1.1'))];
    await expect.poll(() => rested.every((one) => one.answer().endsWith('}'))).toBe(true);
    const held = await open(head('GET /held HTTP/1.1'));
    await expect.poll(() => rested.map((one) => one.isEnded())).toEqual([true, false]);
    rested[1]?.socket.write(head('GET /held HTTP/1.1'));
    await sleep(50);
    const late = await open('');
    await expect.poll(late.isEnded).toBe(true);
    expect([held.isEnded(), rested[1]?.isEnded(), await connections()]).toEqual([false, false, 2]);
  });
});

describe('the number of connections', () => {
  it.each([
    [64, 32],
    [1_024, 768],
    [Number.MAX_SAFE_INTEGER, 4_096],
  ])('with %s open files is %s', (openFiles, connections) => {
    expect(connectionsWithin(openFiles)).toBe(connections);
  });

  it('of this process is one of these', () => {
    expect(standardLimits.maxConnections).toBeGreaterThan(0);
    expect(standardLimits.maxConnections).toBeLessThanOrEqual(4_096);
  });
});
