import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { expect, it } from 'vitest';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';
import { accepts, receiver } from '../../../../test/fixtures/webhooks/receiver.ts';
import { webhookProgram } from '../../../../test/fixtures/webhooks/webhook-program.ts';
import { writeMessages } from '../../../messages/write-messages.ts';

const secretKey = randomBytes(32).toString('hex');
const fixture = useFixture({ secretKey, env: () => ({ WEBHOOKS_ALLOW_PRIVATE: '1' }) });
const program = fileURLToPath(
  new URL('../../../../test/fixtures/webhooks/sender-process.ts', import.meta.url),
);

const THINGS = 3;
const MESSAGES = 12;
const KILLS = 2;

it('loses nothing and keeps the order when workers are killed between sending and recording', async () => {
  fixture.clock.set(new Date());
  const { reseller } = await fixture.seedPayer();
  const { listen, endpoints } = await webhookProgram(fixture, reseller.id);
  let worker: ChildProcess | undefined;
  let kills = 0;
  const there = await receiver((got, reply, request) => {
    // It has been sent, and its sender dies before it can write that down: before or after the answer.
    const isLast = kills >= KILLS || there.received.length % 5 !== 0;
    if (isLast) return accepts(got, reply, request);
    kills += 1;
    if (kills % 2 === 0) accepts(got, reply, request);
    worker?.kill('SIGKILL');
  });
  const { id } = await listen(there.url);
  const things = Array.from({ length: THINGS }, () => newId());
  const ids: string[] = [];
  for (let n = 0; n < MESSAGES; n += 1) {
    const objectId = things[n % THINGS] ?? '';
    const data = { id: objectId, text: `${n}` };
    const message = { type: 'webhook.test' as const, objectId, customerId: null, data };
    const written = await fixture.deps.databases.web.transaction((tx) =>
      writeMessages(tx, reseller.id, [message], fixture.clock.now()),
    );
    ids.push(...written);
  }
  const waiting = async () => (await endpoints('GET', `/${id}`)).data.waiting as number;
  while ((await waiting()) > 0) {
    worker = spawn(process.execPath, [program, fixture.database.url, secretKey], { stdio: 'ignore' });
    const ended = once(worker, 'exit').then(() => true);
    const isDone = async (): Promise<boolean> => {
      await sleep(100);
      return (await waiting()) === 0;
    };
    while (!(await Promise.race([ended, isDone()])));
    if (await isDone()) worker.kill('SIGKILL');
    await ended;
    // The leases of who was killed run out.
    await fixture.database
      .pool()
      .query("update webhook_delivery set leased_until = now() where state = 'waiting'");
  }
  expect(kills).toBe(KILLS);
  expect(there.received.length).toBeGreaterThan(MESSAGES);
  for (const [at, thing] of things.entries()) {
    const came = there.received.filter(({ message }) => message.data.id === thing);
    const order = [...new Set(came.map(({ message }) => message.id))];
    expect(order).toEqual(ids.filter((_, n) => n % THINGS === at));
  }
});
