import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { describe, expect, it } from 'vitest';
import { fixture, moneyOf, post, rows, setUp } from '../../../test/fixtures/paying/pay-fixture.ts';
import { rotatePayLink } from '../pay-links/service.ts';
import { reconcile } from '../payments/attempts/reconcile.ts';

const challenge = async () => ({
  is: 'requiresAction' as const,
  action: { do: 'redirect' as const, to: 'https://bank.example/challenge' },
  remote: remoteId(`r_challenge_${fixture.gateway.calls.charge}`),
  state: { id: 'pi' },
});

describe('3-D Secure', () => {
  it('sends the browser to the bank and believes the gateway, not the return address [decisions.3.{field.paying.redirectToUrl,constant.status-requires-action}]', async () => {
    const { body } = await setUp();
    fixture.gateway.onCharge = challenge;
    const asked = (await post('/v1/ec/pay', body)).json().data;
    expect(asked).toMatchObject({
      status: 'requires_action',
      redirectToUrl: 'https://bank.example/challenge',
    });
    fixture.gateway.onLookup = challenge;
    const early = await post('/v1/ec/payments/confirmation/result', {
      uid: body.uid,
      reqUid: asked.attemptId,
    });
    expect(early.json().data.status).toBe('requires_action');
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
    const done = await post('/v1/ec/payments/confirmation/result', {
      uid: body.uid,
      reqUid: asked.attemptId,
    });
    expect(done.json().data.status).toBe('succeeded');
  });

  it('answers the same request again with the open one, and cancels nothing [decisions.3.second-try]', async () => {
    const { body } = await setUp();
    fixture.gateway.onCharge = challenge;
    const closes = fixture.gateway.calls.cancel;
    const [first, second] = [await post('/v1/ec/pay', body), await post('/v1/ec/pay', body)];
    expect(second.json().data).toEqual(first.json().data);
    expect(fixture.gateway.calls.cancel).toBe(closes);
  });

  it('cancels an abandoned one at the gateway before another card is charged [decisions.6.abandoned-new-attempt]', async () => {
    const { customer, body } = await setUp();
    fixture.gateway.onCharge = challenge;
    await post('/v1/ec/pay', body);
    const closes = fixture.gateway.calls.cancel;
    fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
    const second = await post('/v1/ec/pay', { ...body, cardToken: 'tok_other' });
    expect(second.json().data.status).toBe('succeeded');
    expect(fixture.gateway.calls.cancel).toBe(closes + 1);
    const states = await rows<{ state: string }>(
      'select state from attempt where customer_id = $1 order by id',
      [customer.id],
    );
    expect(states.map((row) => row.state)).toEqual(['closed', 'succeeded']);
  });

  it('does not charge again when the abandoned one turns out to have been paid', async () => {
    const { customer, body } = await setUp();
    fixture.gateway.onCharge = challenge;
    await post('/v1/ec/pay', body);
    fixture.gateway.onCancel = async (charge) => fixture.gateway.take(charge);
    const second = await post('/v1/ec/pay', { ...body, cardToken: 'tok_other' });
    expect(second.json().data.status).toBe('succeeded');
    expect(await rows('select 1 from attempt where customer_id = $1', [customer.id])).toHaveLength(1);
  });

  it.each([
    ['the same part', '40.00', '40.00'],
    ['a part that is now all that is left', '70.00', '70.00'],
    ['all that was due', '110.00', '110.00'],
  ])(
    'abandoned, and confirmed at the bank meanwhile: a press for %s is refused and charges nothing',
    async (_what, invoiceAmount, total) => {
      const { customer, invoice, body } = await setUp({ partPayment: true });
      fixture.gateway.onCharge = challenge;
      const first = { ...body, invoiceAmount: '40.00', total: '40.00', due: '110.00' };
      const asked = (await post('/v1/ec/pay', first)).json().data;
      fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
      await post('/v1/ec/payments/confirmation/result', { uid: body.uid, reqUid: asked.attemptId });
      fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
      const charges = fixture.gateway.calls.charge;

      const press = { ...body, invoiceAmount, total, due: '110.00', cardToken: 'tok_other' };
      const answer = await post('/v1/ec/pay', press);
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'payment.amountChanged']);
      expect(fixture.gateway.calls.charge).toBe(charges);
      const books = await moneyOf(customer.id, invoice.id);
      expect(books).toMatchObject({ invoice: { paid: '4000', held: '0' }, openClaims: 0 });
      expect(books.captures).toHaveLength(1);
      // Whoever has seen what is left may pay it.
      const seen = { ...press, invoiceAmount: '70.00', total: '70.00', due: '70.00' };
      expect((await post('/v1/ec/pay', seen)).json().data).toMatchObject({
        status: 'succeeded',
        amount: 70,
      });
    },
  );

  it('abandoned, and found paid by the press itself: the press is answered with that part', async () => {
    const { customer, body } = await setUp({ partPayment: true });
    fixture.gateway.onCharge = challenge;
    const part = { ...body, invoiceAmount: '40.00', total: '40.00', due: '110.00' };
    const first = (await post('/v1/ec/pay', part)).json().data;
    fixture.gateway.onCancel = async (charge) => fixture.gateway.take(charge);
    const press = { ...part, invoiceAmount: '70.00', total: '70.00', cardToken: 'tok_other' };
    expect((await post('/v1/ec/pay', press)).json().data).toMatchObject({
      status: 'succeeded',
      amount: 40,
      attemptId: first.attemptId,
    });
    expect(await rows('select 1 from capture where customer_id = $1', [customer.id])).toHaveLength(1);
  });

  it('cancels an abandoned one after half an hour', async () => {
    const { customer, body } = await setUp();
    fixture.gateway.onCharge = challenge;
    await post('/v1/ec/pay', body);
    fixture.clock.advance(31 * 60_000);
    await reconcile(fixture.engine);
    const states = await rows<{ state: string }>('select state from attempt where customer_id = $1', [
      customer.id,
    ]);
    expect(states).toEqual([{ state: 'closed' }]);
  });

  it('refuses an attempt of another link', async () => {
    const one = await setUp();
    fixture.gateway.onCharge = challenge;
    const asked = (await post('/v1/ec/pay', one.body)).json().data;
    const other = await setUp();
    const answer = await post('/v1/ec/payments/confirmation/result', {
      uid: other.body.uid,
      reqUid: asked.attemptId,
    });
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'payment.unknownAttempt']);
  });
});

describe('3-D Secure through a link that is over meanwhile', () => {
  type Made = Awaited<ReturnType<typeof setUp>>;
  const confirm = (uid: string, reqUid: string) =>
    post('/v1/ec/payments/confirmation/result', { uid, reqUid });
  const rotate = ({ customer, invoice }: Made) =>
    fixture.deps.databases.web.transaction((tx) =>
      rotatePayLink(tx, fixture.deps.secrets, {
        customerId: customer.id,
        invoiceId: invoice.id,
        dueOn: null,
        now: fixture.clock.now(),
      }),
    );
  const expire = ({ invoice }: Made) =>
    rows('update invoice_pay_link set expires_at = $2 where invoice_id = $1', [
      invoice.id,
      fixture.clock.now(),
    ]);

  async function atTheBank() {
    const made = await setUp();
    fixture.gateway.onCharge = challenge;
    fixture.gateway.onLookup = challenge;
    const { attemptId, reference } = (await post('/v1/ec/pay', made.body)).json().data;
    return { made, attemptId, reference };
  }

  it.each([
    ['replaced', rotate],
    ['past its time', expire],
  ])('%s: the payer is told how it ended, and nothing of the invoice', async (_how, end) => {
    const { made, attemptId, reference } = await atTheBank();
    await end(made);
    expect((await fixture.app.inject(`/v1/ec/payment/details/${made.body.uid}`)).statusCode).toBe(410);
    const open = await confirm(made.body.uid, attemptId);
    expect(open.json()).toEqual({
      data: { status: 'requires_action', attemptId, reference, at: expect.any(String) },
    });
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
    const done = await confirm(made.body.uid, attemptId);
    expect(done.json()).toEqual({
      data: { status: 'succeeded', attemptId, reference, at: expect.any(String) },
    });
    expect((await moneyOf(made.customer.id, made.invoice.id)).invoice).toMatchObject({ status: 11 });
  });

  it('tells nothing of an attempt of another invoice, or of the link after it', async () => {
    const { made, attemptId } = await atTheBank();
    const other = await setUp();
    await rotate(other);
    const foreign = await confirm(other.body.uid, attemptId);
    expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'payment.unknownAttempt']);

    const uid = await rotate(made);
    fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
    const later = (await post('/v1/ec/pay', { ...made.body, uid, cardToken: 'tok_other' })).json().data;
    expect(later.status).toBe('succeeded');
    expect((await confirm(made.body.uid, later.attemptId)).statusCode).toBe(404);
    expect((await confirm(uid, later.attemptId)).json().data).toMatchObject({ amount: 110 });
  });
});

describe('money that comes late or short', () => {
  it('books money for an ended attempt as the customer’s credit [decisions.6.end-never-changes]', async () => {
    const { customer, body } = await setUp();
    fixture.gateway.onCharge = async () => ({
      is: 'declined',
      why: { class: 'retryLater', code: 'x', text: 'Your card was declined' },
    });
    const { attemptId } = (await post('/v1/ec/pay', body)).json().data;
    const { settle } = await import('../payments/attempts/settle.ts');
    const [row] = await rows<{ ref: string }>('select ref from attempt where id = $1', [attemptId]);
    const { money } = await import('@counterfoil/domain/money/money.ts');
    const late = {
      is: 'succeeded',
      remote: remoteId(`late_${row?.ref}`),
      captured: money(11_000n, 'USD'),
      state: {},
    } as const;
    const key = { customerId: customer.id, attemptId };
    expect((await settle(fixture.engine, key, late, 'webhook')).state).toBe('declined');
    await settle(fixture.engine, key, late, 'webhook');
    const captures = await rows(
      'select amount_minor::text as a, to_credit_minor::text as c from capture where customer_id = $1',
      [customer.id],
    );
    expect(captures).toEqual([{ a: '11000', c: '11000' }]);
  });

  it('takes what was captured, not what was asked: the invoice stays open for the rest [decisions.6.part-payment-ledger]', async () => {
    const { customer, invoice, body } = await setUp();
    const { money } = await import('@counterfoil/domain/money/money.ts');
    fixture.gateway.onCharge = async (charge) => ({
      is: 'succeeded',
      remote: remoteId(`p_${charge.ref}`),
      captured: money(4_000n, 'USD'),
      state: {},
    });
    await post('/v1/ec/pay', body);
    expect(await moneyOf(customer.id, invoice.id)).toMatchObject({
      invoice: { status: 10, paid: '4000', held: '0' },
    });
  });
});
