import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { errorOf, returnUrl, useSandbox } from './test-support.ts';

const harness = useSandbox();

type Type = 'au_becs_debit' | 'us_bank_account' | 'bacs_debit' | 'sepa_debit';
const consent = {
  customer_acceptance: { type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0' } },
} as const;
const address = { line1: '1 High Street', city: 'London', postal_code: 'N1 1AA', country: 'GB' };
const currency = {
  au_becs_debit: 'aud',
  us_bank_account: 'usd',
  bacs_debit: 'gbp',
  sepa_debit: 'eur',
} as const;

function account(type: Type, number: string): Stripe.SetupIntentCreateParams.PaymentMethodData {
  const billing_details = {
    name: 'Jo Fox',
    email: 'jo@example.com',
    ...(type === 'bacs_debit' ? { address } : {}),
  };
  switch (type) {
    case 'au_becs_debit':
      return { type, billing_details, au_becs_debit: { bsb_number: '000000', account_number: number } };
    case 'us_bank_account':
      return {
        type,
        billing_details,
        us_bank_account: {
          routing_number: '110000000',
          account_number: number,
          account_holder_type: 'individual',
        },
      };
    case 'bacs_debit':
      return { type, billing_details, bacs_debit: { sort_code: '108800', account_number: number } };
    case 'sepa_debit':
      return { type, billing_details, sepa_debit: { iban: number } };
  }
}

const setUp = (
  stripe: Stripe,
  customer: string,
  data: Stripe.SetupIntentCreateParams.PaymentMethodData,
  more: object = {},
) =>
  stripe.setupIntents.create({
    customer,
    confirm: true,
    usage: 'off_session',
    allowed_payment_method_types: [data.type as Type],
    payment_method_data: data,
    mandate_data: consent,
    return_url: returnUrl,
    ...more,
  });

async function saved(stripe: Stripe, type: Type, number: string) {
  const { id: customer } = await stripe.customers.create();
  const intent = await setUp(stripe, customer, account(type, number));
  return { customer, intent, method: String(intent.payment_method) };
}

const debit = (stripe: Stripe, type: Type, from: { customer: string; method: string }, ref = 'D') =>
  stripe.paymentIntents.create({
    amount: 12_550,
    currency: currency[type],
    customer: from.customer,
    payment_method: from.method,
    confirm: true,
    off_session: true,
    allowed_payment_method_types: [type],
    metadata: { ref },
  });

describe('bank debits', () => {
  it('23: BECS: mandate with address and agent, then processing, then succeeded', async () => {
    const stripe = harness.client();
    const from = await saved(stripe, 'au_becs_debit', '000123456');
    expect(from.intent.status).toBe('succeeded');
    const mandate = await stripe.mandates.retrieve(String(from.intent.mandate));
    expect(mandate).toMatchObject({
      status: 'active',
      type: 'multi_use',
      customer_acceptance: { online: { ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0' } },
    });
    const sent = await debit(stripe, 'au_becs_debit', from, 'D23');
    expect(sent).toMatchObject({ status: 'processing', amount_received: 0 });
    expect(await harness.captures('D23')).toEqual([]);
    await harness.advance(5000);
    expect(await stripe.paymentIntents.retrieve(sent.id)).toMatchObject({
      status: 'succeeded',
      amount_received: 12_550,
    });
    expect(await harness.captures('D23')).toMatchObject([{ minor: 12_550 }]);
    const types = (await stripe.events.list({ limit: 50 })).data.map((event) => event.type);
    expect(types).toContain('payment_intent.processing');
    expect(types[0]).toBe('payment_intent.succeeded');
  });

  it('23: a delayed account takes three minutes by the clock', async () => {
    const stripe = harness.client();
    const sent = await debit(stripe, 'au_becs_debit', await saved(stripe, 'au_becs_debit', '900123456'));
    await harness.advance(60_000);
    expect((await stripe.paymentIntents.retrieve(sent.id)).status).toBe('processing');
    await harness.advance(121_000);
    expect((await stripe.paymentIntents.retrieve(sent.id)).status).toBe('succeeded');
  });

  it('24: a closed account fails later and ends its mandate', async () => {
    const stripe = harness.client();
    const from = await saved(stripe, 'au_becs_debit', '111111113');
    const sent = await debit(stripe, 'au_becs_debit', from);
    expect(sent.status).toBe('processing');
    await harness.advance(5000);
    expect(await stripe.paymentIntents.retrieve(sent.id, { expand: ['latest_charge'] })).toMatchObject({
      status: 'requires_payment_method',
      latest_charge: { failure_code: 'account_closed', status: 'failed' },
    });
    expect((await stripe.mandates.retrieve(String(from.intent.mandate))).status).toBe('inactive');
    expect(await errorOf(debit(stripe, 'au_becs_debit', from))).toMatchObject({ statusCode: 400 });
  });

  it('25: without consent 400, and the intent waits for a confirmation', async () => {
    const stripe = harness.client();
    const failure = await errorOf(
      stripe.paymentIntents.create({
        amount: 900,
        currency: 'aud',
        confirm: true,
        return_url: returnUrl,
        allowed_payment_method_types: ['au_becs_debit'],
        payment_method_data: account(
          'au_becs_debit',
          '000123456',
        ) as Stripe.PaymentIntentCreateParams.PaymentMethodData,
      }),
    );
    expect(failure.statusCode).toBe(400);
    expect(failure.code).toBeUndefined();
    expect((await stripe.paymentIntents.list()).data).toMatchObject([{ status: 'requires_confirmation' }]);
  });

  it('26: US accounts are verified by microdeposits', async () => {
    const stripe = harness.client();
    const { intent, ...from } = await saved(stripe, 'us_bank_account', '000123456789');
    expect(intent).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'verify_with_microdeposits' },
    });
    const wrong = await errorOf(
      stripe.setupIntents.verifyMicrodeposits(intent.id, { descriptor_code: 'SM00AA' }),
    );
    expect(wrong.code).toBe('payment_method_microdeposit_verification_descriptor_code_mismatch');
    const single = await errorOf(stripe.setupIntents.verifyMicrodeposits(intent.id, { amounts: [32] }));
    expect(single).toMatchObject({
      code: 'payment_method_microdeposit_verification_amounts_invalid',
      param: 'amounts',
    });
    expect(
      (await stripe.setupIntents.verifyMicrodeposits(intent.id, { descriptor_code: 'SM11AA' })).status,
    ).toBe('succeeded');
    expect(
      await errorOf(stripe.setupIntents.verifyMicrodeposits(intent.id, { amounts: [32, 45] })),
    ).toMatchObject({ code: 'intent_invalid_state' });
    expect((await debit(stripe, 'us_bank_account', from)).status).toBe('processing');
  });

  it('26: too many attempts end the verification', async () => {
    const stripe = harness.client();
    const { intent } = await saved(stripe, 'us_bank_account', '000123456789');
    const ended = await stripe.setupIntents.verifyMicrodeposits(intent.id, { amounts: [10, 11] });
    expect(ended).toMatchObject({
      status: 'requires_payment_method',
      last_setup_error: { code: 'payment_method_microdeposit_verification_attempts_exceeded' },
    });
  });

  it('26: templates are verified already; one account stays under way for ever', async () => {
    const stripe = harness.client();
    const { id: customer } = await stripe.customers.create();
    const intent = await stripe.setupIntents.create({
      customer,
      payment_method: 'pm_usBankAccount_processing',
      confirm: true,
      mandate_data: consent,
      return_url: returnUrl,
      allowed_payment_method_types: ['us_bank_account'],
    });
    expect(intent.status).toBe('succeeded');
    const sent = await debit(stripe, 'us_bank_account', { customer, method: String(intent.payment_method) });
    await harness.advance(30 * 24 * 3600 * 1000);
    expect((await stripe.paymentIntents.retrieve(sent.id)).status).toBe('processing');
  });

  it('27: SEPA succeeds or fails after processing; an unsupported bank is refused at once', async () => {
    const stripe = harness.client();
    const good = await debit(
      stripe,
      'sepa_debit',
      await saved(stripe, 'sepa_debit', 'DE89370400440532013000'),
    );
    const bad = await debit(stripe, 'sepa_debit', await saved(stripe, 'sepa_debit', 'AT861904300235473202'));
    expect([good.status, bad.status]).toEqual(['processing', 'processing']);
    await harness.advance(5000);
    expect((await stripe.paymentIntents.retrieve(good.id)).status).toBe('succeeded');
    expect(await stripe.paymentIntents.retrieve(bad.id, { expand: ['latest_charge'] })).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_payment_attempt_failed' },
      latest_charge: { failure_code: 'incorrect_account_holder_name' },
    });
    expect(await errorOf(saved(stripe, 'sepa_debit', 'DE91370400440000055555'))).toMatchObject({
      code: 'sepa_debit_bank_not_supported',
    });
    expect(await errorOf(saved(stripe, 'sepa_debit', 'DE89370400440532013001'))).toMatchObject({
      code: 'invalid_bank_account_iban',
    });
  });

  it('28: a refused Bacs mandate becomes inactive and tells', async () => {
    const stripe = harness.client();
    const { intent } = await saved(stripe, 'bacs_debit', '00033333');
    const before = await stripe.mandates.retrieve(String(intent.mandate));
    expect(before.payment_method_details.bacs_debit?.network_status).toBe('pending');
    await harness.advance(5000);
    const after = await stripe.mandates.retrieve(before.id);
    expect(after).toMatchObject({
      status: 'inactive',
      payment_method_details: { bacs_debit: { network_status: 'refused' } },
    });
    expect((await stripe.events.list({ type: 'mandate.updated' })).data).toHaveLength(1);
  });

  it('41: an IBAN outside the EEA needs a whole address since endive', async () => {
    const data = (iban: string, place?: object) => ({
      ...account('sepa_debit', iban),
      billing_details: {
        name: 'Jo',
        email: 'jo@example.com',
        ...(place === undefined ? {} : { address: place }),
      },
    });
    const stripe = harness.client();
    const { id } = await stripe.customers.create();
    const swiss = 'CH9300762011623852957';
    const { city: _city, ...noCity } = { ...address, country: 'CH' };
    expect(await errorOf(setUp(stripe, id, data(swiss, noCity)))).toMatchObject({
      statusCode: 400,
      param: 'billing_details[address][city]',
    });
    const british = 'GB82WEST12345698765432';
    const { postal_code: _code, ...noCode } = address;
    expect(await errorOf(setUp(stripe, id, data(british, noCode)))).toMatchObject({
      statusCode: 400,
      param: 'billing_details[address][postal_code]',
    });
    expect((await setUp(stripe, id, data(british, address))).status).toBe('succeeded');
    expect((await setUp(stripe, id, data(swiss, { ...address, country: 'CH' }))).status).toBe('succeeded');
    expect((await setUp(stripe, id, data('DE89370400440532013000'))).status).toBe('succeeded');
    const older = harness.client({ version: '2026-08-26.dahlia' });
    const { id: other } = await older.customers.create();
    expect((await setUp(older, other, data(swiss, noCity))).status).toBe('succeeded');
  });

  it('42: a debit under way cannot be canceled, except with the switch', async () => {
    const stripe = harness.client();
    const from = await saved(stripe, 'au_becs_debit', '900123456');
    const sent = await debit(stripe, 'au_becs_debit', from, 'D42');
    expect(await errorOf(stripe.paymentIntents.cancel(sent.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
    await harness.control('POST', 'settings', { cancelProcessing: true });
    expect((await stripe.paymentIntents.cancel(sent.id)).status).toBe('canceled');
    await harness.control('POST', 'settings', { cancelProcessing: false });
    await harness.advance(200_000);
    expect((await stripe.paymentIntents.retrieve(sent.id)).status).toBe('canceled');
    expect(await harness.captures('D42')).toEqual([]);
  });

  it('a disputed debit succeeds and is taken back', async () => {
    const stripe = harness.client();
    const sent = await debit(
      stripe,
      'au_becs_debit',
      await saved(stripe, 'au_becs_debit', '666666660'),
      'DD',
    );
    await harness.advance(10_000);
    expect((await stripe.paymentIntents.retrieve(sent.id)).status).toBe('succeeded');
    expect(await harness.captures('DD')).toMatchObject([{ state: 'charged-back' }]);
  });
});
