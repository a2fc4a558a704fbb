import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { away, errorOf, payment, save, told, useSandbox } from './test-support.ts';

/** By the official SDK. */
const harness = useSandbox();

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
  ])('11, 18, 29, 30: %s is refused', async (_what, call, failure) => {
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
