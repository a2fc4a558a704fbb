import { money } from '@counterfoil/domain/money/money.ts';
import type { GatewayEvent } from '@counterfoil/gateways/port/gateway.ts';
import { gatewayRef, remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { describe, expect, it } from 'vitest';
import { fixture, hook, rows, setUp } from '../../../../test/fixtures/paying/engine-fixture.ts';
import { paid } from '../../../../test/fixtures/paying/refund-fixture.ts';
import { settleRefund } from '../refunds/refund.ts';
import { reconcile } from './reconcile.ts';
import { settle } from './settle.ts';

describe('an operator’s word', () => {
  const held = async () => {
    const one = await setUp();
    fixture.gateway.onCharge = async () => ({ is: 'unknown', evidence: 'cut' });
    fixture.gateway.onLookup = async () => ({ is: 'inconclusive', why: 'nothing' });
    await one.pay();
    fixture.clock.advance(2 * 3_600_000);
    await reconcile(fixture.engine);
    expect(await one.attempt()).toMatchObject({ state: 'needsReview' });
    return one;
  };
  const word = (taken: boolean) => ({ is: 'manualResolution', taken, by: 'op', note: 'seen there' }) as const;

  it('ends a held payment as taken: booked, receipted, and the later name of it is no second charge', async () => {
    const one = await held();
    const { key } = await one.attempt();
    expect(await settle(fixture.engine, key, word(true), 'operator')).toMatchObject({ state: 'succeeded' });
    expect(await one.captures()).toMatchObject([{ n: '11000', credit: '0' }]);
    const captured = money(11_000n, 'USD');
    await settle(
      fixture.engine,
      key,
      { is: 'succeeded', remote: remoteId('r_1'), captured, state: {} },
      'webhook',
    );
    const named = await rows<{ remote: string }>('select remote from capture where customer_id = $1', [
      one.customer.id,
    ]);
    expect(named).toEqual([{ remote: 'r_1' }]);
    const [told] = await rows<{ evidence: object }>(
      'select evidence from transition where attempt_id = $1 order by seq desc limit 1',
      [key.attemptId],
    );
    expect(told?.evidence).toEqual({ is: 'manualResolution', taken: true, by: 'op', note: 'seen there' });
  });

  it('ends it as not taken: the invoice may be paid again, and money that comes all the same is credit', async () => {
    const one = await held();
    const { key } = await one.attempt();
    expect(await settle(fixture.engine, key, word(false), 'operator')).toMatchObject({ state: 'absent' });
    const captured = money(11_000n, 'USD');
    await settle(
      fixture.engine,
      key,
      { is: 'succeeded', remote: remoteId('r_2'), captured, state: {} },
      'webhook',
    );
    expect(await one.captures()).toMatchObject([{ n: '11000', credit: '11000' }]);
  });

  it('ends a held refund', async () => {
    const one = await paid();
    fixture.gateway.onRefund = async () => ({ is: 'unknown', evidence: 'cut' });
    fixture.gateway.onLookupRefund = async () => ({ is: 'inconclusive', why: 'nothing' });
    const row = await one.back(400n);
    fixture.clock.advance(2 * 3_600_000);
    await reconcile(fixture.engine);
    const key = { customerId: row.customer_id, attemptId: row.id };
    expect(await settleRefund(fixture.engine, key, word(true), 'operator')).toMatchObject({
      state: 'succeeded',
    });
    expect(await one.reversals()).toEqual([{ kind: 'refund', n: '400' }]);
    // Its event, late: the same refund, by its name.
    const [capture] = await rows<{ remote: string }>('select remote from capture where customer_id = $1', [
      one.customer.id,
    ]);
    const amount = money(400n, 'USD');
    const late = {
      kind: 'refund',
      remote: remoteId('re_named'),
      of: remoteId(capture?.remote ?? ''),
      amount,
      code: '',
    };
    fixture.gateway.onWebhook = () => [
      {
        id: `n_${row.ref}`,
        about: 'refund',
        remote: late.remote,
        ref: gatewayRef(row.ref),
        reversal: late,
      } as GatewayEvent,
    ];
    await hook(one.reseller.id);
    expect(await one.reversals()).toEqual([{ kind: 'refund', n: '400' }]);
    const named = await rows('select remote from reversal where customer_id = $1', [one.customer.id]);
    expect(named).toEqual([{ remote: 're_named' }]);
  });
});
