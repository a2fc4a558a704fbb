import { describe, expect, it } from 'vitest';
import { bulkPayer, fixture, ids, takenFrom, token } from '../../../test/fixtures/paying/bulk-fixture.ts';

const cardFee = { basisPoints: 100, fixedMinor: 30, capMinor: null };
const brand = { partPayment: true, cardFee };
const payerWithOne = async (settings: Record<string, unknown> = brand, over = {}) => {
  const payer = await bulkPayer({ brand: settings });
  const invoices = await payer.invoices(1, over);
  const part = async (amount: string) => (await payer.ask(ids(invoices), { amount })).json().data;
  return { payer, invoices, part };
};

describe('an intent for a part of one invoice', () => {
  it('is priced with that amount, and stays so when it is read', async () => {
    const { payer, part } = await payerWithOne();
    const intent = await part('40.00');
    expect(intent).toMatchObject({
      total: 40,
      adjustmentsTotal: 0,
      partPayment: { least: 1, most: 110 },
      invoices: [{ invoiceAmount: 40 }, { invoiceNumber: 'CARD_FEE', invoiceAmount: 0.7 }],
    });
    expect(await payer.read(intent.sessionId)).toEqual(intent);
  });

  it('deducts credit from that amount as from all that is due', async () => {
    const { payer, part } = await payerWithOne({ partPayment: true });
    await payer.credit(3_000n);
    expect(await part('40.00')).toMatchObject({ total: 10, adjustmentsTotal: 30 });
    const small = await part('20.00');
    expect(small).toMatchObject({ total: 0, adjustmentsTotal: 20 });
    expect(await payer.paid(small.sessionId)).toMatchObject({ status: 'succeeded' });
    expect(await payer.money()).toEqual({ paid: 0, credited: 2_000, due: 9_000, held: 0 });
    expect(await payer.creditLeft()).toEqual({ balance: '1000', held: '0' });
  });

  it.each([
    ['0', 400, 'payment.partRefused'],
    ['0.99', 400, 'payment.partRefused'],
    ['40.005', 400, 'payment.partRefused'],
    ['-1.00', 400, 'request.invalid'],
    ['forty', 400, 'request.invalid'],
    ['110.01', 409, 'payment.amountChanged'],
  ])('is refused for %s', async (amount, status, code) => {
    const { payer, invoices } = await payerWithOne();
    const answer = await payer.ask(ids(invoices), { amount });
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });

  it('is refused with other decimals than the currency has', async () => {
    const { payer, invoices } = await payerWithOne(brand, { currency: 'JPY' });
    expect((await payer.ask(ids(invoices), { amount: '40.50' })).json().code).toBe('payment.partRefused');
    expect((await payer.ask(ids(invoices), { amount: '40' })).json().data.total).toBe(40);
  });

  it('is refused for several invoices, and tells nothing to choose from there', async () => {
    const payer = await bulkPayer({ brand });
    const two = ids(await payer.invoices(2));
    const answer = await payer.ask(two, { amount: '40.00' });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'request.invalid']);
    expect((await payer.intent(two)).partPayment).toBeNull();
  });

  it('is refused where the brand does not offer it; all that is due is not a part [decisions.6.part-payment-offered]', async () => {
    const { payer, invoices } = await payerWithOne({});
    const answer = await payer.ask(ids(invoices), { amount: '40.00' });
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'payment.amountChanged']);
    const whole = await payer.ask(ids(invoices), { amount: '110.00' });
    expect(whole.json().data).toMatchObject({ total: 110, partPayment: null });
  });
});

describe('paying a part', () => {
  it('two parts pay the invoice, each with the fee of its amount [decisions.6.part-payment-offered]', async () => {
    const { payer, invoices, part } = await payerWithOne();
    const first = await part('40.00');
    expect(await payer.paid(first.sessionId, token)).toMatchObject({ status: 'succeeded', amount: 40.7 });
    expect(await payer.money()).toEqual({ paid: 4_000, credited: 0, due: 7_000, held: 0 });
    expect(await payer.read(first.sessionId)).toMatchObject({
      status: 3,
      total: 40,
      partPayment: { least: 1, most: 70 },
      attempt: { status: 'succeeded', amount: 40.7 },
    });
    const rest = await payer.intent(ids(invoices));
    expect(rest).toMatchObject({ total: 70 });
    await payer.paid(rest.sessionId, token);
    expect(await payer.money()).toEqual({ paid: 11_000, credited: 0, due: 0, held: 0 });
    expect(new Set(await takenFrom(payer.customerId))).toEqual(new Set([4_070n, 7_100n]));
    expect((await payer.read(rest.sessionId)).partPayment).toBeNull();
  });

  it('a paid session is not paid again', async () => {
    const { payer, part } = await payerWithOne();
    const { sessionId } = await part('40.00');
    const first = await payer.paid(sessionId, token);
    expect(await payer.paid(sessionId, { ...token, cardToken: 'tok_again' })).toEqual(first);
    expect(await payer.money()).toMatchObject({ paid: 4_000 });
  });

  it('a second session is refused while the first is on its way', async () => {
    const { payer, part } = await payerWithOne();
    const [one, two] = [await part('40.00'), await part('30.00')];
    fixture.gateway.onCharge = async () => ({ is: 'unknown', evidence: 'time-out' });
    expect(await payer.paid(one.sessionId, token)).toMatchObject({ status: 'processing' });
    expect((await payer.pay(two.sessionId, token)).json().code).toBe('payment.underWay');
    expect(await payer.money()).toMatchObject({ paid: 0, held: 4_000 });
  });

  it('the same part, paid elsewhere since it was priced, is told and not charged again', async () => {
    const { payer, part } = await payerWithOne();
    const [one, two] = [await part('40.00'), await part('40.00')];
    await payer.paid(one.sessionId, token);
    const refused = await payer.pay(two.sessionId, { ...token, cardToken: 'tok_other_tab' });
    expect(refused.json().code).toBe('payment.quoteChanged');
    expect(await payer.money()).toMatchObject({ paid: 4_000, held: 0 });
    expect(await payer.read(two.sessionId)).toMatchObject({ total: 40, partPayment: { most: 70 } });
    await payer.paid(two.sessionId, { ...token, cardToken: 'tok_knowing' });
    expect(await payer.money()).toMatchObject({ paid: 8_000 });
  });

  it('more than is left is not taken: the session has what is left, and says so', async () => {
    const { payer, part } = await payerWithOne();
    const [one, two] = [await part('80.00'), await part('50.00')];
    await payer.paid(one.sessionId, token);
    expect((await payer.pay(two.sessionId, token)).json().code).toBe('payment.quoteChanged');
    expect(await payer.read(two.sessionId)).toMatchObject({ total: 30, partPayment: { most: 30 } });
    expect(await payer.money()).toMatchObject({ paid: 8_000, held: 0 });
  });

  it('where the brand offers it no more, the session is priced with all that is due', async () => {
    const { payer, part } = await payerWithOne();
    const { sessionId } = await part('40.00');
    await fixture.database
      .pool()
      .query('update brand set settings = settings || \'{"partPayment": false}\' where reseller_id = $1', [
        payer.resellerId,
      ]);
    expect((await payer.pay(sessionId, token)).json().code).toBe('payment.quoteChanged');
    expect(await payer.read(sessionId)).toMatchObject({ total: 110, partPayment: null });
  });
});
