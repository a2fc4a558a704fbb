import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { hashPassword } from '../../apps/api/src/features/auth/passwords/passwords.ts';
import { attachOrStart } from '../../packages/postgres/src/server.ts';
import { factories } from '../../packages/testing/src/factories.ts';
import { startProcess } from '../../packages/testing/src/processes.ts';
import { nodeFlags, root } from '../../tools/run/node.mjs';
import { serverProgram } from '../../tools/run/server-program.mjs';
import { processorMs } from './processor-time.ts';

export const PASSWORD = 'Ledger!2026';
export const userName = (n: number): string => `user-${n}@bench.example`;

/** A server with users who have never signed in, on an embedded database of its own. */
export interface Portal {
  readonly port: number;
  readonly database: pg.Client;
  /** What a user's password is kept as. */
  readonly passwordHash: string;
  /** Processor time so far of server and database, milliseconds. */
  processorMs(): number;
  stop(): Promise<void>;
}

/** Starts it as an operator does behind one proxy, whose part the benchmark plays: it says where a call is from. */
export async function startPortal(users: number): Promise<Portal> {
  const dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-bench-'));
  const server = await startProcess({
    command: [serverProgram(root), 'serve', '--json'],
    env: {
      WEB_DIST: 'apps/web/dist',
      DATA_DIR: dataDir,
      DEMO: '0',
      PORT: '0',
      TRUST_PROXY: '1',
      LOG_LEVEL: 'warn',
      UV_THREADPOOL_SIZE: String(Math.max(4, cpus().length + 2)),
    },
    ready: /^\{"ready"/,
    nodeArgs: nodeFlags,
  }).catch(async (error: unknown) => {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  });
  const { listening } = JSON.parse(server.readyLine) as { listening: string };
  const { url } = await attachOrStart({ dataDir });
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
  const backendPid = rows[0]?.pid ?? 0;
  const passwordHash = await hashPassword(PASSWORD);
  await seed(url, users, passwordHash);
  return {
    port: Number(new URL(listening).port),
    database,
    passwordHash,
    processorMs: () => processorMs(server.pid, backendPid),
    async stop() {
      await database.end();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Everybody belongs to a customer of their own with two invoices. */
async function seed(url: string, users: number, passwordHash: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  const make = factories(pool);
  const reseller = await make.reseller();
  const numbers = Array.from({ length: users }, (_, n) => n);
  const seedOne = async (n: number) => {
    const customer = await make.customer({ resellerId: reseller.id, brandId: reseller.brandId });
    for (const _ of [1, 2]) await make.invoice({ customerId: customer.id, resellerId: reseller.id });
    const email = userName(n);
    await make.user({ resellerId: reseller.id, email, passwordHash, customerIds: [customer.id] });
  };
  const workers = Array.from({ length: 4 }, async () => {
    for (let n = numbers.pop(); n !== undefined; n = numbers.pop()) await seedOne(n);
  });
  await Promise.all(workers);
  await pool.query('vacuum analyze');
  await pool.end();
}
