import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { errorOf, told, useSandbox } from './test-support.ts';

/** By the official SDK. */
const harness = useSandbox();

const openPage = (stripe: Stripe, more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
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
  harness.raw('POST', new URL(session.url ?? '').pathname, undefined, new URLSearchParams(form).toString());
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
  const read = (stripe: Stripe, { id }: Stripe.Checkout.Session) =>
    stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] });

  it('31: pays by card and goes back with the session id; a wrong field is said on the page, which stays open', async () => {
    const stripe = harness.client();
    const session = await openPage(stripe);
    expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 12_550 });
    const page = await harness.raw('GET', new URL(session.url ?? '').pathname);
    expect(page.text).toContain('Invoice 1001');
    const wrong = await submit(session, { ...visa, 'card[cvc]': '1' });
    expect(wrong.text).toContain('security code is invalid');
    expect((await read(stripe, session)).status).toBe('open');
    const done = await submit(session, visa);
    expect(done.headers.get('location')).toBe(`https://portal.example/done?session=${session.id}`);
    const payment_intent = { status: 'succeeded', metadata: { ref: 'C' } };
    const paid = { status: 'complete', payment_status: 'paid', url: null, payment_intent };
    expect(await read(stripe, session)).toMatchObject(paid);
  });

  it('31: goes through 3-D Secure', async () => {
    const stripe = harness.client();
    const session = await openPage(stripe);
    const asks = { ...visa, 'card[number]': ['4000', '0027', '6000', '3184'].join('') };
    const asked = await submit(session, asks);
    const back = await harness.answerChallenge(asked.headers.get('location') ?? '', 'complete');
    expect(back?.searchParams.get('session')).toBe(session.id);
    expect(await read(stripe, session)).toMatchObject({ status: 'complete', payment_status: 'paid' });
  });

  it('31: saves a card in setup mode', async () => {
    const stripe = harness.client();
    const { id: customer } = await stripe.customers.create();
    const about = { mode: 'setup', customer, success_url: 'https://portal.example/done' } as const;
    const session = await stripe.checkout.sessions.create(about);
    await submit(session, visa);
    const saved = { status: 'complete', payment_status: 'no_payment_required' };
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject(saved);
    expect((await stripe.customers.listPaymentMethods(customer)).data).toHaveLength(1);
  });

  it('31: a debit completes unpaid, and is paid later', async () => {
    const stripe = harness.client();
    const session = await openPage(stripe);
    await submit(session, becs);
    expect(await read(stripe, session)).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
    await harness.advance(5000);
    expect((await read(stripe, session)).payment_status).toBe('paid');
    expect((await told(stripe)).filter((type) => type.startsWith('checkout.'))).toEqual([
      'checkout.session.completed',
      'checkout.session.async_payment_succeeded',
    ]);
  });

  it('40: expiring ends page and payment; an old page ends by itself', async () => {
    const stripe = harness.client();
    const session = await openPage(stripe);
    const old = await openPage(stripe);
    const expired = { status: 'expired', url: null };
    expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject(expired);
    expect((await submit(session, visa)).status).toBe(410);
    const payment_intent = { status: 'canceled' };
    expect(await read(stripe, session)).toMatchObject({ payment_intent });
    await harness.advance(25 * 3600 * 1000);
    expect(await read(stripe, old)).toMatchObject({ ...expired, payment_intent });
  });

  it('40: neither is a page that was paid expired, nor the payment of an open one canceled', async () => {
    const stripe = harness.client();
    const [paid, left] = [await openPage(stripe), await openPage(stripe)];
    await submit(paid, visa);
    expect((await errorOf(stripe.checkout.sessions.expire(paid.id))).statusCode).toBe(400);
    const cancel = stripe.paymentIntents.cancel(String(left.payment_intent));
    expect(await errorOf(cancel)).toMatchObject({ code: 'payment_intent_unexpected_state' });
  });
});
