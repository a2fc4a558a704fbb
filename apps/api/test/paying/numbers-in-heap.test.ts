import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeClock } from '@counterfoil/testing/clock.ts';
import { startProcess } from '@counterfoil/testing/processes.ts';
import { expect, it } from 'vitest';
import { heapArgs, heapOf, newCardNumber, numbersInPages } from '../fixtures/paying/gateways/number-hunt.ts';
import { useFixture } from '../fixtures/test-fixture.ts';

const fixture = useFixture({ clock: fakeClock(new Date()) });

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
    nodeArgs: heapArgs(folder),
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
    const [paid, refused, broken, leaked] = [
      newCardNumber(),
      newCardNumber(),
      newCardNumber(),
      newCardNumber(),
    ];
    const answers = [
      await pay({ ...form, cardNumber: paid }),
      await pay({ ...form, cardNumber: refused, beside: { cardNumber: refused } }),
      await pay(`{"cardNumber":"${broken}","cardCode":"731"`),
      await pay({ ...form, cardNumber: leaked }, { cardHolder: 'Leak' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 200]);
    expect(gateway.received.join('')).toContain(paid);
    const numbers = [paid, refused, broken, leaked];
    if (process.platform === 'linux') expect(numbersInPages(server.pid, numbers)).toEqual([leaked]);
    const heap = await heapOf(server.pid, folder);
    expect(numbers.filter((number) => heap.includes(number))).toEqual([leaked]);
    for (const number of [paid, refused, broken])
      expect(server.lines.join('') + answers.map(({ text }) => text).join('')).not.toContain(number);
  } finally {
    await server.kill();
    gateway.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
