import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { openFileStore } from '../../files/open-file-store.ts';
import { hashPassword } from '../auth/passwords/passwords.ts';
import { archiveMonth } from '../usage/months/archive.ts';
import { closeMonth, reopenMonth } from '../usage/months/closing.ts';
import { ensureMonths } from '../usage/months/months.ts';
import { unarchiveMonth } from '../usage/months/unarchive.ts';

const fixture = useFixture();
const PASSWORD = 'Ledger!2026';
let passwordHash = '';
beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});

const query = (text: string, values: unknown[]) => fixture.database.pool().query(text, values);

async function signedIn(settings: Record<string, unknown> = {}) {
  const { customer, reseller } = await fixture.seedPayer(settings);
  const user = await fixture.make.user({ resellerId: reseller.id, passwordHash, customerIds: [customer.id] });
  const answer = await fixture.app.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      client_id: 'counterfoil-portal',
      grant_type: 'password',
      username: user.email,
      password: PASSWORD,
    }).toString(),
  });
  const headers = { authorization: `Bearer ${answer.json().access_token}` };
  const get = (url: string) => fixture.app.inject({ url, headers });
  return { customer, reseller, get, data: async (url: string) => (await get(url)).json().data };
}

describe('the amounts of an invoice', () => {
  it('subtotal, tax and total; rounding and prepaid apart; amount is the total, the fee is no part of what is due [decisions.5.{currency-per-invoice,amount-subtotal,amount-tax,amount-total,amount-rounding,amount-prepaid,amount-is-total}, decisions.6.fee-not-due]', async () => {
    const { customer, data } = await signedIn({ cardFee: { basisPoints: 500, fixedMinor: 30 } });
    const { id } = await fixture.seedPayable(customer, { currency: 'EUR' });
    await query(
      'update invoice set rounding_minor = -2, prepaid_minor = 1000, payable_minor = 9998 where id = $1',
      [id],
    );
    expect(await data(`/v1/ec/invoice/${id}`)).toMatchObject({
      currency: 'EUR',
      subtotal: 100,
      tax: 10,
      total: 110,
      amount: 110,
      rounding: -0.02,
      prepaid: 10,
      amountDue: 99.98,
    });
  });

  it('is overdue by the day of the brand’s time zone [decisions.5.zone-due-dates]', async () => {
    fixture.clock.set('2026-03-02T12:00:00Z');
    const { customer, reseller, data } = await signedIn();
    await fixture.seedPayable(customer, { dueOn: '2026-03-02' });
    const stateIn = async (zone: string) => {
      await query('update brand set time_zone = $2 where id = $1', [reseller.brandId, zone]);
      return (await data('/v1/ec/invoices'))[0].state;
    };
    expect([await stateIn('UTC'), await stateIn('Pacific/Kiritimati')]).toEqual(['open', 'overdue']);
  });
});

describe('usage', () => {
  /** An invoice of one line that billed two records, one of them without a price. */
  async function billed() {
    const caller = await signedIn();
    const { customer, reseller } = caller;
    const { id } = await fixture.seedPayable(customer, { number: 'U-1' });
    const [service, type, agreement, item, line] = [1, 2, 3, 4, 5].map(() => randomUUID());
    await ensureMonths(fixture.deps.databases.jobs, ['2026-02-01']);
    await query("insert into service (id, reseller_id, code, name) values ($1, $2, 'V', 'Voice')", [
      service,
      reseller.id,
    ]);
    await query(
      `insert into record_type (id, reseller_id, service_id, code, description, unit)
       values ($1, $2, $3, 'N', 'National', 'second')`,
      [type, reseller.id, service],
    );
    await query("insert into agreement (customer_id, id, name) values ($1, $2, 'A')", [
      customer.id,
      agreement,
    ]);
    await query(
      "insert into service_item (customer_id, id, service_id, agreement_id, name) values ($1, $2, $3, $4, '555-0100')",
      [customer.id, item, service, agreement],
    );
    await query(
      `insert into invoice_line (customer_id, id, invoice_id, line_no, kind, product_name, quantity, price, currency, amount_minor, tax_minor)
       values ($1, $2, $3, 1, 'line', 'Calls', 1, 1, 'USD', 10000, 1000)`,
      [customer.id, line, id],
    );
    for (const [hour, units, price, hasPrice] of [
      ['08', '1.234567', '0.012345', true],
      ['09', '2', '0', false],
    ] as const) {
      const record = randomUUID();
      const at = `2026-02-10T${hour}:00:00Z`;
      await query(
        `insert into usage_record (customer_id, started_at, id, agreement_id, record_type_id, service_item_id, units, price, has_price, content_hash)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1)`,
        [customer.id, at, record, agreement, type, item, units, price, hasPrice],
      );
      await query(
        'insert into usage_billed (customer_id, started_at, id, invoice_line_id) values ($1, $2, $3, $4)',
        [customer.id, at, record, line],
      );
    }
    return { ...caller, id, line };
  }

  it('stands in the invoice by service item and record type, its single records behind the line [decisions.field.3.invoice.usage, decisions.3.{usage-aggregated,single-records}, decisions.call.2.line-records]', async () => {
    const { data, id, line } = await billed();
    const invoice = await data(`/v1/ec/invoice/${id}`);
    expect(invoice.usage).toEqual([
      {
        serviceItem: '555-0100',
        service: 'Voice',
        recordType: 'National',
        quantity: 3.234567,
        unit: 'second',
        invoiceAmount: 100,
        invoiceTax: 10,
        invoiceTotal: 110,
      },
    ]);
    expect(invoice.lines).toMatchObject([{ id: line, usageRecords: 2 }]);
    expect(await data(`/v1/ec/invoice/${id}?only=usage`)).toEqual({
      ...invoice,
      lines: [],
      linesLeftOut: true,
    });
    expect(await data(`/v1/ec/usage?invoiceLine=${line}`)).toMatchObject({
      totalCount: 2,
      endUsageDetails: [
        { date: '2026-02-10T08:00:00.000Z', serviceItemName: '555-0100', units: 1.234567, price: 0.012345 },
        { date: '2026-02-10T09:00:00.000Z', recordType: 'National', units: 2, unit: 'second', price: null },
      ],
    });
  });

  it('stays in the invoice when its month is archived, and its single records come back with the month', async () => {
    const { data, id, line } = await billed();
    const { usage } = await data(`/v1/ec/invoice/${id}`);
    const month = '2026-02-01';
    await query(
      `insert into usage_day select customer_id, (started_at at time zone 'UTC')::date, count(*), sum(units), sum(price)
         from usage_record where started_at >= $1 group by 1, 2`,
      [month],
    );
    const { jobs: db } = fixture.deps.databases;
    const months = {
      db,
      files: openFileStore(fixture.deps.config.filesUrl),
      now: new Date('2026-06-01T00:00:00Z'),
    };
    await closeMonth(months, month);
    await archiveMonth(months, month);
    const archived = await data(`/v1/ec/invoice/${id}`);
    expect([archived.usage, archived.lines[0].usageRecords]).toEqual([usage, 0]);
    await unarchiveMonth(months, month);
    await reopenMonth(months, month);
    const back = await data(`/v1/ec/invoice/${id}`);
    expect([back.usage, back.lines[0].usageRecords]).toEqual([usage, 2]);
    expect(await data(`/v1/ec/usage?invoiceLine=${line}`)).toMatchObject({ totalCount: 2 });
  });

  it('keeps its stored digits in the answer and in the CSV [decisions.5.digits-stored]', async () => {
    const { get, data, id, line } = await billed();
    const { endUsageDetails } = await data(`/v1/ec/usage?invoiceLine=${line}`);
    expect([endUsageDetails[0].units, endUsageDetails[0].price]).toEqual([1.234567, 0.012345]);
    const [, row] = (await get(`/v1/ec/invoice/${id}/usage.csv`)).body.split('\r\n');
    expect(row?.split(',')).toContain('3.234567');
    expect(row?.split(',').at(-1)).toBe('"second"');
  });
});
