import { describe, expect, it } from 'vitest';
import { brokenRules } from '../../../test/fixtures/paying/books.ts';
import { programKey } from '../../../test/fixtures/program.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { webhookProgram } from '../../../test/fixtures/webhooks/webhook-program.ts';
import { readPdf } from '../../pdf/read-pdf.ts';
import { externalPaymentRules } from '../books/rules.ts';

const fixture = useFixture();
const path = '/v1/admin/external-payments';

/** A provider's program, one of its customers who is signed in, and three bills: 50.00 due first, then 30.00, then 20.00. */
async function provider() {
  const person = await signedIn(fixture);
  const { customer } = person;
  const key = await programKey(fixture, customer.resellerId, 'bank');
  const headers = { authorization: `Bearer ${key}` };
  const bill = (number: string, dueOn: string, subtotalMinor: bigint, over = {}) =>
    fixture.seedPayable(customer, { number, dueOn, subtotalMinor, taxMinor: 0n, ...over });
  const bills = {
    late: await bill('B-late', '2026-03-01', 2_000n),
    first: await bill('B-first', '2026-01-01', 5_000n),
    next: await bill('B-next', '2026-02-01', 3_000n),
  };
  const call = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const answer = await fixture.app.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, ...answer.json() };
  };
  const wanted = {
    customer: customer.id,
    reference: 'bank-1',
    amount: '60.00',
    currency: 'USD',
    receivedOn: fixture.clock.now().toISOString().slice(0, 10),
    method: 'bankTransfer',
  };
  return {
    customer,
    bills,
    bill,
    wanted,
    add: (over: object = {}) => call('POST', path, { ...wanted, ...over }),
    takeBack: (id: string, note = 'it bounced') => call('POST', `${path}/${id}/void`, { note }),
    get: (more = '') => call('GET', `${path}${more}`),
    paperOf: async (id: string) =>
      (await fixture.app.inject({ url: `/v1/ec/invoices/${id}`, headers: person.headers })).rawPayload,
    mine: async (url: string) => (await fixture.app.inject({ url, headers: person.headers })).json().data,
    /** Status and what is due of each bill, by number; the credit; and what the ledger's two accounts of the customer say. */
    async books() {
      expect(await brokenRules(fixture.database.pool(), { rules: externalPaymentRules })).toEqual({});
      const rows = async <Row extends object>(text: string): Promise<Row[]> =>
        (await fixture.database.pool().query<Row>(text, [customer.id])).rows;
      const invoices = await rows<{ number: string; status: number; due: number }>(
        'select number, status, due_minor::int as due from invoice where customer_id = $1 order by number',
      );
      const [credit] = await rows<{ minor: number }>(
        'select (balance_minor - overdrawn_minor)::int as minor from customer_credit where customer_id = $1',
      );
      const [posted] = await rows<{ owed: number; kept: number }>(`
        select coalesce(sum(case 'receivable' when debit then amount_minor when credit then -amount_minor else 0 end), 0)::int as owed,
               coalesce(sum(case 'customerCredit' when credit then amount_minor when debit then -amount_minor else 0 end), 0)::int as kept
          from ledger where customer_id = $1`);
      const due = Object.fromEntries(
        invoices.map(({ number, status, due: minor }) => [number, [status, minor]]),
      );
      return { due, credit: credit?.minor ?? 0, posted };
    },
  };
}

describe('a payment that came outside the portal', () => {
  it('pays the open invoices, the longest due first, and the customer sees it everywhere', async () => {
    const { add, books, mine, bills, wanted, paperOf } = await provider();
    const { status, data } = await add();
    expect([status, data]).toMatchObject([
      201,
      {
        reference: 'bank-1',
        status: 'booked',
        recordedBy: 'key:bank',
        toCredit: '0.00',
        invoices: [
          { number: 'B-first', amount: '50.00' },
          { number: 'B-next', amount: '10.00' },
        ],
      },
    ]);
    expect(await books()).toEqual({
      due: { 'B-first': [11, 0], 'B-next': [10, 2_000], 'B-late': [10, 2_000] },
      credit: 0,
      posted: { owed: -6_000, kept: 0 },
    });
    expect((await mine(`/v1/ec/invoice/${bills.next.id}`)).payments).toEqual([
      {
        kind: 'payment',
        date: wanted.receivedOn,
        amount: 10,
        inAll: 60,
        fee: 0,
        reference: 'bank-1',
        method: 'Bank transfer',
        receiptOf: null,
      },
    ]);
    const paper = await readPdf(await paperOf(bills.next.id));
    expect(paper.text).toMatch(/Payment .*, Bank transfer, bank-1/);
    const day = wanted.receivedOn;
    const { entries } = await mine(`/v1/ec/statement?dateFrom=${day}&dateTo=${day}`);
    expect(entries).toMatchObject([{ kind: 'payment', reference: 'bank-1', amount: -60, receiptOf: null }]);
  });

  it('what no invoice can use becomes credit; named invoices are paid in their order and no others', async () => {
    const { add, books } = await provider();
    const { data } = await add({ invoices: ['B-late', 'B-next'] });
    expect(data).toMatchObject({ invoices: [{ number: 'B-next' }, { number: 'B-late' }], toCredit: '10.00' });
    expect(await books()).toEqual({
      due: { 'B-first': [10, 5_000], 'B-next': [11, 0], 'B-late': [11, 0] },
      credit: 1_000,
      posted: { owed: -5_000, kept: 1_000 },
    });
  });

  it('is told to the endpoints of the reseller, and so is that it was taken back, once each', async () => {
    const { customer, add, takeBack, bills } = await provider();
    const program = await webhookProgram(fixture, customer.resellerId);
    await program.listen('https://receiver.example/hook', [
      'external_payment.recorded',
      'external_payment.voided',
    ]);
    const { data } = await add({ invoices: ['B-next'] });
    await add({ invoices: ['B-next'] });
    await takeBack(data.id);
    await takeBack(data.id);
    const told = {
      id: data.id,
      customerId: customer.id,
      amount: '60.00',
      invoices: [{ id: bills.next.id, number: 'B-next', amount: '30.00' }],
      toCredit: '30.00',
    };
    expect(await program.told()).toMatchObject([
      { type: 'external_payment.recorded', data: { ...told, status: 'booked' } },
      { type: 'external_payment.voided', data: { ...told, status: 'voided' } },
    ]);
  });

  it('the same reference books once, also when it comes twice at once, and is refused for anything else', async () => {
    const { add, books, get } = await provider();
    const both = await Promise.all([add(), add()]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(both[0].data).toEqual(both[1].data);
    for (const other of [{ amount: '60.01' }, { receivedOn: '2026-01-01' }, { method: 'cash' }])
      expect(await add(other)).toMatchObject({ status: 409, code: 'externalPayment.referenceTaken' });
    expect((await books()).posted).toEqual({ owed: -6_000, kept: 0 });
    expect((await get()).data).toHaveLength(1);
  });

  it('leaves what an open payment holds of an invoice to that payment', async () => {
    const { add, customer, bills, books } = await provider();
    await fixture.database
      .pool()
      .query('update invoice set held_minor = 4500 where customer_id = $1 and id = $2', [
        customer.id,
        bills.first.id,
      ]);
    expect((await add()).data).toMatchObject({
      invoices: [
        { number: 'B-first', amount: '5.00' },
        { number: 'B-next', amount: '30.00' },
        { number: 'B-late', amount: '20.00' },
      ],
      toCredit: '5.00',
    });
    expect((await books()).due['B-first']).toEqual([10, 4_500]);
  });

  it('is taken back once: its invoices are due again, its credit is gone, and both stand on the invoice', async () => {
    const { add, takeBack, books, bills, mine, get } = await provider();
    const before = await books();
    const { data } = await add({ amount: '110.00' });
    expect(await takeBack(data.id)).toMatchObject({ status: 200, data: { status: 'voided' } });
    expect(await takeBack(data.id)).toMatchObject({ status: 200, data: { status: 'voided' } });
    expect(await books()).toEqual({ ...before, credit: 0 });
    const { payments } = await mine(`/v1/ec/invoice/${bills.first.id}`);
    expect(payments.map(({ kind, amount }: { kind: string; amount: number }) => [kind, amount])).toEqual([
      ['payment', 50],
      ['returned', 50],
    ]);
    expect(await get(`/${data.id}`)).toMatchObject({ data: { status: 'voided' } });
    // The reference names the payment that was taken back: what comes again comes under another.
    expect(await add({ amount: '110.00' })).toMatchObject({ status: 200, data: { status: 'voided' } });
  });

  it.each([
    ['an invoice that nobody knows', { invoices: ['B-none'] }, 'externalPayment.noInvoice'],
    [
      'an invoice of another currency',
      { invoices: ['B-first'], currency: 'EUR' },
      'externalPayment.noInvoice',
    ],
    ['an unknown customer', { customer: 'nobody' }, 'externalPayment.noCustomer'],
    ['nothing', { amount: '0.00' }, 'externalPayment.amount'],
    ['more decimals than the currency has', { amount: '1.005' }, 'externalPayment.amount'],
    ['a currency that is none', { currency: 'XXQ' }, 'externalPayment.amount'],
    ['tomorrow', { receivedOn: '2099-01-01' }, 'externalPayment.notYet'],
  ])('is refused for %s, and nothing is booked', async (_name, over, code) => {
    const { add, books, get } = await provider();
    expect(await add(over)).toMatchObject({ status: 400, code });
    expect((await books()).posted).toEqual({ owed: 0, kept: 0 });
    expect((await get()).data).toEqual([]);
  });

  it('of another provider is as if it were not there', async () => {
    const [one, other] = [await provider(), await provider()];
    const { data } = await one.add();
    expect(await other.get(`/${data.id}`)).toMatchObject({ status: 404 });
    expect(await other.takeBack(data.id)).toMatchObject({ status: 404 });
    expect(await other.add({ customer: one.customer.id })).toMatchObject({
      code: 'externalPayment.noCustomer',
    });
    expect((await other.get(`?customer=${one.customer.id}`)).data).toEqual([]);
    // References are each provider's own.
    expect(await other.add()).toMatchObject({ status: 201 });
  });

  it('is listed page by page, the newest first', async () => {
    const { add, get } = await provider();
    for (const reference of ['a', 'b', 'c']) {
      await add({ reference, amount: '1.00' });
      fixture.clock.advance(1);
    }
    const first = await get('?limit=2');
    const second = await get(`?limit=2&cursor=${first.nextCursor}`);
    const names = [first, second].map(({ data }) => data.map((one: { reference: string }) => one.reference));
    expect([names, second.nextCursor]).toEqual([[['c', 'b'], ['a']], null]);
  });
});
