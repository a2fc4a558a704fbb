import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { errorOf, useSandbox } from './test-support.ts';

const harness = useSandbox();

const create = (stripe: Stripe, more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://portal.example/done?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://portal.example/back',
    line_items: [
      {
        price_data: { currency: 'aud', unit_amount: 12_550, product_data: { name: 'Invoice 1001' } },
        quantity: 1,
      },
    ],
    payment_intent_data: { metadata: { ref: 'C' } },
    allowed_payment_method_types: ['card', 'au_becs_debit'],
    ...more,
  });

const submit = (session: Stripe.Checkout.Session, form: Record<string, string>) =>
  harness.raw('POST', new URL(session.url ?? '').pathname, { body: new URLSearchParams(form).toString() });

const visa = {
  type: 'card',
  'card[number]': ['4242', '4242', '4242', '4242'].join(''),
  'card[exp_month]': '12',
  'card[exp_year]': '2034',
  'card[cvc]': '123',
  'billing_details[name]': 'Ada',
};
const becs = {
  type: 'au_becs_debit',
  'au_becs_debit[bsb_number]': '000000',
  'au_becs_debit[account_number]': '000123456',
  'billing_details[name]': 'Ada',
  'billing_details[email]': 'ada@example.com',
  mandate: 'accepted',
};

describe('hosted checkout', () => {
  it('31: pays by card and goes back with the session id', async () => {
    const stripe = harness.client();
    const session = await create(stripe);
    expect(session).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      amount_total: 12_550,
      ui_mode: 'hosted_page',
    });
    const page = await harness.raw('GET', new URL(session.url ?? '').pathname);
    expect(page.text).toContain('Invoice 1001');
    const done = await submit(session, visa);
    expect(done.headers.get('location')).toBe(`https://portal.example/done?session=${session.id}`);
    expect(await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })).toMatchObject(
      {
        status: 'complete',
        payment_status: 'paid',
        url: null,
        payment_intent: { status: 'succeeded', metadata: { ref: 'C' } },
      },
    );
  });

  it('31: shows a wrong number on the page and stays open', async () => {
    const stripe = harness.client();
    const session = await create(stripe);
    const wrong = await submit(session, { ...visa, 'card[cvc]': '1' });
    expect(wrong.text).toContain('security code is invalid');
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
  });

  it('31: goes through 3-D Secure', async () => {
    const stripe = harness.client();
    const session = await create(stripe);
    const asked = await submit(session, {
      ...visa,
      'card[number]': ['4000', '0027', '6000', '3184'].join(''),
    });
    const back = await harness.answerChallenge(asked.headers.get('location') ?? '', 'complete');
    expect(back?.searchParams.get('session')).toBe(session.id);
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
    });
  });

  it('31: saves a card in setup mode', async () => {
    const stripe = harness.client();
    const { id: customer } = await stripe.customers.create();
    const session = await stripe.checkout.sessions.create({
      mode: 'setup',
      currency: 'aud',
      customer,
      success_url: 'https://portal.example/done',
    });
    await submit(session, visa);
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'no_payment_required',
    });
    expect((await stripe.customers.listPaymentMethods(customer)).data).toHaveLength(1);
  });

  it('31: a debit completes unpaid, and is paid later', async () => {
    const stripe = harness.client();
    const session = await create(stripe);
    await submit(session, becs);
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
    });
    await harness.advance(5000);
    expect((await stripe.checkout.sessions.retrieve(session.id)).payment_status).toBe('paid');
    const types = (await stripe.events.list({ limit: 50 })).data.map((event) => event.type).reverse();
    expect(types.filter((type) => type.startsWith('checkout.'))).toEqual([
      'checkout.session.completed',
      'checkout.session.async_payment_succeeded',
    ]);
  });

  it('40: the intent of an open session cannot be canceled; expiring ends both', async () => {
    const stripe = harness.client();
    const session = await create(stripe);
    expect(await errorOf(stripe.paymentIntents.cancel(String(session.payment_intent)))).toMatchObject({
      statusCode: 400,
    });
    expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject({ status: 'expired', url: null });
    const dead = await submit(session, visa);
    expect(dead.status).toBe(410);
    expect((await stripe.paymentIntents.retrieve(String(session.payment_intent))).status).toBe('canceled');
  });

  it('40: a completed session cannot be expired; an old one expires by itself', async () => {
    const stripe = harness.client();
    const paid = await create(stripe);
    await submit(paid, visa);
    expect((await errorOf(stripe.checkout.sessions.expire(paid.id))).statusCode).toBe(400);
    const old = await create(stripe);
    await harness.advance(25 * 3600 * 1000);
    expect((await stripe.checkout.sessions.retrieve(old.id)).status).toBe('expired');
  });
});
