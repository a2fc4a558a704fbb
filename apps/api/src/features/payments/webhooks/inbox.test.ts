import { money } from '@counterfoil/domain/money/money.ts';
import type { GatewayEvent, GatewayRef } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { afterEach, describe, expect, it } from 'vitest';
import {
  declined,
  fixture,
  hook,
  rows,
  setUp,
  unknown,
} from '../../../../test/fixtures/paying/engine-fixture.ts';
import { lostAnswers } from '../../../../test/fixtures/paying/lost-answers.ts';
import { followUpEvents } from './follow-up.ts';
import { FOLLOW_LEASE_MS, openEvent, receiveEvents, takeEvent } from './inbox.ts';

const waiting = () => rows<{ n: number }>('select count(*)::int as n from inbox where handled_at is null');
const find = () => fixture.gateway.calls.lookup;

describe('a delivery of several events', () => {
  it('whose first cannot be followed is answered, the others are followed, and the first when it can be', async () => {
    const { refs, states, deliver } = await lostAnswers(3);
    // Of an ended payment nothing is known before the gateway has been asked.
    await rows("update attempt set state = 'declined' where ref = $1", [refs[0]]);
    fixture.gateway.onLookup = async (charge) =>
      charge.ref === refs[0] ? unknown : fixture.gateway.take(charge);
    const answer = await deliver();
    expect([answer.statusCode, answer.json()]).toEqual([200, { received: true }]);
    expect(await states()).toEqual(['declined', 'succeeded', 'succeeded']);
    expect(await waiting()).toEqual([{ n: 1 }]);
    fixture.gateway.onLookup = async () => declined;
    fixture.clock.advance(2_000);
    expect(await followUpEvents(fixture.engine)).toEqual({ tried: 1, ended: 1 });
    expect(await waiting()).toEqual([{ n: 0 }]);
    // Nothing of this was a payment that was really declined.
    await rows("update attempt set state = 'unknown' where ref = $1", [refs[0]]);
  });

  it('of hundreds is one write, and each counts once', async () => {
    const { reseller } = await setUp();
    await rows(`
      create table written (n integer);
      create function count_write() returns trigger language plpgsql as
        'begin insert into written values (1); return null; end';
      create trigger count_write after insert on inbox for each statement execute function count_write()`);
    const ids = Array.from({ length: 300 }, (_, n) => `evt_many_${n}`);
    fixture.gateway.onWebhook = () =>
      [...ids, ...ids.slice(0, 9)].map((id) => ({ id, about: 'charge', remote: remoteId(`r_${id}`) }));
    try {
      expect((await hook(reseller.id)).statusCode).toBe(200);
      expect(await rows('select n from written')).toHaveLength(1);
    } finally {
      await rows('drop function count_write cascade; drop table written');
    }
    const kept = "select outcome, count(*)::int as n from inbox where event_key like 'evt_many%' group by 1";
    expect(await rows(kept)).toEqual([{ outcome: 'no such payment here', n: 300 }]);
  });
});

describe('the inbox', () => {
  afterEach(() => rows('drop function if exists refuse_write cascade'));

  it('that cannot be written is 503, so that the gateway delivers again', async () => {
    const { states, deliver } = await lostAnswers(1);
    await rows(`
      create function refuse_write() returns trigger language plpgsql as
        'begin raise exception using errcode = ''53100'', message = ''no room''; end';
      create trigger refuse_write before insert on inbox for each row execute function refuse_write()`);
    expect((await deliver()).statusCode).toBe(503);
    expect(await states()).toEqual(['unknown']);
    await rows('drop function refuse_write cascade');
    expect((await deliver()).statusCode).toBe(200);
    expect(await states()).toEqual(['succeeded']);
  });

  it('keeps what an event says encrypted, and only until it is followed', async () => {
    const { account, refs } = await lostAnswers(1);
    const late = {
      kind: 'refund',
      remote: remoteId('re_9'),
      amount: money(2n ** 60n, 'USD'),
      code: 'x',
    } as const;
    const event: GatewayEvent = {
      id: 'evt_sealed',
      about: 'charge',
      ref: refs[0] ?? ('' as GatewayRef),
      reversal: late,
    };
    await receiveEvents(fixture.engine, [{ account, trust: 'hint', events: [event] }]);
    const kept = () =>
      rows<{ row: string }>("select i::text as row from inbox i where event_key = 'evt_sealed'");
    expect((await kept())[0]?.row).not.toMatch(/re_9|USD/);
    expect((await kept())[0]?.row).not.toContain(Buffer.from('re_9').toString('hex'));
    await followUpEvents(fixture.engine);
    const after = await rows(
      "select event_sealed, next_try_at, outcome from inbox where event_key = 'evt_sealed'",
    );
    expect(after).toEqual([{ event_sealed: null, next_try_at: null, outcome: 'succeeded' }]);
  });

  it('reads an event that an earlier version left in its own words', async () => {
    const { account } = await lostAnswers(1);
    const amount = { minor: '500', currency: 'USD' };
    const earlier = {
      id: 'evt_earlier',
      about: 'giveBack',
      late: { is: 'refund', remote: 're_1', amount, code: 'x' },
    };
    await receiveEvents(fixture.engine, [
      { account, trust: 'signed', events: [{ id: 'evt_earlier', about: 'refund' }] },
    ]);
    const sealed = fixture.deps.secrets.seal(JSON.stringify(earlier), `inbox ${account.id} evt_earlier`);
    await rows("update inbox set event_sealed = $1 where event_key = 'evt_earlier'", [sealed]);
    const event = await takeEvent(fixture.engine, account.id);
    expect(event && openEvent(fixture.engine, event)).toEqual({
      id: 'evt_earlier',
      about: 'refund',
      reversal: { kind: 'refund', remote: 're_1', amount: money(500n, 'USD'), code: 'x' },
    });
    await rows("delete from inbox where event_key = 'evt_earlier'");
  });

  it('loses nothing when a process dies: after the answer, or while it is at it', async () => {
    const { account, events, states } = await lostAnswers(2);
    const [first, second] = events.map((one) => [one]);
    await receiveEvents(fixture.engine, [{ account, trust: 'signed', events: first ?? [] }]);
    // Taken, and never ended.
    expect(await takeEvent(fixture.engine, account.id)).toMatchObject({ key: events[0]?.id, tries: 1 });
    await receiveEvents(fixture.engine, [{ account, trust: 'signed', events: second ?? [] }]);
    expect(await followUpEvents(fixture.engine)).toEqual({ tried: 1, ended: 1 });
    expect(await states()).toEqual(['unknown', 'succeeded']);
    fixture.clock.advance(FOLLOW_LEASE_MS);
    expect(await followUpEvents(fixture.engine)).toEqual({ tried: 1, ended: 1 });
    expect(await states()).toEqual(['succeeded', 'succeeded']);
  });

  it('gives new events before those that were tried, and those of a delivery in their order', async () => {
    const { account, events } = await lostAnswers(3);
    const [old, ...rest] = events;
    const receive = (some: readonly GatewayEvent[]) =>
      receiveEvents(fixture.engine, [{ account, trust: 'signed', events: some }]);
    await receive(old === undefined ? [] : [old]);
    await takeEvent(fixture.engine, account.id);
    fixture.clock.advance(FOLLOW_LEASE_MS);
    await receive(rest.toReversed());
    for (const event of events.toReversed())
      expect((await takeEvent(fixture.engine, account.id))?.key).toBe(event.id);
    await rows('delete from inbox where gateway_account_id = $1', [account.id]);
  });

  it('is shared: of several processes at once each event has one', async () => {
    const { account, events, states } = await lostAnswers(12);
    await receiveEvents(fixture.engine, [{ account, trust: 'signed', events }]);
    const all = await Promise.all([1, 2, 3].map(() => followUpEvents(fixture.engine)));
    expect(all.reduce((sum, { ended }) => sum + ended, 0)).toBe(12);
    expect(find()).toBe(12);
    expect(new Set(await states())).toEqual(new Set(['succeeded']));
  });
});

describe('the same event again', () => {
  it('changes nothing once it was followed', async () => {
    const { deliver } = await lostAnswers(1);
    await deliver();
    expect((await deliver()).statusCode).toBe(200);
    expect(find()).toBe(1);
  });

  it('is not followed twice while somebody is at it', async () => {
    const { reseller, refs, states } = await lostAnswers(1);
    const answer = Promise.withResolvers<void>();
    fixture.gateway.onLookup = async (charge) => {
      await answer.promise;
      return fixture.gateway.take(charge);
    };
    const url = `/v1/webhooks/scripted/${reseller.id}`;
    const deliver = () =>
      fixture.app.inject({ method: 'POST', url, payload: '{}', headers: { 'x-signed': '1' } });
    for (let n = 0; n < 3; n += 1) expect((await deliver()).statusCode, refs[0]).toBe(200);
    await expect.poll(find, { timeout: 10_000 }).toBe(1);
    expect(await followUpEvents(fixture.engine)).toEqual({ tried: 0, ended: 0 });
    answer.resolve();
    await fixture.eventsFollowed();
    expect(find()).toBe(1);
    expect(await states()).toEqual(['succeeded']);
  });

  it('brings the next try of one that waits forward', async () => {
    const one = await setUp();
    fixture.gateway.onCharge = async () => declined;
    await one.pay();
    const { ref } = await one.attempt();
    fixture.gateway.onWebhook = () => [{ id: 'evt_forward', about: 'charge', ref: ref as GatewayRef }];
    fixture.gateway.onLookup = async () => unknown;
    await hook(one.reseller.id);
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
    await fixture.eventsFollowed();
    expect(await one.captures()).toEqual([]);
    await hook(one.reseller.id);
    expect(await one.captures()).toHaveLength(1);
  });

  it('by somebody unproven does not replace what a proven sender said', async () => {
    const { account, refs } = await lostAnswers(1);
    const [ref] = refs;
    if (ref === undefined) throw new Error('there is a payment');
    const named = { id: 'evt_trust', about: 'charge' } as const;
    await receiveEvents(fixture.engine, [{ account, trust: 'hint', events: [named] }]);
    await receiveEvents(fixture.engine, [{ account, trust: 'signed', events: [{ ...named, ref }] }]);
    await receiveEvents(fixture.engine, [{ account, trust: 'hint', events: [named] }]);
    await followUpEvents(fixture.engine);
    const [seen] = await rows<{ outcome: string }>("select outcome from inbox where event_key = 'evt_trust'");
    expect(seen?.outcome).toBe('succeeded');
  });
});
