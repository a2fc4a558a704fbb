import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { factories } from '@counterfoil/testing/factories.ts';
import { startProcess, type TestProcess } from '@counterfoil/testing/processes.ts';
import { afterAll, expect, it } from 'vitest';
import { Database } from '../../src/db/database.ts';
import { allReports } from '../../src/features/reports/definitions/all.ts';
import { startReport } from '../../src/features/reports/service.ts';
import { sweepReports } from '../../src/features/reports/sweep.ts';
import { openFileStore } from '../../src/files/open-file-store.ts';
import { authorisedCustomer } from '../../src/http/requests/scope.ts';
import { MARCH } from '../fixtures/report-fixture.ts';
import { serverMain } from '../processes/server-main.ts';
import { PROVES } from '../simulation/seeded.ts';

/**
 * A worker is killed at a random moment of a report, again and again: before its first row, while it writes, as it puts the
 * file in its place. Every report has to end, with one whole file or none.
 */
/** At the least; more while none has met a report under way. */
const KILLS = PROVES ? 10 : 4;
const MOST_KILLS = 20;
const LINES = 8_000;
/** About how long one of these reports takes. */
const KILL_WITHIN_MS = 500;
const database = useDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'reports-killed-'));
const filesDir = join(dataDir, 'files');
const SECRET_KEY = randomBytes(32).toString('hex');
const running: TestProcess[] = [];

afterAll(async () => {
  await Promise.allSettled(running.map((one) => one.kill()));
  rmSync(dataDir, { recursive: true, force: true });
});

const query = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await database.pool().query(text, values)).rows as T[];

async function startWork(): Promise<TestProcess> {
  const started = await startProcess({
    command: [serverMain(), 'work'],
    env: {
      DATABASE_URL: database.url,
      SECRET_KEY,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
    },
    ready: /^working/,
  });
  running.push(started);
  return started;
}

/** A customer with an invoice of many lines. */
async function customerWithLines(resellerId: number): Promise<string> {
  const make = factories(database.pool());
  const { id } = await make.customer({ resellerId, brandId: resellerId });
  const invoice = await make.invoice({ customerId: id, resellerId, issuedOn: '2026-03-10' });
  await query(
    `insert into invoice_line (customer_id, id, invoice_id, line_no, kind, product_name, quantity, price, currency, amount_minor)
     select $1, gen_random_uuid(), $2, n, 'line', 'Line ' || n, 1, 1, 'USD', 1 from generate_series(1, $3::int) n`,
    [id, invoice.id, LINES],
  );
  return id;
}

/** Lets half a minute pass for the queue: what a killed worker held is free, what waits for its next try is due. */
async function letTimePass(): Promise<void> {
  await query("update queue_worker set seen_at = now() - interval '1 minute'");
  await query(
    `update graphile_worker._private_jobs
        set run_at = now(), locked_at = case when locked_at is not null then now() - interval '1 minute' end`,
  );
}

it('ends every report whose worker was killed, done with one whole file or failed with none', async () => {
  const { id: resellerId } = await factories(database.pool()).reseller();
  const db = new Database({ url: database.url, name: 'test', max: 2, statementTimeoutMs: 10_000 });
  const files = openFileStore(pathToFileURL(`${filesDir}/`));
  const deps = { db, clock: { now: () => new Date() }, files, reports: allReports };
  const start = async () => {
    const scope = authorisedCustomer(await customerWithLines(resellerId), resellerId, 'session');
    await startReport(deps, scope, randomUUID(), { id: 'invoice-details', parameters: MARCH });
  };
  const countOf = async (statuses: number[]) =>
    (await query('select 1 from report_job where status = any($1)', [statuses])).length;
  let interrupted = 0;
  let kills = 0;
  for (; kills < KILLS || (interrupted === 0 && kills < MOST_KILLS); kills += 1) {
    await start();
    const worker = await startWork();
    await expect.poll(() => countOf([20]).then((n) => n > 0), { timeout: 20_000, interval: 5 }).toBe(true);
    await sleep(Math.random() * KILL_WITHIN_MS);
    await worker.kill();
    interrupted += await countOf([20]);
    await letTimePass();
  }
  expect(interrupted).toBeGreaterThan(0);
  const last = await startWork();
  const finish = async () => {
    await sweepReports(deps);
    return countOf([30, 40]);
  };
  await expect.poll(finish, { timeout: 60_000, interval: 500 }).toBe(kills);
  expect(await last.stop()).toBe(0);
  await files.removeUnfinished(new Date(Date.now() + 60_000));
  const rows = await query<{ status: number; file_key: string | null; rows: number | null }>(
    'select status, file_key, rows from report_job',
  );
  const keys = rows.flatMap(({ file_key }) => (file_key === null ? [] : [file_key]));
  const found = readdirSync(filesDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(filesDir.length + 1));
  expect(found.sort()).toEqual(keys.sort());
  for (const { status, file_key, rows: count } of rows) {
    expect([file_key !== null, count]).toEqual(status === 30 ? [true, LINES + 1] : [false, null]);
    if (file_key === null) continue;
    const lines = (await readFile(join(filesDir, file_key), 'utf8')).split('\r\n');
    expect(lines.length).toBe(LINES + 3);
  }
  await db.end();
}, 240_000);
