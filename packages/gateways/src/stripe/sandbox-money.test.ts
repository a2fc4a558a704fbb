import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { errorOf, newName, payment, returnUrl, useSandbox } from './sandbox-test-support.ts';

/** By the official SDK. */
const harness = useSandbox();
const card = { allowed_payment_method_types: ['card'] } as Pick<
  Stripe.PaymentIntentCreateParams & Stripe.SetupIntentCreateParams,
  'allowed_payment_method_types'
>;
const save = { confirm: true, usage: 'off_session', return_url: returnUrl, ...card } as const;
/** With no way back. */
const nowhere = (method: string, more: object = {}): Stripe.PaymentIntentCreateParams => {
  const { return_url: _return, ...bare } = payment(method, more);
  return bare;
};
/** Without the customer. */
const away = (method: string, more: object = {}) => nowhere(method, { ...more, off_session: true });

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

const told = async (stripe: Stripe) =>
  (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type).toReversed();

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

const paidPage = async (stripe: Stripe) => {
  const session = await openPage(stripe);
  await submit(session, visa);
  return session;
};

describe('what its state does not allow', () => {
  const state = { statusCode: 400, code: 'payment_intent_unexpected_state' };
  const pay = async (stripe: Stripe, more: object = {}) =>
    (await stripe.paymentIntents.create(payment('pm_card_visa', more))).id;
  it.each<[string, (stripe: Stripe) => Promise<unknown>, object]>([
    [
      'canceling a setup that succeeded',
      async ({ setupIntents }) =>
        setupIntents.cancel((await setupIntents.create({ ...save, payment_method: 'pm_card_visa' })).id),
      { statusCode: 400, code: 'setup_intent_unexpected_state' },
    ],
    [
      'a challenge that is not wanted',
      ({ paymentIntents }) =>
        paymentIntents.create(payment('pm_card_authenticationRequired', { error_on_requires_action: true })),
      { statusCode: 402, code: 'authentication_required', decline_code: 'authentication_not_handled' },
    ],
    ['canceling what succeeded', async (stripe) => stripe.paymentIntents.cancel(await pay(stripe)), state],
    ['confirming what succeeded', async (stripe) => stripe.paymentIntents.confirm(await pay(stripe)), state],
    [
      'refunding what is only held',
      async (stripe) =>
        stripe.refunds.create({ payment_intent: await pay(stripe, { capture_method: 'manual' }) }),
      { statusCode: 400 },
    ],
    [
      'refunding finer than the currency is charged',
      async (stripe) => {
        const payment_intent = await pay(stripe, { amount: 12_340, currency: 'kwd' });
        return stripe.refunds.create({ payment_intent, amount: 1_005 });
      },
      { statusCode: 400, param: 'amount' },
    ],
    [
      'expiring a page that was paid',
      async (stripe) => stripe.checkout.sessions.expire((await paidPage(stripe)).id),
      { statusCode: 400 },
    ],
    [
      'canceling the payment of an open page',
      async (stripe) => stripe.paymentIntents.cancel(String((await openPage(stripe)).payment_intent)),
      state,
    ],
  ])('11, 18, 29, 30, 40: %s is refused', async (_what, call, failure) => {
    expect(await errorOf(call(harness.client()))).toMatchObject(failure);
  });
});

describe('refunds and voids', () => {
  it('29: in parts, then too much, once for a key, then the rest', async () => {
    const stripe = harness.client();
    const paid = await stripe.paymentIntents.create(payment('pm_card_visa', { metadata: { ref: 'R29' } }));
    const payment_intent = paid.id;
    const part = () =>
      stripe.refunds.create(
        { payment_intent, amount: 5000, metadata: { ref: 'G29' } },
        { idempotencyKey: 'g' },
      );
    const refund = await part();
    expect(refund).toMatchObject({ status: 'succeeded', amount: 5000, charge: paid.latest_charge });
    expect((await part()).id).toBe(refund.id);
    const tooMuch = await errorOf(stripe.refunds.create({ payment_intent, amount: 8000 }));
    expect(tooMuch).toMatchObject({ statusCode: 400, param: 'amount' });
    expect(tooMuch.code).toBeUndefined();
    await stripe.refunds.create({ payment_intent });
    const again = await errorOf(stripe.refunds.create({ payment_intent }));
    expect(again).toMatchObject({ statusCode: 400, code: 'charge_already_refunded' });
    const listed = [{ amount: 7550 }, { amount: 5000, metadata: { ref: 'G29' } }];
    expect((await stripe.refunds.list({ payment_intent })).data).toMatchObject(listed);
    expect(await harness.captures('R29')).toMatchObject([{ state: 'refunded', refundedMinor: 12_550 }]);
  });

  it('30: what is held can be canceled with a reason', async () => {
    const { paymentIntents } = harness.client();
    const held = payment('pm_card_visa', { capture_method: 'manual', metadata: { ref: 'R30' } });
    const { id, status } = await paymentIntents.create(held);
    expect(status).toBe('requires_capture');
    const reason = { cancellation_reason: 'requested_by_customer' } as const;
    expect(await paymentIntents.cancel(id, reason)).toMatchObject({ status: 'canceled', ...reason });
    expect(await harness.captures('R30')).toEqual([]);
  });

  it.each([
    ['a disputed card', 'pm_card_createDispute', {}, ['charged-back', 'charged-back']],
    ['self-void', 'pm_card_visa', { mode: 'self-void', ms: 60_000 }, ['voided', 'voided']],
    ['late-failure', 'pm_card_visa', { mode: 'late-failure', ms: 60_000 }, ['charged-back', 'charged-back']],
    ['resubmit', 'pm_card_visa', { mode: 'resubmit', ms: 240_000 }, ['charged-back', 'captured']],
  ] as const)('%s: what is taken back later, and won again', async (ref, method, fault, states) => {
    const stripe = harness.client();
    if ('mode' in fault) await harness.fault({ operation: 'charge', ...fault });
    const name = ref.replace(/ /g, '-');
    await stripe.paymentIntents.create(payment(method, { metadata: { ref: name } }));
    expect(await harness.captures(name)).toMatchObject([{ state: 'captured' }]);
    for (const state of states) {
      await harness.advance(125_000);
      expect(await harness.captures(name)).toMatchObject([{ state }]);
    }
    const isWon = (await told(stripe)).includes('charge.dispute.funds_reinstated');
    expect(isWon).toBe(ref === 'resubmit');
  });
});

// ---- Bank debits ----

type Type = 'au_becs_debit' | 'us_bank_account' | 'bacs_debit' | 'sepa_debit';
const mandate_data = {
  customer_acceptance: { type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0' } },
} as const;
const address = { line1: '1 High Street', city: 'London', postal_code: 'N1 1AA', country: 'GB' };
const currency = { au_becs_debit: 'aud', us_bank_account: 'usd', bacs_debit: 'gbp', sepa_debit: 'eur' };
const parts: Readonly<Record<Type, object>> = {
  au_becs_debit: { bsb_number: '000000' },
  us_bank_account: { routing_number: '110000000', account_holder_type: 'individual' },
  bacs_debit: { sort_code: '108800' },
  sepa_debit: {},
};

async function account(stripe: Stripe, type: Type, number: string, place?: object): Promise<string> {
  const made = await stripe.paymentMethods.create({
    type,
    [type]: type === 'sepa_debit' ? { iban: number } : { ...parts[type], account_number: number },
    billing_details: { name: 'Jo Fox', email: 'jo@example.com', ...(place && { address: place }) },
  });
  return made.id;
}

async function saved(stripe: Stripe, type: Type, number: string, place?: object) {
  const { id: customer } = await stripe.customers.create();
  const payment_method = await account(stripe, type, number, place);
  const types = { allowed_payment_method_types: [type] };
  const intent = await stripe.setupIntents.create({
    ...save,
    ...types,
    customer,
    payment_method,
    mandate_data,
  });
  return { intent, customer, payment_method };
}

async function debited(stripe: Stripe, type: Type, number: string, ref = 'D') {
  const { intent, ...from } = await saved(stripe, type, number, type === 'bacs_debit' ? address : undefined);
  const types = { allowed_payment_method_types: [type], currency: currency[type] };
  const pay = () => stripe.paymentIntents.create(away('', { ...from, ...types, metadata: { ref } }));
  const sent = await pay();
  expect(sent).toMatchObject({ status: 'processing', amount_received: 0 });
  const now = () => stripe.paymentIntents.retrieve(sent.id, { expand: ['latest_charge'] });
  return { id: sent.id, mandate: String(intent.mandate), pay, now };
}

describe('bank debits', () => {
  it('23: BECS: mandate with address and agent, then processing, then succeeded; delayed after three minutes', async () => {
    const stripe = harness.client();
    const { mandate, now } = await debited(stripe, 'au_becs_debit', '000123456', 'D23');
    const about = { status: 'active', type: 'multi_use', ...mandate_data };
    expect(await stripe.mandates.retrieve(mandate)).toMatchObject(about);
    const slow = await debited(stripe, 'au_becs_debit', '900123456');
    expect(await harness.captures('D23')).toEqual([]);
    await harness.advance(5000);
    expect(await now()).toMatchObject({ status: 'succeeded', amount_received: 12_550 });
    expect(await harness.captures('D23')).toMatchObject([{ minor: 12_550 }]);
    expect((await told(stripe)).at(-1)).toBe('payment_intent.succeeded');
    expect((await slow.now()).status).toBe('processing');
    await harness.advance(180_000);
    expect((await slow.now()).status).toBe('succeeded');
  });

  it('24: a closed account fails later and ends its mandate', async () => {
    const stripe = harness.client();
    const { now, mandate, pay } = await debited(stripe, 'au_becs_debit', '111111113');
    await harness.advance(5000);
    const latest_charge = { failure_code: 'account_closed', status: 'failed' };
    expect(await now()).toMatchObject({ status: 'requires_payment_method', latest_charge });
    expect((await stripe.mandates.retrieve(mandate)).status).toBe('inactive');
    expect(await errorOf(pay())).toMatchObject({ statusCode: 400 });
  });

  it('25: without consent 400, and the intent waits for a confirmation', async () => {
    const stripe = harness.client();
    const method = await account(stripe, 'au_becs_debit', '000123456');
    const types = { allowed_payment_method_types: ['au_becs_debit' as const] };
    const failure = await errorOf(stripe.paymentIntents.create(payment(method, types)));
    expect([failure.statusCode, failure.code]).toEqual([400, undefined]);
    expect((await stripe.paymentIntents.list()).data).toMatchObject([{ status: 'requires_confirmation' }]);
  });

  it('26: US accounts are verified by microdeposits', async () => {
    const stripe = harness.client();
    const { intent } = await saved(stripe, 'us_bank_account', '000123456789');
    const next_action = { type: 'verify_with_microdeposits' };
    expect(intent).toMatchObject({ status: 'requires_action', next_action });
    const verify = (proof: object) => stripe.setupIntents.verifyMicrodeposits(intent.id, proof);
    for (const [proof, code] of [
      [{ descriptor_code: 'SM00AA' }, 'descriptor_code_mismatch'],
      [{ amounts: [31, 45] }, 'amounts_mismatch'],
      [{ amounts: [32] }, 'amounts_invalid'],
    ] as const) {
      const failure = await errorOf(verify(proof));
      expect(failure.code).toBe(`payment_method_microdeposit_verification_${code}`);
    }
    expect((await verify({ amounts: [45, 32] })).status).toBe('succeeded');
    expect(await errorOf(verify({ amounts: [32, 45] }))).toMatchObject({ code: 'intent_invalid_state' });
    const other = await saved(stripe, 'us_bank_account', '000123456789');
    const code = { descriptor_code: 'SM11AA' };
    const verified = await stripe.setupIntents.verifyMicrodeposits(other.intent.id, code);
    expect(verified.status).toBe('succeeded');
  });

  it('27: SEPA succeeds or fails after processing; an unsupported bank is refused at once', async () => {
    const stripe = harness.client();
    const good = await debited(stripe, 'sepa_debit', 'DE89370400440532013000');
    const bad = await debited(stripe, 'sepa_debit', 'AT861904300235473202');
    await harness.advance(5000);
    expect((await good.now()).status).toBe('succeeded');
    expect(await bad.now()).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_payment_attempt_failed' },
      latest_charge: { failure_code: 'incorrect_account_holder_name' },
    });
    for (const [iban, code] of [
      ['DE91370400440000055555', 'sepa_debit_bank_not_supported'],
      ['DE89370400440532013001', 'invalid_bank_account_iban'],
    ] as const)
      expect(await errorOf(account(stripe, 'sepa_debit', iban))).toMatchObject({ code });
  });

  it('28: a refused Bacs mandate becomes inactive and tells', async () => {
    const stripe = harness.client();
    const { intent } = await saved(stripe, 'bacs_debit', '00033333', address);
    const read = async () => {
      const { status, payment_method_details } = await stripe.mandates.retrieve(String(intent.mandate));
      return [status, payment_method_details.bacs_debit?.network_status];
    };
    expect(await read()).toEqual(['active', 'pending']);
    await harness.advance(5000);
    expect(await read()).toEqual(['inactive', 'refused']);
    expect((await told(stripe)).at(-1)).toBe('mandate.updated');
  });

  it('41: an IBAN outside the EEA needs a whole address since endive', async () => {
    const swiss = { ...address, country: 'CH' };
    const [dahlia, endive] = [harness.client({ version: '2026-08-26.dahlia' }), harness.client()];
    for (const [iban, place] of [
      ['CH9300762011623852957', swiss],
      ['GB82WEST12345698765432', address],
    ] as const) {
      for (const part of ['city', 'postal_code', 'line1'] as const) {
        const { [part]: _part, ...left } = place;
        const failure = { statusCode: 400, param: `billing_details[address][${part}]` };
        expect(await errorOf(saved(endive, 'sepa_debit', iban, left))).toMatchObject(failure);
        if (part === 'line1') continue;
        expect((await saved(dahlia, 'sepa_debit', iban, left)).intent.status).toBe('succeeded');
      }
      expect((await saved(endive, 'sepa_debit', iban, place)).intent.status).toBe('succeeded');
    }
    expect((await saved(endive, 'sepa_debit', 'DE89370400440532013000')).intent.status).toBe('succeeded');
  });

  it('42: a debit under way cannot be canceled, except with the switch', async () => {
    const stripe = harness.client();
    const { id, now } = await debited(stripe, 'au_becs_debit', '900123456', 'D42');
    const cancel = () => stripe.paymentIntents.cancel(id);
    expect(await errorOf(cancel())).toMatchObject({ code: 'payment_intent_unexpected_state' });
    await harness.control('POST', 'settings', { cancelProcessing: true });
    expect((await cancel()).status).toBe('canceled');
    await harness.control('POST', 'settings', { cancelProcessing: false });
    await harness.advance(200_000);
    expect((await now()).status).toBe('canceled');
    expect(await harness.captures('D42')).toEqual([]);
  });
});

// ---- The page ----

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
});
