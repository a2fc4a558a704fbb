import { money } from '@counterfoil/domain/money/money.ts';
import type { GatewayEvent, GatewayRef } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { describe, expect, it } from 'vitest';
import {
  declined,
  fixture,
  hook,
  lines,
  rows,
  setUp,
  unknown,
} from '../../../../test/fixtures/paying/engine-fixture.ts';
import { lostAnswers } from '../../../../test/fixtures/paying/lost-answers.ts';
import { reconcile } from '../attempts/reconcile.ts';
import { eventFollower, followUpEvents } from './follow-up.ts';
import { receiveEvents } from './inbox.ts';

const HOUR = 3_600_000;
/** On a busy machine too. */
const SOON = { timeout: 10_000 };
const find = () => fixture.gateway.calls.lookup;

describe('an event that cannot be followed', () => {
  const tries = () =>
    rows<{ tries: number; next: Date; outcome: string | null }>(
      "select tries, next_try_at as next, outcome from inbox where event_key = 'evt_wait'",
    ).then(([row]) => row);
  const causes: Readonly<Record<string, (accountId: string) => Promise<unknown>>> = {
    'the gateway cannot tell': async () => {
      fixture.gateway.onLookup = async () => unknown;
    },
    'the adapter is at fault': async () => {
      fixture.gateway.onLookup = async () => {
        throw new Error('a fault of the adapter');
      };
    },
    'the account cannot be opened': (accountId) =>
      rows("update gateway_account set config = '{}' where id = $1", [accountId]),
    'it cannot be read': () => rows("update inbox set event_sealed = 'x' where event_key = 'evt_wait'"),
  };

  it.each(
    Object.entries(causes).flatMap(([why, cause]) => [
      { why, cause, headers: { 'x-signed': '1' } },
      { why: `${why}, of a hint`, cause, headers: {} },
    ]),
  )(
    'because $why, is tried with growing pauses for a day, then left to a person',
    async ({ cause, headers }) => {
      await rows("delete from inbox where event_key = 'evt_wait'");
      const one = await setUp();
      fixture.gateway.onCharge = async () => declined;
      await one.pay();
      const { ref } = await one.attempt();
      fixture.gateway.onWebhook = () => [{ id: 'evt_wait', about: 'charge', ref: ref as GatewayRef }];
      fixture.gateway.onLookup = async () => unknown;
      expect((await hook(one.reseller.id, headers)).statusCode).toBe(200);
      const account = await fixture.engine.accounts.activeFor(one.reseller.id);
      await cause(account?.id ?? '');
      const begun = fixture.clock.now().getTime();
      const pauses: number[] = [];
      for (let row = await tries(); row !== undefined && row.outcome === null; row = await tries()) {
        const now = fixture.clock.now().getTime();
        expect(now - begun).toBeLessThan(25 * HOUR);
        pauses.push(row.next.getTime() - now);
        fixture.clock.set(row.next.toISOString());
        await fixture.eventsFollowed();
        expect((await tries())?.tries).toBe(pauses.length + 1);
      }
      expect(pauses.slice(0, 4)).toEqual([2_000, 4_000, 8_000, 16_000]);
      expect(pauses.toSorted((a, b) => a - b)).toEqual(pauses);
      expect(pauses.at(-1)).toBe(15 * 60_000);
      expect((await tries())?.outcome).toMatch(/^person: /);
      expect(lines.join('')).toContain('an event of a gateway needs a person');
      expect(await one.captures()).toEqual([]);
    },
  );
});

describe('a chargeback of a charge that is not known', () => {
  const outcome = (id: string) =>
    rows<{ outcome: string | null }>('select outcome from inbox where event_key = $1', [id]).then(
      ([row]) => row?.outcome,
    );
  const chargeback = (id: string, remote: string): GatewayEvent => ({
    id,
    about: 'charge',
    remote: remoteId(remote),
    reversal: {
      kind: 'chargeback',
      remote: remoteId(`dp_${remote}`),
      of: remoteId(remote),
      amount: money(11_000n, 'USD'),
      code: 'x',
    },
  });

  it('is booked once the charge is, which an earlier event of the same delivery may tell', async () => {
    const { refs, account, events: own, states } = await lostAnswers(1);
    const id = `evt_dp_${refs[0]}`;
    const events = [...own, chargeback(id, `r_${refs[0]}`)];
    fixture.gateway.onLookup = async () => unknown;
    // The plans that PostgreSQL makes once it knows its tables; each event is taken alone by them too.
    await rows('analyze');
    await receiveEvents(fixture.engine, [{ account, trust: 'signed', events }]);
    await followUpEvents(fixture.engine);
    // For hours nobody can be asked.
    for (let hour = 0; hour < 20; hour += 1) {
      fixture.clock.advance(HOUR);
      await fixture.eventsFollowed();
    }
    expect([await states(), await outcome(id)]).toEqual([['unknown'], null]);
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
    fixture.clock.advance(HOUR);
    await reconcile(fixture.engine);
    await fixture.eventsFollowed();
    expect(await outcome(id)).toBe('chargeback: booked');
  });

  it('is soon left alone where it cannot be ours, without a person', async () => {
    const { account } = await lostAnswers(0);
    const id = 'evt_dp_foreign';
    await receiveEvents(fixture.engine, [
      { account, trust: 'signed', events: [chargeback(id, 'r_foreign')] },
    ]);
    await followUpEvents(fixture.engine);
    expect(await outcome(id)).toBe(null);
    fixture.clock.advance(15 * 60_000);
    await followUpEvents(fixture.engine);
    expect(await outcome(id)).toBe('no such payment here');
    expect(lines.join('')).not.toContain('needs a person');
  });
});

describe('a gateway that hangs', () => {
  it('holds up no other one, and is not asked by more than eight at once', async () => {
    const [slow, quick] = [await lostAnswers(12), await lostAnswers(1)];
    const answer = Promise.withResolvers<void>();
    const slowRefs = new Set<string>(slow.refs);
    let [under, most] = [0, 0];
    fixture.gateway.onLookup = async (charge) => {
      if (!slowRefs.has(charge.ref)) return fixture.gateway.take(charge);
      under += 1;
      most = Math.max(most, under);
      await answer.promise;
      under -= 1;
      return fixture.gateway.take(charge);
    };
    await rows('analyze');
    const follower = eventFollower(fixture.engine);
    for (const { account, events } of [slow, quick])
      follower.begin(await receiveEvents(fixture.engine, [{ account, trust: 'signed', events }]));
    await expect.poll(quick.states, SOON).toEqual(['succeeded']);
    await expect.poll(() => under, SOON).toBe(8);
    answer.resolve();
    expect(await follower.idle()).toEqual({ tried: 13, ended: 13 });
    expect(most).toBe(8);
  });

  it('is waited for by who stops; what had not begun is left to others', async () => {
    const { account, events, states } = await lostAnswers(12);
    const answer = Promise.withResolvers<void>();
    fixture.gateway.onLookup = async (charge) => {
      await answer.promise;
      return fixture.gateway.take(charge);
    };
    const follower = eventFollower(fixture.engine);
    follower.begin(await receiveEvents(fixture.engine, [{ account, trust: 'signed', events }]));
    await expect.poll(find, SOON).toBe(8);
    const stopped = follower.stop();
    answer.resolve();
    await stopped;
    expect((await states()).filter((state) => state === 'succeeded')).toHaveLength(8);
    expect(await followUpEvents(fixture.engine)).toEqual({ tried: 4, ended: 4 });
  });
});

it('the metrics tell how many wait, and for how long', async () => {
  const gauges = async () => {
    const { body } = await fixture.app.inject('/metrics');
    return ['waiting', 'oldest_seconds'].map(
      (name) => new RegExp(`^counterfoil_webhook_events_${name} (.*)$`, 'm').exec(body)?.[1],
    );
  };
  const { account, events } = await lostAnswers(2);
  expect(await gauges()).toEqual(['0', '0']);
  await receiveEvents(fixture.engine, [{ account, trust: 'signed', events }]);
  fixture.clock.advance(90_000);
  expect(await gauges()).toEqual(['2', '90']);
  await fixture.eventsFollowed();
  expect(await gauges()).toEqual(['0', '0']);
});
