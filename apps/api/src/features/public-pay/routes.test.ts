import { describe, expect, it } from 'vitest';
import { fixture, moneyOf, post, rows, setUp } from '../../../test/fixtures/paying/pay-fixture.ts';
import { reconcile } from '../payments/attempts/reconcile.ts';

const details = async (token: string) =>
  (await fixture.app.inject(`/v1/ec/payment/details/${token}`)).json().data;

describe('payment details', () => {
  it('shows amount, fee and total, and what the provider needs [payments.public.field.{info.invoiceAmount,info.fee,info.InvoiceNumber,info.invoiceStatus,info.apiStatus,info.isCredited,brand.integrationType,brand.publishableKey}, payments.public.call.details]', async () => {
    const { body } = await setUp({ cardFee: { basisPoints: 150, fixedMinor: 0, capMinor: null } });
    const answer = await fixture.app.inject(`/v1/ec/payment/details/${body.uid}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json().data).toMatchObject({
      invoiceAmount: 110,
      fee: 1.65,
      total: 111.65,
      InvoiceNumber: body.invoiceNumber,
      invoiceStatus: 10,
      apiStatus: true,
      isCredited: false,
      brandSettings: { integrationType: 'Stripe', publishableKey: 'pk_test' },
    });
  });

  it('says so when the link does not exist, and when it has expired', async () => {
    const missing = await fixture.app.inject('/v1/ec/payment/details/AAAAAAAAAAAAAAAAAAAAAA');
    expect([missing.statusCode, missing.json().code]).toEqual([404, 'payLink.notFound']);
    const { body } = await setUp();
    await fixture.database.pool().query("update invoice_pay_link set expires_at = '2000-01-01'");
    const expired = await fixture.app.inject(`/v1/ec/payment/details/${body.uid}`);
    expect([expired.statusCode, expired.json().code]).toEqual([410, 'payLink.expired']);
  });

  it.each([13, 14])(
    'has nothing to pay with for an invoice of status %i, which is refused',
    async (status) => {
      const { body, invoice } = await setUp();
      await rows('update invoice set status = $2 where id = $1', [invoice.id, status]);
      expect(await details(body.uid)).toMatchObject({ invoiceStatus: status, brandSettings: null });
      const answer = await post('/v1/ec/pay', body);
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'payment.notPayable']);
    },
  );

  it('says apiStatus false when the gateway refuses its keys [decisions.11.api-status-account]', async () => {
    const { body } = await setUp();
    fixture.gateway.onVerifyCredentials = () => ({ ok: false, rights: [], why: 'bad key' });
    const answer = await fixture.app.inject(`/v1/ec/payment/details/${body.uid}`);
    expect(answer.json().data).toMatchObject({ apiStatus: false, brandSettings: null });
  });
});

describe('paying through the link', () => {
  it('takes the amount due and the fee once and marks the invoice paid [decisions.3.{field.paying.status,constant.status-succeeded}, decisions.6.fee-once, payments.public.call.pay]', async () => {
    const { customer, invoice, body } = await setUp({
      cardFee: { basisPoints: 150, fixedMinor: 0, capMinor: null },
    });
    const answer = await post('/v1/ec/pay', { ...body, invoiceAmount: '111.65', email: 'a@b.example' });
    expect(answer.json().data).toMatchObject({ status: 'succeeded' });
    const state = await moneyOf(customer.id, invoice.id);
    expect(state).toEqual({
      invoice: { status: 11, paid: '11000', held: '0' },
      captures: [{ amount: '11165', credit: '0' }],
      openClaims: 0,
    });
    const ledger = await rows<{ credit: string; n: string }>(
      'select credit, amount_minor::text as n from ledger where customer_id = $1 order by credit',
      [customer.id],
    );
    expect(ledger).toEqual([
      { credit: 'feeIncome', n: '165' },
      { credit: 'receivable', n: '11000' },
    ]);
    const jobs = await rows('select 1 from outbox where customer_id = $1', [customer.id]);
    expect(jobs).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['as a 2-decimal text', { invoiceAmount: '110.00' }],
    ['as the number that was answered', { invoiceAmount: 110, total: 110, due: 110 }],
  ])('takes the amount %s, and answers it as a number', async (_name, amounts) => {
    const { body } = await setUp();
    const answer = await post('/v1/ec/pay', { ...body, ...amounts });
    expect(answer.json().data).toMatchObject({ status: 'succeeded', amount: 110 });
    expect(await details(body.uid)).toMatchObject({
      invoiceAmount: 0,
      fee: 0,
      total: 0,
      attempt: { amount: 110 },
    });
  });

  it.each([
    ['another amount', { invoiceAmount: '1.00' }, 409, 'payment.amountChanged'],
    ['nothing', { invoiceAmount: '0.00' }, 409, 'payment.amountChanged'],
    ['half a cent', { invoiceAmount: '110.001' }, 409, 'payment.amountChanged'],
    ['another number', { invoiceAmount: 109.99 }, 409, 'payment.amountChanged'],
    ['a number of too many digits', { invoiceAmount: 110.00000001 }, 409, 'payment.amountChanged'],
    ['a number below 0', { invoiceAmount: -110 }, 400, 'request.invalid'],
    ['another invoice number', { invoiceNumber: 'X' }, 400, 'payment.invoiceMismatch'],
    ['no card', { cardToken: '' }, 400, 'payment.methodMissing'],
    ['an address that is none', { email: 'nobody' }, 400, 'payment.emailInvalid'],
    ['a NUL byte', { cardToken: 'tok\u0000' }, 400, 'request.malformed'],
  ])(
    'refuses %s without calling the gateway [decisions.3.paying-4xx, decisions.6.amount-refused]',
    async (_name, change, status, code) => {
      const { body } = await setUp();
      const before = fixture.gateway.calls.charge;
      const answer = await post('/v1/ec/pay', { ...body, ...change });
      expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
      expect(fixture.gateway.calls.charge).toBe(before);
    },
  );

  it('keeps the link of a paid invoice for thirty days, so that it can say so [decisions.6.constant.pay-link-after-payment]', async () => {
    const { body } = await setUp();
    await post('/v1/ec/pay', body);
    const days = await rows<{ days: number }>(
      'select extract(day from expires_at - $1::timestamptz)::int as days from invoice_pay_link where customer_id in (select customer_id from invoice where number = $2)',
      [fixture.clock.now(), body.invoiceNumber],
    );
    expect(days).toEqual([{ days: 30 }]);
  });

  it('refuses a paid invoice and a credited one with the specified texts', async () => {
    const paid = await setUp();
    await post('/v1/ec/pay', paid.body);
    const again = await post('/v1/ec/pay', { ...paid.body, cardToken: 'tok_other' });
    expect([again.statusCode, again.json().message]).toEqual([
      409,
      'The invoice has already been paid. No further payments required.',
    ]);
    const credited = await setUp();
    await fixture.database
      .pool()
      .query('update invoice set status = 12 where id = $1', [credited.invoice.id]);
    const refused = await post('/v1/ec/pay', credited.body);
    expect(refused.json().message).toBe('The invoice has been credited. No further payments required.');
  });

  it('tells a decline as failed, with the gateway’s words, and lets the payer try another card [decisions.3.field.paying.message, decisions.3.constant.status-failed]', async () => {
    const { customer, invoice, body } = await setUp();
    fixture.gateway.onCharge = async () => ({
      is: 'declined',
      why: { class: 'otherMethod', code: 'card_declined', text: 'Your card was declined' },
    });
    const declined = await post('/v1/ec/pay', body);
    expect(declined.json().data).toMatchObject({ status: 'failed', message: 'Your card was declined' });
    expect(await moneyOf(customer.id, invoice.id)).toMatchObject({
      invoice: { status: 10, held: '0' },
      openClaims: 0,
    });
    fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
    const second = await post('/v1/ec/pay', { ...body, cardToken: 'tok_better' });
    expect(second.json().data.status).toBe('succeeded');
  });

  it('never says failed when the outcome is unknown; the reconciler finds the charge [decisions.3.{field.paying.expected,constant.status-processing,constant.expected-seconds,failed-only-certain}]', async () => {
    const { customer, invoice, body } = await setUp();
    fixture.gateway.onCharge = async (charge) => {
      fixture.gateway.take(charge);
      return { is: 'unknown', evidence: 'time-out' };
    };
    const answer = await post('/v1/ec/pay', body);
    expect(answer.json().data).toMatchObject({ status: 'processing', expected: 'seconds' });
    const second = await post('/v1/ec/pay', { ...body, cardToken: 'tok_other' });
    expect(second.json().data.status).toBe('processing');
    fixture.clock.advance(10_000);
    await reconcile(fixture.engine);
    const info = await fixture.app.inject(`/v1/ec/payment/details/${body.uid}`);
    expect(info.json().data).toMatchObject({ invoiceStatus: 11, attempt: { status: 'succeeded' } });
    expect(fixture.gateway.taken.size).toBe(1);
    expect(await moneyOf(customer.id, invoice.id)).toMatchObject({
      captures: [{ amount: '11000' }],
      openClaims: 0,
    });
  });

  it('lets the payer try again once the gateway has proven that nothing arrived', async () => {
    const { body } = await setUp();
    fixture.gateway.onCharge = async () => ({ is: 'unknown', evidence: 'time-out before' });
    await post('/v1/ec/pay', body);
    fixture.clock.advance(10_000);
    await reconcile(fixture.engine);
    fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
    const again = await post('/v1/ec/pay', { ...body, cardToken: 'tok_again' });
    expect(again.json().data.status).toBe('succeeded');
    expect(fixture.gateway.taken.size).toBe(1);
  });

  it('answers fifty parallel tries with one charge [decisions.6.no-idempotency-key]', async () => {
    const { customer, invoice, body } = await setUp();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => post('/v1/ec/pay', { ...body, cardToken: `tok_${n % 7}` })),
    );
    const told = new Set(answers.map((answer) => answer.statusCode));
    expect([...told].every((status) => status === 200 || status === 409)).toBe(true);
    const mine = await rows<{ ref: string }>('select ref from attempt where customer_id = $1', [customer.id]);
    const charged = mine.filter(({ ref }) => fixture.gateway.taken.has(ref));
    expect(charged).toHaveLength(1);
    expect(await moneyOf(customer.id, invoice.id)).toMatchObject({
      invoice: { status: 11, paid: '11000', held: '0' },
      captures: [{ amount: '11000', credit: '0' }],
      openClaims: 0,
    });
  });

  it('answers the same Idempotency-Key with the same attempt, and refuses it for another payment [decisions.6.field.Idempotency-Key]', async () => {
    const { body } = await setUp();
    const headers = { 'idempotency-key': 'click-1' };
    const [first, second] = [
      await post('/v1/ec/pay', body, headers),
      await post('/v1/ec/pay', body, headers),
    ];
    expect(second.json().data.attemptId).toBe(first.json().data.attemptId);
    const other = await post('/v1/ec/pay', { ...body, cardToken: 'tok_other' }, headers);
    expect([other.statusCode, other.json().code]).toEqual([409, 'payment.keyReused']);
  });
});
