import { money } from '@counterfoil/domain/money/money.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { describe, expect, it, vi } from 'vitest';
import { fixture, hook, rows } from '../../../../test/fixtures/paying/engine-fixture.ts';
import { paid } from '../../../../test/fixtures/paying/refund-fixture.ts';
import { refundPayment } from './refund.ts';

describe('a refund whose call answers after its time', () => {
  it.each([
    ['counts while nothing was sent since', false, 'notAttempted'],
    ['proves nothing once it was sent again', true, 'unknown'],
  ])('that it was not attempted: %s', async (_what, isSentAgain, state) => {
    const one = await paid();
    const comes = Promise.withResolvers<void>();
    fixture.gateway.onRefund = async () => {
      await comes.promise;
      return { is: 'notAttempted', why: 'invalid', detail: 'not sent' };
    };
    fixture.gateway.onLookupRefund = async () => ({ is: 'inconclusive', why: 'nothing to see' });
    const order = { ...one.order, minor: 500n, key: { by: 'caller', key: 'k' } } as const;
    const { attempt: row } = await refundPayment({ ...fixture.engine, callWithinMs: 100 }, order);
    expect(row.state).toBe('unknown');
    const sentAgain = new Date(fixture.clock.now().getTime() + 1_000);
    if (isSentAgain) await rows('update attempt set last_sent_at = $2 where id = $1', [row.id, sentAgain]);
    comes.resolve();
    const stateNow = async () =>
      (await rows<{ state: string }>('select state from attempt where id = $1', [row.id]))[0]?.state;
    if (isSentAgain) await new Promise((resolve) => setTimeout(resolve, 100));
    await vi.waitFor(async () => expect(await stateNow()).toBe(state), 10_000);
  });

  it('is not asked about by a webhook while it runs, nor sent again by one', async () => {
    const one = await paid();
    fixture.gateway.onRefund = async () => ({ is: 'unknown', evidence: 'cut' });
    let asked = 0;
    fixture.gateway.onLookupRefund = async () => {
      asked += 1;
      return { is: 'absent', proven: true };
    };
    const { id, ref } = await one.back(500n);
    await rows(`update attempt set state = 'sending' where id = $1`, [id]);
    const late = {
      kind: 'refund',
      remote: remoteId(`b_${ref}`),
      amount: money(500n, 'USD'),
      code: 'x',
    } as const;
    fixture.gateway.onWebhook = () => [
      { id: `e_${ref}`, about: 'refund', ref: ref as never, remote: late.remote, reversal: late },
    ];
    await hook(one.reseller.id);
    await fixture.eventsFollowed();
    expect(asked).toBe(0);
  });
});
