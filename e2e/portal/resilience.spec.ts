import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachOrStart, type EmbeddedServer } from '@counterfoil/postgres/server.ts';
import { type DatabaseLine, openDatabaseLine } from '../support/database-line.ts';
import { type Child, SERVER, startChild } from '../support/stack/child.ts';
import { expect, test } from '../support/test.ts';

/** A server with a database of its own, which may be broken without breaking other tests. */
let folder = '';
let database: EmbeddedServer;
let line: DatabaseLine;
let server: Child;
let address = '';

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), `counterfoil-e2e-${process.pid}-`));
  chmodSync(folder, 0o711);
  database = await attachOrStart({ dataDir: folder, durable: false });
  line = await openDatabaseLine(database.url);
  server = await startChild({
    name: 'serve',
    command: [SERVER, 'serve', '--json'],
    env: {
      DATABASE_URL: line.url,
      DATA_DIR: folder,
      PORT: '0',
      DEMO: '0',
      SECRET_KEY: 'only for this test, and long enough for it',
    },
    logFile: join(folder, 'serve.log'),
    ready: /^\{"ready"/,
  });
  address = (JSON.parse(server.readyLine) as { listening: string }).listening;
});

test.afterAll(async ({ stack }) => {
  await server?.stop();
  line?.close();
  await database?.stop();
  rmSync(folder, { recursive: true, force: true });
  await stack.control.revive();
});

interface Answer {
  readonly status: number;
  readonly ms: number;
}

/** A call that needs the database. */
async function ask(path = '/v1/brands-settings?d=unknown.example'): Promise<Answer> {
  const started = performance.now();
  const response = await fetch(`${address}${path}`, { signal: AbortSignal.timeout(30_000) });
  await response.arrayBuffer();
  return { status: response.status, ms: performance.now() - started };
}

const answersAgain = () => expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe(404);

test('it answers, and says that it is ready', async () => {
  expect(await ask()).toMatchObject({ status: 404 });
  expect(await ask('/readyz')).toMatchObject({ status: 200 });
});

test('a database killed and restarted: 503 meanwhile, answers within 10 s, the process lives', async () => {
  const [pid] = readFileSync(join(database.cluster, 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
  const seen = new Set<number>();
  const end = Date.now() + 10_000;
  while (Date.now() < end) {
    const { status } = await ask();
    seen.add(status);
    if (status === 404) break;
  }
  expect([...seen].filter((status) => status !== 404 && status !== 503)).toEqual([]);
  await answersAgain();
  expect(server.isAlive()).toBe(true);
});

test('a database silent with queries in flight: 503 meanwhile, answers within 10 s of its return', async () => {
  line.set('silent');
  const inFlight = Array.from({ length: 24 }, () => ask());
  const ready = ask('/readyz');
  // The process itself answers at once.
  expect(await ask('/healthz')).toMatchObject({ status: 200 });
  const silentUntil = new Promise((resolve) => setTimeout(resolve, 5_000));
  await silentUntil;
  line.set('open');
  await answersAgain();
  const statuses = new Set((await Promise.all([...inFlight, ready])).map(({ status }) => status));
  // Those whose bytes were lost are refused; none breaks.
  expect([...statuses].filter((status) => ![503, 404, 200].includes(status))).toEqual([]);
  expect(statuses.has(503)).toBe(true);
  expect(server.isAlive()).toBe(true);
  expect(await ask('/readyz')).toMatchObject({ status: 200 });
});

test('a killed server that is started again takes its share', async ({ stack, page }) => {
  expect(new Set(await stack.control.revive())).toEqual(new Set(['serve-1', 'serve-2', 'work']));
  for (let turn = 0; turn < 4; turn += 1) {
    const answer = await page.goto(`${stack.url}/login`);
    expect(answer?.status()).toBe(200);
  }
});
