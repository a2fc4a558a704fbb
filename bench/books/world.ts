import { Database } from '../../apps/api/src/db/database.ts';
import { fillBooks } from '../../packages/testing/src/books.ts';
import { startThrowAwayDatabase } from '../support/throw-away-database.ts';

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
  const database = await startThrowAwayDatabase();
  const exports = new Database({
    url: database.url,
    name: 'bench books',
    max: 1,
    statementTimeoutMs: HOUR_MS,
  });
  const stop = async () => {
    await exports.end();
    await database.stop();
  };
  try {
    await exports.withConnection((client) => fillBooks(client, invoices, say));
    return { exports, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
