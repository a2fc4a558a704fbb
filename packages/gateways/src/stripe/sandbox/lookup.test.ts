import { describe, expect, it } from 'vitest';
import { errorOf, payment, useSandbox } from './test-support.ts';

const harness = useSandbox();

describe('finding out', () => {
  it('35: the list shows a new payment at once, search only after a while', async () => {
    const stripe = harness.client();
    const paid = await stripe.paymentIntents.create(
      payment('pm_card_visa', { metadata: { attemptId: 'A35' } }),
    );
    const since = paid.created - 60;
    expect((await stripe.paymentIntents.list({ created: { gte: since }, limit: 100 })).data).toMatchObject([
      { id: paid.id, metadata: { attemptId: 'A35' } },
    ]);
    const search = () =>
      stripe.paymentIntents.search({ query: "metadata['attemptId']:'A35' AND status:'succeeded'" });
    expect((await search()).data).toEqual([]);
    await harness.advance(60_000);
    expect((await search()).data).toMatchObject([{ id: paid.id }]);
    expect((await errorOf(stripe.paymentIntents.search({ query: 'anything' }))).statusCode).toBe(400);
  });

  it('35: lists by customer and by time', async () => {
    const stripe = harness.client();
    const { id: customer } = await stripe.customers.create();
    const paid = await stripe.paymentIntents.create(payment('pm_card_visa', { customer }));
    await stripe.paymentIntents.create(payment('pm_card_visa'));
    expect((await stripe.paymentIntents.list({ customer })).data.map((intent) => intent.id)).toEqual([
      paid.id,
    ]);
    expect((await stripe.paymentIntents.list({ created: { lt: paid.created } })).data).toEqual([]);
  });

  it('37: pages through payments, each once, and through all by itself', async () => {
    const stripe = harness.client();
    const made: string[] = [];
    for (let count = 0; count < 7; count += 1)
      made.push((await stripe.paymentIntents.create(payment('pm_card_visa'))).id);
    const seen: string[] = [];
    for await (const intent of stripe.paymentIntents.list({ limit: 3 })) seen.push(intent.id);
    expect(seen).toEqual(made.toReversed());
  });

  it('expands ids into objects, also within lists', async () => {
    const stripe = harness.client();
    const { id: customer } = await stripe.customers.create({ name: 'Ada' });
    const paid = await stripe.paymentIntents.create(payment('pm_card_visa', { customer }));
    const read = await stripe.paymentIntents.retrieve(paid.id, {
      expand: ['customer', 'latest_charge.payment_method'],
    });
    expect(read).toMatchObject({
      customer: { name: 'Ada' },
      latest_charge: { payment_method: { card: { last4: '4242' } } },
    });
    const listed = await stripe.paymentIntents.list({ expand: ['data.latest_charge'] });
    expect(listed.data[0]?.latest_charge).toMatchObject({ paid: true });
    expect((await stripe.paymentIntents.retrieve(paid.id)).latest_charge).toBeTypeOf('string');
    expect((await errorOf(stripe.paymentIntents.retrieve(paid.id, { expand: ['colour'] }))).statusCode).toBe(
      400,
    );
  });
});
