import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { describe, expect, it } from 'vitest';
import {
  type BulkPayer,
  bulkPayer,
  challenge,
  fixture,
  ids,
  PATH,
  rows,
  takenFrom,
  token,
} from '../../../../test/fixtures/paying/bulk-fixture.ts';

const other = { ...token, cardToken: 'tok_other' };
type Bill = Awaited<ReturnType<BulkPayer['invoices']>>[number];

/** Begins a payment that asks its payer, who goes away; what is paid after that is taken. */
async function abandon(payer: BulkPayer, bills: readonly Bill[], how = 'bulk'): Promise<string> {
  fixture.gateway.onCharge = challenge;
  const { sessionId } = await payer.intent(ids(bills));
  if (how === 'bulk') await payer.paid(sessionId, token);
  if (how === 'page') {
    fixture.gateway.onCheckout = async (charge) => ({
      is: 'requiresAction',
      action: { do: 'redirect', to: `https://pages.example/${charge.ref}` },
      remote: remoteId(`cs_${charge.ref}`),
      state: { page: charge.ref },
    });
    await payer.call('POST', `${PATH}/checkout-session/${sessionId}`);
  }
  if (how === 'link')
    await fixture.app.inject({
      method: 'POST',
      url: '/v1/ec/pay',
      payload: {
        uid: bills[0]?.token,
        invoiceAmount: '110.00',
        invoiceNumber: bills[0]?.number,
        cardToken: 'tok_link',
      },
    });
  expect(await statesOf(payer)).toEqual(['requiresAction']);
  fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
  return sessionId;
}

const statesOf = async ({ customerId }: BulkPayer) =>
  (
    await rows<{ state: string }>('select state from attempt where customer_id = $1 order by sent_at, id', [
      customerId,
    ])
  ).map(({ state }) => state);

async function codeOf(answer: ReturnType<BulkPayer['pay']>) {
  const { statusCode, body } = await answer;
  return [statusCode, JSON.parse(body).code];
}

describe('an invoice whose payment waits for its payer', () => {
  it.each(['bulk', 'page', 'link'])(
    'begun as %s: an intent leaves that alone, paying it ends that first, and one charge is made [decisions.6.abandoned-new-attempt]',
    async (how) => {
      const payer = await bulkPayer();
      const bills = await payer.invoices(1);
      await abandon(payer, bills, how);
      const closes = fixture.gateway.calls.cancel;
      const intent = await payer.intent(ids(bills));
      expect(intent).toMatchObject({ status: 2, total: 110, attempt: null });
      expect(await payer.read(intent.sessionId)).toEqual(intent);
      expect(fixture.gateway.calls.cancel).toBe(closes);
      expect(await statesOf(payer)).toEqual(['requiresAction']);
      expect(await payer.paid(intent.sessionId, other)).toMatchObject({ status: 'succeeded' });
      expect(fixture.gateway.calls.cancel - closes).toBe(1);
      expect(new Set(await statesOf(payer))).toEqual(new Set(['closed', 'succeeded']));
      expect(await takenFrom(payer.customerId)).toEqual([11_000n]);
    },
  );

  it.each([
    ['all of it', 1, [409, 'payment.alreadyPaid'], 'The invoice has already been paid.'],
    ['a part of it', 2, [409, 'payment.quoteChanged'], 'What is to be paid has changed.'],
  ] as const)(
    'paid meanwhile at the gateway, %s: the new payment is refused and nothing is charged beside it',
    async (_what, n, refusal, text) => {
      const payer = await bulkPayer();
      const bills = await payer.invoices(n);
      await abandon(payer, bills.slice(0, 1));
      const { sessionId } = await payer.intent(ids(bills));
      fixture.gateway.onCancel = async (charge) => fixture.gateway.take(charge);
      const charges = fixture.gateway.calls.charge;
      const refused = await payer.pay(sessionId, other);
      expect([refused.statusCode, refused.json().code]).toEqual(refusal);
      expect(refused.json().message).toContain(text);
      expect(fixture.gateway.calls.charge).toBe(charges);
      expect(await takenFrom(payer.customerId)).toEqual([11_000n]);
      const left = 110 * (n - 1);
      expect(await payer.read(sessionId)).toMatchObject({ status: n === 1 ? 0 : 2, total: left });
      // What is left is paid by the next press.
      if (n > 1) expect(await payer.paid(sessionId, other)).toMatchObject({ status: 'succeeded' });
      expect((await payer.money()).due).toBe(0);
    },
  );

  it('paid at its challenge before the new card is sent: refused, and nothing is charged beside it', async () => {
    const payer = await bulkPayer();
    const bills = await payer.invoices(1);
    const old = await abandon(payer, bills);
    const { sessionId } = await payer.intent(ids(bills));
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
    await payer.call('POST', `${PATH}/confirmation/result`, { reqUid: old });
    expect(await codeOf(payer.pay(sessionId, other))).toEqual([409, 'payment.alreadyPaid']);
    expect(await takenFrom(payer.customerId)).toEqual([11_000n]);
  });

  it('a part of it found paid: the same part is not taken again by the press that ended it', async () => {
    const payer = await bulkPayer({ brand: { partPayment: true } });
    const bills = await payer.invoices(1);
    const part = async () => (await payer.ask(ids(bills), { amount: '50.00' })).json().data.sessionId;
    fixture.gateway.onCharge = challenge;
    await payer.paid(await part(), token);
    fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
    const second = await part();
    fixture.gateway.onCancel = async (charge) => fixture.gateway.take(charge);
    expect(await codeOf(payer.pay(second, other))).toEqual([409, 'payment.quoteChanged']);
    expect(await takenFrom(payer.customerId)).toEqual([5_000n]);
    expect((await payer.money()).due).toBe(6_000);
  });

  it.each(['sending', 'pending', 'unknown', 'needsReview'])(
    'is not paid again once its payment is %s, and no intent is made',
    async (state) => {
      const payer = await bulkPayer();
      const bills = await payer.invoices(1);
      await abandon(payer, bills);
      const { sessionId } = await payer.intent(ids(bills));
      await rows('update attempt set state = $2 where customer_id = $1', [payer.customerId, state]);
      const closes = fixture.gateway.calls.cancel;
      expect(await codeOf(payer.ask(ids(bills)))).toEqual([409, 'payment.underWay']);
      expect(await codeOf(payer.pay(sessionId, other))).toEqual([409, 'payment.underWay']);
      expect(fixture.gateway.calls.cancel).toBe(closes);
      expect(await takenFrom(payer.customerId)).toEqual([]);
    },
  );

  it('is paid once from two tabs at once, whatever they chose of it', async () => {
    const payer = await bulkPayer();
    const bills = await payer.invoices(2);
    const old = await abandon(payer, bills);
    const tabs = [await payer.intent(ids(bills)), await payer.intent(ids(bills.slice(0, 1)))];
    const answers = await Promise.all(
      tabs.map(({ sessionId }, n) => payer.pay(sessionId, { ...token, cardToken: `tok_${n}` })),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    const charged = answers[0]?.statusCode === 200 ? 22_000n : 11_000n;
    expect(await takenFrom(payer.customerId)).toEqual([charged]);
    expect(await payer.read(old)).toMatchObject({ attempt: { status: 'failed' } });
  });

  it('of another customer is neither shown nor touched', async () => {
    const [payer, stranger] = [await bulkPayer(), await bulkPayer()];
    const [mine, theirs] = [await payer.invoices(1), await stranger.invoices(1)];
    await abandon(payer, mine);
    await abandon(stranger, theirs);
    const closes = fixture.gateway.calls.cancel;
    expect(await codeOf(payer.ask(ids([...mine, ...theirs])))).toEqual([404, 'invoice.notFound']);
    const { sessionId } = await payer.intent(ids(mine));
    expect(await payer.paid(sessionId, other)).toMatchObject({ status: 'succeeded' });
    expect(fixture.gateway.calls.cancel - closes).toBe(1);
    expect(await statesOf(stranger)).toEqual(['requiresAction']);
    expect(await takenFrom(stranger.customerId)).toEqual([]);
  });

  it('is priced with the credit that payment holds, and paid at that price', async () => {
    const payer = await bulkPayer();
    const bills = await payer.invoices(1);
    await payer.credit(3_000n);
    await abandon(payer, bills);
    expect(await payer.creditLeft()).toEqual({ balance: '3000', held: '3000' });
    const intent = await payer.intent(ids(bills));
    expect(intent).toMatchObject({ total: 80, adjustmentsTotal: 30 });
    expect(await payer.read(intent.sessionId)).toEqual(intent);
    expect(await payer.paid(intent.sessionId, other)).toMatchObject({ status: 'succeeded' });
    expect(await takenFrom(payer.customerId)).toEqual([8_000n]);
    expect(await payer.creditLeft()).toEqual({ balance: '0', held: '0' });
  });

  it('is settled by credit alone where there is enough by then', async () => {
    const payer = await bulkPayer();
    const bills = await payer.invoices(1);
    await payer.credit(3_000n);
    await abandon(payer, bills);
    await payer.credit(9_000n);
    const intent = await payer.intent(ids(bills));
    expect(intent).toMatchObject({ total: 0, adjustmentsTotal: 110 });
    expect(await payer.paid(intent.sessionId)).toMatchObject({ status: 'succeeded' });
    expect(await takenFrom(payer.customerId)).toEqual([]);
    expect(await payer.creditLeft()).toEqual({ balance: '1000', held: '0' });
    expect(await statesOf(payer)).toEqual(['closed']);
  });

  it('says so in the list and by itself, and only while it can be paid', async () => {
    const payer = await bulkPayer();
    const bills = await payer.invoices(1);
    const seen = async () => {
      const list = (await payer.call('GET', '/v1/ec/invoices')).json().data[0];
      const detail = (await payer.call('GET', `/v1/ec/invoice/${bills[0]?.id}`)).json().data;
      const pick = ({ state, canPay, waitsForPayer }: typeof list) => ({ state, canPay, waitsForPayer });
      expect(pick(detail)).toEqual(pick(list));
      return pick(list);
    };
    const set = (text: string) =>
      rows('update brand set settings = settings || $2 where reseller_id = $1', [payer.resellerId, text]);
    const state = (to: string) =>
      rows('update attempt set state = $2 where customer_id = $1', [payer.customerId, to]);
    expect(await seen()).toEqual({ state: 'open', canPay: true, waitsForPayer: false });
    await abandon(payer, bills);
    const confirmed = { state: 'beingConfirmed', canPay: false, waitsForPayer: false };
    expect(await seen()).toEqual({ state: 'open', canPay: false, waitsForPayer: true });
    await rows('update invoice set due_on = issued_on where customer_id = $1', [payer.customerId]);
    expect(await seen()).toEqual({ state: 'overdue', canPay: false, waitsForPayer: true });
    await set('{"paymentsEnabled": false}');
    expect(await seen()).toEqual(confirmed);
    await set('{"paymentsEnabled": true}');
    await state('unknown');
    expect(await seen()).toEqual(confirmed);
    await state('requiresAction');
    const { sessionId } = await payer.intent(ids(bills));
    await payer.paid(sessionId, other);
    expect(await seen()).toEqual({ state: 'paid', canPay: false, waitsForPayer: false });
  });
});
