import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currencyExponent, money } from '@counterfoil/domain/money/money.ts';
import { InvoiceStatus, isInvoiceStatus, statusAfter } from '@counterfoil/domain/paying/invoice.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { brokenRules } from '../../test/fixtures/paying/books.ts';
import { readConfig } from '../config.ts';
import { Database } from '../db/database.ts';
import { tableClasses } from '../db/table-classes.ts';
import { authorisePayLink, openPayLink } from '../features/pay-links/service.ts';
import { createSecrets } from '../secrets.ts';
import { type DemoDescription, describeDemo } from './describe-demo.ts';
import { readMarks } from './marks.ts';
import { removeDemo } from './remove-demo.ts';
import { seedDemo } from './seed-demo.ts';
import { demoCustomers, demoUsers } from './world/customers.ts';
import { fixedId } from './world/random.ts';

const database = useDatabase();
const secrets = createSecrets('a key only for this test, long enough');
const dataDir = mkdtempSync(join(tmpdir(), 'demo-world-'));
const config = readConfig({ PUBLIC_URL: 'http://localhost:3000', DATA_DIR: dataDir });
const now = new Date('2026-03-09T15:00:00Z');
const clock = { now: () => now };
const fleetId = demoCustomers.find((one) => one.profile === 'fleet')?.id ?? '';

let db: Database;
let world: DemoDescription;
/** Rows by table, before there was a demo world. */
let migrated: Readonly<Record<string, number>>;
const databases = () => ({ web: db, exports: db, jobs: db });

beforeAll(async () => {
  db = new Database({ url: database.url, name: 'demo test', max: 4, statementTimeoutMs: 120_000 });
  migrated = await counts();
  await seedDemo({ databases: databases(), secrets, clock });
  const described = await describeDemo({ databases: databases(), secrets, clock, config });
  if (described === undefined) throw new Error('no demo world');
  world = described;
}, 300_000);
afterAll(async () => {
  await db.end();
  await rm(dataDir, { recursive: true });
});

/** Rows of a statement that looks for what must not be. */
async function rows(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  return (await database.pool().query<Record<string, unknown>>(text, values)).rows;
}

/** Rows of each table, and how many tables of months there are. */
async function counts(): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of Object.keys(tableClasses)) {
    const [row] = await rows(`select count(*)::int as n from ${table}`);
    found[table] = Number(row?.['n']);
  }
  const [months] = await rows(
    "select count(*)::int as n from pg_class where relispartition and relkind = 'r'",
  );
  return { ...found, 'tables of months': Number(months?.['n']) };
}

// Some of these count hundreds of thousands of rows.
vi.setConfig({ testTimeout: 120_000 });

describe('money of the demo world', () => {
  it('has invoices whose lines add up, except the one that says so', async () => {
    const wrong = await rows(`
      select i.number, jsonb_array_length(i.discrepancies) as flags from invoice i
        join (select customer_id, invoice_id, sum(amount_minor) as amount, sum(tax_minor) as tax from invoice_line
               group by 1, 2) l on l.customer_id = i.customer_id and l.invoice_id = i.id
       where l.amount <> i.subtotal_minor or l.tax <> i.tax_minor
          or i.subtotal_minor + i.tax_minor <> i.total_minor or i.total_minor <> i.payable_minor`);
    expect(wrong).toEqual([{ number: 'HAL-202603-903', flags: 1 }]);
    expect(await rows("select 1 from invoice where discrepancies <> '[]'")).toHaveLength(1);
  });

  it('has lines whose quantity is the sum of the usage they bill, and whose amount is its price, rounded once', async () => {
    const wrong = await rows(`
      select l.id from invoice_line l
        join (select b.customer_id, b.invoice_line_id, sum(r.units) as units, sum(r.price) as price
                from usage_billed b join usage_record r using (customer_id, started_at, id) group by 1, 2) u
          on u.customer_id = l.customer_id and u.invoice_line_id = l.id
       where u.units <> l.quantity or u.price <> l.quantity * l.price
          or round(u.price * power(10::numeric,
               case l.currency when 'JPY' then 0 when 'KWD' then 3 else 2 end)) <> l.amount_minor`);
    expect(wrong).toEqual([]);
    expect(currencyExponent('KWD')).toBe(3);
  });

  it('bills every record once, by a line of the record’s own item and type', async () => {
    const [count] = await rows(`
      select count(*)::int as records, count(b.id)::int as billed,
             count(*) filter (where l.service_item_id <> r.service_item_id or l.record_type_id <> r.record_type_id)::int as strange
        from usage_record r left join usage_billed b using (customer_id, started_at, id)
        left join invoice_line l on l.customer_id = b.customer_id and l.id = b.invoice_line_id`);
    expect(count?.['billed']).toBe(count?.['records']);
    expect(count?.['strange']).toBe(0);
    const unbilled = await rows(`
      select l.id from invoice_line l where l.record_type_id is not null and l.amount_minor >= 0 and l.quantity > 0
         and not exists (select 1 from usage_billed b where b.customer_id = l.customer_id and b.invoice_line_id = l.id)`);
    expect(unbilled).toEqual([]);
  });

  it('has statuses that follow from what was paid and credited', async () => {
    const found = await rows(
      'select status, kind, currency, payable_minor, paid_minor, credited_minor, due_minor from invoice',
    );
    for (const row of found) {
      const amount = (name: string) => money(BigInt(String(row[name])), String(row['currency']));
      const status = Number(row['status']);
      if (!isInvoiceStatus(status)) throw new Error(`status ${status}`);
      const after = {
        payable: amount('payable_minor'),
        paid: amount('paid_minor'),
        credited: amount('credited_minor'),
        reversed: money(0n, String(row['currency'])),
      };
      const before =
        status === InvoiceStatus.VOID || status === InvoiceStatus.DISPUTED ? status : InvoiceStatus.OPEN;
      expect(statusAfter(before, after, 'import')).toBe(status);
    }
  });

  it('has a ledger that agrees with what invoices say was paid and credited', async () => {
    const wrong = await rows(`
      with posted as (
        select customer_id, split_part(leg, ':', 2)::uuid as invoice_id, amount_minor as paid, 0::bigint as credited
          from ledger where source = 'external'
        union all
        select c.customer_id, c.invoice_id, 0, c.amount_minor
          from ledger l join invoice_credit c on c.customer_id = l.customer_id and c.id = l.source_id
         where l.source = 'invoiceCredit' and l.amount_minor = c.amount_minor)
      select i.number from invoice i
        left join (select customer_id, invoice_id, sum(paid) as paid, sum(credited) as credited from posted group by 1, 2) p
          on p.customer_id = i.customer_id and p.invoice_id = i.id
       where coalesce(p.paid, 0) <> i.paid_minor or coalesce(p.credited, 0) <> i.credited_minor`);
    expect(wrong).toEqual([]);
    expect(await brokenRules(database.pool())).toEqual({});
    const credits = await rows(`
      select i.number from invoice i where i.payable_minor < 0 and not exists (
        select 1 from ledger l where l.customer_id = i.customer_id and l.source_id = i.id and l.amount_minor = -i.payable_minor)`);
    expect(credits).toEqual([]);
  });
});

describe('usage of the demo world', () => {
  it('has rollups equal to a recount', async () => {
    const differs = (rollup: string, keys: string, recount: string) => `
      (select ${keys}, n, units, price from ${rollup}
        except select ${recount}, count(*)::int, sum(units), sum(price) from usage_record group by ${keys
          .split(',')
          .map((_, at) => at + 1)
          .join()})
      union all
      (select ${recount}, count(*)::int, sum(units), sum(price) from usage_record group by ${keys
        .split(',')
        .map((_, at) => at + 1)
        .join()}
        except select ${keys}, n, units, price from ${rollup})`;
    const day = "(started_at at time zone 'UTC')::date";
    const month = "date_trunc('month', started_at at time zone 'UTC')::date";
    expect(await rows(differs('usage_day', 'customer_id, day', `customer_id, ${day}`))).toEqual([]);
    expect(
      await rows(
        differs(
          'usage_type_day',
          'customer_id, record_type_id, agreement_id, day',
          `customer_id, record_type_id, agreement_id, ${day}`,
        ),
      ),
    ).toEqual([]);
    expect(
      await rows(
        differs(
          'usage_item_month',
          'customer_id, service_item_id, agreement_id, month',
          `customer_id, service_item_id, agreement_id, ${month}`,
        ),
      ),
    ).toEqual([]);
    expect(
      await rows(`select 1 from (select distinct customer_id, ${month} as month from usage_record) u
      where not exists (select 1 from usage_version v where v.customer_id = u.customer_id and v.month = u.month)`),
    ).toEqual([]);
  });

  it('has a customer with exactly 250,000 records and invoices of 500 lines', async () => {
    expect(
      await rows('select count(*)::int as n from usage_record where customer_id = $1', [fleetId]),
    ).toEqual([{ n: 250_000 }]);
    const lines = await rows(
      'select distinct count(*)::int as n from invoice_line where customer_id = $1 and quantity > 0 group by invoice_id',
      [fleetId],
    );
    expect(lines).toEqual([{ n: 500 }]);
  });

  it('has every record in an open month and none in the future', async () => {
    expect(await rows(`select 1 from usage_record where started_at >= $1 limit 1`, [now])).toEqual([]);
    expect(await rows("select 1 from usage_month where state <> 'open'")).toEqual([]);
  });
});

describe('people of the demo world', () => {
  it('gives every customer with history an open, an overdue, a paid and a credited invoice', () => {
    for (const customer of demoCustomers) {
      const states = new Set(
        world.invoices.filter((one) => one.customerId === customer.id).map((one) => one.state),
      );
      if (customer.profile === 'nothing') expect(states.size).toBe(0);
      else expect([...states]).toEqual(expect.arrayContaining(['open', 'overdue', 'paid', 'credited']));
    }
  });

  it('has what is there on purpose', () => {
    const ada = world.users.find((user) => user.email === 'ada@demo.example');
    expect(ada?.customerIds).toHaveLength(3);
    expect(ada?.customerIds).toContain(fleetId);
    expect(world.customers.filter((one) => [...one.label].length === 200)).toHaveLength(1);
    expect(
      world.invoices.some(
        (one) => one.currency === 'JPY' && one.customerId === world.users[0]?.customerIds[0],
      ),
    ).toBe(true);
    expect(world.invoices.some((one) => one.amountDue.startsWith('-') && !one.number.includes('CR'))).toBe(
      true,
    );
    expect(world.invoices.some((one) => one.state === 'partPaid')).toBe(true);
    const voided = world.invoices.filter((one) => one.state === 'void');
    expect(voided.length).toBeGreaterThan(0);
    expect(voided.map((one) => Number(one.amountDue))).toEqual(voided.map(() => 0));
  });

  it('has the resellers, hosts and users that are fixed', () => {
    const hosts = Object.fromEntries(world.brands.map((brand) => [brand.host, brand.resellerId]));
    expect(hosts).toMatchObject({
      localhost: 2204,
      'stripe.localhost': 2204,
      'split.localhost': 8266,
      'authorize.localhost': 3002,
      'ippay.localhost': 3004,
      'moneris.localhost': 3005,
      'pinch.localhost': 3006,
      'nexio.localhost': 3008,
      'bpoint.localhost': 3010,
      'gocardless.localhost': 3012,
      'none.localhost': 3000,
    });
    expect(world.users.map((user) => user.email)).toEqual(demoUsers.map((user) => user.email));
    expect(world.users.every((user) => user.password === 'Ledger!2026')).toBe(true);
  });

  it('has pay links that open their invoice', async () => {
    const payable = world.invoices.find((one) => one.payLink?.startsWith('http://localhost:3000/pay/'));
    const proof = await authorisePayLink(db, payable?.payLink?.split('/pay/')[1] ?? '', now);
    expect(proof).toMatchObject({ is: 'valid', invoiceId: payable?.id });
    const links = await rows('select invoice_id, token_sealed from invoice_pay_link limit 1');
    expect(
      openPayLink(secrets, links[0]?.['token_sealed'] as Buffer, String(links[0]?.['invoice_id'])),
    ).toHaveLength(22);
  });

  it('is the same after another start, and made once only', async () => {
    expect(world.customers[0]?.id).toBe(fixedId('customer mariner', undefined, 1));
    await seedDemo({ databases: databases(), secrets, clock });
    const again = await describeDemo({ databases: databases(), secrets, clock, config });
    expect(again).toEqual(world);
  });
});

// The last: nothing is left afterwards.
it('taken out, it leaves the database as it was after its migrations', async () => {
  const [users] = await rows('select count(*)::int as n from app_user');
  const removing = { databases: databases(), clock, config, secrets };
  const removed = await removeDemo(removing, [], async () => undefined);
  expect(removed?.resellers).toHaveLength(10);
  expect(removed?.rows).toMatchObject({ app_user: users?.['n'], customer: demoCustomers.length });
  expect(removed?.months.length).toBeGreaterThan(20);
  expect(await counts()).toEqual(migrated);
  expect(await readMarks(db)).toEqual({ demo: false, others: [] });
  expect(await removeDemo(removing, [], async () => undefined)).toBeUndefined();
});
