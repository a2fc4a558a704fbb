import { randomBytes } from 'node:crypto';
import { clusterUrl } from '@counterfoil/testing/machines.ts';
import { startProcess, type TestProcess } from '@counterfoil/testing/processes.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { ensureMonthsAhead, monthOf, monthsAfter } from '../../src/features/usage/months/months.ts';
import { useMonths } from '../fixtures/months-fixture.ts';
import { serverMain } from '../processes/server-main.ts';

const fixture = useMonths();
const running: TestProcess[] = [];
afterAll(async () => {
  await Promise.allSettled(running.map((one) => one.kill()));
});

const query = async (text: string) => (await fixture.database.pool().query(text)).rows;
const attached = async (): Promise<string[]> =>
  (
    await query(
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'usage_record'::regclass order by 1",
    )
  ).map((row) => row.name);

const tableOf = (month: string) => `usage_record_${month.slice(0, 7).replace('-', '_')}`;

describe('months ahead', () => {
  it('are made once by many processes at once, while others read and write, over the end of a year', async () => {
    await fixture.seed('2025-10-01', 2);
    const writer = await fixture.database.pool().connect();
    await writer.query('begin');
    await writer.query('update usage_record set units = units');
    const now = new Date('2025-11-30T23:59:59Z');
    const making = Promise.all(Array.from({ length: 4 }, () => ensureMonthsAhead(fixture.db, now)));
    // On Citus a month waits for who writes any other.
    if (clusterUrl() === undefined) await making;
    await writer.query('rollback');
    writer.release();
    const made = await making;
    expect(made.flat().length).toBeGreaterThanOrEqual(4);
    expect(await attached()).toEqual(
      ['2025_10', '2025_11', '2025_12', '2026_01', '2026_02'].map((month) => `usage_record_${month}`),
    );
    expect(await ensureMonthsAhead(fixture.db, now)).toEqual([]);
    expect(await ensureMonthsAhead(fixture.db, new Date('2025-12-01T00:00:00Z'))).toEqual(['2026-03-01']);
  });

  it('are there when serve and work have started, together', async () => {
    const SECRET_KEY = randomBytes(32).toString('hex');
    const start = async (command: string) => {
      const started = await startProcess({
        command: [serverMain(), command],
        env: {
          DATABASE_URL: fixture.database.url,
          SECRET_KEY,
          PORT: '0',
          DATA_DIR: fixture.folder,
          LOG_LEVEL: 'error',
        },
        ready: /^(ready|working)/,
      });
      running.push(started);
    };
    await Promise.all([start('serve'), start('work')]);
    const thisMonth = monthOf(new Date());
    const wanted = [0, 1, 2, 3].map((count) => tableOf(monthsAfter(thisMonth, count)));
    await expect.poll(attached, { timeout: 10_000 }).toEqual(expect.arrayContaining(wanted));
    expect(await Promise.all(running.map((one) => one.stop()))).toEqual([0, 0]);
  });
});
