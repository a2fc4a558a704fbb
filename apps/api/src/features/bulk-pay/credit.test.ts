import { money } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import {
  bulkPayer,
  challenge,
  declined,
  fixture,
  ids,
  rows,
  takenFrom,
  token,
} from '../../../test/fixtures/paying/bulk-fixture.ts';
import { hook } from '../../../test/fixtures/paying/methods-fixture.ts';
import { mailReceipts } from '../../../test/fixtures/paying/receipts.ts';

async function withCredit(minor: bigint, n = 2, brand: Record<string, unknown> = {}) {
  const payer = await bulkPayer({ brand });
  await payer.credit(minor);
  const invoices = await payer.invoices(n);
  const intent = await payer.intent(ids(invoices));
  return { payer, invoices, intent, uid: intent.sessionId };
}

const ledgerOf = (customerId: string) =>
  rows<{ debit: string; credit: string; n: number }>(
    `select debit, credit, sum(amount_minor)::int as n from ledger where customer_id = $1 and source <> 'invoice'
      group by 1, 2 order by 1, 2`,
    [customerId],
  );

describe('the customer’s credit', () => {
  it('pays a part: the gateway takes the rest and the fee on it, the ledger has both [decisions.6.adjustments-credit]', async () => {
    const { payer, uid } = await withCredit(3_000n, 2, {
      cardFee: { basisPoints: 100, fixedMinor: 0, capMinor: null },
    });
    expect(await payer.paid(uid, token)).toMatchObject({ status: 'succeeded' });
    expect(await takenFrom(payer.customerId)).toEqual([19_190n]);
    expect(await payer.money()).toEqual({ paid: 19_000, credited: 3_000, due: 0, held: 0 });
    expect(await payer.creditLeft()).toEqual({ balance: '0', held: '0' });
    expect(await ledgerOf(payer.customerId)).toEqual([
      { debit: 'customerCredit', credit: 'receivable', n: 3_000 },
      { debit: 'gateway', credit: 'feeIncome', n: 190 },
      { debit: 'gateway', credit: 'receivable', n: 19_000 },
    ]);
    const statuses = await rows('select distinct status from invoice where customer_id = $1', [
      payer.customerId,
    ]);
    expect(statuses).toEqual([{ status: 11 }]);
  });

  it('pays all without gateway, fee and method, once, with a receipt [decisions.6.adjustments-settle]', async () => {
    const { payer, uid, intent } = await withCredit(30_000n, 2, {
      emailReceipt: true,
      cardFee: { basisPoints: 0, fixedMinor: 99, capMinor: null },
    });
    expect(intent).toMatchObject({ total: 0, adjustmentsTotal: 220 });
    expect(intent.invoices.map(({ invoiceNumber }) => invoiceNumber)).not.toContain('CARD_FEE');
    const before = fixture.gateway.calls.charge;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => payer.pay(uid, { email: 'payer@mail.example' })),
    );
    const told = new Set(answers.map((answer) => JSON.stringify(answer.json().data)));
    expect([...told]).toHaveLength(1);
    expect(JSON.parse([...told][0] ?? '{}')).toMatchObject({
      status: 'succeeded',
      reference: expect.any(String),
    });
    expect(fixture.gateway.calls.charge).toBe(before);
    expect(await payer.money()).toEqual({ paid: 0, credited: 22_000, due: 0, held: 0 });
    expect(await payer.creditLeft()).toEqual({ balance: '8000', held: '0' });
    expect(await payer.read(uid)).toMatchObject({ status: 3, attempt: { status: 'succeeded', amount: 0 } });
    const statuses = await rows('select distinct status from invoice where customer_id = $1', [
      payer.customerId,
    ]);
    expect(statuses).toEqual([{ status: 11 }]);
    const { receiptOf } = await payer.read(uid);
    const receipt = await payer.call('GET', `/v1/ec/payments/${receiptOf}/receipt`);
    expect(receipt.headers['content-type']).toBe('application/pdf');
    const mails = await mailReceipts(fixture, payer.customerId);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ to: 'payer@mail.example' });
    expect(mails[0]?.text).toMatch(/Paid from credit:?\s+\$220\.00/);
  });

  it('stands in the receipt of a payment beside the money', async () => {
    const { payer, uid } = await withCredit(3_000n, 1, { emailReceipt: true });
    await payer.paid(uid, { ...token, email: 'payer@mail.example' });
    const [mail] = await mailReceipts(fixture, payer.customerId);
    expect(mail?.text).toMatch(/\$110\.00[\s\S]*Credit used:?\s+-\$30\.00[\s\S]*Paid:?\s+\$80\.00/);
  });

  it('is promised to an open attempt, and free again when nothing was taken', async () => {
    const { payer, uid } = await withCredit(3_000n);
    fixture.gateway.onCharge = challenge;
    await payer.paid(uid, token);
    expect(await payer.creditLeft()).toEqual({ balance: '3000', held: '3000' });
    const other = await payer.intent(ids(await payer.invoices(1)));
    expect(other).toMatchObject({ total: 110, adjustmentsTotal: 0 });
    fixture.gateway.onCharge = async () => declined;
    // Another card: the open one is closed first, its credit is free and promised again.
    expect(await payer.paid(uid, { ...token, cardToken: 'tok_other' })).toMatchObject({ status: 'failed' });
    expect(await payer.creditLeft()).toEqual({ balance: '3000', held: '0' });
    expect((await payer.money()).held).toBe(0);
  });

  it('is used whole where the gateway took less than was asked', async () => {
    const { payer, uid } = await withCredit(3_000n, 1);
    fixture.gateway.onCharge = async (charge) => {
      fixture.gateway.taken.set(charge.ref, [5_000n]);
      return {
        is: 'succeeded',
        remote: 'r_part' as never,
        captured: money(5_000n, 'USD'),
        state: {},
      };
    };
    expect(await payer.paid(uid, token)).toMatchObject({ status: 'succeeded' });
    expect(await payer.money()).toEqual({ paid: 5_000, credited: 3_000, due: 3_000, held: 0 });
  });

  it('grows by what the gateway took too much, which pays the next time', async () => {
    const { payer, uid } = await withCredit(1_000n, 1);
    fixture.gateway.onCharge = async (charge) => ({
      is: 'succeeded',
      remote: `r_${charge.ref}` as never,
      captured: money(12_500n, 'USD'),
      state: {},
    });
    await payer.paid(uid, token);
    expect(await payer.creditLeft()).toEqual({ balance: '2500', held: '0' });
    expect(await payer.intent(ids(await payer.invoices(1)))).toMatchObject({ adjustmentsTotal: 25 });
  });

  it('may be overdrawn by a chargeback of what was credit and is used; credit that comes fills it up first', async () => {
    const { payer, uid } = await withCredit(1_000n, 1);
    let remote = '';
    fixture.gateway.onCharge = async (charge) => {
      remote = `r_${charge.ref}`;
      return {
        is: 'succeeded',
        remote: remote as never,
        captured: money(12_500n, 'USD'),
        state: {},
      };
    };
    await payer.paid(uid, token);
    fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
    const next = await payer.intent(ids(await payer.invoices(1)));
    await payer.paid(next.sessionId, token);
    expect(await payer.creditLeft()).toEqual({ balance: '0', held: '0' });
    const back = await hook(payer.resellerId, {
      about: 'charge',
      remote,
      reversal: {
        kind: 'chargeback',
        remote: 'dp_1',
        of: remote,
        amount: money(12_500n, 'USD'),
        code: 'fraud',
      },
    });
    expect(back.statusCode, back.body).toBe(200);
    const [row] = await rows<{ over: number }>(
      "select overdrawn_minor::int as over from customer_credit where customer_id = $1 and currency = 'USD'",
      [payer.customerId],
    );
    expect(row).toEqual({ over: 2_500 });
    await payer.credit(4_000n);
    expect(await payer.intent(ids(await payer.invoices(1)))).toMatchObject({ adjustmentsTotal: 15 });
  });

  it('cannot be promised beyond what there is: the row’s check stands behind the code', async () => {
    const { payer } = await withCredit(3_000n, 1);
    await expect(
      rows('update customer_credit set held_minor = 3001 where customer_id = $1', [payer.customerId]),
    ).rejects.toThrow('customer_credit');
  });
});

describe('credit in a race', () => {
  it('twelve sessions of one invoice each share it out without using a cent twice', async () => {
    const payer = await bulkPayer();
    await payer.credit(30_000n);
    const invoices = await payer.invoices(12);
    const sessions = [];
    for (const invoice of invoices) sessions.push(await payer.intent([invoice.id]));
    const pay = (uid: string) => payer.pay(uid, token);
    const answers = await Promise.all(sessions.map(({ sessionId }) => pay(sessionId)));
    const paid = answers.filter(({ statusCode }) => statusCode === 200);
    const changed = answers.filter((answer) => answer.json().code === 'payment.quoteChanged');
    // 110.00 each: two are settled by 300.00 of credit, what is left of it is another price for all others.
    expect([paid.length, paid.length + changed.length]).toEqual([2, 12]);
    expect(await payer.creditLeft()).toEqual({ balance: '8000', held: '0' });
    for (const { sessionId } of sessions) await payer.read(sessionId);
    await Promise.all(sessions.map(({ sessionId }) => pay(sessionId)));
    for (const { sessionId } of sessions) await payer.read(sessionId);
    await Promise.all(sessions.map(({ sessionId }) => pay(sessionId)));
    const money = await payer.money();
    expect(money).toEqual({ paid: 132_000 - 30_000, credited: 30_000, due: 0, held: 0 });
    const taken = await takenFrom(payer.customerId);
    expect(taken.reduce((sum, one) => sum + one, 0n)).toBe(102_000n);
  });
});
