import { type Received, webhookReceiver } from '@counterfoil/sandbox/test-support.ts';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { errorOf, newName, payment, useSandbox } from './test-support.ts';

const harness = useSandbox();

describe('finding out', () => {
  it('35: the list shows a new payment at once, search only after a while', async () => {
    const stripe = harness.client();
    const { id: customer } = await stripe.customers.create();
    const metadata = { attemptId: 'A35' };
    const paid = await stripe.paymentIntents.create(payment('pm_card_visa', { metadata, customer }));
    const { id: other } = await stripe.paymentIntents.create(payment('pm_card_visa'));
    const list = async (query: object) =>
      (await stripe.paymentIntents.list({ limit: 100, ...query })).data.map(({ id }) => id);
    expect(await list({ created: { gte: paid.created } })).toEqual([other, paid.id]);
    expect(await list({ created: { gte: paid.created + 60 } })).toEqual([]);
    expect(await list({ customer })).toEqual([paid.id]);
    const search = async (query: string) => (await stripe.paymentIntents.search({ query })).data;
    const query = "metadata['attemptId']:'A35' AND status:'succeeded'";
    expect(await search(query)).toEqual([]);
    await harness.advance(60_000);
    expect(await search(query)).toMatchObject([{ id: paid.id }]);
    expect((await errorOf(search('anything'))).statusCode).toBe(400);
  });

  it('look-ups that see nothing, or fail, when that is ordered', async () => {
    const stripe = harness.client();
    const { id } = await stripe.paymentIntents.create(payment('pm_card_visa'));
    await harness.fault({ operation: 'find', mode: 'lookup-blind', times: 2 });
    expect((await stripe.paymentIntents.list()).data).toEqual([]);
    expect(await errorOf(stripe.paymentIntents.retrieve(id))).toMatchObject({ statusCode: 404 });
    await harness.fault({ operation: 'find', mode: 'lookup-down' });
    expect(await errorOf(stripe.paymentIntents.list())).toMatchObject({ statusCode: 503 });
    const expanded = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge', 'customer'] });
    expect(expanded).toMatchObject({ latest_charge: { paid: true }, customer: null });
    const colour = stripe.paymentIntents.retrieve(id, { expand: ['colour'] });
    expect((await errorOf(colour)).statusCode).toBe(400);
  });
});

describe('webhooks', () => {
  const { webhooks } = new Stripe('sk_test_x');
  const paidTypes = ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded'];
  /** They may overtake each other. */
  const inAnyOrder = (types: readonly string[]) => types.toSorted((one, other) => one.localeCompare(other));
  const typeOf = ({ body }: Received) => (JSON.parse(body.toString('utf8')) as { type: string }).type;

  /** Takes deliveries while `work` runs. */
  async function listening(
    work: (received: readonly Received[], types: () => string[]) => Promise<void>,
    more: { readonly answer?: (delivery: Received) => number; readonly account?: string } = {},
  ): Promise<void> {
    const inbox = await webhookReceiver(more.answer);
    const { account } = more;
    const order = { gateway: 'stripe', url: inbox.url, secret: 'whsec_right', ...(account && { account }) };
    await harness.control('POST', 'webhooks', order);
    try {
      await work(inbox.received, () => inbox.received.map(typeOf));
    } finally {
      inbox.close();
      await harness.control('DELETE', 'webhooks');
      await harness.control('DELETE', 'faults');
    }
  }
  const pay = (stripe = harness.client()) =>
    stripe.paymentIntents.create(payment('pm_card_visa'), { idempotencyKey: 'k32' });

  it('32: are signed as the SDK checks them, and carry no field of the sandbox itself', () =>
    listening(async (received, types) => {
      const paid = await pay();
      await expect.poll(() => inAnyOrder(types())).toEqual(inAnyOrder(paidTypes));
      const { body, headers } = received.find((one) => typeOf(one) === 'payment_intent.succeeded') ?? {};
      if (body === undefined) throw new Error('nothing arrived');
      const header = String(headers?.['stripe-signature']);
      const request = { idempotency_key: 'k32' };
      const event = { object: 'event', livemode: false, request, data: { object: { id: paid.id } } };
      expect(webhooks.constructEvent(body, header, 'whsec_right')).toMatchObject(event);
      expect(body.toString('utf8')).not.toMatch(/"_/);
      const changed = Buffer.from(body.toString('utf8').replace('12550', '12551'));
      expect(() => webhooks.constructEvent(changed, header, 'whsec_right')).toThrow('signature');
      expect(() => webhooks.constructEvent(body, header, 'whsec_wrong')).toThrow('signature');
    }));

  it('32: go to every endpoint of the account, and only to those, until they are taken', async () => {
    const name = newName();
    const seen = new Set<string>();
    const answer = ({ body }: Received) => (seen.size === seen.add(body.toString()).size ? 200 : 500);
    await listening(
      async (own) => {
        await listening(
          async (all) => {
            await pay();
            await expect.poll(() => all.length).toBe(3);
            await harness.advance(2000);
            await expect.poll(() => all.length).toBe(6);
            await expect.poll(async () => (await harness.control('GET', 'webhooks'))['pending']).toBe(0);
            expect(own).toEqual([]);
            await pay(harness.client({ name }));
            await expect.poll(() => [all.length, own.length]).toEqual([9, 3]);
          },
          { answer },
        );
      },
      { account: `pk_test_${name}` },
    );
  });

  it.each([
    ['webhook-twice', {}, [...paidTypes, ...paidTypes]],
    ['webhook-late', { ms: 600_000 }, paidTypes],
    ['webhook-reversed', { ms: 100 }, paidTypes.toReversed()],
    // Only those of the second payment.
    ['webhook-lost', {}, paidTypes],
  ] as const)('33: %s, if that is ordered', (mode, more, told) =>
    listening(async (_received, types) => {
      await harness.fault({ operation: 'charge', mode, ...more });
      await pay();
      if (mode === 'webhook-lost') await pay();
      if (mode === 'webhook-late') {
        expect(types()).toEqual([]);
        await harness.advance(601_000);
      }
      const isOrdered = mode === 'webhook-reversed';
      const seen = () => (isOrdered ? types() : inAnyOrder(types()));
      await expect.poll(seen).toEqual(isOrdered ? told : inAnyOrder(told));
    }),
  );

  it('33: webhook-first arrives before the answer', () =>
    listening(async (_received, types) => {
      await harness.fault({ operation: 'charge', mode: 'webhook-first' });
      await pay();
      expect(inAnyOrder(types())).toEqual(inAnyOrder(paidTypes));
    }));
});
