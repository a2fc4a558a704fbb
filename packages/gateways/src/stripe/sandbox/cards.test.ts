import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import {
  away,
  card,
  errorOf,
  newName,
  nowhere,
  payment,
  returnUrl,
  save,
  told,
  useSandbox,
} from './test-support.ts';

/** By the official SDK. */
const harness = useSandbox();

/** The address of the challenge an intent waits for. */
function challengeOf({ next_action }: Stripe.PaymentIntent | Stripe.SetupIntent): string {
  const url = next_action?.redirect_to_url?.url;
  if (url == null) throw new Error(`There is no redirect in ${JSON.stringify(next_action)}`);
  return url;
}

async function attached(stripe: Stripe, method: string) {
  const { id: customer } = await stripe.customers.create();
  const { id: payment_method } = await stripe.paymentMethods.attach(method, { customer });
  return { customer, payment_method };
}

describe('saving a card', () => {
  const set = async (stripe: Stripe, payment_method: string) => {
    const { id: customer } = await stripe.customers.create();
    return stripe.setupIntents.create({ ...save, customer, payment_method });
  };

  it('8: succeeds, lists the method under the customer, and tells', async () => {
    const stripe = harness.client();
    const { status, customer, payment_method: id } = await set(stripe, 'pm_card_visa');
    expect(status).toBe('succeeded');
    const listed = await stripe.customers.listPaymentMethods(String(customer));
    expect(listed.data).toMatchObject([{ id, customer }]);
    expect((await told(stripe)).at(-1)).toBe('setup_intent.succeeded');
  });

  it('9: authenticates once, and pays off session from then on; only attached, it asks', async () => {
    const stripe = harness.client();
    const intent = await set(stripe, 'pm_card_authenticationRequiredOnSetup');
    expect(intent.status).toBe('requires_action');
    const back = await harness.answerChallenge(challengeOf(intent), 'complete');
    expect(Object.fromEntries(back?.searchParams ?? [])).toEqual({
      req_uid: '9f2c',
      setup_intent: intent.id,
      setup_intent_client_secret: intent.client_secret,
      redirect_status: 'succeeded',
    });
    const { status, customer } = await stripe.setupIntents.retrieve(intent.id);
    expect(status).toBe('succeeded');
    const paid = away(String(intent.payment_method), { customer });
    expect((await stripe.paymentIntents.create(paid)).status).toBe('succeeded');
    const other = await attached(stripe, 'pm_card_authenticationRequiredOnSetup');
    const asked = stripe.paymentIntents.create(away('', other));
    expect(await errorOf(asked)).toMatchObject({ code: 'authentication_required' });
  });

  it('9: a failed authentication leaves the intent open with its reason', async () => {
    const stripe = harness.client();
    const intent = await set(stripe, 'pm_card_authenticationRequired');
    await harness.answerChallenge(challengeOf(intent), 'fail');
    expect(await stripe.setupIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_setup_error: { code: 'setup_intent_authentication_failure' },
    });
  });

  it('10: a declined card is 402 and leaves the intent open', async () => {
    const stripe = harness.client();
    const failure = await errorOf(set(stripe, 'pm_card_chargeDeclined'));
    expect(failure).toMatchObject({ statusCode: 402, code: 'card_declined' });
    const { id = '', status } = failure.setup_intent ?? {};
    expect(status).toBe('requires_payment_method');
    const again = { payment_method: 'pm_card_visa', return_url: returnUrl };
    expect((await stripe.setupIntents.confirm(id, again)).status).toBe('succeeded');
  });
});

describe('paying by card', () => {
  it('15: charges a saved card; one used without a customer is spent', async () => {
    const stripe = harness.client();
    const saved = await attached(stripe, 'pm_card_visa');
    const more = { ...saved, metadata: { ref: 'R15' }, expand: ['latest_charge'] };
    const details = { payment_method_details: { card: { last4: '4242' } } };
    const paid = await stripe.paymentIntents.create(payment('', more));
    expect(paid).toMatchObject({
      status: 'succeeded',
      amount_received: 12_550,
      latest_charge: { paid: true, captured: true, ...details },
    });
    const captures = [{ minor: 12_550, currency: 'AUD', remote: paid.id, state: 'captured' }];
    expect(await harness.captures('R15')).toMatchObject(captures);
    const once = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
    await stripe.paymentIntents.create(payment(once.id));
    const again = stripe.paymentIntents.create(payment(once.id));
    expect(await errorOf(again)).toMatchObject({ statusCode: 400 });
  });

  it.each([
    ['chargeDeclined', 'card_declined', 'generic_decline', undefined, 'try_again_later'],
    ['chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds', undefined, 'try_again_later'],
    ['chargeDeclinedLostCard', 'card_declined', 'lost_card', undefined, 'do_not_try_again'],
    ['chargeDeclinedStolenCard', 'card_declined', 'stolen_card', undefined, 'do_not_try_again'],
    ['chargeDeclinedExpiredCard', 'expired_card', 'expired_card', 'exp_month', 'confirm_card_data'],
    ['chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc', 'cvc', 'confirm_card_data'],
    ['chargeDeclinedProcessingError', 'processing_error', 'processing_error', undefined, 'try_again_later'],
    [
      'visa_chargeDeclinedVelocityLimitExceeded',
      'card_declined',
      'card_velocity_exceeded',
      undefined,
      'try_again_later',
    ],
    ['radarBlock', 'card_declined', 'fraudulent', undefined, 'do_not_try_again'],
  ])(
    '16: %s declines, leaves the intent open, and another card pays it',
    async (name, code, decline_code, param, advice_code) => {
      const { paymentIntents } = harness.client();
      const failure = await errorOf(paymentIntents.create(payment(`pm_card_${name}`)));
      expect(failure).toMatchObject({ type: 'StripeCardError', statusCode: 402, code, decline_code });
      expect([failure.param, failure.advice_code]).toEqual([param, advice_code]);
      const { id = '' } = failure.payment_intent ?? {};
      const left = { status: 'requires_payment_method', payment_method: null, amount_received: 0 };
      const last_payment_error = { code, decline_code };
      expect(await paymentIntents.retrieve(id)).toMatchObject({ ...left, last_payment_error });
      const other = { payment_method: 'pm_card_visa', return_url: returnUrl };
      const paid = { status: 'succeeded', last_payment_error: null };
      expect(await paymentIntents.confirm(id, other)).toMatchObject(paid);
    },
  );

  it('16: chargeCustomerFail can be saved and never pays', async () => {
    const stripe = harness.client();
    const saved = await attached(stripe, 'pm_card_chargeCustomerFail');
    const failure = await errorOf(stripe.paymentIntents.create(payment('', saved)));
    expect(failure).toMatchObject({ code: 'card_declined' });
  });

  it('17: a card that always asks: requires_action on session, 402 off session', async () => {
    const stripe = harness.client();
    const method = 'pm_card_authenticationRequired';
    const on = await stripe.paymentIntents.create(payment(method));
    expect(on).toMatchObject({
      status: 'requires_action',
      next_action: { redirect_to_url: { return_url: returnUrl } },
    });
    const action = (await stripe.paymentIntents.create(nowhere(method))).next_action;
    expect(action?.type).toBe('use_stripe_sdk');
    const off = await errorOf(stripe.paymentIntents.create(away('', await attached(stripe, method))));
    const code = 'authentication_required';
    expect(off).toMatchObject({ statusCode: 402, code, decline_code: code });
    expect(off.payment_intent?.status).toBe('requires_payment_method');
  });

  it.each([
    ['complete', 'succeeded', 'succeeded', undefined],
    ['fail', 'failed', 'requires_payment_method', 'payment_intent_authentication_failure'],
  ] as const)(
    '19: the challenge (%s) sends the browser back with the documented parameters',
    async (outcome, redirect, status, code) => {
      const stripe = harness.client();
      const intent = await stripe.paymentIntents.create(payment('pm_card_authenticationRequired'));
      const page = await harness.raw('GET', new URL(challengeOf(intent)).pathname);
      expect(page.text).toContain('AUD 125.50');
      const back = await harness.answerChallenge(challengeOf(intent), outcome);
      expect(Object.fromEntries(back?.searchParams ?? [])).toEqual({
        req_uid: '9f2c',
        payment_intent: intent.id,
        payment_intent_client_secret: intent.client_secret,
        source_type: 'card',
        redirect_status: redirect,
      });
      const now = await stripe.paymentIntents.retrieve(intent.id);
      expect([now.status, now.last_payment_error?.code]).toEqual([status, code]);
    },
  );

  it('19: only the right client secret opens an intent to a browser', async () => {
    const name = newName();
    const stripe = harness.client({ name });
    const about = { amount: 900, currency: 'aud', metadata: { private: 'yes' }, ...card };
    const { id, client_secret } = await stripe.paymentIntents.create(about);
    const ask = (more: string) => harness.raw('GET', `/v1/payment_intents/${id}?key=pk_test_${name}${more}`);
    const good = await ask(`&client_secret=${client_secret}`);
    expect(good.body).toMatchObject({ id, status: 'requires_payment_method' });
    expect(good.text).not.toContain('private');
    for (const wrong of [`&client_secret=${id}_secret_wrong`, ''])
      expect((await ask(wrong)).status).toBe(400);
  });

  it('39: a challenge of a canceled intent changes nothing', async () => {
    const stripe = harness.client();
    const metadata = { ref: 'R39' };
    const first = await stripe.paymentIntents.create(payment('pm_card_authenticationRequired', { metadata }));
    await stripe.paymentIntents.cancel(first.id, { cancellation_reason: 'abandoned' });
    await stripe.paymentIntents.create(payment('pm_card_visa', { metadata }));
    await harness.answerChallenge(challengeOf(first), 'complete');
    expect((await stripe.paymentIntents.retrieve(first.id)).status).toBe('canceled');
    expect(await harness.captures('R39')).toHaveLength(1);
  });
});
