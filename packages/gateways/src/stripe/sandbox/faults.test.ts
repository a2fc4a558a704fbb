import { afterEach, describe, expect, it } from 'vitest';
import { errorOf, newName, payment, useSandbox } from './test-support.ts';

const harness = useSandbox();
afterEach(() => harness.control('POST', 'reset'));

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const pay = (ref: string, stripe = harness.client({ timeout: 300 })) =>
  stripe.paymentIntents.create(payment('pm_card_visa', { metadata: { ref } }), { idempotencyKey: ref });

describe('faults', () => {
  it('clearing the faults lets hung connections go', async () => {
    await harness.fault({ operation: 'charge', mode: 'timeout-after' });
    const asked = harness.raw('POST', '/v1/payment_intents', {
      key: `sk_test_${newName()}`,
      body: 'amount=900&currency=aud',
    });
    const ended = expect(asked).rejects.toThrow('fetch failed');
    await pause(100);
    await harness.control('DELETE', 'faults');
    await ended;
  });

  it('lookup-blind and lookup-down: look-ups that see nothing, or fail', async () => {
    const stripe = harness.client();
    const paid = await pay('F7', stripe);
    await harness.fault({ operation: 'find', mode: 'lookup-blind', times: 2 });
    expect((await stripe.paymentIntents.list()).data).toEqual([]);
    expect(await errorOf(stripe.paymentIntents.retrieve(paid.id))).toMatchObject({ statusCode: 404 });
    expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
    await harness.fault({ operation: 'find', mode: 'lookup-down' });
    expect(await errorOf(stripe.paymentIntents.list())).toMatchObject({ statusCode: 503 });
  });

  it('partial: less is captured than was asked', async () => {
    await harness.fault({ operation: 'charge', mode: 'partial', minor: 1000 });
    expect(await pay('F8')).toMatchObject({ amount: 12_550, amount_received: 1000, status: 'succeeded' });
    expect(await harness.captures('F8')).toMatchObject([{ minor: 1000 }]);
  });

  it('self-void: the gateway takes back what it had approved', async () => {
    const stripe = harness.client();
    await harness.fault({ operation: 'charge', mode: 'self-void', ms: 60_000 });
    const paid = await pay('F9', stripe);
    expect(await harness.captures('F9')).toMatchObject([{ state: 'captured' }]);
    await harness.advance(61_000);
    expect(await harness.captures('F9')).toMatchObject([{ state: 'voided', refundedMinor: 12_550 }]);
    expect((await stripe.refunds.list({ payment_intent: paid.id })).data).toHaveLength(1);
  });

  it('late-failure and resubmit: money taken back by the bank, and won again', async () => {
    const stripe = harness.client();
    await harness.fault({ operation: 'charge', mode: 'late-failure', ms: 60_000 });
    await pay('F10', stripe);
    await harness.fault({ operation: 'charge', mode: 'resubmit', ms: 240_000 });
    const won = await pay('F11', stripe);
    await harness.advance(121_000);
    expect(await harness.captures('F10')).toMatchObject([{ state: 'charged-back' }]);
    expect(await harness.captures('F11')).toMatchObject([{ state: 'charged-back' }]);
    await harness.advance(240_000);
    expect(await harness.captures('F11')).toMatchObject([{ state: 'captured' }]);
    expect((await stripe.disputes.list({ payment_intent: won.id })).data).toMatchObject([{ status: 'won' }]);
    const types = (await stripe.events.list({ limit: 100 })).data.map((event) => event.type);
    expect(types).toContain('charge.dispute.funds_reinstated');
  });

  it('refuses orders it does not know', async () => {
    await expect(
      harness.control('POST', 'faults', { gateway: 'stripe', operation: 'charge', mode: 'sulk' }),
    ).rejects.toThrow('mode');
    await expect(
      harness.control('POST', 'faults', { gateway: 'nobody', operation: 'charge', mode: 'slow' }),
    ).rejects.toThrow('gateway');
    await expect(harness.control('POST', 'settings', { delayMs: -1 })).rejects.toThrow('delayMs');
    await expect(
      harness.control('POST', 'webhooks', { gateway: 'stripe', url: 'ftp://x', secret: 's' }),
    ).rejects.toThrow('url');
  });
});
