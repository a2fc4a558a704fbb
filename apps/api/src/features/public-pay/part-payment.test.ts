import { describe, expect, it } from 'vitest';
import { fixture, moneyOf, post, rows, setUp } from '../../../test/fixtures/paying/pay-fixture.ts';

const cardFee = { basisPoints: 150, fixedMinor: 20, capMinor: null };
const offered = (more: Record<string, unknown> = {}) => setUp({ partPayment: true, ...more });
const details = async (uid: string) =>
  (await fixture.app.inject(`/v1/ec/payment/details/${uid}`)).json().data;

describe('details of a link where the brand offers part payment', () => {
  it('tell the least, all that is due, and what the fee of another amount is made of', async () => {
    const { body } = await offered({ cardFee });
    expect(await details(body.uid)).toMatchObject({
      invoiceAmount: 110,
      partPayment: { least: 1, most: 110, fee: cardFee },
    });
  });
  it('tell no fee in another currency than the brand’s', async () => {
    const { customer } = await offered({ cardFee });
    const { token } = await fixture.seedPayable(customer, { currency: 'KWD' });
    expect((await details(token)).partPayment).toMatchObject({
      least: 1,
      most: 11,
      fee: { basisPoints: 0, fixedMinor: 0, capMinor: null },
    });
  });
  it('are silent about it where the brand does not', async () => {
    const { body } = await setUp();
    expect((await details(body.uid)).partPayment).toBeNull();
  });
});

describe('paying a part through the link', () => {
  it('takes the amount and the fee of that amount, then the rest, and the invoice is paid [decisions.6.part-payment-offered]', async () => {
    const { customer, invoice, body } = await offered({ cardFee });
    const first = await post('/v1/ec/pay', { ...body, invoiceAmount: '40.00', total: '40.80' });
    expect(first.json().data).toMatchObject({ status: 'succeeded', amount: 40.8 });
    expect(await moneyOf(customer.id, invoice.id)).toMatchObject({
      invoice: { status: 10, paid: '4000', held: '0' },
      openClaims: 0,
    });
    expect(await details(body.uid)).toMatchObject({
      invoiceStatus: 10,
      invoiceAmount: 70,
      fee: 1.25,
      total: 71.25,
      partPayment: { least: 1, most: 70 },
      attempt: { status: 'succeeded', amount: 40.8 },
    });
    const rest = { ...body, invoiceAmount: '70.00', total: '71.25', cardToken: 'tok_rest' };
    expect((await post('/v1/ec/pay', rest)).json().data.status).toBe('succeeded');
    const books = await moneyOf(customer.id, invoice.id);
    expect(books).toMatchObject({ invoice: { status: 11, paid: '11000', held: '0' }, openClaims: 0 });
    expect(books.captures.map(({ amount }) => Number(amount)).toSorted((a, b) => a - b)).toEqual([
      4_080, 7_125,
    ]);
    const fees = await rows<{ n: string }>(
      "select sum(amount_minor)::text as n from ledger where customer_id = $1 and credit = 'feeIncome'",
      [customer.id],
    );
    expect(fees).toEqual([{ n: '205' }]);
  });

  it.each([
    ['nothing', 'USD', { invoiceAmount: '0' }, 400, 'payment.partRefused'],
    ['less than one unit', 'USD', { invoiceAmount: '0.99' }, 400, 'payment.partRefused'],
    ['three decimals', 'USD', { invoiceAmount: '50.005' }, 400, 'payment.partRefused'],
    ['cents of a currency that has none', 'JPY', { invoiceAmount: '50.50' }, 400, 'payment.partRefused'],
    ['less than one unit of three decimals', 'KWD', { invoiceAmount: '0.999' }, 400, 'payment.partRefused'],
    ['less than nothing', 'USD', { invoiceAmount: '-5.00' }, 400, 'request.invalid'],
    ['no number', 'USD', { invoiceAmount: '1e1' }, 400, 'request.invalid'],
    ['more than is due', 'USD', { invoiceAmount: '110.01' }, 409, 'payment.amountChanged'],
    [
      'another total than ours',
      'USD',
      { invoiceAmount: '50.00', total: '50.01' },
      409,
      'payment.amountChanged',
    ],
    [
      'a total of three decimals',
      'USD',
      { invoiceAmount: '50.00', total: '50.001' },
      409,
      'payment.amountChanged',
    ],
    [
      'another invoice',
      'USD',
      { invoiceAmount: '50.00', invoiceNumber: 'X' },
      400,
      'payment.invoiceMismatch',
    ],
  ])('refuses %s (%s) without calling the gateway', async (_name, currency, change, status, code) => {
    const { customer, body } = await offered();
    const invoice = await fixture.seedPayable(customer, { currency });
    const before = fixture.gateway.calls.charge;
    const answer = await post('/v1/ec/pay', {
      ...body,
      uid: invoice.token,
      invoiceNumber: invoice.number,
      ...change,
    });
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    expect(fixture.gateway.calls.charge).toBe(before);
    expect(await moneyOf(customer.id, invoice.id)).toMatchObject({ captures: [], openClaims: 0 });
  });

  it.each(['1.00', '109.99'])(
    'refuses %s where the brand does not offer it [decisions.6.part-payment-offered]',
    async (invoiceAmount) => {
      const { body } = await setUp();
      const answer = await post('/v1/ec/pay', { ...body, invoiceAmount });
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'payment.amountChanged']);
    },
  );

  it('takes all of an invoice of less than one unit, and nothing less', async () => {
    const { customer, body } = await offered();
    const { number, token } = await fixture.seedPayable(customer, { subtotalMinor: 80n, taxMinor: 0n });
    const small = { ...body, uid: token, invoiceNumber: number };
    expect((await details(token)).partPayment).toMatchObject({ least: 0.8, most: 0.8 });
    expect((await post('/v1/ec/pay', { ...small, invoiceAmount: '0.79' })).json().code).toBe(
      'payment.partRefused',
    );
    expect((await post('/v1/ec/pay', { ...small, invoiceAmount: '0.80' })).json().data.status).toBe(
      'succeeded',
    );
  });

  it('the same call again, without a key, is the same payment', async () => {
    const { customer, invoice, body } = await offered();
    const half = { ...body, invoiceAmount: '55.00' };
    const first = await post('/v1/ec/pay', half);
    const again = await post('/v1/ec/pay', half);
    expect(again.json().data).toEqual(first.json().data);
    expect(await moneyOf(customer.id, invoice.id)).toMatchObject({
      invoice: { status: 10, paid: '5500' },
      captures: [{ amount: '5500' }],
    });
  });

  it.each(['110.00', 'x', '110.001'])(
    'the same part of what was due before, shown as %s, is not paid again by somebody who does not know',
    async (due) => {
      const { customer, invoice, body } = await offered();
      await post('/v1/ec/pay', { ...body, invoiceAmount: '40.00', due: '110.00' });
      const again = { ...body, invoiceAmount: '40.00', cardToken: 'tok_other_device' };
      expect((await post('/v1/ec/pay', { ...again, due })).json().code).toBe(
        due === 'x' ? 'request.invalid' : 'payment.amountChanged',
      );
      expect(await moneyOf(customer.id, invoice.id)).toMatchObject({ invoice: { paid: '4000', held: '0' } });
      expect((await post('/v1/ec/pay', { ...again, due: '70.00' })).json().data.status).toBe('succeeded');
    },
  );

  it('while one is on its way another is answered with that one, and with its amount', async () => {
    const { customer, invoice, body } = await offered();
    fixture.gateway.onCharge = async (charge) => {
      fixture.gateway.take(charge);
      return { is: 'unknown', evidence: 'time-out' };
    };
    await post('/v1/ec/pay', { ...body, invoiceAmount: '40.00' });
    const other = await post('/v1/ec/pay', { ...body, invoiceAmount: '70.00', cardToken: 'tok_other' });
    expect(other.json().data).toMatchObject({ status: 'processing', amount: 40 });
    expect(await moneyOf(customer.id, invoice.id)).toMatchObject({
      invoice: { held: '4000' },
      openClaims: 1,
    });
    expect(fixture.gateway.taken.size).toBe(1);
  });

  it('of twenty parts at once that are more than is due, no more than is due is taken', async () => {
    const { customer, invoice, body } = await offered();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        post('/v1/ec/pay', { ...body, invoiceAmount: '30.00', cardToken: `tok_${n}` }),
      ),
    );
    expect(answers.every(({ statusCode }) => statusCode === 200 || statusCode === 409)).toBe(true);
    const { invoice: now, captures, openClaims } = await moneyOf(customer.id, invoice.id);
    expect(captures.length).toBeGreaterThan(0);
    expect(captures.length).toBeLessThanOrEqual(3);
    expect(captures.every(({ amount, credit }) => amount === '3000' && credit === '0')).toBe(true);
    expect([now?.paid, now?.held, openClaims]).toEqual([String(3_000 * captures.length), '0', 0]);
  });
});
