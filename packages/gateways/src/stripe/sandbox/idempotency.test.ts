import { describe, expect, it } from 'vitest';
import { errorOf, newName, payment, useSandbox } from './test-support.ts';

const harness = useSandbox();
const headersOf = (value: unknown) =>
  (value as { lastResponse: { headers: Record<string, string>; requestId: string } }).lastResponse;

describe('idempotency keys', () => {
  it('20: the same request again is replayed and says so', async () => {
    const stripe = harness.client();
    const key = { idempotencyKey: 'pay:1' };
    const first = await stripe.paymentIntents.create(
      payment('pm_card_visa', { metadata: { ref: 'R20' } }),
      key,
    );
    const second = await stripe.paymentIntents.create(
      payment('pm_card_visa', { metadata: { ref: 'R20' } }),
      key,
    );
    expect(second.id).toBe(first.id);
    expect(headersOf(first).headers['idempotent-replayed']).toBeUndefined();
    expect(headersOf(second).headers['idempotent-replayed']).toBe('true');
    expect(headersOf(second).headers['original-request']).toBe(headersOf(first).requestId);
    expect(headersOf(second).requestId).not.toBe(headersOf(first).requestId);
    expect(await harness.captures('R20')).toHaveLength(1);
  });

  it('20: the order of parameters does not matter', async () => {
    const key = `sk_test_${newName()}`;
    const ask = (body: string) =>
      harness.raw('POST', '/v1/customers', { key, body, headers: { 'idempotency-key': 'order' } });
    const first = await ask('name=Ada&metadata[a]=1&metadata[b]=2');
    const second = await ask('metadata[b]=2&metadata[a]=1&name=Ada');
    expect(second.body.id).toBe(first.body.id);
  });

  it('20: other parameters, or another endpoint, are refused and change nothing', async () => {
    const stripe = harness.client();
    const key = { idempotencyKey: 'pay:2' };
    await stripe.paymentIntents.create(payment('pm_card_visa'), key);
    for (const call of [
      stripe.paymentIntents.create(payment('pm_card_visa', { amount: 12_551 }), key),
      stripe.customers.create({ name: 'Ada' }, key),
    ]) {
      const failure = await errorOf(call);
      expect(failure).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
      expect(failure.code).toBeUndefined();
    }
    expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
    expect((await stripe.customers.list()).data).toHaveLength(0);
  });

  it('20: while the first is under way the same key answers 409', async () => {
    const stripe = harness.client();
    const key = { idempotencyKey: 'pay:3' };
    await harness.fault({ operation: 'charge', mode: 'slow', ms: 400 });
    const first = stripe.paymentIntents.create(payment('pm_card_visa'), key);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await errorOf(stripe.paymentIntents.create(payment('pm_card_visa'), key))).toMatchObject({
      statusCode: 409,
      code: 'idempotency_key_in_use',
    });
    const paid = await first;
    expect((await stripe.paymentIntents.create(payment('pm_card_visa'), key)).id).toBe(paid.id);
  });

  it('21: a decline is replayed, whatever card is meant now', async () => {
    const stripe = harness.client();
    const key = { idempotencyKey: 'pay:4' };
    const first = await errorOf(stripe.paymentIntents.create(payment('pm_card_chargeDeclined'), key));
    const second = await errorOf(stripe.paymentIntents.create(payment('pm_card_chargeDeclined'), key));
    expect([first.statusCode, second.statusCode]).toEqual([402, 402]);
    expect(second.headers?.['idempotent-replayed']).toBe('true');
    expect(second.payment_intent?.id).toBe(first.payment_intent?.id);
    expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
  });

  it('20: a request that failed before it began leaves its key free', async () => {
    const stripe = harness.client();
    const key = { idempotencyKey: 'pay:5' };
    await errorOf(stripe.paymentIntents.create(payment('pm_card_visa', { amount: 1 }), key));
    expect((await stripe.paymentIntents.create(payment('pm_card_visa'), key)).status).toBe('succeeded');
  });

  it('20: a key is pruned after a day, then it makes a new object', async () => {
    const stripe = harness.client();
    const key = { idempotencyKey: 'pay:6' };
    const first = await stripe.customers.create({ name: 'Ada' }, key);
    await harness.advance(23 * 3600 * 1000);
    expect((await stripe.customers.create({ name: 'Ada' }, key)).id).toBe(first.id);
    await harness.advance(2 * 3600 * 1000);
    expect((await stripe.customers.create({ name: 'Ada' }, key)).id).not.toBe(first.id);
  });

  it('20: refuses keys over 255 characters', async () => {
    const failure = await errorOf(harness.client().customers.create({}, { idempotencyKey: 'k'.repeat(256) }));
    expect(failure.statusCode).toBe(400);
  });

  it('22: a connection cut after the charge, then the same key: one payment', async () => {
    const stripe = harness.client();
    const key = { idempotencyKey: 'pay:7' };
    await harness.fault({ operation: 'charge', mode: 'reset-after' });
    // The SDK repeats a closed connection once by itself, so the plain request is used here.
    const body =
      'amount=900&currency=aud&payment_method=pm_card_visa&confirm=true&allowed_payment_method_types[0]=card&metadata[ref]=R22';
    const name = newName();
    const ask = () =>
      harness.raw('POST', '/v1/payment_intents', {
        key: `sk_test_${name}`,
        body,
        headers: { 'idempotency-key': 'cut' },
      });
    await expect(ask()).rejects.toThrow('fetch failed');
    const again = await ask();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.status).toBe('succeeded');
    expect((await harness.client({ name }).paymentIntents.list()).data).toHaveLength(1);
    expect(await harness.captures('R22')).toHaveLength(1);
    expect((await stripe.paymentIntents.create(payment('pm_card_visa'), key)).status).toBe('succeeded');
  });

  it('36: a saved 500 is replayed for ever, and the list shows what became of it', async () => {
    const stripe = harness.client();
    await harness.fault({ operation: 'charge', mode: 'replay-500' });
    const key = { idempotencyKey: 'pay:8' };
    const pay = () =>
      stripe.paymentIntents.create(payment('pm_card_visa', { metadata: { ref: 'R36' } }), key);
    const first = await errorOf(pay());
    expect(first.statusCode).toBe(500);
    expect(first.headers?.['idempotent-replayed']).toBeUndefined();
    const second = await errorOf(pay());
    expect(second.statusCode).toBe(500);
    expect(second.headers?.['idempotent-replayed']).toBe('true');
    expect((await stripe.paymentIntents.list()).data).toMatchObject([
      { status: 'succeeded', metadata: { ref: 'R36' } },
    ]);
  });

  it('36: a saved 500 of a request that never took effect leaves nothing in the list', async () => {
    const stripe = harness.client();
    await harness.fault({ operation: 'charge', mode: 'replay-500', executed: false });
    const pay = () =>
      stripe.paymentIntents.create(payment('pm_card_visa', { metadata: { ref: 'R36b' } }), {
        idempotencyKey: 'pay:9',
      });
    await errorOf(pay());
    expect((await errorOf(pay())).statusCode).toBe(500);
    expect((await stripe.paymentIntents.list()).data).toEqual([]);
    expect(await harness.captures('R36b')).toEqual([]);
  });

  it('36: 429 leaves the key free', async () => {
    const stripe = harness.client();
    await harness.fault({ operation: 'charge', mode: 'rate-limit' });
    const pay = () => stripe.paymentIntents.create(payment('pm_card_visa'), { idempotencyKey: 'pay:10' });
    expect(await errorOf(pay())).toMatchObject({ type: 'StripeRateLimitError', code: 'rate_limit' });
    expect((await pay()).status).toBe('succeeded');
  });
});
