import { describe, expect, it } from 'vitest';
import {
  fixture,
  invoiceOf,
  mailsOf,
  payer,
  roundAt,
  rows,
} from '../../../test/fixtures/paying/auto-pay-fixture.ts';

const ahead = '2026-03-12T06:00:00Z';
const due = '2026-03-15T06:00:00Z';

describe('credit of the customer', () => {
  const give = async (customerId: string, minor: bigint) => {
    await rows(
      `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
       values ($1, gen_random_uuid(), 'external', 'customerCredit', 'USD', $2, 'external', gen_random_uuid(), 'x', now())`,
      [customerId, minor],
    );
    await rows("insert into customer_credit (customer_id, currency, balance_minor) values ($1, 'USD', $2)", [
      customerId,
      minor,
    ]);
  };

  it('is used first, and what is left is charged with the fee of that', async () => {
    const me = await payer({ brand: { cardFee: { basisPoints: 100, fixedMinor: 0, capMinor: null } } });
    const invoice = await me.bill();
    await give(me.customerId, 1_000n);
    await roundAt(ahead, me.resellerId);
    await roundAt(due, me.resellerId);
    expect([...fixture.gateway.taken.values()]).toEqual([[10_100n]]);
    expect(await invoiceOf(invoice.id)).toEqual({ status: 11, paid: '10000', held: '0' });
  });

  it('that covers all pays without the gateway', async () => {
    const me = await payer();
    const invoice = await me.bill();
    await give(me.customerId, 20_000n);
    await roundAt(ahead, me.resellerId);
    expect(await roundAt(due, me.resellerId)).toMatchObject([{ did: 'skip', reason: 'byCredit' }]);
    expect(fixture.gateway.taken.size).toBe(0);
    expect(await invoiceOf(invoice.id)).toMatchObject({ status: 11, held: '0' });
    const [left] = await rows<{ n: string }>(
      'select balance_minor::text as n from customer_credit where customer_id = $1',
      [me.customerId],
    );
    expect(left?.n).toBe('9000');
    expect(
      await rows("select 1 from outbox where customer_id = $1 and kind = 'receipt'", [me.customerId]),
    ).toHaveLength(1);
  });
});

describe('who is covered', () => {
  const settings = { reseller: { requireCustomerPermissionForCharging: false }, consents: false };

  it('are all customers of a reseller that asks nobody, and the mail says how else to pay [decisions.6.auto-pay-all]', async () => {
    const me = await payer(settings);
    await me.bill();
    await roundAt(ahead, me.resellerId);
    const [mail] = await mailsOf(me.customerId);
    expect(mail?.text).toContain('If you would rather pay another way, pay before that day, or tell us.');
    expect(await roundAt(due, me.resellerId)).toMatchObject([{ did: 'charge', state: 'succeeded' }]);
  });

  it('are not those who never agreed where the reseller asks, nor is anybody told who keeps no method [decisions.6.auto-pay-consent]', async () => {
    const [silent, bare] = [await payer({ consents: false }), await payer({ ...settings, card: null })];
    for (const me of [silent, bare]) {
      await me.bill();
      for (const moment of [ahead, due, '2026-03-20T06:00:00Z'])
        expect(await roundAt(moment, me.resellerId)).toEqual([]);
      expect(await mailsOf(me.customerId)).toEqual([]);
    }
  });
});

describe('many processes at once', () => {
  it('announce and charge each invoice once', async () => {
    const me = await payer();
    const invoices = await Promise.all(Array.from({ length: 20 }, () => me.bill()));
    const together = (moment: string) =>
      Promise.all(Array.from({ length: 6 }, () => roundAt(moment, me.resellerId)));
    const announced = (await together(ahead)).flat();
    expect(announced).toHaveLength(20);
    expect(await mailsOf(me.customerId)).toHaveLength(20);
    const charged = (await together(due)).flat();
    expect(charged.filter(({ did }) => did === 'charge')).toHaveLength(20);
    expect(fixture.gateway.taken.size).toBe(20);
    expect(new Set(charged.map(({ invoiceId }) => invoiceId)).size).toBe(invoices.length);
  });

  it('give way to the customer who pays at that moment', async () => {
    const me = await payer();
    const invoice = await me.bill();
    await roundAt(ahead, me.resellerId);
    fixture.clock.set(due);
    let isPaid = () => {};
    const paying = new Promise<void>((resolve) => {
      isPaid = resolve;
    });
    fixture.gateway.onCharge = async (charge) => {
      await paying;
      return fixture.gateway.take(charge);
    };
    const pay = fixture.app.inject({
      method: 'POST',
      url: '/v1/ec/pay',
      payload: {
        uid: invoice.token,
        invoiceAmount: '110.00',
        invoiceNumber: invoice.number,
        cardToken: 'tok_visa',
      },
    });
    await expect
      .poll(
        async () =>
          (await rows('select 1 from claim where is_open and invoice_id = $1', [invoice.id])).length,
      )
      .toBe(1);
    expect(await roundAt(due, me.resellerId)).toEqual([]);
    isPaid();
    expect((await pay).json().data.status).toBe('succeeded');
    expect(await roundAt('2026-03-15T06:01:00Z', me.resellerId)).toMatchObject([
      { did: 'skip', reason: 'paid' },
    ]);
    expect(fixture.gateway.taken.size).toBe(1);
  });
});
