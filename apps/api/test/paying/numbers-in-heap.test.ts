import { randomInt } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, readSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { passesLuhn } from '@counterfoil/domain/paying/card.ts';
import { fakeClock } from '@counterfoil/testing/clock.ts';
import { startProcess } from '@counterfoil/testing/processes.ts';
import { expect, it } from 'vitest';
import { useFixture } from '../fixtures/test-fixture.ts';

const fixture = useFixture({ clock: fakeClock(new Date()) });

/** A card number of this run alone. */
function cardNumber(): string {
  const body = `4${Array.from({ length: 14 }, () => randomInt(10)).join('')}`;
  return Array.from({ length: 10 }, (_, digit) => `${body}${digit}`).find(passesLuhn) ?? '';
}

/** A provider that only counts what it was sent. */
async function provider() {
  const received: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => received.push(text));
    request.on('end', () => response.end('{}'));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { received, url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

it('numbers that pass to a gateway are not in the server’s heap afterwards, however they came and were answered; one that is kept as text is found there', {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'numbers-'));
  const gateway = await provider();
  const { secretKey = '' } = fixture.deps.config;
  const server = await startProcess({
    command: [
      'apps/api/test/processes/numbers-process.ts',
      fixture.database.url,
      secretKey,
      folder,
      gateway.url,
    ],
    env: {},
    ready: /"ready"/,
    nodeArgs: ['--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${folder}`],
  });
  try {
    const { ready } = JSON.parse(server.readyLine) as { ready: string };
    const pay = async (sent: string | object, over: object = {}) => {
      const { customer } = await fixture.seedPayer({});
      const invoice = await fixture.seedPayable(customer);
      const body = { uid: invoice.token, invoiceAmount: '110.00', invoiceNumber: invoice.number };
      const answer = await fetch(new URL('/v1/ec/pay', ready), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof sent === 'string' ? sent : JSON.stringify({ ...body, ...sent, ...over }),
      });
      return { status: answer.status, text: await answer.text() };
    };
    const form = { expirationDate: '2031-08', cardCode: '731' };
    const [paid, refused, broken, leaked] = [cardNumber(), cardNumber(), cardNumber(), cardNumber()];
    const answers = [
      await pay({ ...form, cardNumber: paid }),
      await pay({ ...form, cardNumber: refused, beside: { cardNumber: refused } }),
      await pay(`{"cardNumber":"${broken}","cardCode":"731"`),
      await pay({ ...form, cardNumber: leaked }, { cardHolder: 'Leak' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 200]);
    expect(gateway.received.join('')).toContain(paid);
    const numbers = [paid, refused, broken, leaked];
    if (process.platform === 'linux') expect(foundInPages(server.pid, numbers)).toEqual([leaked]);
    process.kill(server.pid, 'SIGUSR2');
    const heap = await writtenHeap(folder);
    expect(numbers.filter((number) => heap.includes(number))).toEqual([leaked]);
    for (const number of [paid, refused, broken])
      expect(server.lines.join('') + answers.map(({ text }) => text).join('')).not.toContain(number);
  } finally {
    await server.kill();
    gateway.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/**
 * Which numbers stand anywhere in the pages of JavaScript's own memory, also where nothing refers to them any more: what the collector
 * has moved or dropped without overwriting it. Not searched is what C allocates (`[heap]`): there are the buffers through which
 * bodies come and go, which later requests overwrite.
 */
function foundInPages(pid: number, numbers: readonly string[]): string[] {
  const pages = readFileSync(`/proc/${pid}/maps`, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw\S+ \S+ \S+ 0\s*$/.exec(line) ?? [];
      return from === undefined || to === undefined
        ? []
        : [{ start: Number.parseInt(from, 16), end: Number.parseInt(to, 16) }];
    });
  expect(pages.length).toBeGreaterThan(10);
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const found = new Set<string>();
  try {
    const part = Buffer.alloc(2 ** 20);
    // Parts overlap, so that none hides a number between them.
    for (const { start, end } of pages)
      for (let at = start; at < end; at += part.length - 32) {
        const size = readPart(memory, part, at, end);
        for (const number of numbers) if (part.subarray(0, size).includes(number)) found.add(number);
      }
  } finally {
    closeSync(memory);
  }
  return [...found];
}

/** @returns how many bytes were read; none of pages that are gone or were never used */
function readPart(memory: number, part: Buffer, at: number, end: number): number {
  try {
    return readSync(memory, part, 0, Math.min(part.length, end - at), at);
  } catch {
    return 0;
  }
}

/** The snapshot, once it is whole. */
async function writtenHeap(folder: string): Promise<Buffer> {
  for (;;) {
    await sleep(250);
    const [file] = readdirSync(folder).filter((name) => name.endsWith('.heapsnapshot'));
    const heap = file === undefined ? Buffer.alloc(0) : readFileSync(join(folder, file));
    if (heap.subarray(-8).toString().trimEnd().endsWith('}')) return heap;
  }
}
