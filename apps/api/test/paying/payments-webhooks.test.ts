import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationsFixture, type Ready } from '../fixtures/operations-fixture.ts';
import { cards, savable } from '../fixtures/paying/gateways/gateway-faults.ts';
import { useSandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';
import { batchOf, type Delivery } from '../fixtures/paying/gateways/webhook-batch.ts';
import { faultRun } from '../processes/fault-runs.ts';
import { PROVES, randomFrom, SEED } from '../simulation/seeded.ts';

/**
 * Webhooks of bulk payment and auto-pay that come before the answer, a hundred times, in any order, three days late, and
 * in one batch with such that cannot be followed.
 * The sandbox's own deliveries are kept back here and handed on as the test wants.
 */
const sandbox = useSandboxFixture();
const run = faultRun(sandbox);
const operations = operationsFixture(sandbox, run, () => 0);
const TIMES = PROVES ? 100 : 12;
const DAY_MS = 24 * 3_600_000;
const random = randomFrom(SEED);

let kept: Delivery[] = [];
let isHandedOn = false;
let keeper: Server;

const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((one) => ({ one, by: random() }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ one }) => one);

async function deliver({ body, headers }: Delivery): Promise<number> {
  const url = `/v1/webhooks/stripe/${sandbox.customer.resellerId}`;
  const { statusCode } = await sandbox.fixture.app.inject({
    method: 'POST',
    url,
    headers: { ...headers },
    payload: body,
  });
  run.count(`webhook ${statusCode}`);
  return statusCode;
}

beforeAll(async () => {
  keeper = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const signature = String(request.headers['stripe-signature']);
    const delivery = {
      body: Buffer.concat(parts),
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    };
    kept.push(delivery);
    response.writeHead(isHandedOn ? await deliver(delivery) : 200).end();
  });
  await new Promise<void>((resolve) => keeper.listen(0, '127.0.0.1', resolve));
  await sandbox.control('DELETE', 'webhooks');
  const { port } = keeper.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  await sandbox.control('POST', 'webhooks', { gateway: 'stripe', url, secret: 'whsec_faults' });
});
afterAll(() => {
  keeper.closeAllConnections();
  keeper.close();
});

/** Each of them so often, in any order and some at once. */
async function deliverAll(times: number): Promise<void> {
  const queue = shuffled(kept.flatMap((delivery) => Array<Delivery>(times).fill(delivery))).values();
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      for (const delivery of queue) expect(await deliver(delivery)).toBe(200);
    }),
  );
}

const attempts = ({ customerId }: Ready) =>
  run.rows<{ state: string; causes: string[] }>(
    `select a.state, (select array_agg(t.cause order by t.seq) from transition t
        where t.customer_id = a.customer_id and t.attempt_id = a.id) as causes
       from attempt a where a.customer_id = $1`,
    [customerId],
  );

const all = [
  { operation: 'bulk pay by a saved card', prepare: operations.bulkSaved },
  { operation: 'bulk pay with a new card', prepare: operations.bulkToken },
  { operation: 'auto-pay', prepare: (card: string) => operations.autoPay(card) },
];

describe.each(all)('webhooks of $operation', ({ prepare }) => {
  async function begin(...modes: readonly string[]): Promise<Ready> {
    const ready = await prepare(cards.good);
    await sandbox.webhooksDelivered();
    kept = [];
    for (const mode of modes)
      await sandbox.control('POST', 'faults', { gateway: 'stripe', operation: 'charge', mode });
    return ready;
  }
  async function end(ready: Ready): Promise<void> {
    isHandedOn = false;
    await sandbox.control('DELETE', 'faults');
    await run.untilEnded();
    await run.judge();
    expect(await attempts(ready)).toMatchObject([{ state: 'succeeded' }]);
    const open = await run.rows('select 1 from invoice where customer_id = $1 and status <> 11', [
      ready.customerId,
    ]);
    expect(open).toEqual([]);
  }

  it('that come before the answer', async () => {
    const ready = await begin('webhook-first');
    isHandedOn = true;
    await ready.press();
    await sandbox.webhooksDelivered();
    await end(ready);
    expect(kept.length).toBeGreaterThan(0);
  });

  it('that bring what the answer did not, many times and in any order', async () => {
    const ready = await begin('timeout-after');
    await ready.press();
    await sandbox.webhooksDelivered();
    expect(kept.length).toBeGreaterThan(0);
    await deliverAll(TIMES);
    await sandbox.fixture.eventsFollowed();
    const [known] = await attempts(ready);
    expect(known).toMatchObject({ state: 'succeeded', causes: expect.arrayContaining(['webhook']) });
    await end(ready);
  });

  it('that come three days late, twice', async () => {
    const ready = await begin('timeout-after');
    await ready.press();
    await run.untilEnded();
    const before = await attempts(ready);
    await sandbox.advance(3 * DAY_MS);
    await sandbox.webhooksDelivered();
    await deliverAll(2);
    await sandbox.fixture.eventsFollowed();
    expect(await attempts(ready)).toEqual(before);
    await end(ready);
  });

  it('that come in one batch with an event that cannot be followed', async () => {
    const due = async ({ customerId }: Ready) =>
      (
        await run.rows<{ n: number }>(
          'select sum(due_minor)::int as n from invoice where customer_id = $1 and status <> 11',
          [customerId],
        )
      )[0]?.n ?? 0;
    const waiting = () => run.rows('select event_key from inbox where handled_at is null');
    const refused = await operations.publicPay(cards.declined);
    await sandbox.webhooksDelivered();
    kept = [];
    await refused.press();
    await sandbox.webhooksDelivered();
    const ofRefused = kept;
    const taken = await prepare(savable.disputed);
    await sandbox.webhooksDelivered();
    kept = [];
    await taken.press();
    await run.untilEnded();
    // The dispute comes a little later.
    await sandbox.advance(60_000);
    await sandbox.webhooksDelivered();
    // Before anything is believed of the refused one, the gateway is asked, and does not answer. The dispute needs no answer.
    await sandbox.control('POST', 'faults', {
      gateway: 'stripe',
      operation: 'find',
      mode: 'lookup-down',
      times: 1_000,
    });
    expect(await due(taken)).toBe(0);
    expect(await deliver(batchOf([...ofRefused, ...kept]))).toBe(200);
    await sandbox.fixture.eventsFollowed();
    expect(await due(taken)).toBeGreaterThan(0);
    expect(await waiting()).not.toEqual([]);
    await sandbox.control('DELETE', 'faults');
    // Events of one payment that are followed at the same time keep the pause between two questions: one of them waits for it.
    for (let round = 0; round < ofRefused.length && (await waiting()).length > 0; round += 1) {
      await sandbox.advance(60_000);
      await sandbox.fixture.eventsFollowed();
    }
    expect(await waiting()).toEqual([]);
    await run.untilEnded();
    await run.judge();
    run.count('batch with an event that cannot be followed');
  });
});

it('are printed as counts', () => {
  process.stdout.write(`webhooks, seed ${SEED}: ${JSON.stringify(run.counts)}\n`);
  expect(run.counts['webhook 200']).toBeGreaterThan(TIMES);
});
