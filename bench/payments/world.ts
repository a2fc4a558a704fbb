import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Database } from '../../apps/api/src/db/database.ts';
import { createPayLink } from '../../apps/api/src/features/pay-links/service.ts';
import { createSecrets } from '../../apps/api/src/secrets.ts';
import { attachOrStart } from '../../packages/postgres/src/server.ts';
import { launchSandbox } from '../../packages/sandbox/src/launch.ts';
import { factories } from '../../packages/testing/src/factories.ts';
import { startProcess } from '../../packages/testing/src/processes.ts';
import { nodeFlags } from '../../tools/run/node.mjs';
import { processorMs, processorTimes } from '../signin/processor-time.ts';

const CUSTOMERS = 50;
const SEEDERS = 4;

/** An open invoice of 110.00 and its link. */
export interface Payable {
  readonly uid: string;
  readonly number: string;
}

/** A server with its embedded database, a sandbox of the gateway, and open invoices. */
export interface PaymentsWorld {
  readonly port: number;
  readonly payables: readonly Payable[];
  readonly pool: pg.Pool;
  /** What the sandbox's journal has taken: references and minor units. */
  charges(): Promise<readonly { readonly reference: string | null; readonly minor: number }[]>;
  control(method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, unknown>>;
  /** Processor time so far, milliseconds. */
  processor(): { readonly server: number; readonly database: number; readonly sandbox: number };
  stop(): Promise<void>;
}

export async function startPayments(count: number): Promise<PaymentsWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-bench-'));
  const secretKey = randomBytes(32).toString('hex');
  const sandbox = await launchSandbox({ directory: join(dataDir, 'sandbox') });
  const server = await startProcess({
    command: ['apps/api/src/main.ts', 'serve', '--json'],
    env: {
      WEB_DIST: 'apps/web/dist',
      MALLOC_ARENA_MAX: '2',
      DATA_DIR: dataDir,
      DEMO: '0',
      PORT: '0',
      TRUST_PROXY: '1',
      LOG_LEVEL: 'warn',
      SECRET_KEY: secretKey,
      GATEWAY_URL_STRIPE: sandbox.url,
    },
    ready: /^\{"ready"/,
    nodeArgs: nodeFlags,
  }).catch(async (error: unknown) => {
    await sandbox.stop();
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  });
  const { listening } = JSON.parse(server.readyLine) as { listening: string };
  const { url } = await attachOrStart({ dataDir });
  const pool = new pg.Pool({ connectionString: url, max: SEEDERS });
  // At the end the server may stop before it has read that these connections do.
  pool.on('error', () => undefined);
  const payables = await seed(pool, url, secretKey, count);
  const backend = await pool.connect();
  const { rows } = await backend.query<{ pid: number }>('select pg_backend_pid() as pid');
  const backendPid = rows[0]?.pid ?? 0;
  const control: PaymentsWorld['control'] = async (method, path, body) => {
    const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return (await (await fetch(`${sandbox.url}/_sandbox/${path}`, init)).json()) as Record<string, unknown>;
  };
  return {
    port: Number(new URL(listening).port),
    payables,
    pool,
    control,
    async charges() {
      return (await control('GET', 'charges'))['charges'] as { reference: string | null; minor: number }[];
    },
    processor() {
      const own = processorTimes(server.pid, backendPid).get(String(server.pid)) ?? 0;
      return {
        server: own,
        database: processorMs(server.pid, backendPid) - own,
        sandbox: processorTimes(sandbox.process.pid ?? 0, 0).get(String(sandbox.process.pid)) ?? 0,
      };
    },
    async stop() {
      backend.release();
      await pool.end();
      await server.stop();
      await sandbox.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function seed(pool: pg.Pool, url: string, secretKey: string, count: number): Promise<Payable[]> {
  const make = factories(pool);
  const secrets = createSecrets(secretKey);
  const settings = { billingAddressRequired: false, cardHolderRequired: false };
  const { id: resellerId, brandId } = await make.reseller({ settings });
  const accountId = randomUUID();
  await pool.query(
    "insert into gateway_account (id, reseller_id, gateway, config, secrets) values ($1, $2, 'stripe', $3, $4)",
    [
      accountId,
      resellerId,
      JSON.stringify({ publishableKey: 'pk_test_bench' }),
      secrets.seal(JSON.stringify({ secretKey: 'sk_test_bench' }), accountId),
    ],
  );
  const customers: string[] = [];
  for (let n = 0; n < CUSTOMERS; n += 1) customers.push((await make.customer({ resellerId, brandId })).id);
  const db = new Database({ url, name: 'bench', max: SEEDERS, statementTimeoutMs: 10_000 });
  const numbers = Array.from({ length: count }, (_, n) => n).values();
  const payables: Payable[] = [];
  await Promise.all(
    Array.from({ length: SEEDERS }, async () => {
      for (const n of numbers) {
        const customerId = customers[n % CUSTOMERS] ?? '';
        const { id: invoiceId, number } = await make.invoice({ customerId, resellerId });
        const link = { customerId, invoiceId, dueOn: null, now: new Date() };
        payables.push({ uid: await db.transaction((tx) => createPayLink(tx, secrets, link)), number });
      }
    }),
  );
  await db.end();
  // Not of tables that are empty yet: nobody does that, and plans would be made for empty ones.
  await pool.query('vacuum analyze invoice, customer, pay_link');
  return payables;
}
