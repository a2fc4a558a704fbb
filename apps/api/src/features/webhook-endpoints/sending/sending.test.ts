import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Today } from '@counterfoil/contract/operator/running/today.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';
import { accepts, type Behaviour, fails, receiver } from '../../../../test/fixtures/webhooks/receiver.ts';
import { webhookProgram } from '../../../../test/fixtures/webhooks/webhook-program.ts';
import { forgetMessages } from '../../../messages/day-messages.ts';
import { writeMessages } from '../../../messages/write-messages.ts';
import { type SenderDeps, sendDue, webhookSender } from './sender.ts';
import { takeDelivery } from './take.ts';

const fixture = useFixture({ env: () => ({ WEBHOOKS_ALLOW_PRIVATE: '1' }) });
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const deps = (over: Partial<SenderDeps> = {}): SenderDeps => {
  const { databases, secrets, log } = fixture.deps;
  return {
    db: databases.jobs,
    secrets,
    clock: fixture.clock,
    log,
    allowsPrivate: true,
    timeoutMs: 300,
    ...over,
  };
};

/** A reseller with a program, and messages about some of its things. */
async function provider() {
  const { reseller } = await fixture.seedPayer();
  const program = await webhookProgram(fixture, reseller.id);
  /** Writes a message about each, one after the other. @returns their ids */
  const happen = async (...objects: readonly string[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const objectId of objects) {
      const data = { id: objectId, text: `${ids.length}` };
      const message = { type: 'webhook.test' as const, objectId, customerId: null, data };
      ids.push(
        ...(await fixture.deps.databases.web.transaction((tx) =>
          writeMessages(tx, reseller.id, [message], fixture.clock.now()),
        )),
      );
    }
    return ids;
  };
  const shown = async (id: string) => (await program.endpoints('GET', `/${id}`)).data;
  const deliveries = async (id: string) =>
    (await program.endpoints('GET', `/${id}/deliveries?limit=500`)).data;
  return { ...program, reseller, happen, shown, deliveries };
}

/** Lets hours pass, with a look every few minutes. */
async function pass(hours: number, stepMs = 5 * MINUTE_MS): Promise<void> {
  for (let ms = 0; ms < hours * HOUR_MS; ms += stepMs) {
    fixture.clock.advance(stepMs);
    await sendDue(deps());
  }
}

it('is verified by another implementation of the scheme, also by the secret before while that is good', async () => {
  const { listen, endpoints, happen } = await provider();
  const there = await receiver();
  const { id, secret } = await listen(there.url);
  const send = async () => {
    // The receiver's library looks at the clock of this machine.
    fixture.clock.set(new Date());
    await happen(newId());
    await sendDue(deps());
    const got = there.received.at(-1);
    if (got === undefined) throw new Error('nothing was received');
    return (key: string) => {
      const { id: messageId } = new Webhook(key).verify(got.body, got.headers) as { id: string };
      expect(messageId).toBe(got.headers['webhook-id']);
    };
  };
  (await send())(secret);
  const rotated = await endpoints('POST', `/${id}/rotate-secret`, { overlapHours: 24 });
  const verify = await send();
  verify(secret);
  verify(rotated.data.secret);
  // A second rotation ends the oldest at once.
  const again = await endpoints('POST', `/${id}/rotate-secret`, { overlapHours: 0 });
  const last = await send();
  last(again.data.secret);
  for (const key of [secret, rotated.data.secret]) expect(() => last(key)).toThrow('No matching signature');
});

it('keeps the order of each thing at a receiver that fails half the time: all come, none under two ids', async () => {
  const { listen, happen, deliveries } = await provider();
  let n = 0;
  const there = await receiver((got, reply, request) => {
    n += 1;
    (n % 2 === 0 ? accepts : fails)(got, reply, request);
  });
  const { id } = await listen(there.url);
  const things = [newId(), newId(), newId()];
  const ids = await happen(...Array.from({ length: 30 }, (_, at) => things[at % 3] ?? ''));
  await Promise.all([sendDue(deps()), sendDue(deps())]);
  await pass(8);
  expect((await deliveries(id)).map(({ state }: { state: string }) => state)).toEqual(
    ids.map(() => 'delivered'),
  );
  for (const thing of things) {
    const came = there.received.filter(({ message }) => message.data.id === thing);
    const first = [...new Set(came.map(({ message }) => message.id))];
    expect(first).toEqual(ids.filter((_, at) => things[at % 3] === thing));
    // Once the next one has come, none before it comes again.
    expect(came.map(({ message }) => first.indexOf(message.id))).toEqual(
      came.map(({ message }) => first.indexOf(message.id)).sort((a, b) => a - b),
    );
  }
});

const endless: Behaviour = (_got, reply) => {
  reply.writeHead(200, { 'content-type': 'text/plain' });
  const more = () => {
    if (!reply.destroyed) reply.write('x'.repeat(65_536), () => setImmediate(more));
  };
  more();
};

it.each<[string, Behaviour, string, string | null]>([
  ['says nothing', () => undefined, 'waiting', 'no answer within 0.3 s'],
  [
    'hangs up',
    (_got, reply) => void reply.destroy(),
    'waiting',
    'it closed the connection without an answer',
  ],
  [
    'redirects',
    (_got, reply) => void reply.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
    'waiting',
    'it answered with a redirect (307), which is not followed',
  ],
  ['refuses', (_got, reply) => void reply.writeHead(404).end(), 'waiting', 'it answered 404'],
  ['is busy', (_got, reply) => void reply.writeHead(503).end('later'), 'waiting', 'it answered 503'],
  ['answers without end', endless, 'delivered', null],
  ['shows an error page', (_got, reply) => void reply.end('<h1>Error\0</h1>'), 'delivered', null],
  [
    'says a wrong length',
    (_got, reply) => {
      reply.writeHead(200, { 'content-length': '5000' });
      reply.write('short');
      setTimeout(() => reply.destroy(), 20);
    },
    'delivered',
    null,
  ],
])('to a receiver that %s', async (_what, behaviour, state, problem) => {
  const { listen, happen, endpoints } = await provider();
  const there = await receiver(behaviour);
  const { id } = await listen(there.url);
  const [messageId] = await happen(newId());
  await sendDue(deps());
  const { data } = await endpoints('GET', `/${id}/deliveries/${messageId}`);
  expect([data.state, data.problem, data.tries]).toEqual([state, problem, 1]);
  expect(data.body).toBe(there.received[0]?.body);
  expect((data.attempts[0].answer ?? '').length).toBeLessThanOrEqual(2_048);
});

it('lets no slow or dead receiver hold up another', async () => {
  const { listen, happen } = await provider();
  const held: ServerResponse[] = [];
  const dead = await receiver((_got, reply) => void held.push(reply));
  const quick = await receiver();
  await listen(dead.url);
  await listen(`${dead.url}/2`);
  await listen(quick.url);
  await happen(...Array.from({ length: 40 }, () => newId()));
  const sender = webhookSender(deps({ timeoutMs: 15_000 }));
  await sender.round();
  await expect.poll(() => quick.received.length, { timeout: 10_000 }).toBe(40);
  // Of each that is dead only a few were begun.
  expect(dead.received.length).toBeLessThanOrEqual(8);
  dead.become(fails);
  for (const reply of held) reply.writeHead(500).end();
  await sender.idle();
});

it('sends again what a worker took and never told of, once its lease is over, with the same id', async () => {
  const { listen, happen, deliveries } = await provider();
  const there = await receiver();
  const { id } = await listen(there.url);
  const thing = newId();
  const ids = await happen(thing, thing);
  // Killed between sending and recording.
  expect((await takeDelivery(fixture.deps.databases.jobs, id, fixture.clock.now()))?.message_id).toBe(ids[0]);
  await sendDue(deps());
  expect(there.received).toEqual([]);
  await pass(0.1, MINUTE_MS);
  expect(there.received.map(({ message }) => message.id)).toEqual(ids);
  expect((await deliveries(id)).map(({ tries }: { tries: number }) => tries)).toEqual([1, 2]);
});

it('gives a message up after three days, and goes on with the next of the same thing', async () => {
  const { listen, happen, deliveries, shown, endpoints, reseller } = await provider();
  const thing = newId();
  const there = await receiver((got, reply, request) =>
    (got.message.data['text'] === 'bad' ? fails : accepts)(got, reply, request),
  );
  const { id } = await listen(there.url);
  const data = { id: thing, text: 'bad' };
  const bad = { type: 'webhook.test' as const, objectId: thing, customerId: null, data };
  await fixture.deps.databases.web.transaction((tx) =>
    writeMessages(tx, reseller.id, [bad], fixture.clock.now()),
  );
  await happen(thing, newId());
  await pass(40, HOUR_MS);
  // Others are taken meanwhile, so the endpoint itself works.
  await happen(newId());
  await pass(31, HOUR_MS);
  const states = async () => (await deliveries(id)).map(({ state }: { state: string }) => state);
  expect(await states()).toEqual(['delivered', 'delivered', 'waiting', 'waiting']);
  await pass(14, HOUR_MS);
  expect(await states()).toEqual(['delivered', 'delivered', 'delivered', 'givenUp']);
  expect((await shown(id)).state).toBe('enabled');
  there.become(accepts);
  const answer = await endpoints('POST', `/${id}/redeliver`, { since: '2020-01-01T00:00:00Z' });
  expect(answer.data.count).toBe(1);
  await sendDue(deps());
  expect(await states()).toEqual(['delivered', 'delivered', 'delivered', 'delivered']);
});

it('pauses an endpoint that fails for three days, tells whoever may help, and sends all once it is enabled', async () => {
  const { listen, happen, shown, endpoints, call, reseller } = await provider();
  const needs = async () => {
    const { groups } = (await call('GET', '/today')).data as Today;
    return groups.find(({ group }) => group === 'endpoints')?.items.map(({ kind, path }) => [kind, path]);
  };
  await fixture.database.pool().query(
    `insert into operator (id, reseller_id, email, display_name, role, password_hash, otp_secret, created_at)
     values ($1, $2, 'olga@provider.example', 'Olga', 'owner', 'x', 'x', now())`,
    [newId(), reseller.id],
  );
  const there = await receiver(fails);
  const { id } = await listen(there.url);
  const ids = await happen(...Array.from({ length: 12 }, () => newId()));
  await sendDue(deps());
  expect(await needs()).toBe(undefined);
  // One at a time from the fifth failure on.
  expect(there.received.length).toBeLessThan(12);
  const path = `/admin/webhooks/endpoints/${id}`;
  await pass(2, HOUR_MS);
  expect(await needs()).toEqual([['endpointFailing', path]]);
  await pass(72, HOUR_MS);
  expect(await needs()).toEqual([['endpointStopped', path]]);
  expect(await shown(id)).toMatchObject({
    state: 'paused',
    stateReason: 'It has failed for three days: it answered 500',
  });
  const mails = await fixture.database
    .pool()
    .query("select 1 from graphile_worker.jobs where task_identifier = 'operator-endpoint-mail'");
  expect(mails.rows).toHaveLength(1);
  const before = there.received.length;
  await happen(newId());
  await pass(3, HOUR_MS);
  expect(there.received.length).toBe(before);
  there.become(accepts);
  expect(
    (await endpoints('PATCH', `/${id}`, { state: 'enabled' }, { 'if-match': '*' })).data.stateReason,
  ).toBe(null);
  await sendDue(deps());
  const { waiting, givenUp } = await shown(id);
  expect([waiting, givenUp]).toEqual([0, expect.any(Number)]);
  expect(new Set(there.received.slice(before).map(({ message }) => message.id)).size).toBe(
    ids.length + 1 - givenUp,
  );
});

it('is over for a receiver that answers 410, and forgets what is older than 30 days', async () => {
  const { listen, happen, shown, deliveries } = await provider();
  const there = await receiver((_got, reply) => void reply.writeHead(410).end());
  const { id } = await listen(there.url);
  const thing = newId();
  await happen(thing, thing);
  await sendDue(deps());
  expect(await shown(id)).toMatchObject({
    state: 'disabled',
    stateReason: 'It answered 410 Gone',
    givenUp: 2,
  });
  await happen(thing);
  expect(await deliveries(id)).toHaveLength(2);
  fixture.clock.advance(31 * 24 * HOUR_MS);
  await forgetMessages(fixture.deps.databases.jobs, fixture.clock.now());
  expect(await deliveries(id)).toEqual([]);
});

it('never connects to an address inside a private network, whatever its name says', async () => {
  const { listen, happen, deliveries } = await provider();
  const there = await receiver();
  const port = new URL(there.url).port;
  const ids: string[] = [];
  // Entered while that was allowed.
  for (const host of ['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433'])
    ids.push((await listen(`http://${host}:${port}/hook?${host}`)).id);
  await happen(newId());
  await sendDue(deps({ allowsPrivate: false }));
  await sleep(50);
  expect(there.received).toEqual([]);
  for (const id of ids)
    expect((await deliveries(id))[0].problem).toBe(
      'its host is inside a private network, which WEBHOOKS_ALLOW_PRIVATE does not allow',
    );
});
