import { webhookReceiver } from '@counterfoil/sandbox/test-support.ts';
import { describe, expect, it } from 'vitest';
import { card, challengeOf, errorOf, eventOf, payment, returnUrl, useSandbox } from './test-support.ts';

const harness = useSandbox();
const save = { confirm: true, usage: 'off_session', return_url: returnUrl, ...card } as const;

describe('saving a card', () => {
  it('8: succeeds, lists the method under the customer, and tells by webhook', async () => {
    const inbox = await webhookReceiver();
    await harness.control('POST', 'webhooks', { gateway: 'stripe', url: inbox.url, secret: 'whsec_a' });
    const stripe = harness.client();
    const { id: customer } = await stripe.customers.create();
    const method = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
    const intent = await stripe.setupIntents.create({ ...save, customer, payment_method: method.id });
    expect(intent.status).toBe('succeeded');
    expect((await stripe.customers.listPaymentMethods(customer, { type: 'card' })).data).toMatchObject([
      { id: method.id, customer },
    ]);
    await expect
      .poll(() => inbox.received.map((delivery) => eventOf(delivery).type))
      .toContain('setup_intent.succeeded');
    inbox.close();
    await harness.control('DELETE', 'webhooks');
  });

  it('9: authenticates once, and pays off session from then on', async () => {
    const stripe = harness.client();
    const { id: customer } = await stripe.customers.create();
    const intent = await stripe.setupIntents.create({
      ...save,
      customer,
      payment_method: 'pm_card_authenticationRequiredOnSetup',
    });
    expect(intent.status).toBe('requires_action');
    const back = await harness.answerChallenge(challengeOf(intent), 'complete');
    expect(Object.fromEntries(back?.searchParams ?? [])).toEqual({
      req_uid: '9f2c',
      setup_intent: intent.id,
      setup_intent_client_secret: intent.client_secret,
      redirect_status: 'succeeded',
    });
    const done = await stripe.setupIntents.retrieve(intent.id);
    expect(done.status).toBe('succeeded');
    const { return_url: _return, ...bare } = payment(String(done.payment_method), { customer });
    expect((await stripe.paymentIntents.create({ ...bare, off_session: true })).status).toBe('succeeded');
  });

  it('9: a failed authentication leaves the intent open with its reason', async () => {
    const stripe = harness.client();
    const { id: customer } = await stripe.customers.create();
    const intent = await stripe.setupIntents.create({
      ...save,
      customer,
      payment_method: 'pm_card_authenticationRequiredOnSetup',
    });
    await harness.answerChallenge(challengeOf(intent), 'fail');
    expect(await stripe.setupIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_setup_error: { code: 'setup_intent_authentication_failure' },
    });
  });

  it('9: attached without a set-up, the same card asks when the customer is away', async () => {
    const stripe = harness.client();
    const { id: customer } = await stripe.customers.create();
    const method = await stripe.paymentMethods.attach('pm_card_authenticationRequiredOnSetup', { customer });
    const { return_url: _return, ...bare } = payment(method.id, { customer });
    expect(await errorOf(stripe.paymentIntents.create({ ...bare, off_session: true }))).toMatchObject({
      code: 'authentication_required',
    });
  });

  it('10: a declined card is 402 and leaves the intent open', async () => {
    const stripe = harness.client();
    const { id: customer } = await stripe.customers.create();
    const failure = await errorOf(
      stripe.setupIntents.create({ ...save, customer, payment_method: 'pm_card_chargeDeclined' }),
    );
    expect(failure).toMatchObject({ statusCode: 402, code: 'card_declined' });
    const id = failure.setup_intent?.id ?? '';
    expect((await stripe.setupIntents.retrieve(id)).status).toBe('requires_payment_method');
    expect(
      (await stripe.setupIntents.confirm(id, { payment_method: 'pm_card_visa', return_url: returnUrl }))
        .status,
    ).toBe('succeeded');
  });

  it('11: a succeeded intent cannot be canceled', async () => {
    const stripe = harness.client();
    const intent = await stripe.setupIntents.create({ ...save, payment_method: 'pm_card_visa' });
    expect(await errorOf(stripe.setupIntents.cancel(intent.id))).toMatchObject({
      statusCode: 400,
      code: 'setup_intent_unexpected_state',
    });
  });
});
