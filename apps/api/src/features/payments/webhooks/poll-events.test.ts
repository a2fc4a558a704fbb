import { money } from '@counterfoil/domain/money/money.ts';
import type { GatewayEvent } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fixture, lines, paid, rows } from '../../../../test/fixtures/paying/reversals-fixture.ts';
import { reconcile } from '../attempts/reconcile.ts';
import { POLL_EVERY_MS, pollEvents } from './poll-events.ts';

type Paid = Awaited<ReturnType<typeof paid>>;

/** A list of events at each gateway account, as its own numbers; `isDown` as soon as this many were read. */
let list: (GatewayEvent & { readonly cursor: string })[] = [];
let readsUntilDown = Number.POSITIVE_INFINITY;

beforeEach(() => {
  list = [];
  readsUntilDown = Number.POSITIVE_INFINITY;
  fixture.gateway.setPolled(true);
  fixture.gateway.onPollEvents = async function* (cursor) {
    let reads = 0;
    for (const event of list.slice(cursor === undefined ? 0 : Number(cursor))) {
      reads += 1;
      if (reads > readsUntilDown) throw new Error('the gateway is down');
      yield event;
    }
  };
});
afterEach(() => fixture.gateway.setPolled(false));

function happens(one: Paid, kind: 'failed' | 'resubmitted'): string {
  const remote = remoteId(`${one.of}_${list.length}`);
  const reversal = { kind, remote, of: one.of, amount: money(11_165n, 'USD'), code: 'x' };
  list.push({ id: `${remote}_event`, about: 'charge', reversal, cursor: String(list.length + 1) });
  return `${remote}_event`;
}

/** One poll after its pause. @returns how many events were read of this reseller's account; undefined where it was not asked */
async function poll(one: Paid, atMost?: number): Promise<number | undefined> {
  fixture.clock.advance(POLL_EVERY_MS);
  const counts = await pollEvents(fixture.engine, atMost);
  await fixture.eventsFollowed();
  return counts.get(await accountOf(one));
}

const accountOf = async ({ reseller }: Paid) =>
  (await rows<{ id: string }>('select id from gateway_account where reseller_id = $1', [reseller.id]))[0]
    ?.id ?? '';

it('a debit that no webhook told of fails by asking, once, and goes on from where it was read', async () => {
  const one = await paid();
  happens(one, 'failed');
  expect(await poll(one)).toBe(1);
  expect(await one.stand()).toEqual({ status: 10, due: '11000', reversed: '11165' });
  expect(await poll(one)).toBe(0);
  happens(one, 'resubmitted');
  expect(await poll(one)).toBe(1);
  fixture.clock.advance(4_000);
  await reconcile(fixture.engine);
  expect(await one.stand()).toEqual({ status: 11, due: '0', reversed: '0' });
});

it('an event that a webhook brought as well counts once', async () => {
  const one = await paid();
  const id = happens(one, 'failed');
  const [event] = list;
  fixture.gateway.onWebhook = () => (event === undefined ? [] : [event]);
  const url = `/v1/webhooks/scripted/${one.reseller.id}`;
  const headers = { 'content-type': 'application/json', 'x-signed': '1' };
  await fixture.app.inject({ method: 'POST', url, headers, payload: '{}' });
  await fixture.eventsFollowed();
  expect(await poll(one)).toBe(1);
  expect(await rows('select tries from inbox where event_key = $1', [id])).toEqual([{ tries: 1 }]);
  expect(await one.stand()).toMatchObject({ status: 10, reversed: '11165' });
});

it('a gateway that breaks off loses nothing: what was read is kept, the rest comes next time', async () => {
  const one = await paid();
  // More than one batch, so that the cursor stands behind the first when it breaks off.
  for (let n = 0; n < 251; n += 1)
    list.push({ id: `${one.of}_noise_${n}`, about: 'refund', cursor: String(n + 1) });
  happens(one, 'failed');
  readsUntilDown = 251;
  expect(await poll(one)).toBe(250);
  expect(lines.join('')).toContain('events of a gateway could not be read');
  expect(await one.stand()).toMatchObject({ status: 11 });
  readsUntilDown = Number.POSITIVE_INFINITY;
  expect(await poll(one)).toBe(2);
  expect(await one.stand()).toMatchObject({ status: 10, reversed: '11165' });
});

it('a poll comes past events that are read again, also where these are more than one poll reads', async () => {
  const one = await paid();
  for (let n = 0; n < 260; n += 1) list.push({ id: `${one.of}_burst_${n}`, about: 'refund', cursor: '1' });
  happens(one, 'failed');
  // Read again from a little before the cursor, which never goes back.
  fixture.gateway.onPollEvents = async function* () {
    yield* list;
  };
  expect(await poll(one, 250)).toBe(250);
  expect(await one.stand()).toMatchObject({ status: 11 });
  expect(await poll(one, 250)).toBe(261);
  expect(await one.stand()).toMatchObject({ status: 10, reversed: '11165' });
});

it('is asked by one of several processes, and again after its pause only', async () => {
  const one = await paid();
  happens(one, 'failed');
  fixture.clock.advance(POLL_EVERY_MS);
  const account = await accountOf(one);
  const counts = await Promise.all([1, 2, 3].map(() => pollEvents(fixture.engine)));
  expect(counts.map((count) => count.get(account)).filter((count) => count !== undefined)).toEqual([1]);
  expect((await pollEvents(fixture.engine)).get(account)).toBeUndefined();
});
