import { money } from '@counterfoil/domain/money/money.ts';
import type { GatewayEvent } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { fixture, paid, rows } from '../../../../test/fixtures/paying/reversals-fixture.ts';
import { reconcile } from '../attempts/reconcile.ts';

afterEach(() => {
  fixture.gateway.onResolveEvent = undefined;
  fixture.gateway.refuseWebhooks = undefined;
});

type Paid = Awaited<ReturnType<typeof paid>>;

/** Delivers one event that says only which charge it is about. @returns what came of it, once it was followed */
async function deliver(
  one: Paid,
  id: string,
): Promise<{ outcome: string | null; tries: number } | undefined> {
  fixture.gateway.onWebhook = () => [{ id, about: 'charge', remote: one.of }];
  const url = `/v1/webhooks/scripted/${one.reseller.id}`;
  const headers = { 'content-type': 'application/json' };
  const answer = await fixture.app.inject({ method: 'POST', url, headers, payload: '{}' });
  expect(answer.statusCode).toBe(200);
  await fixture.eventsFollowed();
  return seen(id);
}

const seen = async (id: string) =>
  (
    await rows<{ outcome: string | null; tries: number }>(
      'select outcome, tries from inbox where event_key = $1',
      [id],
    )
  )[0];

const reversal = (of: GatewayEvent['remote'], kind: 'failed' | 'resubmitted', id: string) => ({
  kind,
  remote: remoteId(id),
  amount: money(11_165n, 'USD'),
  code: 'insufficient_funds',
  ...(of === undefined ? {} : { of }),
});

describe('an event that carries no amount', () => {
  it('is booked with what the gateway says when it is asked, though nobody signed it', async () => {
    const one = await paid();
    fixture.gateway.onResolveEvent = async (event) => [
      { ...event, reversal: reversal(one.of, 'failed', 'fail_1') },
    ];
    expect(await deliver(one, `${one.of}_unsigned`)).toEqual({ outcome: 'failed: booked', tries: 1 });
    expect(await one.stand()).toEqual({ status: 10, due: '11000', reversed: '11165' });
  });

  it('waits while the gateway cannot say, and is then booked once', async () => {
    const one = await paid();
    fixture.gateway.onResolveEvent = async () => 'inconclusive';
    const id = `${one.of}_later`;
    expect(await deliver(one, id)).toEqual({ outcome: null, tries: 1 });
    expect(await one.stand()).toMatchObject({ status: 11, reversed: '0' });
    fixture.gateway.onResolveEvent = async (event) => [
      { ...event, reversal: reversal(one.of, 'failed', 'fail_2') },
    ];
    fixture.clock.advance(60_000);
    await fixture.eventsFollowed();
    expect(await seen(id)).toEqual({ outcome: 'failed: booked', tries: 2 });
    expect(await one.stand()).toMatchObject({ status: 10, reversed: '11165' });
  });

  it('that stands for several is followed for each, and tried again whole until the last is booked', async () => {
    const one = await paid();
    const failed = { ...reversal(one.of, 'failed', 'fail_3') };
    // The second names a charge that is known only later.
    let second = reversal(remoteId('not_yet_known'), 'resubmitted', 'again_3');
    fixture.gateway.onResolveEvent = async (event) => [
      { ...event, reversal: failed },
      { ...event, reversal: second },
    ];
    const id = `${one.of}_several`;
    expect(await deliver(one, id)).toEqual({ outcome: null, tries: 1 });
    expect(await one.stand()).toMatchObject({ status: 10, reversed: '11165' });
    second = reversal(one.of, 'resubmitted', 'again_3');
    fixture.clock.advance(60_000);
    await fixture.eventsFollowed();
    expect(await seen(id)).toEqual({ outcome: 'failed: known; resubmitted: booked', tries: 2 });
    fixture.clock.advance(4_000);
    await reconcile(fixture.engine);
    expect(await one.stand()).toMatchObject({ status: 11, reversed: '0' });
  });

  it('that means nothing to us ends so', async () => {
    const one = await paid();
    fixture.gateway.onResolveEvent = async () => [];
    expect(await deliver(one, `${one.of}_nothing`)).toEqual({
      outcome: 'nothing to follow: charge',
      tries: 1,
    });
  });
});

it('a refused delivery is answered with the status that its gateway expects, and changes nothing', async () => {
  const one = await paid();
  const url = `/v1/webhooks/scripted/${one.reseller.id}`;
  for (const status of [401, 498] as const) {
    fixture.gateway.refuseWebhooks = status;
    const answer = await fixture.app.inject({ method: 'POST', url, payload: {} });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ status });
  }
  // An account that does not exist has no protocol.
  const nowhere = await fixture.app.inject({ method: 'POST', url: `${url}99`, payload: {} });
  expect(nowhere.statusCode).toBe(400);
  expect(await one.stand()).toMatchObject({ status: 11 });
});
