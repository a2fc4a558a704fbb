import { newToken } from '@counterfoil/domain/text/ids.ts';
import { describe, expect, it } from 'vitest';
import { fixture, post, rows, setUp } from '../../../test/fixtures/paying/pay-fixture.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { nodesOf, readPdf } from '../../pdf/read-pdf.ts';
import { rotatePayLink } from '../pay-links/service.ts';

const invoiceOf = (token: string) => fixture.app.inject(`/v1/ec/payment/invoice/${token}`);
const receiptOf = (token: string, id: string) => fixture.app.inject(`/v1/ec/payment/receipt/${token}/${id}`);
const codeOf = (answer: { readonly statusCode: number; readonly json: () => { code?: string } }) => [
  answer.statusCode,
  answer.json().code,
];

async function textOf(bytes: Uint8Array): Promise<string> {
  const { pages } = await readPdf(bytes);
  return pages
    .flatMap(({ structure }) => [...nodesOf(structure, 'P'), ...nodesOf(structure, 'TR')])
    .flatMap((node) => [node.text, ...node.children.map(({ text }) => text)])
    .join(' ');
}

describe('the invoice of a pay link', () => {
  it('is the one the customer sees, signed in, as a file with its name', async () => {
    const { customer, get } = await signedIn(fixture);
    const invoice = await fixture.seedPayable(customer);
    const byLink = await invoiceOf(invoice.token);
    const own = await get(`/v1/ec/invoices/${invoice.id}`);
    expect([byLink.statusCode, own.statusCode]).toEqual([200, 200]);
    expect(byLink.headers['content-type']).toBe('application/pdf');
    expect(byLink.headers['content-disposition']).toContain(
      `attachment; filename="invoice_${invoice.number}.pdf"`,
    );
    expect(byLink.rawPayload.equals(own.rawPayload)).toBe(true);
    expect(await textOf(byLink.rawPayload)).toContain(invoice.number);
  });

  it('can still be had when it is paid, and where the brand takes no payments', async () => {
    const { body } = await setUp();
    expect((await post('/v1/ec/pay', body)).json().data.status).toBe('succeeded');
    expect((await invoiceOf(body.uid)).statusCode).toBe(200);
    const closed = await setUp({ paymentsEnabled: false });
    expect((await invoiceOf(closed.body.uid)).statusCode).toBe(200);
  });

  it.each([
    ['nobody has', 404, 'payLink.notFound', async () => newToken(16)],
    [
      'was replaced',
      410,
      'payLink.expired',
      async ({ customer, invoice, body }: Awaited<ReturnType<typeof setUp>>) => {
        const link = {
          customerId: customer.id,
          invoiceId: invoice.id,
          dueOn: null,
          now: fixture.clock.now(),
        };
        await fixture.deps.databases.web.transaction((tx) => rotatePayLink(tx, fixture.deps.secrets, link));
        return body.uid;
      },
    ],
    [
      'is past its time',
      410,
      'payLink.expired',
      async ({ invoice, body }: Awaited<ReturnType<typeof setUp>>) => {
        await rows('update invoice_pay_link set expires_at = $2 where invoice_id = $1', [
          invoice.id,
          fixture.clock.now(),
        ]);
        return body.uid;
      },
    ],
  ])('is answered like the page itself for a link that %s', async (_which, status, code, tokenOf) => {
    const made = await setUp();
    const { attemptId } = (await post('/v1/ec/pay', made.body)).json().data;
    const token = await tokenOf(made);
    const page = await fixture.app.inject(`/v1/ec/payment/details/${token}`);
    expect(codeOf(page)).toEqual([status, code]);
    expect(codeOf(await invoiceOf(token))).toEqual([status, code]);
    expect(codeOf(await receiptOf(token, attemptId))).toEqual([status, code]);
  });
});

describe('the receipt of a payment by link', () => {
  it('names what was paid, and is offered by the details once it is there', async () => {
    const { body } = await setUp();
    const { attemptId, reference } = (await post('/v1/ec/pay', body)).json().data;
    const details = (await fixture.app.inject(`/v1/ec/payment/details/${body.uid}`)).json().data;
    expect(details.attempt).toMatchObject({ id: attemptId, hasReceipt: true });
    const receipt = await receiptOf(body.uid, attemptId);
    expect(receipt.statusCode).toBe(200);
    expect(receipt.headers['content-disposition']).toContain(
      `attachment; filename="Receipt_${reference}.pdf"`,
    );
    const text = await textOf(receipt.rawPayload);
    expect(text).toContain(reference);
    expect(text).toContain(body.invoiceNumber);
  });

  it('of a part names that part', async () => {
    const { body } = await setUp({ partPayment: true });
    const part = { ...body, invoiceAmount: '40.00', due: '110.00' };
    const { attemptId } = (await post('/v1/ec/pay', part)).json().data;
    expect(await textOf((await receiptOf(body.uid, attemptId)).rawPayload)).toContain('40.00');
  });

  it('is none while nothing is paid, and for a payment of another invoice of the same customer', async () => {
    const { customer, body } = await setUp();
    fixture.gateway.onCharge = async () => ({ is: 'unknown', evidence: 'time-out' });
    fixture.gateway.onLookup = async () => ({ is: 'inconclusive', why: 'test' });
    const { attemptId } = (await post('/v1/ec/pay', body)).json().data;
    const details = (await fixture.app.inject(`/v1/ec/payment/details/${body.uid}`)).json().data;
    expect(details.attempt).toMatchObject({ id: attemptId, hasReceipt: false });
    expect(codeOf(await receiptOf(body.uid, attemptId))).toEqual([404, 'payment.unknownAttempt']);

    fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
    const other = await fixture.seedPayable(customer);
    const paid = await post('/v1/ec/pay', {
      ...body,
      uid: other.token,
      invoiceNumber: other.number,
      cardToken: 'tok_other',
    });
    const otherId = paid.json().data.attemptId;
    expect((await receiptOf(other.token, otherId)).statusCode).toBe(200);
    expect(codeOf(await receiptOf(body.uid, otherId))).toEqual([404, 'payment.unknownAttempt']);
  });

  it('is none for a payment of several invoices: it would name the others', async () => {
    const { customer, invoice, body } = await setUp();
    const { attemptId } = (await post('/v1/ec/pay', body)).json().data;
    const other = await fixture.seedPayable(customer);
    await rows(
      `insert into claim (customer_id, invoice_id, attempt_id, amount_minor, is_open)
       select customer_id, $3, attempt_id, amount_minor, false from claim
        where customer_id = $1 and invoice_id = $2`,
      [customer.id, invoice.id, other.id],
    );
    expect(codeOf(await receiptOf(body.uid, attemptId))).toEqual([404, 'payment.unknownAttempt']);
    const details = (await fixture.app.inject(`/v1/ec/payment/details/${body.uid}`)).json().data;
    expect(details.attempt.hasReceipt).toBe(false);
  });
});
