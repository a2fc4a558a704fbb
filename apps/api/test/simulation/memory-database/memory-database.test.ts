import { useDatabase } from '@counterfoil/testing/database.ts';
import { expect, it } from 'vitest';
import { simulate, startOfTime, TABLES } from '../simulated-market/simulate.ts';
import { outside, VirtualTime } from '../simulated-market/virtual-time.ts';
import { readCatalogue } from './catalogue.ts';
import { databaseClock } from './functions.ts';
import { MemoryDatabase } from './memory-database.ts';
import { ShadowDatabase } from './shadow-database.ts';
import { compare, keyOf, type Row } from './values.ts';

const database = useDatabase();
const PAYMENTS = 40;

it('answers every statement of the payments as PostgreSQL does, and holds the same rows at the end', async () => {
  const pool = database.pool();
  const time = new VirtualTime(startOfTime);
  databaseClock.now = time.clock.now;
  const memory = new MemoryDatabase(await readCatalogue(pool, TABLES));
  const shadow = new ShadowDatabase(pool, memory, outside);
  time.isBusy = () => shadow.waiting > 0;
  await startAlike(pool, memory);
  const result = await simulate({
    seed: 20_261_122,
    payments: PAYMENTS,
    time,
    database: shadow.asDatabase(),
    pool: shadow.asPool(),
  });
  expect(shadow.differences.slice(0, 3)).toEqual([]);
  expect(result.violations).toEqual([]);
  expect(result.payments).toBeGreaterThanOrEqual(PAYMENTS);
  for (const table of TABLES) {
    // What the database sets by itself to its own time.
    const own = new Set(['created_at']);
    const [there, here] = await Promise.all([
      pool.query<Row>(`select * from ${table}`),
      memory.asPool().query<Row>(`select * from ${table}`),
    ]);
    const lines = (rows: readonly Row[]) =>
      rows
        .map((row) =>
          Object.entries(row)
            .filter(([name]) => !own.has(name))
            .map(([name, value]) => `${name}=${keyOf(value)}`)
            .join(' '),
        )
        .sort((a, b) => compare(a, b));
    expect(lines(here.rows), table).toEqual(lines(there.rows));
  }
  process.stdout.write(`memory database: ${shadow.compared} statements answered as PostgreSQL does\n`);
}, 180_000);

/** A migrated database is not empty: brand 0 and its kind are there from the first. */
async function startAlike(pool: ReturnType<typeof database.pool>, memory: MemoryDatabase): Promise<void> {
  for (const table of TABLES) {
    const known = memory.tables.get(table)?.table;
    for (const row of (await pool.query<Row>(`select * from ${table}`)).rows) known?.insert(row, []);
  }
}
