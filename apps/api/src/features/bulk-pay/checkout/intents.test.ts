import { describe, expect, it } from 'vitest';
import { bulkPayer, fixture, ids, PATH, rows, token } from '../../../../test/fixtures/paying/bulk-fixture.ts';

const fees = {
  cardFee: { basisPoints: 100, fixedMinor: 30, capMinor: null },
  bankFee: { basisPoints: 0, fixedMinor: 50, capMinor: null },
};

describe('an intent', () => {
  it('prices the customer’s invoices in their order, with both fee lines and a total without fee [payments.bulk.field.intent.{id,sessionId,status,companyName,total,adjustmentsTotal,invoices,invoiceNumber,invoiceAmount}, payments.bulk.{constant.fee-card-number,constant.fee-bank-number,call.intents}, payments.bulk.field.intents.*, decisions.6.{fee-both,total-without-fee}]', async () => {
    const payer = await bulkPayer({ brand: fees });
    const [a, b] = await payer.invoices(2);
    if (a === undefined || b === undefined) throw new Error('no invoices');
    const answer = await payer.ask([b.id, a.id], { id: 'portal-1' });
    expect(answer.statusCode).toBe(200);
    const intent = answer.json().data;
    expect(intent).toEqual({
      id: 'portal-1',
      sessionId: expect.stringMatching(/^[A-Za-z]{24}$/),
      status: 2,
      error: null,
      companyName: expect.stringContaining('Reseller'),
      currency: 'USD',
      currencySymbol: '$',
      total: 220,
      adjustmentsTotal: 0,
      invoices: [
        { invoiceNumber: b.number, invoiceAmount: 110, invoiceId: b.id },
        { invoiceNumber: a.number, invoiceAmount: 110, invoiceId: a.id },
        { invoiceNumber: 'CARD_FEE', invoiceAmount: 2.5, invoiceId: null },
        { invoiceNumber: 'BANK_FEE', invoiceAmount: 0.5, invoiceId: null },
      ],
      partPayment: null,
      email: null,
      receiptOf: null,
      attempt: null,
    });
    expect(await payer.read(intent.sessionId)).toEqual(intent);
  });

  it('deducts the customer’s unapplied credit of that currency, never below 0 [decisions.6.{adjustments-credit,adjustments-total,adjustments-floor}]', async () => {
    const payer = await bulkPayer();
    const [a] = await payer.invoices(1);
    await payer.credit(3_000n);
    await payer.credit(90_000n, 'EUR');
    const of = async () => payer.intent(ids([a ?? { id: '' }]));
    expect(await of()).toMatchObject({ total: 80, adjustmentsTotal: 30 });
    await payer.credit(10_000n);
    expect(await of()).toMatchObject({ total: 0, adjustmentsTotal: 110 });
  });

  it('has the portal’s id only when it was sent, and names where a receipt would go', async () => {
    const payer = await bulkPayer({ brand: { emailReceipt: true } });
    await rows("update customer set email = 'books@mail.example' where customer_id = $1", [payer.customerId]);
    const intent = await payer.intent(ids(await payer.invoices(1)));
    expect(intent.id).toBe(intent.sessionId);
    expect(intent.email).toBe('books@mail.example');
    const silent = await bulkPayer({ brand: { emailReceipt: false } });
    await rows("update customer set email = 'books@mail.example' where customer_id = $1", [
      silent.customerId,
    ]);
    expect((await silent.intent(ids(await silent.invoices(1)))).email).toBeNull();
  });

  it.each([
    ['one that is paid', { status: 11 }, 409, 'payment.alreadyPaid'],
    ['one that is credited', { status: 12 }, 409, 'payment.credited'],
    ['one that is void', { status: 13 }, 409, 'payment.notPayable'],
    ['one that is disputed', { status: 14 }, 409, 'payment.notPayable'],
    ['a credit note', { kind: 'creditNote' as const }, 409, 'payment.notPayable'],
    ['one of nothing', { subtotalMinor: 0n, taxMinor: 0n }, 409, 'payment.notPayable'],
    ['one below zero', { subtotalMinor: -100n, taxMinor: 0n }, 409, 'payment.notPayable'],
    ['another currency', { currency: 'EUR' }, 409, 'payment.mixedCurrencies'],
  ])(
    'refuses %s beside a good one [decisions.5.currency-not-mixed-bulk]',
    async (_name, over, status, code) => {
      const payer = await bulkPayer();
      const [good] = await payer.invoices(1);
      const [bad] = await payer.invoices(1, over);
      const answer = await payer.ask(ids([good, bad].flatMap((one) => one ?? [])));
      expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
      expect(answer.json().errors).toEqual([{ path: 'invoiceIds.1', message: bad?.number }]);
      expect(await rows('select 1 from pay_session where customer_id = $1', [payer.customerId])).toEqual([]);
      // Made here without the payment or credit that goes with it: out of the books' way.
      await rows('update invoice set status = 13 where id = $1', [bad?.id]);
    },
  );

  it.each([
    ['none', () => [], 'request.invalid'],
    ['501', (id: string) => Array.from({ length: 501 }, () => id), 'request.invalid'],
    ['one twice', (id: string) => [id, id], 'request.invalid'],
    ['one twice in other letters', (id: string) => [id, id.toUpperCase()], 'request.invalid'],
    ['something else than ids', () => ['x'], 'request.invalid'],
  ])('refuses %s', async (_name, made, code) => {
    const payer = await bulkPayer();
    const [one] = await payer.invoices(1);
    const answer = await payer.ask(made(one?.id ?? ''));
    expect([answer.statusCode, answer.json().code]).toEqual([400, code]);
  });

  it('answers somebody else’s invoice and session as unknown ones', async () => {
    const [payer, other] = [await bulkPayer(), await bulkPayer()];
    const theirs = ids(await other.invoices(1));
    const session = await other.intent(theirs);
    for (const id of [theirs[0] ?? '', '0190a0a0-0000-7000-8000-000000000000']) {
      const answer = await payer.ask([...ids(await payer.invoices(1)), id]);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'invoice.notFound']);
    }
    for (const uid of [session.sessionId, 'x'.repeat(24)]) {
      const read = await payer.call('POST', `${PATH}/intents/${uid}`);
      const paying = await payer.pay(uid, token);
      for (const answer of [read, paying])
        expect([answer.statusCode, answer.json().code]).toEqual([404, 'payment.unknownIntent']);
    }
  });

  it('is 500 invoices at most, and those are paid', async () => {
    const payer = await bulkPayer();
    await rows(
      `insert into invoice (customer_id, id, reseller_id, kind, number, supplier_key, issued_on, currency, subtotal_minor,
         tax_minor, total_minor, payable_minor, status, content_hash, generated_at)
       select $1, gen_random_uuid(), $2, 'invoice', 'B-' || n, 's', '2026-01-01', 'USD', 100, 0, 100, 100, 10, '', now()
         from generate_series(1, 500) n`,
      [payer.customerId, payer.resellerId],
    );
    const all = await rows<{ id: string }>('select id from invoice where customer_id = $1', [
      payer.customerId,
    ]);
    const intent = await payer.intent(ids(all));
    expect(await payer.paid(intent.sessionId, token)).toMatchObject({ status: 'succeeded' });
    expect(await payer.money()).toEqual({ paid: 50_000, credited: 0, due: 0, held: 0 });
  });

  it('refuses a sum from 10^15 minor units on in plain words, and leaves no session behind', async () => {
    const payer = await bulkPayer();
    const bill = async (minor: bigint) =>
      (await payer.invoices(1, { subtotalMinor: minor, taxMinor: 0n }))[0]?.id ?? '';
    const most = await bill(10n ** 15n - 1n);
    const intent = await payer.intent([most]);
    expect(intent.total).toBe(9_999_999_999_999.99);
    const sessions = () => rows('select 1 from pay_session where customer_id = $1', [payer.customerId]);
    const before = await sessions();
    for (const asked of [[most, await bill(1n)], [await bill(10n ** 15n)]]) {
      const answer = await payer.ask(asked);
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'payment.notPayable']);
      expect(answer.body).toContain('This is too much to be paid at once. Nothing was charged.');
    }
    expect(await sessions()).toEqual(before);
  });

  it('an invoice of any size has its page, and stands in the list and on the statement', async () => {
    const payer = await bulkPayer();
    const [one] = await payer.invoices(1, { subtotalMinor: 10n ** 15n, taxMinor: 0n });
    const span = 'dateFrom=2020-01-01&dateTo=2030-01-01';
    for (const path of [
      `invoice/${one?.id}`,
      'invoices?pageNumber=1&pageSize=25',
      `statement?${span}`,
      'opening-balance',
    ])
      expect([path, (await payer.call('GET', `/v1/ec/${path}`)).statusCode]).toEqual([path, 200]);
    expect((await fixture.app.inject(`/v1/ec/payment/details/${one?.token}`)).json().data).toMatchObject({
      invoiceAmount: 10_000_000_000_000,
    });
  });

  it('needs payments, bulk payment and a gateway', async () => {
    const payer = await bulkPayer();
    const invoices = ids(await payer.invoices(1));
    const set = (text: string) =>
      rows(`update brand set settings = settings || $2 where reseller_id = $1`, [payer.resellerId, text]);
    for (const off of ['{"bulkPay": false}', '{"bulkPay": true, "paymentsEnabled": false}']) {
      await set(off);
      expect((await payer.ask(invoices)).json().code).toBe('area.disabled');
    }
    await set('{"paymentsEnabled": true}');
    await rows('update gateway_account set is_active = false where reseller_id = $1', [payer.resellerId]);
    expect((await payer.ask(invoices)).json().code).toBe('gateway.misconfigured');
  });

  it('is status 0 when none of its invoices can be paid any more', async () => {
    const payer = await bulkPayer();
    const [a, b] = await payer.invoices(2);
    const intent = await payer.intent(ids([a, b].flatMap((one) => one ?? [])));
    await rows('update invoice set status = 13 where id = $1', [a?.id]);
    // GET tells what was told last, and keeps no new price.
    const told = await payer.call('GET', `${PATH}/intents/${intent.sessionId}`);
    expect(told.json().data).toEqual(intent);
    expect(await payer.read(intent.sessionId)).toMatchObject({ status: 2, total: 110 });
    await rows('update invoice set status = 13 where id = $1', [b?.id]);
    expect(await payer.read(intent.sessionId)).toMatchObject({ status: 0, total: 0, invoices: [] });
    const answer = await payer.pay(intent.sessionId, token);
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'payment.quoteChanged']);
    expect(fixture.gateway.taken.size).toBe(0);
  });
});
