import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../apps/api/src/db/database.ts';
import { migrate } from '../../apps/api/src/db/migrate.ts';
import { attachOrStart } from '../../packages/postgres/src/server.ts';
import { fillBooks } from '../../packages/testing/src/books.ts';

const HOUR_MS = 3_600_000;

/** Large books in a PostgreSQL of their own. */
export interface BooksWorld {
  readonly exports: Database;
  stop(): Promise<void>;
}

/**
 * Starts one and fills it.
 * @param say told what it does
 */
export async function startBooksWorld(invoices: number, say: (line: string) => void): Promise<BooksWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-bench-'));
  const server = await attachOrStart({ dataDir, durable: false });
  const exports = new Database({ url: server.url, name: 'bench books', max: 1, statementTimeoutMs: HOUR_MS });
  const stop = async () => {
    await exports.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await migrate(server.url);
    await exports.withConnection((client) => fillBooks(client, invoices, say));
    return { exports, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
