import { money } from '@counterfoil/domain/money/money.ts';
import type { Charge, Outcome } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { describe, expect, it } from 'vitest';
import {
  fixture,
  moneyOf,
  type PayBody,
  post,
  rows,
  setUp,
} from '../../../test/fixtures/paying/pay-fixture.ts';
import { reconcile } from '../payments/attempts/reconcile.ts';
import { refundPayment } from '../payments/refunds/refund.ts';

const FEES = {
  cardFee: { basisPoints: 150, fixedMinor: 0, capMinor: null },
  bankFee: { basisPoints: 0, fixedMinor: 40, capMinor: null },
};
const TOTAL = '110.40';

/** A link of a brand that debits bank accounts, and a call that pays by one. */
async function bankSetUp(settings: Record<string, unknown> = {}) {
  const made = await setUp({ directDebitPaymentMethodId: 1, ...FEES, ...settings });
  const { cardToken: _none, ...rest } = made.body;
  const bank: PayBody = {
    ...rest,
    invoiceAmount: TOTAL,
    paymentMethodId: 'pm_account_1',
    paymentMethodType: 'own_debit',
    accountHolderName: 'Jo Fox',
    mandateAccepted: true,
    mandateVersion: 'm-1',
  };
  return { ...made, bank, resellerId: made.customer.resellerId };
}
const details = async (token: string) =>
  (await fixture.app.inject(`/v1/ec/payment/details/${token}`)).json().data;
const sentToBank = async (charge: Charge): Promise<Outcome> => ({
  is: 'pending',
  because: 'bank',
  remote: remoteId(`r_${charge.ref}`),
  state: { id: charge.ref },
  shown: { type: 'own_debit', last4: '3456' },
});
const declined: Outcome = {
  is: 'declined',
  why: { class: 'otherMethod', code: 'account_closed', text: 'Your bank refused this debit' },
};
const anHourLater = async () => {
  fixture.clock.advance(61 * 60_000);
  await reconcile(fixture.engine);
};

describe('a pay link of a brand that debits bank accounts', () => {
  it('offers the account with its form, the words of its mandate and its own fee', async () => {
    const { body } = await bankSetUp();
    expect(await details(body.uid)).toMatchObject({
      total: 111.65,
      fee: 1.65,
      bank: {
        scheme: 'own_debit',
        title: 'Direct Debit',
        total: 110.4,
        fee: 0.4,
        mandate: { version: 'm-1', text: expect.stringMatching(/^I let .+ debit my account\.$/) },
        entry: {
          integrationType: 'Stripe',
          how: 'ownFieldsToProvider',
          public: { publishableKey: 'pk_test' },
          formFields: [{ name: 'accountHolderName', required: true, min: 4 }],
        },
      },
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['the brand debits none', { directDebitPaymentMethodId: 0 }, 'USD'],
    ['the invoice is in another currency', { directDebitPaymentMethodId: 1 }, 'AUD'],
    // Its accounts are verified by small deposits.
    ['an account must be proven first', { directDebitPaymentMethodId: 2 }, 'USD'],
  ])('offers none where %s, and takes none', async (_why, settings, currency) => {
    const { customer, bank } = await bankSetUp(settings);
    const invoice = await fixture.seedPayable(customer, { currency });
    expect(await details(invoice.token)).toMatchObject({ bank: null, brandSettings: {} });
    const before = fixture.gateway.calls.charge;
    const ids = { uid: invoice.token, invoiceNumber: invoice.number };
    const schemes = ['own_debit', 'proven_debit'];
    for (const paymentMethodType of schemes) {
      const answer = await post('/v1/ec/pay', { ...bank, ...ids, paymentMethodType });
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(['paymentMethod.notOffered', 'payment.methodCurrency']).toContain(answer.json().code);
    }
    expect(fixture.gateway.calls.charge).toBe(before);
  });

  it('is submitted, not paid: the invoice waits, the agreement stands with its words, nothing is kept', async () => {
    const { customer, invoice, bank } = await bankSetUp();
    const seen: Charge[] = [];
    fixture.gateway.onCharge = (charge) => {
      seen.push(charge);
      return sentToBank(charge);
    };
    const headers = { 'user-agent': 'Browser 1' };
    const answer = await post('/v1/ec/pay', bank, headers);
    expect(answer.json().data).toMatchObject({
      status: 'processing',
      expected: 'days',
      amount: 110.4,
      method: 'Bank account ending 3456',
      message: 'Payment submitted. Your bank usually confirms within 5 working days.',
    });
    expect(await moneyOf(customer.id, invoice.id)).toEqual({
      invoice: { status: 10, paid: '0', held: '11000' },
      captures: [],
      openClaims: 1,
    });
    const [agreed] = await rows<Record<string, unknown>>(
      `select c.purpose, c.text, c.version, c.user_id, c.user_name, c.at, c.agent, a.kind
         from attempt a join consent c on c.customer_id = a.customer_id and c.id = a.consent_id
        where a.customer_id = $1`,
      [customer.id],
    );
    expect(agreed).toMatchObject({
      purpose: 'debit',
      version: 'm-1+once-1',
      user_id: null,
      user_name: 'Jo Fox',
      agent: 'Browser 1',
      at: fixture.clock.now(),
      kind: 'bank',
      text: expect.stringMatching(
        `^This authorises one debit of .110\\.40 for ${invoice.number} of .+\nI let .+ debit my account\\.$`,
      ),
    });
    // The gateway is told the same, and from where.
    expect(seen[0]?.source).toMatchObject({
      token: 'pm_account_1',
      debit: { scheme: 'own_debit', consent: { text: agreed?.['text'], agent: 'Browser 1' } },
    });
    expect(await rows('select 1 from payment_method where customer_id = $1', [customer.id])).toEqual([]);
    const [kept] = await rows<{ text: string }>(
      'select a::text as text from attempt a where customer_id = $1',
      [customer.id],
    );
    expect(kept?.text).not.toContain('pm_account_1');
  });

  it.each<[string, Record<string, unknown>, number, string]>([
    ['without agreement', { mandateAccepted: false }, 400, 'paymentMethod.agreementNeeded'],
    ['with no word of it', { mandateAccepted: undefined }, 400, 'paymentMethod.agreementNeeded'],
    ['to words of before', { mandateVersion: 'm-0' }, 409, 'paymentMethod.otherProvider'],
    ['by nobody', { accountHolderName: ' ' }, 400, 'payment.fieldMissing'],
    ['with a card beside it', { cardToken: 'tok_visa' }, 400, 'request.invalid'],
    ['at the price of a card', { invoiceAmount: '111.65' }, 409, 'payment.amountChanged'],
    ['without its fee in sight', { invoiceAmount: '110.00' }, 409, 'payment.amountChanged'],
    ['with its number as the token', { paymentMethodId: '000123456' }, 400, 'request.invalid'],
    ['with its number in the name', { accountHolderName: 'Jo 000123456' }, 400, 'request.invalid'],
    [
      'with its IBAN in the name',
      { accountHolderName: 'DE89 3704 0044 0532 0130 00' },
      400,
      'request.invalid',
    ],
    ['of another kind', { paymentMethodType: 'sepa_debit' }, 409, 'paymentMethod.notOffered'],
  ])('refuses a debit %s, and asks no gateway', async (_name, change, status, code) => {
    const { customer, bank } = await bankSetUp();
    const before = fixture.gateway.calls.charge;
    const answer = await post('/v1/ec/pay', { ...bank, ...change });
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    expect(fixture.gateway.calls.charge).toBe(before);
    expect(await rows('select 1 from consent where customer_id = $1', [customer.id])).toEqual([]);
  });

  it('tells a second payer, by bank or by card, that one is under way, and debits once', async () => {
    const { customer, bank, body } = await bankSetUp();
    fixture.gateway.onCharge = sentToBank;
    const before = fixture.gateway.calls.charge;
    const presses = await Promise.all(
      [bank, bank, { ...bank, paymentMethodId: 'pm_other' }, { ...body, invoiceAmount: '111.65' }].map(
        (press) => post('/v1/ec/pay', press),
      ),
    );
    const later = await post('/v1/ec/pay', { ...body, invoiceAmount: '111.65', cardToken: 'tok_late' });
    expect(later.json().data).toMatchObject({ status: 'processing', expected: 'days' });
    expect(new Set(presses.map((one) => one.json().data.attemptId)).size).toBe(1);
    expect(fixture.gateway.calls.charge).toBe(before + 1);
    expect(await rows('select 1 from attempt where customer_id = $1', [customer.id])).toHaveLength(1);
    expect(await details(body.uid)).toMatchObject({
      attempt: { kind: 'bank', status: 'processing', expected: 'days' },
    });
  });

  it('once the bank has paid is paid with its fee, has its receipt, and can be refunded', async () => {
    const { customer, invoice, bank } = await bankSetUp();
    fixture.gateway.onCharge = sentToBank;
    const { attemptId } = (await post('/v1/ec/pay', { ...bank, email: 'jo@mail.example' })).json().data;
    expect(await rows('select 1 from outbox where customer_id = $1', [customer.id])).toEqual([]);
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
    await anHourLater();
    expect(await details(bank.uid)).toMatchObject({
      invoiceStatus: 11,
      attempt: { id: attemptId, status: 'succeeded', amount: 110.4, hasReceipt: true },
    });
    expect(await moneyOf(customer.id, invoice.id)).toMatchObject({
      invoice: { paid: '11000', held: '0' },
      captures: [{ amount: '11040' }],
      openClaims: 0,
    });
    expect(await rows('select 1 from outbox where customer_id = $1', [customer.id])).toHaveLength(1);
    const [capture] = await rows<{ id: string }>('select id from capture where customer_id = $1', [
      customer.id,
    ]);
    fixture.gateway.onRefund = async (order) => ({
      is: 'succeeded',
      remote: remoteId(`b_${order.ref}`),
      captured: order.amount,
      state: {},
    });
    const { attempt } = await refundPayment(fixture.engine, {
      customerId: customer.id,
      captureId: capture?.id ?? '',
      minor: 4000n,
      by: 'op',
      note: 'paid twice',
      key: { by: 'caller', key: '1' },
    });
    expect(attempt.state).toBe('succeeded');
    // Given back, not taken back: nothing is due again.
    expect(await details(bank.uid)).toMatchObject({
      invoiceStatus: 11,
      attempt: { status: 'succeeded', isTakenBack: false },
    });
  });

  it('returned by the bank opens the invoice again, says what happened, and can be paid by card', async () => {
    const { customer, invoice, bank, body } = await bankSetUp();
    fixture.gateway.onCharge = sentToBank;
    await post('/v1/ec/pay', bank);
    fixture.gateway.onLookup = async () => declined;
    await anHourLater();
    expect(await details(bank.uid)).toMatchObject({
      invoiceStatus: 10,
      invoiceAmount: 110,
      bank: {},
      brandSettings: {},
      attempt: { kind: 'bank', status: 'failed', message: 'Your bank refused this debit' },
    });
    expect(await moneyOf(customer.id, invoice.id)).toMatchObject({
      invoice: { status: 10, held: '0' },
      openClaims: 0,
    });
    fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
    const again = await post('/v1/ec/pay', { ...body, invoiceAmount: '111.65' });
    expect(again.json().data).toMatchObject({ status: 'succeeded', amount: 111.65 });
  });

  it('taken back by the bank after it had paid is due again, and the link says so', async () => {
    const { customer, bank, resellerId } = await bankSetUp();
    fixture.gateway.onCharge = sentToBank;
    await post('/v1/ec/pay', bank);
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
    await anHourLater();
    const [capture] = await rows<{ remote: string }>('select remote from capture where customer_id = $1', [
      customer.id,
    ]);
    const of = remoteId(capture?.remote ?? '');
    const late = { remote: remoteId('dp_1'), of, amount: money(11_040n, 'USD'), code: 'x' };
    const tell = async (is: 'chargeback' | 'chargebackWon') => {
      fixture.gateway.onWebhook = () => [
        { id: `e_${of}_${is}`, about: 'charge', reversal: { ...late, kind: is } },
      ];
      await post(`/v1/webhooks/scripted/${resellerId}`, {}, { 'x-signed': '1' });
      await fixture.eventsFollowed();
    };
    await tell('chargeback');
    expect(await details(bank.uid)).toMatchObject({
      invoiceStatus: 10,
      invoiceAmount: 110,
      attempt: { status: 'succeeded', isTakenBack: true },
    });
    await tell('chargebackWon');
    expect(await details(bank.uid)).toMatchObject({ invoiceStatus: 11, attempt: { isTakenBack: false } });
  });

  it('whose answer is lost is being confirmed, never failed, and found by asking', async () => {
    const { customer, bank } = await bankSetUp();
    fixture.gateway.onCharge = async () => ({ is: 'unknown', evidence: 'time-out' });
    const lost = await post('/v1/ec/pay', bank);
    expect(lost.json().data).toMatchObject({ status: 'processing', expected: 'seconds' });
    fixture.gateway.onLookup = sentToBank;
    fixture.clock.advance(10_000);
    await reconcile(fixture.engine);
    expect((await details(bank.uid)).attempt).toMatchObject({ status: 'processing', expected: 'days' });
    expect(await rows('select 1 from attempt where customer_id = $1', [customer.id])).toHaveLength(1);
  });

  it('declined again and again pauses the link for cards and accounts alike', async () => {
    const { bank, body } = await bankSetUp();
    fixture.gateway.onCharge = async () => declined;
    for (let tries = 0; tries < 8; tries += 1)
      await post('/v1/ec/pay', { ...bank, paymentMethodId: `pm_try${tries}` });
    for (const press of [bank, { ...body, invoiceAmount: '111.65' }]) {
      const answer = await post('/v1/ec/pay', press);
      expect([answer.statusCode, answer.json().code]).toEqual([429, 'payment.paused']);
    }
  });

  it('has a price of its own for a part, where parts are offered', async () => {
    const { bank } = await bankSetUp({ partPayment: true });
    fixture.gateway.onCharge = sentToBank;
    const part = { ...bank, invoiceAmount: '40.00', total: '40.40', due: '110.00' };
    const wrong = await post('/v1/ec/pay', { ...part, total: '40.60' });
    expect(wrong.json().code).toBe('payment.amountChanged');
    expect((await post('/v1/ec/pay', part)).json().data).toMatchObject({ amount: 40.4, expected: 'days' });
  });
});
