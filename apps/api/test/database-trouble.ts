import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachOrStart, type EmbeddedServer } from '@counterfoil/postgres/server.ts';
import type { TestDatabase } from '@counterfoil/testing/database.ts';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { migrate } from '../src/db/migrate.ts';

/**
 * A PostgreSQL of the test file's own. Its `url` leads through a proxy that can swallow everything, its `pool` straight
 * to it, for the test itself.
 */
export interface TroubledDatabase extends TestDatabase {
  /** As `kill -9` of the whole server; it is started again on the same port. */
  kill(): void;
  /** As `kill -9` of a connection's process in the midst of its work: PostgreSQL then cuts off all and recovers. */
  killBackend(): Promise<void>;
  /** As an operator restarts it: clients are cut off. */
  restart(): void;
  /** Nothing comes through any more, in either direction, and nobody is told. @returns how to end it */
  blackHole(): () => void;
}

interface Proxy {
  readonly port: number;
  setSilent(isSilent: boolean): void;
  cut(): void;
  close(): void;
}

async function proxyTo(port: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const proxy = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      // What comes in the silence is lost, as on a line that is cut without a word.
      from.on('data', (part) => isSilent || to.write(part));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        if (!isSilent) to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    port: (proxy.address() as AddressInfo).port,
    setSilent: (value) => {
      isSilent = value;
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    close: () => proxy.close(),
  };
}

/** A pool of the test itself, which outlives the server it leads to. */
export function hardyPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 4, connectionTimeoutMillis: 5_000 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Call it at the top of the file, before what uses it. */
export function useTroubledDatabase(): TroubledDatabase {
  const late: { folder?: string; server?: EmbeddedServer; proxy?: Proxy; pool?: pg.Pool } = {};
  const get = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the database exists in hooks and tests only');
    return value;
  };
  beforeAll(async () => {
    late.folder = await mkdtemp(join(tmpdir(), 'troubled-'));
    late.server = await attachOrStart({ dataDir: join(late.folder, 'data') });
    await migrate(late.server.url);
    late.proxy = await proxyTo(Number(new URL(late.server.url).port));
    late.pool = hardyPool(late.server.url);
  }, 120_000);
  afterAll(async () => {
    await late.pool?.end();
    late.proxy?.cut();
    late.proxy?.close();
    await late.server?.stop();
    if (late.folder !== undefined) await rm(late.folder, { recursive: true, force: true });
  }, 60_000);
  const signal = (name: NodeJS.Signals) => {
    const file = join(get(late.server).cluster, 'postmaster.pid');
    process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), name);
  };
  return {
    get url() {
      const proxied = new URL(get(late.server).url);
      proxied.port = String(get(late.proxy).port);
      // Else it would lead to the server's own socket, past the proxy.
      proxied.searchParams.delete('host');
      return proxied.href;
    },
    pool: () => get(late.pool),
    kill: () => signal('SIGKILL'),
    restart: () => signal('SIGINT'),
    async killBackend() {
      // Whoever did something last is the likeliest to be in the midst of it.
      const { rows } = await get(late.pool).query<{ pid: number }>(
        `select pid from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name like 'counterfoil%'
          order by state = 'idle', query_start desc limit 1`,
      );
      const [busiest] = rows;
      if (busiest === undefined) throw new Error('there is no connection to kill');
      process.kill(busiest.pid, 'SIGKILL');
    },
    blackHole() {
      get(late.proxy).setSilent(true);
      return () => {
        get(late.proxy).cut();
        get(late.proxy).setSilent(false);
      };
    },
  };
}
