import { Database } from '../../../apps/api/src/db/database.ts';
import { migrate } from '../../../apps/api/src/db/migrate.ts';
import { sql } from '../../../apps/api/src/db/sql.ts';
import { attachMonth, prepareMonth } from '../../../apps/api/src/features/usage/months/months.ts';
import { billMonth } from './billed-sql.ts';
import { drawRecords, type MonthOfRecords, recordColumns } from './records-sql.ts';
import { rollupsOf } from './rollups-sql.ts';
import { makeWorld } from './world.ts';
import { writeUser, writeWorld } from './write-world.ts';

const HOUR_MS = 3_600_000;
export const MONTHS = 24;
/** Two months at a time: one draws records while another builds indexes. */
const AT_ONCE = 2;

/** The months of the records: as many as {@link MONTHS}, the last one before this one. 'YYYY-MM-01' */
export function monthsUntil(now: Date): string[] {
  return Array.from({ length: MONTHS }, (_, n) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + n, 1)).toISOString().slice(0, 10),
  );
}

function daysOf(month: string): number {
  const start = new Date(`${month}T00:00:00Z`);
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate();
}

/**
 * Fills an empty database with this many records.
 * @param say told what it does
 */
export async function fillDatabase(
  url: string,
  records: number,
  months: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  await migrate(url);
  const database = new Database({ url, name: 'bench usage', max: AT_ONCE + 1, statementTimeoutMs: HOUR_MS });
  try {
    const world = makeWorld();
    await database.transaction((tx) => writeWorld(database.pool, tx, world));
    await writeUser(database.pool, world);
    const waiting = months.map((month, n) => ({
      month,
      days: daysOf(month),
      first: Math.floor((n * records) / months.length),
      until: Math.floor(((n + 1) * records) / months.length),
    }));
    const worker = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const begun = performance.now();
        await fillMonth(database, next);
        say(
          `${next.month}: ${next.until - next.first} records, ${Math.round((performance.now() - begun) / 1000)} s`,
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    await database.transaction((tx) => billMonth(tx, months.at(-2) ?? ''));
    await database.pool.query('drop schema bench_usage cascade');
    say('vacuum and analyze');
    await database.pool.query('vacuum (freeze, analyze)');
  } finally {
    await database.end();
  }
}

/** What an earlier preparation that was interrupted left. */
export async function clearDatabase(url: string): Promise<void> {
  const database = new Database({ url, name: 'bench usage', max: 1, statementTimeoutMs: HOUR_MS });
  try {
    await database.pool.query(`
      drop schema if exists bench_usage, graphile_worker cascade; drop schema public cascade; create schema public`);
  } finally {
    await database.end();
  }
}

async function fillMonth(database: Database, of: MonthOfRecords): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(sql`set local work_mem = '256MB'`);
    await tx.execute(sql`set local maintenance_work_mem = '512MB'`);
    const partition = await prepareMonth(tx, of.month);
    if (partition === null) throw new Error(`${of.month} is there already`);
    await tx.execute(sql`insert into ${sql.id(partition)} (${recordColumns}) ${drawRecords(of)}`);
    await attachMonth(tx, of.month);
    for (const fill of rollupsOf(partition)) await tx.execute(fill);
  });
}
