import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Finding } from '../doctor/finding.ts';

/** So many others begin a transaction meanwhile: one of them is given the session that another connection has just used. */
const OTHERS = 3;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Whether a connection keeps its session, which a pooler by transactions takes away from it: what is set on one is then
 * there for another, or gone. Work stops on that later, and at random.
 * @returns undefined where it does, or where no answer comes in time, which other checks tell
 */
export async function poolerFinding(databaseUrl: string): Promise<Finding | undefined> {
  const keeps = await keepsSession(databaseUrl);
  if (keeps !== false) return undefined;
  return {
    what: 'database connections',
    is: 'fault',
    found: 'a pooler hands the session of a connection to others, between two statements',
    remedy:
      "set it to keep sessions (PgBouncer: 'pool_mode = session'), or name the database itself in DATABASE_URL",
  };
}

async function keepsSession(connectionString: string): Promise<boolean | undefined> {
  const clients = Array.from(
    { length: OTHERS + 1 },
    () =>
      new pg.Client({
        connectionString,
        application_name: 'counterfoil check',
        connectionTimeoutMillis: ANSWER_WITHIN_MS,
        query_timeout: ANSWER_WITHIN_MS,
      }),
  );
  for (const client of clients) client.on('error', () => undefined);
  const [own, ...others] = clients as [pg.Client, ...pg.Client[]];
  try {
    for (const client of clients) await client.connect();
    const mark = randomUUID();
    await own.query(`set counterfoil.mark = '${mark}'`);
    for (const other of others) await other.query('begin');
    const { rows } = await own.query<{ kept: string | null }>(
      "select current_setting('counterfoil.mark', true) as kept",
    );
    return rows[0]?.kept === mark;
  } catch (error) {
    // A pooler by statements takes no transactions at all.
    return error instanceof Error && /transaction blocks not allowed/.test(error.message) ? false : undefined;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}
