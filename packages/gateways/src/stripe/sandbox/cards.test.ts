import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { card, challengeOf, errorOf, payment, returnUrl, useSandbox } from './test-support.ts';

const harness = useSandbox();

async function savedCard(stripe: Stripe, method: string) {
  const customer = await stripe.customers.create();
  const { id } = await stripe.paymentMethods.attach(method, { customer: customer.id });
  return { customer: customer.id, payment_method: id };
}

const declines = [
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
  [
    'threeDSecureRequiredProcessingError',
    'processing_error',
    'processing_error',
    undefined,
    'try_again_later',
  ],
  ['visa_chargeDeclinedLostCard', 'card_declined', 'lost_card', undefined, 'do_not_try_again'],
  ['radarBlock', 'card_declined', 'fraudulent', undefined, 'do_not_try_again'],
] as const;

describe('paying by card', () => {
  it('15: charges a saved card', async () => {
    const stripe = harness.client();
    const saved = await savedCard(stripe, 'pm_card_visa');
    const paid = await stripe.paymentIntents.create({
      ...payment('', saved),
      metadata: { ref: 'R15' },
      expand: ['latest_charge'],
    });
    expect(paid).toMatchObject({
      status: 'succeeded',
      amount_received: 12_550,
      latest_charge: { paid: true, captured: true, payment_method_details: { card: { last4: '4242' } } },
    });
    expect(await harness.captures('R15')).toMatchObject([
      { minor: 12_550, currency: 'AUD', remote: paid.id, state: 'captured' },
    ]);
  });

  it.each(declines)(
    '16: %s declines, leaves the intent open, and another card pays it',
    async (name, code, decline_code, param, advice_code) => {
      const stripe = harness.client();
      const failure = await errorOf(stripe.paymentIntents.create(payment(`pm_card_${name}`)));
      expect(failure).toMatchObject({ type: 'StripeCardError', statusCode: 402, code, decline_code });
      expect(failure.param).toBe(param);
      expect(failure.advice_code).toBe(advice_code);
      const id = failure.payment_intent?.id ?? '';
      expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({
        status: 'requires_payment_method',
        payment_method: null,
        amount_received: 0,
        last_payment_error: { code, decline_code },
      });
      const paid = await stripe.paymentIntents.confirm(id, {
        payment_method: 'pm_card_visa',
        return_url: returnUrl,
      });
      expect(paid).toMatchObject({ status: 'succeeded', last_payment_error: null });
    },
  );

  it('16: chargeCustomerFail can be saved and never pays', async () => {
    const stripe = harness.client();
    const saved = await savedCard(stripe, 'pm_card_chargeCustomerFail');
    expect(await errorOf(stripe.paymentIntents.create(payment('', saved)))).toMatchObject({
      code: 'card_declined',
    });
  });

  it('16: an expiry changed into the past declines as expired', async () => {
    const stripe = harness.client();
    const saved = await savedCard(stripe, 'pm_card_visa');
    await stripe.paymentMethods.update(saved.payment_method, { card: { exp_month: 1, exp_year: 2024 } });
    expect(await errorOf(stripe.paymentIntents.create(payment('', saved)))).toMatchObject({
      code: 'expired_card',
    });
  });

  it('17: a card that always asks: requires_action on session, 402 off session', async () => {
    const stripe = harness.client();
    const on = await stripe.paymentIntents.create(payment('pm_card_authenticationRequired'));
    expect(on.status).toBe('requires_action');
    expect(on.next_action?.redirect_to_url?.return_url).toBe(returnUrl);
    const saved = await savedCard(stripe, 'pm_card_authenticationRequired');
    const { return_url: _return, ...bare } = payment('', saved);
    const off = await errorOf(stripe.paymentIntents.create({ ...bare, off_session: true }));
    expect(off).toMatchObject({
      statusCode: 402,
      code: 'authentication_required',
      decline_code: 'authentication_required',
    });
    expect(off.payment_intent?.status).toBe('requires_payment_method');
  });

  it('17: setupForOffSession asks on session and pays off session', async () => {
    const stripe = harness.client();
    const saved = await savedCard(stripe, 'pm_card_authenticationRequiredSetupForOffSession');
    expect((await stripe.paymentIntents.create(payment('', saved))).status).toBe('requires_action');
    const { return_url: _return, ...bare } = payment('', saved);
    expect((await stripe.paymentIntents.create({ ...bare, off_session: true })).status).toBe('succeeded');
  });

  it('18: error_on_requires_action answers 402 instead of a challenge', async () => {
    const failure = await errorOf(
      harness
        .client()
        .paymentIntents.create(payment('pm_card_authenticationRequired', { error_on_requires_action: true })),
    );
    expect(failure).toMatchObject({
      statusCode: 402,
      code: 'authentication_required',
      decline_code: 'authentication_not_handled',
    });
  });

  it('19: the challenge sends the browser back with the documented parameters', async () => {
    const stripe = harness.client();
    const intent = await stripe.paymentIntents.create(payment('pm_card_threeDSecure2Required'));
    const page = await harness.raw('GET', new URL(challengeOf(intent)).pathname);
    expect(page.text).toContain('Complete');
    expect(page.text).toContain('AUD 125.50');
    const back = await harness.answerChallenge(challengeOf(intent), 'complete');
    expect(Object.fromEntries(back?.searchParams ?? [])).toEqual({
      req_uid: '9f2c',
      payment_intent: intent.id,
      payment_intent_client_secret: intent.client_secret,
      source_type: 'card',
      redirect_status: 'succeeded',
    });
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
  });

  it('19: only the right client secret opens an intent to a browser', async () => {
    const name = `t${Math.random().toString(36).slice(2)}`;
    const intent = await harness
      .client({ name })
      .paymentIntents.create({ amount: 900, currency: 'aud', metadata: { private: 'yes' }, ...card });
    const ask = (secret: string) =>
      harness.raw('GET', `/v1/payment_intents/${intent.id}?key=pk_test_${name}&client_secret=${secret}`);
    const good = await ask(intent.client_secret ?? '');
    expect(good.body).toMatchObject({ id: intent.id, status: 'requires_payment_method' });
    expect(good.text).not.toContain('private');
    expect((await ask(`${intent.id}_secret_wrong`)).status).toBe(400);
  });

  it.each([
    ['threeDSecureRequiredChargeDeclined', 'complete', 'card_declined'],
    ['authenticationRequiredChargeDeclinedInsufficientFunds', 'complete', 'card_declined'],
    ['threeDSecureRequired', 'fail', 'payment_intent_authentication_failure'],
  ] as const)('19: %s after "%s" ends with %s', async (name, outcome, code) => {
    const stripe = harness.client();
    const intent = await stripe.paymentIntents.create(payment(`pm_card_${name}`));
    const back = await harness.answerChallenge(challengeOf(intent), outcome);
    expect(back?.searchParams.get('redirect_status')).toBe('failed');
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code },
    });
  });

  it('19: without return_url the next action is for Stripe.js', async () => {
    const { return_url: _return, ...bare } = payment('pm_card_threeDSecure2Required');
    const intent = await harness.client().paymentIntents.create(bare);
    expect(intent.next_action?.type).toBe('use_stripe_sdk');
  });

  it('dynamic methods need a return_url', async () => {
    const failure = await errorOf(
      harness.client().paymentIntents.create({
        amount: 900,
        currency: 'usd',
        payment_method: 'pm_card_visa',
        confirm: true,
      }),
    );
    expect(failure).toMatchObject({ statusCode: 400, param: 'return_url' });
  });

  it('a method used without a customer is spent', async () => {
    const stripe = harness.client();
    const method = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
    await stripe.paymentIntents.create(payment(method.id));
    expect(await errorOf(stripe.paymentIntents.create(payment(method.id)))).toMatchObject({
      statusCode: 400,
    });
  });

  it('39: a challenge of a canceled intent changes nothing', async () => {
    const stripe = harness.client();
    const first = await stripe.paymentIntents.create(
      payment('pm_card_authenticationRequired', { metadata: { ref: 'R39' } }),
    );
    await stripe.paymentIntents.cancel(first.id, { cancellation_reason: 'abandoned' });
    await stripe.paymentIntents.create(payment('pm_card_visa', { metadata: { ref: 'R39' } }));
    await harness.answerChallenge(challengeOf(first), 'complete');
    expect((await stripe.paymentIntents.retrieve(first.id)).status).toBe('canceled');
    expect(await harness.captures('R39')).toHaveLength(1);
  });

  it('39: canceling an intent that was paid meanwhile is refused with its state', async () => {
    const stripe = harness.client();
    const intent = await stripe.paymentIntents.create(payment('pm_card_authenticationRequired'));
    await harness.answerChallenge(challengeOf(intent), 'complete');
    const failure = await errorOf(stripe.paymentIntents.cancel(intent.id));
    expect(failure).toMatchObject({ code: 'payment_intent_unexpected_state' });
    expect(failure.payment_intent?.status).toBe('succeeded');
  });
});
