import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixture, moneyOf, post, setUp } from '../../../test/fixtures/paying/pay-fixture.ts';

const { capabilities } = fixture.gateway.module.manifest as {
  capabilities: { amountIncrement?: Record<string, number> };
};
beforeEach(() => void Object.assign(capabilities, { amountIncrement: { KWD: 10 } }));
afterEach(() => {
  delete capabilities.amountIncrement;
});
const details = async (uid: string) =>
  (await fixture.app.inject(`/v1/ec/payment/details/${uid}`)).json().data;

async function dinars(subtotalMinor: bigint, settings: Record<string, unknown> = {}) {
  const { customer, body } = await setUp(settings);
  await fixture.database
    .pool()
    .query("update brand set currency = 'KWD' where reseller_id = $1", [customer.resellerId]);
  const invoice = await fixture.seedPayable(customer, { subtotalMinor, taxMinor: 0n, currency: 'KWD' });
  const digits = String(subtotalMinor).padStart(4, '0');
  const invoiceAmount = `${digits.slice(0, -3)}.${digits.slice(-3)}`;
  return {
    customer,
    invoice,
    body: { ...body, uid: invoice.token, invoiceNumber: invoice.number, invoiceAmount },
  };
}

describe('an amount finer than the gateway charges', () => {
  it('is told by the details, and refused in plain words before the gateway is asked', async () => {
    const { customer, invoice, body } = await dinars(12_345n, { currencySymbol: 'KD ' });
    expect(await details(body.uid)).toMatchObject({ invoiceAmount: 12.345, chargeStep: 0.01 });
    const before = fixture.gateway.calls.charge;
    const answer = await post('/v1/ec/pay', body);
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'payment.amountNotRepresentable']);
    expect(answer.json().message).toMatch(
      /^KD 12\.345 cannot be paid by card: amounts in KWD are charged in steps of KD 0\.01\. Please ask .+ how to pay it\. Nothing was charged\.$/,
    );
    expect(fixture.gateway.calls.charge).toBe(before);
    expect(await moneyOf(customer.id, invoice.id)).toMatchObject({ captures: [], openClaims: 0 });
  });

  it('names the part that can be paid, where there are parts, and takes that', async () => {
    const { customer, invoice, body } = await dinars(12_345n, { partPayment: true, currencySymbol: 'KD ' });
    const refused = (await post('/v1/ec/pay', { ...body, due: '12.345' })).json();
    expect(refused.message).toContain('You can pay a part of it, up to KD 12.34.');
    const fine = await post('/v1/ec/pay', { ...body, invoiceAmount: '12.344', due: '12.345' });
    expect(fine.json().code).toBe('payment.partRefused');
    const part = await post('/v1/ec/pay', { ...body, invoiceAmount: '12.340', due: '12.345' });
    expect(part.json().data).toMatchObject({ status: 'succeeded', amount: 12.34 });
    expect((await moneyOf(customer.id, invoice.id)).captures).toMatchObject([{ amount: '12340' }]);
  });

  it('does not come of the fee', async () => {
    const cardFee = { basisPoints: 150, fixedMinor: 0, capMinor: null };
    const { body } = await dinars(12_340n, { cardFee });
    // 1.5 % are 0.1851.
    expect(await details(body.uid)).toMatchObject({ fee: 0.19, total: 12.53 });
    expect((await post('/v1/ec/pay', body)).json().data).toMatchObject({
      status: 'succeeded',
      amount: 12.53,
    });
  });

  it('is charged where the gateway charges any', async () => {
    delete capabilities.amountIncrement;
    const { body } = await dinars(12_345n);
    expect((await details(body.uid)).chargeStep).toBeNull();
    expect((await post('/v1/ec/pay', body)).json().data.status).toBe('succeeded');
  });
});
