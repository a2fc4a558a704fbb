import { hashPassword } from '../../apps/api/src/features/auth/passwords/passwords.ts';
import { sumAccount } from '../../apps/api/src/features/statement/account-sums.ts';
import { factories } from '../../packages/testing/src/factories.ts';
import { type BulkServer, startBulkServer } from '../bulk/server.ts';
import { Connection } from '../signin/connection.ts';

const PASSWORD = 'Ledger!2026';
const EMAIL = 'large@bench.example';
const share = Number(process.env['LARGE_SHARE'] || 1);
const of = (rows: number): number => Math.max(30, Math.round(rows * share));

/** Rows of the large customer; `LARGE_SHARE` makes it smaller. */
export const sizes = {
  invoices: of(50_000),
  /** In one period. */
  transactions: of(100_000),
  serviceItems: of(100_000),
  /** Of one invoice. */
  lines: of(10_000),
} as const;

/** The product's server with one large customer. */
export interface LargeWorld {
  readonly server: BulkServer;
  readonly port: number;
  readonly resellerId: number;
  readonly customerId: string;
  readonly agreementId: string;
  /** The one with all the transactions. */
  readonly periodId: string;
  readonly serviceId: string;
  /** The one with all the lines. */
  readonly invoiceId: string;
  /** Signs the customer's user in again, because what one gets is good for minutes. */
  signIn(): Promise<string>;
  stop(): Promise<void>;
}

export async function startLargeWorld(say: (line: string) => void): Promise<LargeWorld> {
  const server = await startBulkServer();
  try {
    const make = factories(server.db.pool);
    const reseller = await make.reseller();
    const customer = await make.customer({ resellerId: reseller.id, brandId: reseller.brandId });
    await make.user({
      resellerId: reseller.id,
      email: EMAIL,
      passwordHash: await hashPassword(PASSWORD),
      customerIds: [customer.id],
    });
    const ids = await fill(server, reseller.id, customer.id, say);
    const port = Number(new URL(server.url).port);
    return {
      server,
      port,
      resellerId: reseller.id,
      customerId: customer.id,
      ...ids,
      signIn: () => signIn(port),
      stop: () => server.stop(),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

type Ids = Pick<LargeWorld, 'agreementId' | 'periodId' | 'serviceId' | 'invoiceId'>;

/** An id that says what it is of: `n` is an expression. */
const id = (kind: string, n: string): string =>
  `('00000000-${kind}-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const idOf = (kind: string, n: number): string =>
  `00000000-${kind}-7000-8000-${n.toString(16).padStart(12, '0')}`;

async function fill(
  { db }: BulkServer,
  resellerId: number,
  customerId: string,
  say: (line: string) => void,
): Promise<Ids> {
  const ids: Ids = {
    agreementId: idOf('a000', 1),
    periodId: idOf('be00', 1),
    serviceId: idOf('5e00', 1),
    invoiceId: idOf('1f00', 1),
  };
  const customer = `'${customerId}'::uuid`;
  const rows: Readonly<Record<string, string>> = {
    service: `(id, reseller_id, code, name) values ('${ids.serviceId}', ${resellerId}, 'voice', 'Voice')`,
    agreement: `(customer_id, id, name, started_on) values (${customer}, '${ids.agreementId}', 'Fleet', '2020-01-01')`,
    billing_period: `(customer_id, id, agreement_id, period_start, period_end)
      values (${customer}, '${ids.periodId}', '${ids.agreementId}', '2026-01-01', '2026-01-31')`,
    service_item: `(customer_id, id, service_id, name, description, cost_centre)
      select ${customer}, ${id('1e00', 'n')}, '${ids.serviceId}', '+6490' || lpad((n * 7919 % 1000003)::text, 8, '0'),
             case when n % 3 > 0 then 'Handset ' || n end, case when n % 5 > 0 then 'Cost centre ' || n % 200 end
        from generate_series(1, ${sizes.serviceItems}) n`,
    // One in twenty is open, half of these overdue; ten years back.
    invoice: `(customer_id, id, reseller_id, kind, number, supplier_key, issued_on, due_on, period_start, period_end,
               currency, subtotal_minor, tax_minor, total_minor, payable_minor, paid_minor, status, content_hash, generated_at)
      select ${customer}, ${id('1f00', 'n')}, ${resellerId}, 'invoice', 'INV-' || n, 'supplier',
             '2026-11-01'::date - n * 3650 / ${sizes.invoices},
             case when n % 40 = 0 then '2099-01-01'::date else '2026-11-15'::date - n * 3650 / ${sizes.invoices} end, null, null,
             'USD', a, a / 10, a + a / 10, a + a / 10, case when n % 20 = 0 then 0 else a + a / 10 end,
             case when n % 20 = 0 then 10 else 11 end, decode(md5(n::text), 'hex'), now()
        from (select n, 1000 + (n * 7919 % 100003)::bigint as a from generate_series(1, ${sizes.invoices}) n) x`,
    // The first invoice's, then one for each of the next invoices; all of the same month.
    invoice_line: `(customer_id, id, invoice_id, line_no, kind, product_name, details, service_id, agreement_id, service_item,
                    cost_centre, date_from, date_to, quantity, price, currency, amount_minor, tax_minor)
      select ${customer}, ${id('11e0', 'n')}, case when n <= ${sizes.lines} then '${ids.invoiceId}'::uuid else ${id('1f00', `2 + n % ${sizes.invoices - 2}`)} end,
             n, 'line', (array['Line rental', 'Calls', 'Data', 'Roaming'])[1 + n % 4] || ' ' || n % 300, 'Plan ' || n % 17,
             '${ids.serviceId}', '${ids.agreementId}', '+6490' || lpad((n * 7919 % 1000003)::text, 8, '0'),
             'Cost centre ' || n % 200, '2026-01-01'::date + n % 31, '2026-01-31', 1 + n % 50, 1 + n % 90, 'USD',
             100 * (1 + n % 50) * (1 + n % 90), 10 * (1 + n % 50) * (1 + n % 90)
        from generate_series(1, ${sizes.transactions}) n`,
  };
  const client = await db.pool.connect();
  try {
    await client.query('set session_replication_role = replica; set statement_timeout = 0');
    for (const [table, values] of Object.entries(rows)) {
      say(`writing ${table}`);
      await client.query(`insert into ${table} ${values}`);
    }
    // As a worker does when the account was looked at for the first time.
    await sumAccount(db, customerId);
    await client.query('vacuum analyze');
  } finally {
    client.release(true);
  }
  return ids;
}

async function signIn(port: number): Promise<string> {
  const connection = await Connection.open(port);
  try {
    const form = {
      grant_type: 'password',
      client_id: 'counterfoil-portal',
      username: EMAIL,
      password: PASSWORD,
    };
    const answer = await connection.send({
      method: 'POST',
      path: '/token',
      type: 'application/x-www-form-urlencoded',
      body: new URLSearchParams(form).toString(),
    });
    if (answer.status !== 200) throw new Error(`signing in answered ${answer.status}: ${answer.body}`);
    return (JSON.parse(answer.body) as { access_token: string }).access_token;
  } finally {
    connection.close();
  }
}
