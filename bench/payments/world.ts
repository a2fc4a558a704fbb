import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Database } from '../../apps/api/src/db/database.ts';
import { hashPassword } from '../../apps/api/src/features/auth/passwords/passwords.ts';
import { createPayLink } from '../../apps/api/src/features/pay-links/service.ts';
import { createSecrets } from '../../apps/api/src/secrets.ts';
import { splitSettings } from '../../apps/api/test/fixtures/paying/gateways/account-settings.ts';
import type { TestedGateway } from '../../apps/api/test/fixtures/paying/gateways/tested-gateways.ts';
import { addressSetting } from '../../packages/gateways/src/port/addresses.ts';
import { attachOrStart } from '../../packages/postgres/src/server.ts';
import { launchSandbox } from '../../packages/sandbox/src/launch.ts';
import { factories } from '../../packages/testing/src/factories.ts';
import { startProcess } from '../../packages/testing/src/processes.ts';
import { mallocSettings, nodeFlags, root } from '../../tools/run/node.mjs';
import { serverProgram } from '../../tools/run/server-program.mjs';
import { processorMs, processorTimes } from '../signin/processor-time.ts';
import { profileArgs } from '../support/profile.ts';

const CUSTOMERS = 50;
const SEEDERS = 4;

export const PASSWORD = 'Ledger!2026';

/** An open invoice and its link. */
export interface Payable {
  readonly id: string;
  readonly customerId: string;
  readonly token: string;
  readonly number: string;
  readonly subtotalMinor: bigint;
  readonly taxMinor: bigint;
}

/** A reseller with an account at a gateway, its customers and what they owe. */
export interface Shop {
  readonly gateway: TestedGateway;
  readonly payables: readonly Payable[];
  /** E-mail addresses by customer; they sign in with {@link PASSWORD}. */
  readonly users: ReadonlyMap<string, string>;
}

export interface Charge {
  readonly gateway: string;
  readonly reference: string | null;
  readonly minor: number;
}

/** A server with its embedded database, the gateways' sandboxes, and open invoices. */
export interface PaymentsWorld {
  readonly port: number;
  readonly sandboxUrl: string;
  readonly shops: readonly Shop[];
  readonly pool: pg.Pool;
  /** What the sandboxes' journal has taken: references and minor units. */
  charges(): Promise<readonly Charge[]>;
  control(method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, unknown>>;
  /** Processor time so far, milliseconds. */
  processor(): { readonly server: number; readonly database: number; readonly sandbox: number };
  stop(): Promise<void>;
}

/** @param count invoices for each of the gateways */
export async function startPayments(
  gateways: readonly TestedGateway[],
  count: number,
): Promise<PaymentsWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-bench-'));
  const secretKey = randomBytes(32).toString('hex');
  const sandbox = await launchSandbox({ directory: join(dataDir, 'sandbox') });
  const addresses = Object.fromEntries(
    gateways.map(({ manifest }) => [addressSetting(manifest), sandbox.url]),
  );
  const server = await startProcess({
    command: [serverProgram(root), 'serve', '--json'],
    env: {
      WEB_DIST: 'apps/web/dist',
      ...mallocSettings,
      DATA_DIR: dataDir,
      DEMO: '0',
      PORT: '0',
      TRUST_PROXY: '1',
      LOG_LEVEL: 'warn',
      SECRET_KEY: secretKey,
      ...addresses,
    },
    ready: /^\{"ready"/,
    nodeArgs: [...nodeFlags, ...profileArgs()],
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
  const shops: Shop[] = [];
  for (const gateway of gateways) shops.push(await seed({ pool, url, secretKey, count, gateway }));
  // Not of tables that are empty yet: nobody does that, and plans would be made for empty ones.
  await pool.query('vacuum analyze invoice, customer, pay_link, invoice_pay_link');
  const backend = await pool.connect();
  const { rows } = await backend.query<{ pid: number }>('select pg_backend_pid() as pid');
  const backendPid = rows[0]?.pid ?? 0;
  const control: PaymentsWorld['control'] = async (method, path, body) => {
    const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return (await (await fetch(`${sandbox.url}/_sandbox/${path}`, init)).json()) as Record<string, unknown>;
  };
  return {
    port: Number(new URL(listening).port),
    sandboxUrl: sandbox.url,
    shops,
    pool,
    control,
    async charges() {
      return (await control('GET', 'charges'))['charges'] as Charge[];
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

interface Seeding {
  readonly pool: pg.Pool;
  readonly url: string;
  readonly secretKey: string;
  readonly count: number;
  readonly gateway: TestedGateway;
}

async function seed({ pool, url, secretKey, count, gateway }: Seeding): Promise<Shop> {
  const make = factories(pool);
  const secrets = createSecrets(secretKey);
  const { currency, manifest, minor, debitId } = gateway;
  const settings = {
    billingAddressRequired: false,
    cardHolderRequired: false,
    ...(debitId !== undefined && { directDebitPaymentMethodId: debitId }),
  };
  const { id: resellerId, brandId } = await make.reseller({ settings, currency });
  const accountId = randomUUID();
  const account = splitSettings(manifest, gateway.data.sandbox.settings);
  await pool.query(
    'insert into gateway_account (id, reseller_id, gateway, config, secrets) values ($1, $2, $3, $4, $5)',
    [
      accountId,
      resellerId,
      manifest.id,
      JSON.stringify(account.config),
      secrets.seal(JSON.stringify(account.secrets), accountId),
    ],
  );
  const users = new Map<string, string>();
  const passwordHash = await hashPassword(PASSWORD);
  for (let n = 0; n < CUSTOMERS; n += 1) {
    const email = `${manifest.id}-${n}@bench.example`;
    const { id } = await make.customer({ resellerId, brandId, email });
    await make.user({ resellerId, email, passwordHash, customerIds: [id] });
    users.set(id, email);
  }
  const customers = [...users.keys()];
  const db = new Database({ url, name: 'bench', max: SEEDERS, statementTimeoutMs: 10_000 });
  const numbers = Array.from({ length: count }, (_, n) => n).values();
  const payables: Payable[] = [];
  const owed = { resellerId, currency, subtotalMinor: minor, taxMinor: 0n };
  await Promise.all(
    Array.from({ length: SEEDERS }, async () => {
      for (const n of numbers) {
        const customerId = customers[n % CUSTOMERS] ?? '';
        const invoice = await make.invoice(Object.assign({ customerId }, owed));
        const link = { customerId, invoiceId: invoice.id, dueOn: null, now: new Date() };
        const token = await db.transaction((tx) => createPayLink(tx, secrets, link));
        payables.push(Object.assign({ token }, invoice));
      }
    }),
  );
  await db.end();
  return { gateway, payables, users };
}
