import { afterEach, describe, expect, it } from 'vitest';
import { fixture, moneyOf, post, setUp } from '../../../test/fixtures/paying/pay-fixture.ts';

const { capabilities } = fixture.gateway.module.manifest as {
  capabilities: { minimumCharge?: Record<string, number> };
};
const least = (minor: number) => Object.assign(capabilities, { minimumCharge: { USD: minor } });
afterEach(() => {
  delete capabilities.minimumCharge;
});
const details = async (uid: string) =>
  (await fixture.app.inject(`/v1/ec/payment/details/${uid}`)).json().data;

async function small(minor: bigint, settings: Record<string, unknown> = {}) {
  const { customer, body } = await setUp(settings);
  const invoice = await fixture.seedPayable(customer, { subtotalMinor: minor, taxMinor: 0n });
  const invoiceAmount = `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
  return {
    customer,
    invoice,
    body: { ...body, uid: invoice.token, invoiceNumber: invoice.number, invoiceAmount },
  };
}

describe('less than the gateway charges', () => {
  it('is told by the details, and refused with the least before the gateway is asked', async () => {
    least(50);
    const { customer, invoice, body } = await small(30n);
    expect(await details(body.uid)).toMatchObject({ invoiceAmount: 0.3, leastCharge: 0.5 });
    const before = fixture.gateway.calls.charge;
    const answer = await post('/v1/ec/pay', body);
    expect([answer.statusCode, answer.json().code, answer.json().message]).toEqual([
      400,
      'payment.tooSmall',
      'The smallest amount that can be paid by card is $0.50. Nothing was charged.',
    ]);
    expect(fixture.gateway.calls.charge).toBe(before);
    expect(await moneyOf(customer.id, invoice.id)).toMatchObject({ captures: [], openClaims: 0 });
  });

  it('counts with the fee', async () => {
    least(50);
    const { body } = await small(45n, { cardFee: { basisPoints: 0, fixedMinor: 5, capMinor: null } });
    expect((await post('/v1/ec/pay', body)).json().data.status).toBe('succeeded');
  });

  it('is charged where the gateway says nothing of a least', async () => {
    const { body } = await small(30n);
    expect((await details(body.uid)).leastCharge).toBeNull();
    expect((await post('/v1/ec/pay', body)).json().data.status).toBe('succeeded');
  });

  it.each([
    ['a part below it', '2.49', 400],
    ['the least part', '2.50', 200],
    ['the most that leaves enough', '7.50', 200],
    ['a part that leaves less', '7.51', 400],
    ['all of it', '10.00', 200],
  ])('%s of what is due: %s is answered %s', async (_which, invoiceAmount, status) => {
    least(250);
    const { customer, invoice, body } = await small(1_000n, { partPayment: true });
    expect((await details(body.uid)).partPayment).toMatchObject({
      least: 2.5,
      most: 10,
      leastRest: 2.5,
    });
    const answer = await post('/v1/ec/pay', { ...body, invoiceAmount, due: '10.00' });
    expect(answer.statusCode).toBe(status);
    if (status !== 200) {
      expect(answer.json().code).toBe('payment.partRefused');
      expect(await moneyOf(customer.id, invoice.id)).toMatchObject({ captures: [], openClaims: 0 });
    }
  });
});
