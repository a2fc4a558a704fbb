import type {
  GatewayEvent,
  LookupResult,
  LookupStrategy,
  Outcome,
} from '@counterfoil/gateways/port/gateway.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  fixture,
  hook,
  inconclusive,
  rows,
  setUp,
  strategy,
  unknown,
} from '../../../../test/fixtures/paying/engine-fixture.ts';
import { reconcile } from './reconcile.ts';

const replay: LookupStrategy = { ...strategy, by: 'replay', mayCharge: true };
const notSeen: LookupResult = { is: 'absent', proven: false };
const MINUTE = 60_000;

// What other tests left open is nobody's now.
beforeEach(() => rows('update attempt set next_lookup_at = null'));

/** Uses these strategies and gives these answers. @returns which were asked */
function answers(
  strategies: readonly LookupStrategy[],
  find: (by: string) => LookupResult | 'take',
): string[] {
  fixture.gateway.setStrategies(strategies);
  const asked: string[] = [];
  fixture.gateway.onLookup = async (charge, used) => {
    asked.push(used?.by ?? '');
    const found = find(used?.by ?? '');
    return found === 'take' ? fixture.gateway.take(charge) : found;
  };
  return asked;
}

async function pass(ms: number): Promise<void> {
  fixture.clock.advance(ms);
  await reconcile(fixture.engine);
}

/** A payment whose answer was lost, and webhooks about it. */
async function unanswered() {
  const one = await setUp();
  fixture.gateway.onCharge = async () => unknown;
  await one.pay();
  const { ref } = await one.attempt();
  let events = 0;
  const webhook = async (headers?: Record<string, string>) => {
    events += 1;
    const id = `evt_${ref}_${events}`;
    fixture.gateway.onWebhook = () => [{ id, about: 'charge', ref } as unknown as GatewayEvent];
    return (await hook(one.reseller.id, headers)).statusCode;
  };
  const whyNeedsReview = async () =>
    (
      await rows<{ why: string }>(
        `select evidence ->> 'why' as why from transition where to_state = 'needsReview' and customer_id = $1`,
        [one.customer.id],
      )
    )[0]?.why;
  return { ...one, webhook, whyNeedsReview };
}

describe('an absence that proves nothing', () => {
  it('goes on to the next way, which may send again', async () => {
    const asked = answers([strategy, replay], (by) => (by === 'ref' ? notSeen : 'take'));
    const { attempt, captures } = await unanswered();
    await pass(5_000);
    expect(asked).toEqual(['ref', 'replay']);
    expect((await attempt()).state).toBe('succeeded');
    expect(await captures()).toMatchObject([{ n: '11000' }]);
  });

  it('is what a person is told after an hour, where no other way says more', async () => {
    answers([strategy, replay], (by) => (by === 'ref' ? notSeen : inconclusive));
    const { attempt, whyNeedsReview } = await unanswered();
    await pass(61 * MINUTE);
    expect([(await attempt()).state, await whyNeedsReview()]).toEqual([
      'needsReview',
      'not seen at the gateway',
    ]);
  });
});

describe('a webhook', () => {
  it.each([
    ['signed', { 'x-signed': '1' }],
    ['unsigned', {}],
  ])('that is %s asks nothing while the call is running', async (_what, headers) => {
    const asked = answers([strategy], () => 'take');
    const { attempt, webhook } = await unanswered();
    // As while the process that sent it waits for the answer.
    await rows(`update attempt set state = 'sending' where id = $1`, [(await attempt()).id]);
    await webhook(headers);
    expect(asked).toEqual([]);
    fixture.clock.advance(26_000);
    await webhook(headers);
    expect(asked).toEqual(['ref']);
    expect((await attempt()).state).toBe('succeeded');
  });

  it('uses up none of a counted number of look-ups', async () => {
    const asked = answers([{ ...strategy, maxAttempts: 1 }], () => 'take');
    const { attempt, webhook } = await unanswered();
    for (let n = 0; n < 3; n += 1) expect(await webhook({})).toBe(200);
    expect([asked, (await attempt()).lookups]).toEqual([[], {}]);
    await pass(5_000);
    expect(asked).toEqual(['ref']);
    expect((await attempt()).state).toBe('succeeded');
  });

  it.each<[what: string, strategies: readonly LookupStrategy[], found: LookupResult]>([
    ['no way is left to ask', [{ ...strategy, validMs: 0 }], inconclusive],
    [
      'the gateway says another currency',
      [strategy],
      {
        is: 'succeeded',
        remote: 'r_eur' as never,
        state: {},
        captured: { minor: 11_000n, currency: 'EUR' } as never,
      },
    ],
  ])('sets nothing aside for a person when %s; the reconciler does', async (_what, given, found) => {
    answers(given, () => found);
    const { attempt, webhook } = await unanswered();
    fixture.clock.advance(1_000);
    await webhook({});
    expect((await attempt()).state).toBe('unknown');
    await pass(5_000);
    expect((await attempt()).state).toBe('needsReview');
  });
});

describe('the gateway’s own terms', () => {
  it('pauses are kept, by rounds, payers who look, and webhooks, and the outcome is known after the pause', async () => {
    const pause = { firstMs: 4_000, factor: 1.5, mostMs: 60_000 };
    let isThere = false;
    const times: number[] = [];
    answers([{ ...strategy, by: 'scan', pause }], () => {
      times.push(fixture.clock.now().getTime());
      return isThere ? 'take' : inconclusive;
    });
    const { attempt, webhook, body } = await unanswered();
    for (let round = 0; round < 60; round += 1) {
      await pass(5_000);
      await fixture.app.inject(`/v1/ec/payment/details/${body.uid}`);
      if (round % 10 === 0) await webhook();
    }
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(times.length).toBeLessThan(14);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4_000);
    expect(gaps.at(-1)).toBeGreaterThanOrEqual(60_000);
    isThere = true;
    await pass(60_000);
    expect((await attempt()).state).toBe('succeeded');
  });

  it('the gateway is not asked before the pause is over', async () => {
    answers([{ ...strategy, pause: { firstMs: 90_000, factor: 1, mostMs: 90_000 } }], () => inconclusive);
    const { attempt } = await unanswered();
    await pass(5_000);
    const { next_lookup_at } = await attempt();
    await pass(60_000);
    expect((await attempt()).next_lookup_at).toEqual(next_lookup_at);
  });

  it('a missing right needs a person at once, who is told which', async () => {
    const asked = answers([{ ...strategy, needs: 'reporting' }], () => 'take');
    fixture.gateway.onVerifyCredentials = () => ({ ok: true, rights: ['refunds'] });
    const { attempt, whyNeedsReview } = await unanswered();
    await pass(5_000);
    expect((await attempt()).state).toBe('needsReview');
    expect(await whyNeedsReview()).toContain('the account lacks the right reporting');
    // Given the right, it is found out all the same.
    fixture.gateway.onVerifyCredentials = () => ({ ok: true, rights: ['reporting'] });
    await pass(6 * MINUTE);
    expect([asked, (await attempt()).state]).toEqual([['ref'], 'succeeded']);
  });

  it('while its rights are not known, the gateway is not asked and no person is alerted', async () => {
    const asked = answers([{ ...strategy, needs: 'reporting' }], () => 'take');
    fixture.gateway.onVerifyCredentials = () => ({ ok: false, rights: [], unreachable: true });
    const { attempt } = await unanswered();
    await pass(5_000);
    expect([asked, (await attempt()).state]).toEqual([[], 'unknown']);
  });
});

describe('a call’s own answer that comes after its time', () => {
  const late: Record<string, Outcome> = {
    notAttempted: { is: 'notAttempted', why: 'invalid', detail: 'not sent' },
    declined: { is: 'declined', why: { class: 'otherMethod', code: 'card_declined', text: 'Declined' } },
  };
  async function slow(answer: Outcome) {
    const one = await setUp();
    const comes = Promise.withResolvers<void>();
    fixture.gateway.onCharge = async () => {
      await comes.promise;
      return answer;
    };
    expect(await one.pay()).toMatchObject({ status: 'processing' });
    expect((await one.attempt()).state).toBe('unknown');
    const free = async () =>
      (
        await rows<{ held: string }>('select held_minor::text as held from invoice where customer_id = $1', [
          one.customer.id,
        ])
      )[0]?.held === '0';
    return { ...one, answer: () => comes.resolve(), free };
  }

  it.each(['notAttempted', 'declined'])('counts while nothing was sent since: %s', async (is) => {
    answers([strategy], () => inconclusive);
    const { answer, attempt, free } = await slow(late[is] as Outcome);
    await pass(5_000);
    answer();
    await vi.waitFor(async () => expect((await attempt()).state).toBe(is), 10_000);
    expect(await free()).toBe(true);
  });

  it('counts for one that was set aside for a person', async () => {
    answers([{ ...strategy, validMs: 0 }], () => inconclusive);
    const { answer, attempt } = await slow(late['notAttempted'] as Outcome);
    await pass(5_000);
    expect((await attempt()).state).toBe('needsReview');
    answer();
    await vi.waitFor(async () => expect((await attempt()).state).toBe('notAttempted'), 10_000);
  });

  it.each(['notAttempted', 'declined'])('proves nothing once it was sent again: %s', async (is) => {
    const asked = answers([replay], () => ({ ...inconclusive, sent: true }));
    const { answer, attempt, free } = await slow(late[is] as Outcome);
    await pass(5_000);
    answer();
    // Recorded or not, it changes nothing.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await pass(5_000);
    expect(asked).toEqual(['replay', 'replay']);
    expect([(await attempt()).state, await free()]).toEqual(['unknown', false]);
    answers([replay], () => 'take');
    await pass(5_000);
    expect((await attempt()).state).toBe('succeeded');
  });
});
