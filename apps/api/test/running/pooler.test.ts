import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@counterfoil/testing/ports.ts';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { sql, sqlOnce } from '../../src/db/sql.ts';
import { queueDatabase, startWorker } from '../../src/jobs/worker.ts';
import { useFixture } from '../fixtures/test-fixture.ts';

/** What PgBouncer takes from a client that connects, with no settings of its own; anything else it refuses. */
const TAKEN = [
  'user',
  'database',
  'client_encoding',
  'application_name',
  'DateStyle',
  'TimeZone',
  'standard_conforming_strings',
];

const log = pino({ level: 'silent' });
const fixture = useFixture();
const connect = (url: string) => new Database({ url, name: 'test', max: 2, statementTimeoutMs: 4_321 });

describe('a connection that begins', () => {
  let server: Server;
  const begun: string[][] = [];
  beforeAll(async () => {
    server = createServer((socket) =>
      socket
        .on('error', () => undefined)
        .once('data', (bytes: Buffer) => {
          const names = bytes.subarray(8).toString().split('\0');
          begun.push(names.filter((name, at) => at % 2 === 0 && name !== ''));
          socket.destroy();
        }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close());

  const connecting: readonly (readonly [string, (url: string) => Promise<unknown>])[] = [
    ['of a pool', (url) => connect(url).one(sql`select 1`)],
    ['of the queue', (url) => queueDatabase(url).one(sql`select 1`)],
    ['of the migrations', (url) => migrate(url)],
  ];
  it.each(connecting)('%s asks for nothing that a pooler between refuses', async (_name, connectBy) => {
    const { port } = server.address() as AddressInfo;
    await expect(connectBy(`postgres://jo:secret@127.0.0.1:${port}/bills`)).rejects.toThrow();
    const names = begun.pop() ?? [];
    expect(names).toContain('application_name');
    expect(TAKEN).toEqual(expect.arrayContaining(names));
  });
});

it('limits statements all the same', async () => {
  const db = connect(fixture.database.url);
  const limits = await db.one(
    sql`select current_setting('statement_timeout') as statement,
               current_setting('idle_in_transaction_session_timeout') as idle`,
  );
  expect(limits).toEqual({ statement: '4321ms', idle: '1min' });
  await db.end();
});

/** Whether the program is installed here; it is none of ours. */
function isInstalled(): boolean {
  try {
    return execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' }).includes('PgBouncer');
  } catch {
    return false;
  }
}

/** Which account runs it: as root it refuses. */
const account = () =>
  process.getuid?.() === 0 ? { uid: Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' })) } : {};

describe.runIf(isInstalled())('behind PgBouncer in session mode, without settings of its own', () => {
  let pooler: ChildProcess;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    const server = new URL(fixture.database.url);
    const folder = mkdtempSync(join(tmpdir(), 'pooler-'));
    const settings = join(folder, 'pgbouncer.ini');
    const to = `host=127.0.0.1 port=${server.port} user=${server.username} password=${server.password}`;
    writeFileSync(
      settings,
      `[databases]\n* = ${to}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\n`,
    );
    chmodSync(folder, 0o755);
    chmodSync(settings, 0o644);
    pooler = spawn('pgbouncer', ['-q', settings], { stdio: 'ignore', ...account() });
    url = `postgres://jo:any@127.0.0.1:${port}${server.pathname}`;
    await vi.waitFor(() => connect(url).one(sql`select 1`), { timeout: 20_000, interval: 200 });
  });
  afterAll(() => pooler.kill('SIGTERM'));

  it('migrates, keeps its limits, and prepares again on a connection that was somebody else’s', async () => {
    expect(await migrate(url)).toEqual([]);
    for (let n = 0; n < 2; n += 1) {
      const db = connect(url);
      for (let again = 0; again < 2; again += 1)
        expect(
          await db.one(sqlOnce`select current_setting('statement_timeout') as statement, ${n}::int as n`),
        ).toEqual({ statement: '4321ms', n });
      await db.end();
    }
  });

  it('hears at once of a job', async () => {
    const ran: unknown[] = [];
    const job = { name: 'pooled', run: async (payload: unknown) => void ran.push(payload) };
    const worker = await startWorker({ url, log }, [job]);
    try {
      await fixture.database.pool().query(`select graphile_worker.add_job('pooled', '"heard"'::json)`);
      await expect.poll(() => ran, { timeout: 10_000 }).toEqual(['heard']);
    } finally {
      await worker.stop();
    }
  });
});
