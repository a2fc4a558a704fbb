import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { apiScopes } from '../../packages/contract/src/operator/access/api-keys.ts';
import { attachOrStart } from '../../packages/postgres/src/server.ts';
import { freePort } from '../../packages/testing/src/ports.ts';
import { startProcess } from '../../packages/testing/src/processes.ts';
import { mallocSettings, nodeFlags, root } from '../../tools/run/node.mjs';
import { serverProgram } from '../../tools/run/server-program.mjs';

/** What one look at the server found; bytes after a collection. */
export interface Sample {
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  readonly arrayBuffers: number;
  /** What keeps the process's loop going: sockets, timers, listeners. */
  readonly handles: number;
  /** Rounds of the worker since the start. */
  readonly rounds: number;
  /** Open files and sockets of the process. */
  readonly files: number;
  /** Connections to the database. */
  readonly connections: number;
}

/** What is read of `counterfoil demo --json`. */
export interface Demo {
  readonly users: readonly { readonly email: string; readonly customerIds: readonly string[] }[];
  readonly invoices: readonly {
    readonly id: string;
    readonly customerId: string;
    readonly payLink: string | null;
  }[];
}

/** The whole product in one process, with the demo world, the gateways' sandbox, and a clock that can go faster. */
export interface DayServer {
  readonly port: number;
  readonly url: string;
  readonly demo: Demo;
  /** May do everything in the name of the first reseller of the demo world. */
  readonly key: string;
  /** From now on the clocks of server and sandbox go so many times as fast. */
  speedUp(): Promise<void>;
  sample(): Promise<Sample>;
  /** Lines that the server has logged. */
  lines(): readonly string[];
  stop(): Promise<void>;
}

/** The sandbox signs its events by its own clock, which the server believes for minutes. */
const SANDBOX_EVERY_MS = 250;
const RESELLER = 2204;
/** The demo world is made first, which a busy machine takes long for. */
const START_WITHIN_MS = 5 * 60_000;

/** @param speed seconds of its clock in one */
export async function startDay(speed: number): Promise<DayServer> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-day-'));
  const dataDir = join(folder, 'data');
  const socket = join(folder, 'day.sock');
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const env = {
    ...mallocSettings,
    WEB_DIST: 'apps/web/dist',
    DATA_DIR: dataDir,
    DEMO: '1',
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    TRUST_PROXY: '1',
    LOG_LEVEL: 'warn',
    WEBHOOKS_ALLOW_PRIVATE: '1',
  };
  const inside = pathToFileURL(join(import.meta.dirname, 'inside.mjs')).href;
  const server = await startProcess({
    command: [serverProgram(root), 'start'],
    env: { ...env, BENCH_DAY_SOCKET: socket, BENCH_DAY_SPEED: String(speed) },
    ready: /^ready/,
    readyWithinMs: START_WITHIN_MS,
    nodeArgs: [...nodeFlags, '--expose-gc', '--import', inside],
  }).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const command = async (...args: readonly string[]): Promise<unknown> => {
    const program = [join(root, serverProgram(root)), ...args, '--json'];
    const options = { env: { ...process.env, ...env }, maxBuffer: 64 << 20 };
    return JSON.parse((await promisify(execFile)(process.execPath, program, options)).stdout);
  };
  const demo = (await command('demo')) as Demo;
  const scopes = ['--scope', Object.keys(apiScopes).filter(isOfReseller).join(',')];
  const made = ['api-key', 'add', '--reseller', String(RESELLER), '--name', 'day', ...scopes];
  const { key } = (await command(...made)) as { readonly key: string };
  const { url } = await attachOrStart({ dataDir });
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  let sandboxTimer: NodeJS.Timeout | undefined;
  return {
    port,
    url: `http://localhost:${port}`,
    demo,
    key,
    async speedUp() {
      const { now: began } = await askInside<{ now: number }>(socket, '/go');
      let ahead = 0;
      const advance = async () => {
        const wanted = (Date.now() - began) * (speed - 1);
        const body = JSON.stringify({ advanceMs: Math.floor(wanted - ahead) });
        ahead = wanted;
        await fetch(`http://127.0.0.1:${sandboxPort}/_sandbox/clock`, { method: 'POST', body });
        sandboxTimer = setTimeout(advance, SANDBOX_EVERY_MS);
      };
      await advance();
    },
    async sample() {
      const seen = await askInside<Omit<Sample, 'files' | 'connections'>>(socket, '/sample');
      const { rows } = await database.query<{ n: number }>(
        "select count(*)::int as n from pg_stat_activity where application_name like 'counterfoil%'",
      );
      return {
        ...seen,
        files: readdirSync(`/proc/${server.pid}/fd`).length,
        connections: rows[0]?.n ?? 0,
      };
    },
    lines: () => server.lines,
    async stop() {
      clearTimeout(sandboxTimer);
      await database.end();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Keys of one reseller have no scopes of the installation. */
const isOfReseller = (scope: string): boolean => !/^(jobs|resellers):/.test(scope);

const askInside = <Answer>(socketPath: string, path: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request({ socketPath, path }, async (response) => {
      let text = '';
      for await (const part of response) text += part;
      resolve(JSON.parse(text) as Answer);
    })
      .once('error', reject)
      .end();
  });
