import { clusterUrl } from '@counterfoil/testing/machines.ts';
import { expect, it } from 'vitest';
import { watchStatements } from '../../test/access-matrix/mutants.ts';
import { billingRows } from '../../test/fixtures/billing-rows.ts';
import { signedIn } from '../../test/fixtures/signed-in.ts';
import { useFixture } from '../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const make = billingRows(fixture);
const ROWS = 4_000;
const SMALL = 12;

/** A customer with a row of each list, and what is needed to write more. */
async function customerOfOneRow() {
  const person = await signedIn(fixture);
  const { customer, reseller } = person;
  const agreement = await make.agreement(customer.id, 'Fleet');
  const period = await make.period(customer.id, agreement, '2026-03-01', '2026-03-31');
  const service = await make.service(reseller.id, `Voice ${reseller.id}`);
  const item = await make.item(customer.id, service, '+64900000000');
  const invoice = await fixture.seedPayable(customer, { issuedOn: '2026-03-01' });
  const line = await make.line(customer.id, {
    invoiceId: invoice.id,
    agreementId: agreement,
    serviceItemId: item,
  });
  return { person, agreement, period, invoice: invoice.id, item, line };
}

// On a cluster the rows are read by machines that do not count them here.
it.skipIf(clusterUrl() !== undefined)(
  'a page reads its rows by their ids while the planner knows only customers with few rows',
  async () => {
    const pool = fixture.database.pool();
    for (let n = 0; n < SMALL; n += 1) await customerOfOneRow();
    const large = await customerOfOneRow();
    await pool.query('analyze');
    const copies = {
      invoice: [large.invoice, `number = number || '-' || n, supplier_key = supplier_key || n`],
      invoice_line: [large.line, 'line_no = line_no + n'],
      service_item: [large.item, 'name = name || n'],
    } as const;
    const client = await pool.connect();
    try {
      // Nothing but rows: what else an invoice brings is not of this test.
      await client.query('set session_replication_role = replica');
      for (const [table, [id, changes]] of Object.entries(copies)) {
        await client.query(`create temp table copied as select c.*, n from ${table} c, generate_series(1, ${ROWS}) n where c.id = '${id}';
        update copied set id = gen_random_uuid(), ${changes};
        alter table copied drop column n`);
        const { rows } = await client.query<{ names: string }>(
          `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
          where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        );
        await client.query(`insert into ${table} (${rows[0]?.names}) select ${rows[0]?.names} from copied;
        drop table copied`);
      }
      const rowsRead = async () => {
        const { rows } = await client.query<{ n: string }>(
          'select sum(seq_tup_read + idx_tup_fetch) as n from pg_stat_xact_user_tables',
        );
        return Number(rows[0]?.n);
      };
      const tooMany: string[] = [];
      for (const path of [
        'invoices?order=amount&limit=25',
        `transactions?period=${large.period}&order=price&limit=25`,
        'service-items?order=description&limit=25',
        `invoice/${large.invoice}/lines?limit=25`,
      ]) {
        const pages: (readonly [string, unknown[]])[] = [];
        const see = (text: string, values: unknown[]) =>
          /\bpage as materialized\b/.test(text) && pages.push([text, values]);
        const answer = await watchStatements(see, () => large.person.get(`/v1/ec/${path}`));
        expect([path, answer.statusCode, pages.length]).toEqual([path, 200, 1]);
        const [text, values] = pages[0] as (typeof pages)[0];
        await client.query('begin');
        const before = await rowsRead();
        await client.query(text, values);
        const read = (await rowsRead()) - before;
        await client.query('rollback');
        // Once for the order, once for how many there are; a page that looked for each of its rows would read 25 times as many.
        if (read > 3 * ROWS) tooMany.push(`${path}: ${read}`);
      }
      expect(tooMany).toEqual([]);
    } finally {
      client.release(true);
    }
  },
  120_000,
);
