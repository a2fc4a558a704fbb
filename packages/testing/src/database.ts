import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { cloneAt, dropAt, inDatabase } from './machines.ts';
import type { TestServer } from './test-server.ts';

/** A database of the test file's own, with the schema of the product. Valid once its `beforeAll` ran. */
export interface TestDatabase {
  /** DATABASE_URL of this database. */
  readonly url: string;
  /** One pool of the file, made at first use and ended with the file. */
  pool(): pg.Pool;
}

/** A database at the server that all test files share. */
export interface SharedServerDatabase extends TestDatabase {
  /** Makes a database with nothing in it at the same server, dropped with this one. @returns its DATABASE_URL */
  emptyBeside(): Promise<string>;
}

/**
 * Gives the calling test file a fresh, migrated PostgreSQL database, dropped when the file ends.
 * Call it at the top level of the file (or of a `describe`). The server starts with the first file that asks.
 */
export function useDatabase(): SharedServerDatabase {
  const name = `test_${randomBytes(8).toString('hex')}`;
  let server: TestServer | undefined;
  let pool: pg.Pool | undefined;
  const beside: string[] = [];

  beforeAll(async () => {
    server = await askForServer();
    await cloneAt(server.machines, name, server.template);
  }, 60_000);

  afterAll(async () => {
    await pool?.end();
    if (server === undefined) return;
    await dropAt(server.machines, name);
    for (const one of beside) await dropAt(server.machines.slice(0, 1), one);
  });

  const url = (of = name) => {
    if (!server)
      throw new Error('the database can be used in hooks and tests only, not while the file loads');
    return inDatabase(server.machines[0] as string, of);
  };
  const ownPool = () => {
    pool ??= quietPool(url());
    return pool;
  };
  return {
    get url() {
      return url();
    },
    pool: ownPool,
    async emptyBeside() {
      const one = `${name}_${beside.length + 1}`;
      beside.push(one);
      await ownPool().query(`create database ${one}`);
      return url(one);
    },
  };
}

/** The drop at the end of a file may cut idle connections of the code under test; that is no failure. */
function quietPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 10 });
  pool.on('error', () => undefined);
  return pool;
}

async function askForServer(): Promise<TestServer> {
  const response = await fetch(inject('testServer'));
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as TestServer;
}
