import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { billingRows } from '../../../test/fixtures/billing-rows.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { sql } from '../../db/sql.ts';
import { createApp } from '../app.ts';
import type { App } from '../app-type.ts';
import { answerWhole, listSlots } from './whole-list.ts';

const fixture = useFixture();
const make = billingRows(fixture);

describe('a list of numbers', () => {
  const item = z.object({ n: z.int(), text: z.nullable(z.string()) });
  const late: { app?: App; url?: string } = {};
  const ask = (rows: number, failsAt = 0) => fetch(`${late.url}/numbers/${rows}/${failsAt}`);

  beforeAll(async () => {
    const { config, log, databases } = fixture.deps;
    const app = createApp({ config, log });
    const deps = { db: databases.web, exports: databases.exports, slots: listSlots() };
    app.get(
      '/numbers/:rows/:failsAt',
      {
        config: { access: 'public', hidden: true },
        schema: {
          params: z.object({ rows: z.coerce.number(), failsAt: z.coerce.number() }),
          response: { 200: z.object({ data: z.array(item) }) },
        },
      },
      async (request, reply) =>
        answerWhole(deps, reply, 'somebody', {
          rows: sql<{ n: number }>`select n from generate_series(1, ${request.params.rows}) n order by n`,
          present({ n }) {
            if (n === request.params.failsAt) throw new Error('this row cannot be shown');
            return { n, text: n % 2 === 0 ? `no. "${n}"` : null, secret: 'not declared' };
          },
          item,
        }),
    );
    await app.listen({ port: 0, host: '127.0.0.1' });
    late.app = app;
    late.url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    late.app?.server.closeAllConnections();
    await late.app?.close();
  });

  it.each([0, 1_000, 1_001, 2_000])('of %i rows has the same text, at once or row by row', async (rows) => {
    const answer = await ask(rows);
    const data = Array.from({ length: rows }, (_, at) => ({
      n: at + 1,
      text: at % 2 === 1 ? `no. "${at + 1}"` : null,
    }));
    expect(await answer.text()).toBe(JSON.stringify({ data }));
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.has('content-length')).toBe(rows <= 1_000);
  });

  it('is refused where it goes wrong before its first byte, and broken off where it does later', async () => {
    const early = await ask(5_000, 3);
    expect([early.status, (await early.json()).code]).toEqual([500, 'server.fault']);
    const late = await ask(5_000, 4_000);
    expect(late.status).toBe(200);
    await expect(late.text()).rejects.toThrow();
    // Both gave their places back.
    expect((await ask(1_001)).status).toBe(200);
  });
});

describe('the lists of a customer', () => {
  it('are the same row by row as at once, with their whole invoice [decisions.11.lists-whole]', async () => {
    const { customer, reseller, get } = await signedIn(fixture);
    const agreement = await make.agreement(customer.id, 'Mobile');
    const period = await make.period(customer.id, agreement, '2026-03-01', '2026-03-31');
    const serviceId = await make.service(reseller.id, 'Voice');
    const invoice = await fixture.seedPayable(customer, { issuedOn: '2099-01-01' });
    const many = (table: string, values: string) =>
      fixture.database.pool().query(`insert into ${table} ${values} from generate_series(1, 1300) n`);
    await many(
      'invoice',
      `(customer_id, id, reseller_id, kind, number, supplier_key, issued_on, currency, subtotal_minor, tax_minor, total_minor,
        payable_minor, status, content_hash, generated_at)
       select '${customer.id}', gen_random_uuid(), ${reseller.id}, 'invoice', 'N-' || n, 's', '2026-01-01'::date + n, 'USD', n, 1, n + 1,
              n + 1, 10, '', now()`,
    );
    await many(
      'invoice_line',
      `(customer_id, id, invoice_id, line_no, kind, product_name, agreement_id, date_from, quantity, price, currency, amount_minor)
       select '${customer.id}', gen_random_uuid(), '${invoice.id}', n, 'line', 'Line "' || n || '"', '${agreement}', '2026-03-01', n, n,
              'USD', n`,
    );
    await many(
      'service_item',
      `(customer_id, id, service_id, name) select '${customer.id}', gen_random_uuid(), '${serviceId}', 'L-' || n`,
    );
    const calls = [
      '/v1/ec/invoices',
      `/v1/ec/transactions?period=${period}`,
      '/v1/ec/service-items',
      `/v1/ec/invoice/${invoice.id}`,
    ];
    const whole = await Promise.all(calls.map(get));
    expect(whole.map(({ headers }) => headers['transfer-encoding'])).toEqual(calls.map(() => 'chunked'));
    const [invoices, transactions, items, detail] = whole.map((answer) => answer.json().data);
    expect([invoices.length, transactions.length, items.length, detail.lines.length]).toEqual([
      1_301, 1_300, 1_300, 1_300,
    ]);
    expect(detail.lines.map(({ lineNo }: { lineNo: number }) => lineNo)).toEqual(
      Array.from({ length: 1_300 }, (_, at) => at + 1),
    );
    // The page is written as a short list is.
    const page = (await get('/v1/ec/invoices?pageNumber=1&pageSize=1000')).json().data;
    expect(JSON.stringify(invoices.slice(0, 1_000))).toBe(JSON.stringify(page));
    await fixture.database
      .pool()
      .query('delete from invoice_line where line_no > 1000 and customer_id = $1', [customer.id]);
    const short = await get(`/v1/ec/invoice/${invoice.id}`);
    expect(short.headers['transfer-encoding']).toBeUndefined();
    expect(JSON.stringify({ data: { ...detail, lines: detail.lines.slice(0, 1_000) } })).toBe(short.body);
  });
});
