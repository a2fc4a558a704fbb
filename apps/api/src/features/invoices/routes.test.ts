import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import { describe, expect, it } from 'vitest';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { readPdf } from '../../pdf/read-pdf.ts';

const fixture = useFixture();
const addLine = (customerId: string, invoiceId: string, no: number, name: string, minor: bigint) =>
  fixture.database.pool().query(
    `insert into invoice_line (customer_id, id, invoice_id, line_no, kind, product_name, quantity, price, currency, amount_minor)
     values ($1, gen_random_uuid(), $2, $3, 'line', $4, 1, $5::numeric / 100, 'USD', $5)`,
    [customerId, invoiceId, no, name, minor],
  );

describe('GET /v1/ec/invoices', () => {
  it('lists newest first with amount, amount due, state and pay token [portal.invoices.call.list, decisions.3.invoices-newest-first]', async () => {
    const { customer, get } = await signedIn(fixture);
    await fixture.seedPayable(customer, { number: 'A-1', issuedOn: '2026-01-01', dueOn: '2026-01-15' });
    await fixture.seedPayable(customer, { number: 'A-2', issuedOn: '2026-02-01', dueOn: '2026-03-15' });
    const answer = await get('/v1/ec/invoices');
    expect(answer.json().data).toMatchObject([
      { number: 'A-2', amount: 110, amountDue: 110, state: 'open', canPay: true, paid: false, status: 10 },
      { number: 'A-1', state: 'overdue', canPay: true, payToken: expect.stringMatching(/^[\w-]{22}$/) },
    ]);
  });

  it('pages with the total beside the data [decisions.3.field.invoices.pageNumber, decisions.3.field.invoices.pageSize, decisions.3.field.invoices.totalCount]', async () => {
    const { customer, get } = await signedIn(fixture);
    for (let n = 1; n <= 3; n += 1) await fixture.seedPayable(customer, { issuedOn: `2026-01-0${n}` });
    const answer = await get('/v1/ec/invoices?pageNumber=2&pageSize=2');
    expect([answer.json().data.length, answer.json().totalCount]).toEqual([1, 3]);
    expect((await get('/v1/ec/invoices?pageNumber=0')).statusCode).toBe(400);
    expect((await get('/v1/ec/invoices?pageSize=1000000')).statusCode).toBe(400);
  });

  it('shows a credit note with a minus and no Pay [decisions.5.credits-same-table, decisions.5.credits-minus]', async () => {
    const { customer, get } = await signedIn(fixture);
    await fixture.make.invoice({
      customerId: customer.id,
      resellerId: customer.resellerId,
      kind: 'creditNote',
      subtotalMinor: -5_000n,
      taxMinor: 0n,
    });
    expect((await get('/v1/ec/invoices')).json().data).toMatchObject([
      { kind: 'creditNote', amount: -50, amountDue: 0, canPay: false },
    ]);
  });
});

describe('GET /v1/ec/invoice/{id}', () => {
  it('answers lines, and 404 for another customer’s invoice and an unknown one alike [portal.invoice-detail.call.invoice, decisions.field.3.invoice.lines]', async () => {
    const mine = await signedIn(fixture);
    const invoice = await fixture.seedPayable(mine.customer);
    await addLine(mine.customer.id, invoice.id, 1, 'Business Mobile', 10_000n);
    const answer = await mine.get(`/v1/ec/invoice/${invoice.id}`);
    expect(answer.json().data).toMatchObject({
      number: invoice.number,
      subtotal: 100,
      tax: 10,
      total: 110,
      lines: [{ product: 'Business Mobile', amount: 100, quantity: 1 }],
    });
    const other = await signedIn(fixture);
    const unknown = '019364b2-7a00-7000-8000-000000000000';
    for (const path of ['/v1/ec/invoice/', '/v1/ec/invoices/']) {
      const foreign = await other.get(path + invoice.id);
      expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'invoice.notFound']);
      expect((await other.get(path + unknown)).statusCode).toBe(404);
    }
    expect((await mine.get('/v1/ec/invoice/nonsense')).statusCode).toBe(400);
  });

  it('leaves out more lines than are asked for at most; they are read by the page, and only by their customer [decisions.11.lists-page]', async () => {
    const mine = await signedIn(fixture);
    const [invoice, other] = [
      await fixture.seedPayable(mine.customer),
      await fixture.seedPayable(mine.customer),
    ];
    for (const no of [3, 1, 2]) await addLine(mine.customer.id, invoice.id, no, `Line ${no}`, 100n);
    await addLine(mine.customer.id, other.id, 1, 'Of another', 100n);
    const detail = async (query: string) =>
      (await mine.get(`/v1/ec/invoice/${invoice.id}${query}`)).json().data;
    expect(await detail('?linesMost=2')).toMatchObject({
      lines: [],
      usage: [],
      linesLeftOut: true,
      total: 110,
    });
    const whole = await detail('?linesMost=3');
    expect(whole).toEqual(await detail(''));
    const page = async (of: string, query: string) =>
      (await mine.get(`/v1/ec/invoice/${of}/lines${query}`)).json();
    expect(await page(invoice.id, '')).toEqual({ data: whole.lines, totalCount: 3 });
    expect(await page(invoice.id, '?pageNumber=2&pageSize=2')).toEqual({
      data: whole.lines.slice(2),
      totalCount: 3,
    });
    const { id } = whole.lines[1];
    expect(await page(invoice.id, `?ids=${id}`)).toEqual({ data: [whole.lines[1]], totalCount: 1 });
    expect(await page(other.id, `?ids=${id}`)).toEqual({ data: [], totalCount: 0 });
    const stranger = await signedIn(fixture);
    const foreign = await stranger.get(`/v1/ec/invoice/${invoice.id}/lines`);
    expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'invoice.notFound']);
  });
});

describe('files of an invoice', () => {
  it('gives the PDF under its specified name [portal.format.constant.invoice-pdf, portal.invoices.call.pdf]', async () => {
    const { customer, get } = await signedIn(fixture);
    const invoice = await fixture.seedPayable(customer, { number: 'INV/1' });
    const answer = await get(`/v1/ec/invoices/${invoice.id}`);
    expect(answer.headers['content-type']).toBe('application/pdf');
    expect(answer.headers['content-disposition']).toContain('invoice_INV_1.pdf');
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it.each([
    ['void', `status = ${InvoiceStatus.VOID}`, /Amount due\s+\$0\.00\s+Void/, /Payment slip|\/pay\//],
    [
      'paid in part by credit',
      'credited_minor = 2500',
      /Credit used\s+−\$25\.00\s+Amount due by [\d.]+\s+\$85\.00/,
      /Void/,
    ],
  ])('shows on paper what is due of one that is %s', async (_name, change, shown, hidden) => {
    const { customer, get } = await signedIn(fixture);
    const invoice = await fixture.seedPayable(customer);
    await fixture.database.pool().query(`update invoice set ${change} where id = $1`, [invoice.id]);
    const { text } = await readPdf((await get(`/v1/ec/invoices/${invoice.id}`)).rawPayload);
    expect(text).toMatch(shown);
    expect(text).not.toMatch(hidden);
  });

  it('gives the usage as CSV under its specified name [portal.format.constant.csv-invoice-usage]', async () => {
    const { customer, get } = await signedIn(fixture);
    const invoice = await fixture.seedPayable(customer, { number: 'U-1' });
    const answer = await get(`/v1/ec/invoice/${invoice.id}/usage.csv`);
    expect(answer.headers['content-disposition']).toContain('U-1_usage.csv');
    expect(answer.body.split('\r\n')[0]).toBe(
      '"Service Item","Service","Record Type","Quantity","Amount","Tax","Total","Unit"',
    );
  });
});
