import { money } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import { bulkPayer, fixture, ids, rows, token } from '../../../test/fixtures/paying/bulk-fixture.ts';
import { mailReceipts } from '../../../test/fixtures/paying/receipts.ts';
import { webhookProgram } from '../../../test/fixtures/webhooks/webhook-program.ts';
import { findPayment, listPayments } from '../admin-payments/queries.ts';
import { reconcile } from './attempts/reconcile.ts';
import { receiptOf } from './receipts/receipt-service.ts';

/** A gateway may take less, or more, than it was asked for: everybody is told what was taken, and what is still due. */
const brand = { cardFee: { basisPoints: 150, fixedMinor: 0, capMinor: null }, emailReceipt: true };
/** What the gateway takes of every charge from now on. */
const takes = (minor: bigint) => {
  fixture.gateway.onCharge = async (charge) => {
    const taken = fixture.gateway.take({ ...charge, amount: money(minor, charge.amount.currency) });
    return taken;
  };
  fixture.gateway.onLookup = (charge) => fixture.gateway.onCharge(charge, async () => undefined);
};

/** An invoice of 110.00 with its link; with the card's fee it costs 111.65. */
async function linked(settings: Record<string, unknown> = {}) {
  const payer = await bulkPayer({ brand: { ...brand, ...settings } });
  const [invoice] = await payer.invoices(1);
  if (invoice === undefined) throw new Error('there is no invoice');
  const body = {
    uid: invoice.token,
    invoiceAmount: '110.00',
    invoiceNumber: invoice.number,
    cardToken: 'tok_visa',
    email: 'payer@mail.example',
  };
  const pay = (over: object = {}) =>
    fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', payload: { ...body, ...over } });
  const details = async () =>
    (await fixture.app.inject(`/v1/ec/payment/details/${invoice.token}`)).json().data;
  return { payer, invoice, body, pay, details };
}

const facts = (text: string | undefined) => (text ?? '').replace(/\s+/g, ' ');

describe('a payment by link of which another amount was taken than was asked for', () => {
  it.each([
    ['a part', 5_000n, { amount: 50, asked: 111.65, stillDue: 60 }, 10, 60],
    ['the invoice and a part of the fee', 11_050n, { amount: 110.5, asked: 111.65, stillDue: 0 }, 11, 0],
    ['the invoice without the fee', 11_000n, { amount: 110, asked: 111.65, stillDue: 0 }, 11, 0],
    ['more', 12_000n, { amount: 120, asked: 111.65, stillDue: 0, keptAsCredit: 8.35 }, 11, 0],
  ])(
    '%s: payer, page, mail, statement, webhook and operator are told so [decisions.11.captured-{payer,mail,statement,webhooks}]',
    async (_what, minor, told, status, due) => {
      takes(minor);
      const { payer, invoice, pay, details } = await linked();
      const program = await webhookProgram(fixture, payer.resellerId);
      await program.listen();
      const answer = (await pay()).json().data;
      expect(answer).toMatchObject({ status: 'succeeded', ...told });
      // What was taken of the fee is no part of what is owed.
      const fee = minor === 11_050n ? 0.5 : minor === 12_000n ? 1.65 : 0;
      const message = (await program.told()).find(({ type }) => type === 'payment.succeeded');
      expect(message?.data).toMatchObject({ amount: '111.65', captured: told.amount.toFixed(2) });
      const { entries } = (
        await payer.call('GET', '/v1/ec/statement?dateFrom=2026-01-01&dateTo=2026-12-31')
      ).json().data;
      expect(entries.find(({ kind }: { kind: string }) => kind === 'payment')).toMatchObject({
        amount: fee - told.amount,
      });
      expect(await details()).toMatchObject({
        invoiceStatus: status,
        invoiceAmount: due,
        attempt: { status: 'succeeded', amount: told.amount, asked: 111.65 },
      });
      const [mail] = await mailReceipts(fixture, payer.customerId);
      const decimal = (amount: number) => amount.toFixed(2);
      const text = facts(mail?.text);
      expect(text).toContain(`You paid $${decimal(told.amount)} to`);
      expect(text).toContain('Asked for: $111.65');
      const stillToPay = `Still to pay of Invoice ${invoice.number}: $${decimal(due)}`;
      if (due > 0) {
        expect(text).toContain(stillToPay);
        expect(text).toContain(`/pay/${invoice.token}`);
      } else expect(text).not.toMatch(/Still to pay|\/pay\//);
      const operator = await findPayment(fixture.deps.databases.web, answer.reference);
      expect(operator).toMatchObject({
        amount: '111.65',
        captured: decimal(told.amount),
        capturedFee: fee.toFixed(2),
      });
    },
  );

  it('says nothing of another amount where all was taken', async () => {
    const { payer, pay, details } = await linked();
    const answer = (await pay()).json().data;
    expect(answer).toMatchObject({ amount: 111.65, stillDue: 0 });
    expect(answer).not.toHaveProperty('asked');
    expect((await details()).attempt).toMatchObject({ amount: 111.65, asked: null });
    const [mail] = await mailReceipts(fixture, payer.customerId);
    expect(facts(mail?.text)).not.toMatch(/Asked for|Still to pay|Pay the rest/);
  });

  it('of a part: the same press again answers it, and what is left can be paid', async () => {
    takes(5_000n);
    const { payer, pay } = await linked();
    const first = (await pay()).json().data;
    expect((await pay()).json().data).toEqual(first);
    takes(6_090n);
    const rest = (await pay({ invoiceAmount: '60.00', cardToken: 'tok_rest' })).json().data;
    expect(rest).toMatchObject({ status: 'succeeded', amount: 60.9, stillDue: 0 });
    expect(await payer.money()).toMatchObject({ due: 0, held: 0 });
  });

  it('is no payment that never arrived, when it is found out about only later', async () => {
    const { pay, details } = await linked();
    fixture.gateway.onCharge = async () => ({ is: 'unknown', evidence: 'cut' });
    fixture.gateway.onLookup = async () => ({ is: 'inconclusive', why: 'nothing to see' });
    const { attemptId } = (await pay()).json().data;
    takes(5_000n);
    fixture.clock.advance(60_000);
    await reconcile(fixture.engine);
    expect(await details()).toMatchObject({
      invoiceStatus: 10,
      invoiceAmount: 60,
      attempt: { id: attemptId, status: 'succeeded', amount: 50, asked: 111.65 },
    });
    const result = await fixture.app.inject({
      method: 'POST',
      url: '/v1/ec/payments/confirmation/result',
      payload: { reqUid: attemptId, uid: (await details()).uid },
    });
    expect(result.json().data).toMatchObject({
      status: 'succeeded',
      amount: 50,
      asked: 111.65,
      stillDue: 60,
    });
  });

  it('has a receipt that says the same after the rest was paid [decisions.11.captured-receipt]', async () => {
    takes(5_000n);
    const { payer, invoice, pay } = await linked();
    const { attemptId } = (await pay()).json().data;
    const paper = () =>
      receiptOf(
        { db: fixture.deps.databases.web, publicUrl: new URL('http://localhost:3000') },
        payer.customerId,
        attemptId,
      );
    const before = await paper();
    takes(6_090n);
    await pay({ invoiceAmount: '60.00', cardToken: 'tok_rest' });
    expect(await paper()).toEqual(before);
    const { headline, blocks } = before.letter;
    expect(headline).toMatchObject({ caption: 'Paid in part', amount: '$50.00' });
    expect(blocks[0]).toMatchObject({
      rows: [
        { cells: [`Invoice ${invoice.number}`, expect.any(String), '$60.00 still to pay', '$50.00'] },
        { cells: ['Total paid', '', '', '$50.00'] },
      ],
    });
    expect(blocks.find(({ kind }) => kind === 'columns')).toMatchObject({
      columns: [
        {},
        {},
        { lines: ['Still to pay:', `Invoice ${invoice.number}: $60.00`, 'Asked for: $111.65'] },
      ],
    });
  });

  it('is listed for the operator with what was taken', async () => {
    takes(5_000n);
    const { payer, pay } = await linked();
    await pay();
    const filter = { customerId: payer.customerId, limit: 10 };
    expect(await listPayments(fixture.deps.databases.web, filter)).toMatchObject([
      { state: 'succeeded', amount: '111.65', fee: '1.65', captured: '50.00', capturedFee: '0.00' },
    ]);
  });
});

describe('a payment of several invoices of which less was taken', () => {
  async function paid(minor: bigint, creditMinor = 0n) {
    takes(minor);
    const payer = await bulkPayer({ brand });
    if (creditMinor > 0n) await payer.credit(creditMinor);
    const invoices = await payer.invoices(2);
    const { sessionId } = await payer.intent(ids(invoices));
    const answer = await payer.paid(sessionId, { ...token, email: 'jo@mail.example' });
    return { payer, invoices, sessionId, answer };
  }
  const lines = (intent: { invoices: readonly { invoiceId: string | null }[] }) =>
    intent.invoices.toSorted((a, b) => String(a.invoiceId).localeCompare(String(b.invoiceId)));

  it('tells what each got and what is still due of each, also by the page it is come back to', async () => {
    const { payer, sessionId, answer, invoices } = await paid(15_000n);
    expect(answer).toMatchObject({ status: 'succeeded', amount: 150, asked: 223.3, stillDue: 70 });
    const intent = await payer.read(sessionId);
    expect(intent).toMatchObject({
      status: 3,
      total: 150,
      adjustmentsTotal: 0,
      attempt: { status: 'succeeded', amount: 150, asked: 223.3 },
    });
    // Invoices are filled in the order of their ids.
    expect(lines(intent)).toMatchObject([
      { invoiceAmount: 110, stillDue: 0 },
      { invoiceAmount: 40, stillDue: 70 },
    ]);
    const result = await payer.call('POST', '/v1/ec/payments/confirmation/result', { reqUid: sessionId });
    expect(result.json().data).toMatchObject({ amount: 150, stillDue: 70 });
    const [mail] = await mailReceipts(fixture, payer.customerId);
    const open = invoices.toSorted((a, b) => a.id.localeCompare(b.id)).at(-1);
    expect(facts(mail?.text)).toContain(`Still to pay of Invoice ${open?.number}: $70.00`);
    // The same session is not paid again; what is left is another one's.
    expect(await payer.paid(sessionId, token)).toEqual(answer);
    const rest = await payer.intent(ids(invoices).filter((id) => id === open?.id));
    expect(rest.total).toBe(70);
  });

  it('with credit: what credit paid counts for its invoice, and an invoice that got nothing is named', async () => {
    const { payer, sessionId } = await paid(5_000n, 3_000n);
    const intent = await payer.read(sessionId);
    expect(intent).toMatchObject({ total: 50, adjustmentsTotal: 30 });
    expect(lines(intent)).toMatchObject([
      { invoiceAmount: 80, stillDue: 30 },
      { invoiceAmount: 0, stillDue: 110 },
    ]);
    const [mail] = await mailReceipts(fixture, payer.customerId);
    expect(facts(mail?.text).match(/Still to pay of Invoice/g)).toHaveLength(2);
    expect(facts(mail?.text)).toContain('/invoices');
  });

  it('is not called paid by the gateway’s own page', async () => {
    const { payer, sessionId } = await paid(5_000n);
    fixture.gateway.onCheckout = async () => ({ is: 'unknown', evidence: 'never' });
    const page = await payer.call('GET', `/v1/ec/payments/checkout-session/${sessionId}`);
    expect(page.json().code).toBe('payment.quoteChanged');
    expect(await rows('select 1 from attempt where customer_id = $1', [payer.customerId])).toHaveLength(1);
  });
});
