/** Charges against the sandbox: what the list of cases does not ask. */
import { money } from '@counterfoil/domain/money/money.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Charge, Outcome } from '../port/gateway.ts';
import {
  advance,
  card,
  charge,
  clock,
  codeCard,
  day,
  harness,
  none,
  open,
  paid,
  saved,
  strategy,
} from './test-support.ts';

beforeAll(() => harness.start());
afterAll(() => harness.end());

describe('a charge whose answer is lost', () => {
  const lose = async (mode: 'timeout-after' | 'timeout-before') => {
    const gateway = open('lost', {}, 500);
    const method = await saved(gateway);
    const sent = charge({ source: { saved: method.state } });
    await harness.fault({ operation: 'charge', mode });
    const outcome = await gateway.charge(sent, none);
    expect(outcome.is).toBe('unknown');
    const minors = async () => (await harness.captures(sent.ref)).map(({ minor }) => minor);
    return { gateway, sent, minors };
  };

  it.each([
    ['carried out', 'timeout-after', 1],
    ['never arrived', 'timeout-before', 0],
  ] as const)('23, 24: %s: a saved method is charged once', async (_what, mode, before) => {
    const { gateway, sent, minors } = await lose(mode);
    expect(await minors()).toHaveLength(before);
    expect(await gateway.lookup(sent, undefined, strategy('replay'))).toMatchObject({
      is: 'succeeded',
      captured: sent.amount,
    });
    expect(await minors()).toEqual([12_550]);
  });

  it('24: is not sent again after the window, nor with a token', async () => {
    const { gateway, sent, minors } = await lose('timeout-before');
    await advance(8 * 3_600_000);
    expect(await gateway.lookup(sent, undefined, strategy('replay'))).toMatchObject({ is: 'inconclusive' });
    const once = { ...sent, sentAt: clock.now(), source: 'lost' as const };
    expect(await gateway.lookup(once, undefined, strategy('replay'))).toMatchObject({ is: 'inconclusive' });
    expect(await minors()).toEqual([]);
  });

  it('23: is found in a settled batch, too', async () => {
    const { gateway, sent, minors } = await lose('timeout-after');
    await advance(day);
    await advance(60_000);
    expect(await gateway.lookup(sent, undefined, strategy('scan'))).toMatchObject({ is: 'succeeded' });
    expect(await minors()).toHaveLength(1);
  });

  it('is not taken for another’s transaction', async () => {
    const gateway = open('lost');
    const { remote } = paid(await gateway.charge(charge({ source: card() }), none));
    expect(await gateway.lookupByRemoteId?.(charge(), remote)).toMatchObject({
      is: 'inconclusive',
      why: expect.stringContaining('another reference'),
    });
  });

  it('32: an edge proxy’s page is no answer', async () => {
    const gateway = open('lost');
    await harness.fault({ operation: 'charge', mode: 'error-500-after' });
    expect(await gateway.charge(charge({ source: card() }), none)).toMatchObject({
      is: 'unknown',
      evidence: expect.stringContaining('502'),
    });
  });
});

describe('what is not certain', () => {
  const order = async (minor: bigint) => {
    const gateway = open('codes');
    const sent = charge({ amount: money(minor, 'USD'), source: card(codeCard) });
    return { gateway, sent, outcome: await gateway.charge(sent, none) };
  };

  it.each(['approve', 'decline'] as const)('29: held for a person, who says %s', async (action) => {
    const { gateway, sent, outcome } = await order(25_200n);
    expect(outcome).toMatchObject({ is: 'pending', because: 'review' });
    const { remote = '', state } = outcome as Extract<Outcome, { is: 'pending' }>;
    const look = () => gateway.lookup({ ...sent, source: 'lost' }, state, strategy('remote'));
    expect(await look()).toMatchObject({ is: 'pending', because: 'review' });
    await fetch(`${harness.sandbox.url}/authorize-net/xml/v1/request.api`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        updateHeldTransactionRequest: {
          merchantAuthentication: { name: 'codes', transactionKey: 'codes00000000000' },
          heldTransactionRequest: { action, refTransId: remote },
        },
      }),
    });
    expect((await look()).is).toBe(action === 'approve' ? 'succeeded' : 'declined');
  });

  it('38: possibly charged: not sent again, and left to a person', async () => {
    const { gateway, sent, outcome } = await order(12_000n);
    expect(outcome).toMatchObject({ is: 'unknown', state: { noReplay: '120' } });
    const { state } = outcome as Extract<Outcome, { is: 'unknown' }>;
    const known: Charge = { ...sent, source: 'lost' };
    expect(await gateway.lookup(known, state, strategy('replay'))).toMatchObject({ is: 'inconclusive' });
    expect(await gateway.lookup(known, state, strategy('remote'))).toMatchObject({
      is: 'unknown',
      needsPerson: true,
    });
  });
});
