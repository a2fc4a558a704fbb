import { type Received, webhookReceiver } from '@counterfoil/sandbox/test-support.ts';
import Stripe from 'stripe';
import { afterEach, describe, expect, it } from 'vitest';
import { challengeOf, eventOf, newName, payment, signatureOf, useSandbox } from './test-support.ts';

const harness = useSandbox();
const open: { close(): void }[] = [];
afterEach(async () => {
  for (const inbox of open.splice(0)) inbox.close();
  await harness.control('DELETE', 'webhooks');
  await harness.control('DELETE', 'faults');
});

async function listen(answer?: (delivery: Received) => number, more: object = {}) {
  const inbox = await webhookReceiver(answer);
  open.push(inbox);
  await harness.control('POST', 'webhooks', {
    gateway: 'stripe',
    url: inbox.url,
    secret: 'whsec_right',
    ...more,
  });
  return inbox;
}
const types = (inbox: { received: readonly Received[] }) =>
  inbox.received.map((delivery) => eventOf(delivery).type);
const paidTypes = ['charge.succeeded', 'payment_intent.created', 'payment_intent.succeeded'];
const webhooks = new Stripe('sk_test_x').webhooks;

describe('webhooks', () => {
  it('32: are signed as the SDK checks them', async () => {
    const inbox = await listen();
    const stripe = harness.client();
    const paid = await stripe.paymentIntents.create(payment('pm_card_visa'), { idempotencyKey: 'k32' });
    await expect.poll(() => types(inbox).toSorted()).toEqual(paidTypes);
    const [delivery] = inbox.received;
    if (delivery === undefined) throw new Error('nothing arrived');
    const event = webhooks.constructEvent(delivery.body, signatureOf(delivery), 'whsec_right');
    expect(event).toMatchObject({
      object: 'event',
      livemode: false,
      request: { idempotency_key: 'k32' },
      data: { object: { object: expect.any(String) } },
    });
    expect((await stripe.events.retrieve(event.id)).type).toBe(event.type);
    expect(JSON.stringify(event)).toContain(paid.id);
    const changed = Buffer.from(delivery.body.toString('utf8').replace('12550', '12551'));
    expect(() => webhooks.constructEvent(changed, signatureOf(delivery), 'whsec_right')).toThrow('signature');
    expect(() => webhooks.constructEvent(delivery.body, signatureOf(delivery), 'whsec_wrong')).toThrow(
      'signature',
    );
  });

  it('32: never carry a field of the sandbox itself', async () => {
    const inbox = await listen();
    await harness.client().paymentIntents.create(payment('pm_card_visa'));
    await expect.poll(() => inbox.received.length).toBe(3);
    for (const { body } of inbox.received) expect(body.toString('utf8')).not.toMatch(/"_/);
  });

  it('33: webhook-first arrives before the answer', async () => {
    const inbox = await listen();
    await harness.fault({ operation: 'charge', mode: 'webhook-first' });
    await harness.client().paymentIntents.create(payment('pm_card_visa'));
    expect(types(inbox).toSorted()).toEqual(paidTypes);
  });

  it('33: webhook-twice delivers the same event twice', async () => {
    const inbox = await listen();
    await harness.fault({ operation: 'charge', mode: 'webhook-twice' });
    await harness.client().paymentIntents.create(payment('pm_card_visa'));
    await expect.poll(() => inbox.received.length).toBe(6);
    expect(new Set(inbox.received.map((delivery) => eventOf(delivery).id)).size).toBe(3);
  });

  it('33: webhook-late waits for the clock', async () => {
    const inbox = await listen();
    await harness.fault({ operation: 'charge', mode: 'webhook-late', ms: 600_000 });
    const stripe = harness.client();
    await stripe.paymentIntents.create(payment('pm_card_visa'));
    await stripe.paymentIntents.list();
    expect(inbox.received).toEqual([]);
    await harness.advance(601_000);
    await expect.poll(() => inbox.received.length).toBe(3);
  });

  it('33: webhook-reversed delivers the last event first, webhook-lost none', async () => {
    const inbox = await listen();
    await harness.fault({ operation: 'charge', mode: 'webhook-lost' });
    await harness.client().paymentIntents.create(payment('pm_card_visa'));
    await harness.fault({ operation: 'charge', mode: 'webhook-reversed', ms: 100 });
    await harness.client().paymentIntents.create(payment('pm_card_visa'));
    await expect
      .poll(() => types(inbox))
      .toEqual(['payment_intent.succeeded', 'charge.succeeded', 'payment_intent.created']);
  });

  it('32: are tried again until they are taken', async () => {
    const seen = new Set<string>();
    const inbox = await listen((delivery) => {
      const { id } = eventOf(delivery);
      const again = seen.has(id);
      seen.add(id);
      return again ? 200 : 500;
    });
    await harness.client().paymentIntents.create(payment('pm_card_visa'));
    await expect.poll(() => inbox.received.length).toBe(3);
    await harness.advance(2000);
    await expect.poll(() => inbox.received.length).toBe(6);
    await expect.poll(async () => (await harness.control('GET', 'webhooks'))['pending']).toBe(0);
  });

  it('32: go to every endpoint of the account, and only to those', async () => {
    const name = newName();
    const all = await listen();
    const own = await listen(undefined, { account: `pk_test_${name}` });
    const stripe = harness.client({ name });
    await harness.client().paymentIntents.create(payment('pm_card_visa'));
    await expect.poll(() => all.received.length).toBe(3);
    expect(own.received).toEqual([]);
    await stripe.paymentIntents.create(payment('pm_card_visa'));
    await expect.poll(() => [all.received.length, own.received.length]).toEqual([6, 3]);
  });

  it('33: tell of a failed and then a passed payment', async () => {
    const inbox = await listen();
    const stripe = harness.client();
    const intent = await stripe.paymentIntents.create(payment('pm_card_threeDSecure2Required'));
    await harness.answerChallenge(challengeOf(intent), 'fail');
    await expect
      .poll(() => types(inbox))
      .toEqual(expect.arrayContaining(['payment_intent.requires_action', 'payment_intent.payment_failed']));
  });
});
