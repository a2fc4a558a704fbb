import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { hashPassword } from '../auth/passwords/passwords.ts';
import { ensureMonths } from '../usage/months/months.ts';

const fixture = useFixture();
const PASSWORD = 'Ledger!2026';
let passwordHash = '';

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});

const query = (text: string, values: readonly unknown[]) => fixture.database.pool().query(text, [...values]);

/** A signed-in user of one customer with one unpaid invoice of 100.00 and 10.00 tax. */
async function seed() {
  const { customer, reseller } = await fixture.seedPayer();
  const user = await fixture.make.user({ resellerId: reseller.id, passwordHash, customerIds: [customer.id] });
  const invoice = await fixture.seedPayable(customer, { number: 'F-1' });
  const answer = await fixture.app.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      grant_type: 'password',
      client_id: 'counterfoil-portal',
      username: user.email,
      password: PASSWORD,
    }).toString(),
  });
  const headers = { authorization: `Bearer ${answer.json().access_token}` };
  const get = async (url: string) => (await fixture.app.inject({ url, headers })).json().data;
  return { customer, reseller, invoice, get };
}

/** A line that bills three records: two national, one international; 7.03 and 0.70 tax. */
async function addUsage(customerId: string, resellerId: number, invoiceId: string): Promise<void> {
  await ensureMonths(fixture.deps.databases.jobs, ['2026-01-01']);
  const [line, service, national, international, item] = Array.from({ length: 5 }, () => randomUUID());
  await query('insert into service (id, reseller_id, code, name) values ($1, $2, $3, $4)', [
    service,
    resellerId,
    'voice',
    'Voice',
  ]);
  for (const [id, code] of [
    [national, 'National'],
    [international, 'International'],
  ]) {
    await query(
      'insert into record_type (id, reseller_id, service_id, code, description) values ($1, $2, $3, $4, $4)',
      [id, resellerId, service, code],
    );
  }
  await query('insert into service_item (customer_id, id, service_id, name) values ($1, $2, $3, $4)', [
    customerId,
    item,
    service,
    '0491 570 313',
  ]);
  await query(
    `insert into invoice_line (customer_id, id, invoice_id, line_no, kind, product_name, quantity, price, currency,
       amount_minor, tax_minor)
     values ($1, $2, $3, 1, 'line', 'Calls', 1, 7.03, 'USD', 703, 70)`,
    [customerId, line, invoiceId],
  );
  const records = [
    [national, '61.5', '1.0125'],
    [national, '30', '0.5'],
    [international, '12', '5.5175'],
  ];
  for (const [type, units, price] of records) {
    const key = [customerId, '2026-01-05T10:00:00Z', randomUUID()];
    await query(
      `insert into usage_record (customer_id, started_at, id, agreement_id, record_type_id, service_item_id, units,
         price, content_hash) values ($1, $2, $3, gen_random_uuid(), $4, $5, $6, $7, 1)`,
      [...key, type, item, units, price],
    );
    await query(
      'insert into usage_billed (customer_id, started_at, id, invoice_line_id) values ($1, $2, $3, $4)',
      [...key, line],
    );
  }
}

describe('an invoice', () => {
  it('has every specified field, in the list and by itself [portal.invoices.field.invoice.{id,number,amount,amountDue,tax,total,dateInvoice,dateDue,dateGenerated,status,paid,canPay,payToken,customer.name,subtotal}]', async () => {
    const { customer, invoice, get } = await seed();
    const fields = {
      id: invoice.id,
      number: 'F-1',
      amount: 110,
      amountDue: 110,
      subtotal: 100,
      tax: 10,
      total: 110,
      dateInvoice: '2026-02-01',
      dateDue: '2026-03-15',
      dateGenerated: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      status: 10,
      paid: false,
      canPay: true,
      payToken: invoice.token,
      customer: { name: customer.label },
    };
    expect(await get('/v1/ec/invoices')).toEqual([expect.objectContaining(fields)]);
    expect(await get(`/v1/ec/invoice/${invoice.id}`)).toMatchObject(fields);
  });

  it('says by its fields that it is paid, and what is left of one paid in part [portal.invoices.field.invoice.{amountDue,status,paid,canPay}]', async () => {
    const { customer, invoice, get } = await seed();
    const pay = (minor: number, status: number) =>
      query('update invoice set paid_minor = $3, status = $4 where customer_id = $1 and id = $2', [
        customer.id,
        invoice.id,
        minor,
        status,
      ]);
    await pay(4_050, 10);
    expect(await get(`/v1/ec/invoice/${invoice.id}`)).toMatchObject({
      amount: 110,
      amountDue: 69.5,
      status: 10,
      paid: false,
      canPay: true,
    });
    await pay(11_000, 11);
    expect(await get(`/v1/ec/invoice/${invoice.id}`)).toMatchObject({
      amount: 110,
      amountDue: 0,
      status: 11,
      paid: true,
      canPay: false,
    });
  });
});

describe('the usage of an invoice', () => {
  it('has every specified field; records of one item and type are one line, and the lines add up [portal.invoice-detail.field.usage.*]', async () => {
    const { customer, reseller, invoice, get } = await seed();
    await addUsage(customer.id, reseller.id, invoice.id);
    const { usage } = await get(`/v1/ec/invoice/${invoice.id}`);
    const item = { serviceItem: '0491 570 313', service: 'Voice' };
    expect(usage).toEqual([
      // 5.5175 and 1.5125 of 7.03 in whole cents; 0.55 and 0.15 of the tax.
      {
        ...item,
        recordType: 'International',
        unit: null,
        quantity: 12,
        invoiceAmount: 5.52,
        invoiceTax: 0.55,
        invoiceTotal: 6.07,
      },
      {
        ...item,
        recordType: 'National',
        unit: null,
        quantity: 91.5,
        invoiceAmount: 1.51,
        invoiceTax: 0.15,
        invoiceTotal: 1.66,
      },
    ]);
  });
});
