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
import { reconcile } from '../payments/attempts/reconcile.ts';

const fees = {
  cardFee: { basisPoints: 100, fixedMinor: 0, capMinor: null },
  bankFee: { basisPoints: 0, fixedMinor: 50, capMinor: null },
};

async function ready(brand: Record<string, unknown> = {}, n = 2) {
  const payer = await bulkPayer({ brand });
  const invoices = await payer.invoices(n);
  const intent = await payer.intent(ids(invoices));
  return { payer, invoices, uid: intent.sessionId, intent };
}

describe('paying an intent', () => {
  it.each([
    ['a saved card, with the card’s fee', 'card', 22_220n, 'Visa ending 4242'],
    ['a bank account, with the bank’s fee', 'bank', 22_050n, 'Test Bank ending 6789'],
  ] as const)(
    'takes the total and the fee once by %s [payments.bulk.call.pay, payments.bulk.field.pay.{uid,cardId,answer.status}, decisions.6.total-without-fee]',
    async (_name, kind, amount, method) => {
      const { payer, uid } = await ready(fees);
      const cardId = kind === 'card' ? await payer.add('tok_mine') : await payer.bankAccount();
      const charged: unknown[] = [];
      fixture.gateway.onCharge = async (charge) => {
        charged.push(charge.source, charge.payer, charge.amount.minor, charge.fee.minor);
        return fixture.gateway.take(charge);
      };
      expect(await payer.paid(uid, { cardId })).toMatchObject({ status: 'succeeded' });
      expect(charged.slice(2)).toEqual([amount, amount - 22_000n]);
      expect(charged[0]).toMatchObject({ saved: { token: kind === 'card' ? 'tok_mine' : cardId } });
      expect(await payer.money()).toEqual({ paid: 22_000, credited: 0, due: 0, held: 0 });
      expect(await payer.read(uid)).toMatchObject({
        status: 3,
        total: 220,
        attempt: { status: 'succeeded', method, amount: Number(amount) / 100 },
      });
    },
  );

  it('takes a new card by its one-time token, which is stored nowhere, and says what it was [payments.bulk.field.pay.{cardHolder,billingAddress}]', async () => {
    const { payer, uid } = await ready();
    fixture.gateway.onCharge = async (charge) => ({
      ...(fixture.gateway.take(charge) as Extract<
        ReturnType<typeof fixture.gateway.take>,
        { is: 'succeeded' }
      >),
      shown: { type: 'card', brand: 'mastercard', last4: '4444' },
    });
    expect(await payer.paid(uid, { ...token, cardToken: 'tok_once' })).toMatchObject({ status: 'succeeded' });
    const [row] = await rows<{ text: string; method: string }>(
      'select a::text as text, method from attempt a where customer_id = $1',
      [payer.customerId],
    );
    expect(row?.method).toBe('Mastercard ending 4444');
    expect(row?.text).not.toContain('tok_once');
  });

  it('sends one receipt, to the typed address, else the customer’s [payments.bulk.field.pay.email]', async () => {
    for (const [email, to] of [
      ['typed@mail.example', 'typed@mail.example'],
      [undefined, 'books@mail.example'],
    ] as const) {
      const { payer, uid } = await ready({ emailReceipt: true });
      await rows("update customer set email = 'books@mail.example' where customer_id = $1", [
        payer.customerId,
      ]);
      expect(await payer.read(uid)).toMatchObject({ receiptOf: null });
      await payer.paid(uid, { ...token, ...(email === undefined ? {} : { email }) });
      const { receiptOf } = await payer.read(uid);
      const receipt = await payer.call('GET', `/v1/ec/payments/${receiptOf}/receipt`);
      expect([receipt.statusCode, receipt.headers['content-type']]).toEqual([200, 'application/pdf']);
      const sent = await rows("select payload->>'to' as to from outbox where customer_id = $1", [
        payer.customerId,
      ]);
      expect(sent).toEqual([{ to }]);
    }
  });

  it('tells a bank debit as submitted, is paid when the bank has confirmed, and sends the receipt then [decisions.3.constant.expected-days]', async () => {
    const { payer, uid } = await ready({ emailReceipt: true });
    const cardId = await payer.bankAccount();
    fixture.gateway.onCharge = async (charge) => ({
      is: 'pending',
      because: 'bank',
      remote: `r_${charge.ref}` as never,
      state: {},
    });
    const receipts = () => rows('select 1 from outbox where customer_id = $1', [payer.customerId]);
    const answer = await payer.paid(uid, { cardId, email: 'a@b.example' });
    expect(answer).toMatchObject({
      status: 'processing',
      expected: 'days',
      message: 'Payment submitted. Your bank usually confirms within 5 working days.',
    });
    fixture.gateway.onLookup = async (charge) => ({
      is: 'pending',
      because: 'bank',
      remote: `r_${charge.ref}` as never,
      state: {},
    });
    expect(await payer.read(uid)).toMatchObject({
      status: 5,
      attempt: { status: 'processing', expected: 'days' },
    });
    expect(
      (await payer.ask((await payer.read(uid)).invoices.flatMap((i) => i.invoiceId ?? []))).json().code,
    ).toBe('payment.underWay');
    expect(await receipts()).toEqual([]);
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
    fixture.clock.advance(3_600_000);
    await reconcile(fixture.engine);
    expect(await payer.read(uid)).toMatchObject({ status: 3 });
    expect(await receipts()).toHaveLength(1);
  });

  it('is failed with the gateway’s words, and may be tried again with another card [payments.bulk.field.intent.error]', async () => {
    const { payer, uid } = await ready();
    fixture.gateway.onCharge = async () => declined;
    expect(await payer.paid(uid, token)).toMatchObject({
      status: 'failed',
      message: 'Your card was declined',
    });
    expect(await payer.read(uid)).toMatchObject({
      status: 4,
      error: 'Your card was declined',
      attempt: { status: 'failed' },
    });
    fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
    expect(await payer.paid(uid, { ...token, cardToken: 'tok_better' })).toMatchObject({
      status: 'succeeded',
    });
    expect(await payer.read(uid)).toMatchObject({ status: 3, error: null });
    expect(await takenFrom(payer.customerId)).toEqual([22_000n]);
  });

  it('sends the browser to the bank and back to /payment-result at the brand’s host [payments.bulk.field.pay.answer.redirectToUrl, decisions.6.return-signed-in]', async () => {
    const { payer, uid } = await ready();
    fixture.gateway.onCharge = async (charge) => {
      expect(charge.returnTo).toMatch(
        new RegExp(`^http://brand${payer.resellerId}\\.localhost[^/]*/payment-result\\?req_uid=${uid}$`),
      );
      return challenge();
    };
    expect(await payer.paid(uid, token)).toMatchObject({
      status: 'requires_action',
      redirectToUrl: 'https://bank.example/challenge',
    });
    expect(await payer.read(uid)).toMatchObject({ status: 2, attempt: { status: 'requires_action' } });
  });

  it('answers Back after paying, and a second method, with the payment there is', async () => {
    const { payer, uid } = await ready();
    await payer.paid(uid, token);
    for (const cardToken of ['tok_visa', 'tok_other'])
      expect(await payer.paid(uid, { ...token, cardToken })).toMatchObject({ status: 'succeeded' });
    expect(await takenFrom(payer.customerId)).toEqual([22_000n]);
  });

  it('refuses a second payment while one is being confirmed or held, and says so', async () => {
    const { payer, uid, invoices } = await ready();
    const second = await payer.intent(ids(invoices.slice(0, 1)));
    fixture.gateway.onCharge = async () => ({ is: 'unknown', evidence: 'cut' });
    fixture.gateway.onLookup = async () => ({ is: 'inconclusive', why: 'nothing to see' });
    expect(await payer.paid(uid, token)).toMatchObject({ status: 'processing', expected: 'seconds' });
    const refused = await payer.pay(second.sessionId, token);
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'payment.underWay']);
    await rows("update attempt set state = 'needsReview' where customer_id = $1", [payer.customerId]);
    expect((await payer.pay(second.sessionId, token)).json().code).toBe('payment.underWay');
    expect(await payer.paid(uid, { ...token, cardToken: 'tok_other' })).toMatchObject({
      status: 'processing',
    });
    expect(await payer.read(uid)).toMatchObject({ status: 5 });
    expect(await takenFrom(payer.customerId)).toEqual([]);
  });
});

describe('the price', () => {
  type Case = [
    name: string,
    change: (payer: Awaited<ReturnType<typeof ready>>) => Promise<unknown>,
    next: object,
  ];
  it.each<Case>([
    [
      'one of the invoices was paid through its link',
      ({ invoices: [first] }) =>
        fixture.app.inject({
          method: 'POST',
          url: '/v1/ec/pay',
          payload: {
            uid: first?.token,
            invoiceAmount: '110.00',
            invoiceNumber: first?.number,
            cardToken: 'tok_visa',
          },
        }),
      { total: 110, invoices: [{ invoiceAmount: 110 }] },
    ],
    [
      'an amount due is another one',
      ({ invoices: [first] }) =>
        rows('update invoice set payable_minor = payable_minor + 500 where id = $1', [first?.id]),
      { total: 225 },
    ],
    ['there is credit now', ({ payer }) => payer.credit(1_000n), { total: 210, adjustmentsTotal: 10 }],
    [
      'the fee is another one',
      ({ payer }) =>
        rows(`update brand set settings = settings || '{"cardFee": {"fixedMinor": 7}}' where id = $1`, [
          payer.resellerId,
        ]),
      { total: 220, invoices: [{}, {}, { invoiceNumber: 'CARD_FEE', invoiceAmount: 0.07 }] },
    ],
  ])(
    'is refused when %s, nothing is charged, and the intent has the new one',
    async (_name, change, next) => {
      const one = await ready();
      const { payer, uid } = one;
      await change(one);
      const before = await takenFrom(payer.customerId);
      const charges = fixture.gateway.calls.charge;
      const refused = await payer.pay(uid, token);
      expect([refused.statusCode, refused.json().code]).toEqual([409, 'payment.quoteChanged']);
      expect(refused.json().message).toBe('What is to be paid has changed. Please check it and pay again');
      expect(fixture.gateway.calls.charge).toBe(charges);
      expect(await takenFrom(payer.customerId)).toEqual(before);
      const again = await payer.read(uid);
      expect(again).toMatchObject(next);
      expect(await payer.paid(uid, token)).toMatchObject({ status: 'succeeded' });
      expect((await payer.money()).due).toBe(0);
    },
  );

  it('is refused when credit was used elsewhere meanwhile', async () => {
    const payer = await bulkPayer();
    await payer.credit(5_000n);
    const [a, b] = await payer.invoices(2);
    const [first, second] = [
      await payer.intent(ids([a ?? { id: '' }])),
      await payer.intent(ids([b ?? { id: '' }])),
    ];
    expect([first.total, second.total]).toEqual([60, 60]);
    await payer.paid(first.sessionId, token);
    expect((await payer.pay(second.sessionId, token)).json().code).toBe('payment.quoteChanged');
    expect(await payer.read(second.sessionId)).toMatchObject({ total: 110, adjustmentsTotal: 0 });
    expect(await takenFrom(payer.customerId)).toEqual([6_000n]);
  });
});

it('support pays in a customer’s name, and is on record with both names first', async () => {
  const payer = await bulkPayer({ actor: 'agent@provider.example' });
  const intent = await payer.intent(ids(await payer.invoices(1)));
  expect(await payer.paid(intent.sessionId, token)).toMatchObject({ status: 'succeeded' });
  const trail = await rows<{ call: string; actor: string }>(
    "select detail->>'call' as call, actor from audit_event where customer_id = $1 order by at, id",
    [payer.customerId],
  );
  expect(trail).toContainEqual({ call: 'POST /v1/ec/payments/pay/bulk', actor: 'agent@provider.example' });
});
