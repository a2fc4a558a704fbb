import { money } from '@counterfoil/domain/money/money.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { describe, expect, it } from 'vitest';
import { fixture, lines, paid, rows } from '../../../../test/fixtures/paying/reversals-fixture.ts';

describe('a chargeback', () => {
  it('reopens the invoice once; the fee is not owed again; the attempt keeps its end [decisions.6.end-never-changes, decisions.6.late-chargeback]', async () => {
    const { customer, tell, stand, balances } = await paid();
    expect(await tell('chargeback', 'dp_1', 11_165n)).toBe(200);
    expect(await tell('chargeback', 'dp_1', 11_165n)).toBe(200);
    expect(await stand()).toEqual({ status: 10, due: '11000', reversed: '11165' });
    expect(await balances()).toEqual({ gateway: 0, receivable: 0, feeIncome: 0 });
    const states = await rows('select state from attempt where customer_id = $1', [customer.id]);
    expect(states).toEqual([{ state: 'succeeded' }]);
  });

  it('that is won closes the invoice again', async () => {
    const { tell, stand, balances } = await paid();
    await tell('chargeback', 'dp_1', 11_165n);
    await tell('chargebackWon', 'dp_1', 11_165n);
    await tell('chargebackWon', 'dp_1', 11_165n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
    expect(await balances()).toEqual({ gateway: 11_165, receivable: -11_000, feeIncome: -165 });
  });

  it('whose win is told first changes nothing in the end', async () => {
    const { tell, stand } = await paid();
    await tell('chargebackWon', 'dp_1', 11_165n);
    await tell('chargeback', 'dp_1', 11_165n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
  });

  it('won after the customer has paid again is the customer’s credit', async () => {
    const { tell, pay, stand, balances } = await paid();
    await tell('chargeback', 'dp_1', 11_165n);
    expect(await pay('tok_again')).toMatchObject({ status: 'succeeded' });
    await tell('chargebackWon', 'dp_1', 11_165n);
    expect(await stand()).toMatchObject({ status: 11, due: '0' });
    expect(await balances()).toEqual({
      gateway: 22_330,
      receivable: -11_000,
      feeIncome: -330,
      customerCredit: -11_000,
    });
    // Lost again after all: the credit goes first.
    await tell('chargeback', 'dp_2', 11_165n);
    expect(await stand()).toMatchObject({ status: 11, due: '0' });
    expect(await balances()).toMatchObject({ gateway: 11_165, customerCredit: 0 });
  });

  it('of a part reopens that part: the fee first, then the invoice', async () => {
    const { tell, stand } = await paid();
    await tell('chargeback', 'dp_1', 1_165n);
    expect(await stand()).toEqual({ status: 10, due: '1000', reversed: '1165' });
    await tell('chargeback', 'dp_2', 10_000n);
    expect(await stand()).toEqual({ status: 10, due: '11000', reversed: '11165' });
    await tell('chargebackWon', 'dp_2', 10_000n);
    expect(await stand()).toEqual({ status: 10, due: '1000', reversed: '1165' });
  });

  it('in another currency, of another charge, or by an unproven sender moves nothing', async () => {
    const { tell, stand } = await paid();
    await tell('chargeback', 'dp_1', 1n, { amount: money(11_165n, 'EUR') });
    expect(await tell('chargeback', 'dp_2', 1n, { of: remoteId('unheard') })).toBe(200);
    await tell('chargeback', 'dp_3', 11_165n, {}, false);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
    expect(lines.join('')).toContain('it is in EUR');
  });

  it('told by another reseller moves nothing', async () => {
    const [mine, other] = [await paid(), await paid()];
    expect(await other.tell('chargeback', 'dp_1', 11_165n, { of: mine.of })).toBe(200);
    expect(await mine.stand()).toEqual({ status: 11, due: '0', reversed: '0' });
  });

  it('of a payment made before the reseller set the same gateway up again is booked, once', async () => {
    const { reseller, tell, stand } = await paid();
    await rows('update gateway_account set is_active = false where reseller_id = $1', [reseller.id]);
    await rows(
      `insert into gateway_account (id, reseller_id, gateway, config, created_at)
       select gen_random_uuid(), reseller_id, gateway, config, created_at + interval '1 day' from gateway_account
        where reseller_id = $1`,
      [reseller.id],
    );
    expect(await tell('chargeback', 'dp_1', 11_165n)).toBe(200);
    expect(await stand()).toEqual({ status: 10, due: '11000', reversed: '11165' });
    expect(await tell('chargeback', 'dp_1', 11_165n)).toBe(200);
    expect(await stand()).toMatchObject({ reversed: '11165' });
  });

  it('that is told before the payment is known is asked for again', async () => {
    const { customer, reseller } = await fixture.seedPayer({});
    const invoice = await fixture.seedPayable(customer);
    fixture.gateway.onCharge = async (charge) => ({
      is: 'pending',
      because: 'bank',
      remote: remoteId(`r_${charge.ref}`),
      state: {},
    });
    const body = {
      uid: invoice.token,
      invoiceAmount: '110.00',
      invoiceNumber: invoice.number,
      cardToken: 'tok_x',
    };
    await fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', payload: body });
    const [attempt] = await rows<{ ref: string }>('select ref from attempt where customer_id = $1', [
      customer.id,
    ]);
    const late = {
      kind: 'failed',
      remote: remoteId('f_1'),
      amount: money(11_000n, 'USD'),
      code: 'r',
    } as const;
    fixture.gateway.onWebhook = () => [
      { id: 'evt_f1', about: 'charge', remote: remoteId(`r_${attempt?.ref}`), reversal: late },
    ];
    const hook = () =>
      fixture.app.inject({
        method: 'POST',
        url: `/v1/webhooks/scripted/${reseller.id}`,
        headers: { 'content-type': 'application/json', 'x-signed': '1' },
        payload: '{}',
      });
    fixture.gateway.onLookup = async () => ({ is: 'inconclusive', why: 'not now' });
    expect((await hook()).statusCode).toBe(200);
    await fixture.eventsFollowed();
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
    fixture.clock.advance(2_000);
    await fixture.eventsFollowed();
    const [found] = await rows('select status, due_minor::text as due from invoice where customer_id = $1', [
      customer.id,
    ]);
    expect(found).toEqual({ status: 10, due: '11000' });
  });
});

describe('a late failure', () => {
  it('reopens the invoice [decisions.6.late-bank-return, decisions.6.late-failure]', async () => {
    const { tell, stand } = await paid();
    await tell('failed', 'f_1', 11_165n);
    expect(await stand()).toEqual({ status: 10, due: '11000', reversed: '11165' });
  });
});

describe('a refund made at the gateway', () => {
  it('does not make the invoice due again, and gives back its part of the fee; the last takes what is left [decisions.6.refund-not-due, decisions.11.refund-fee, decisions.11.refund-fee-last]', async () => {
    const { tell, stand, balances } = await paid();
    await tell('refund', 're_1', 5_165n);
    await tell('refund', 're_1', 5_165n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '5165' });
    // 51.65 of 111.65, and the same of the fee of 1.65.
    expect(await balances()).toEqual({
      gateway: 6_000,
      receivable: -11_000,
      feeIncome: -89,
      refunded: 5_089,
    });
    await tell('refund', 're_2', 1_000n);
    expect(await balances()).toMatchObject({ feeIncome: -74, refunded: 6_074 });
    await tell('refund', 're_3', 5_000n);
    expect(await balances()).toEqual({ gateway: 0, receivable: -11_000, feeIncome: 0, refunded: 11_000 });
  });

  it('that failed brings back what it took of the fee and of all else, whatever else was refunded', async () => {
    const { tell, balances } = await paid();
    await tell('refund', 're_1', 5_165n);
    await tell('refund', 're_2', 1_000n);
    await tell('refundFailed', 're_2', 1_000n);
    expect(await balances()).toEqual({
      gateway: 6_000,
      receivable: -11_000,
      feeIncome: -89,
      refunded: 5_089,
    });
    await tell('refundFailed', 're_1', 5_165n);
    expect(await balances()).toEqual({ gateway: 11_165, receivable: -11_000, feeIncome: -165, refunded: 0 });
  });

  it('that was booked short brings back only what it took, not another one’s money', async () => {
    const { tell, stand } = await paid();
    await tell('refund', 're_1', 11_000n);
    await tell('refund', 're_2', 5_000n);
    expect(await stand()).toMatchObject({ reversed: '11165' });
    await tell('refundFailed', 're_2', 5_000n);
    expect(await stand()).toMatchObject({ reversed: '11000' });
    await tell('refundFailed', 're_1', 11_000n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
  });

  it('of what a chargeback has taken moves money when that is won', async () => {
    const { tell, stand, balances } = await paid();
    await tell('chargeback', 'dp_1', 11_165n);
    await tell('refund', 're_1', 5_000n);
    await tell('refund', 're_1', 5_000n);
    expect(lines.join('')).toContain('nothing of the charge is left');
    expect(await stand()).toEqual({ status: 10, due: '11000', reversed: '11165' });
    await tell('chargebackWon', 'dp_1', 11_165n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '5000' });
    expect(await balances()).toEqual({
      gateway: 6_165,
      receivable: -11_000,
      feeIncome: 0,
      refunded: 4_835,
      lostAtGateway: 0,
    });
    await tell('refundFailed', 're_1', 5_000n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
  });

  it('of what a chargeback has taken, not delivered before that is won, moves none', async () => {
    const { tell, stand } = await paid();
    await tell('chargeback', 'dp_1', 11_165n);
    await tell('refund', 're_1', 5_000n);
    expect(await tell('refundFailed', 're_1', 5_000n)).toBe(200);
    expect(await stand()).toMatchObject({ reversed: '11165' });
    await tell('chargebackWon', 'dp_1', 11_165n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
  });

  it('that could not be delivered is undone, in whatever order it is told', async () => {
    const one = await paid();
    await one.tell('refund', 're_1', 11_165n);
    await one.tell('refundFailed', 're_1', 11_165n);
    const two = await paid();
    await two.tell('refundFailed', 're_1', 11_165n);
    await two.tell('refund', 're_1', 11_165n);
    for (const { stand } of [one, two])
      expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
  });
});
