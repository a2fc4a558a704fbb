import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { launchSandbox, type RunningSandbox } from '@counterfoil/gateways/sandbox-host/launch.ts';
import { factories } from '@counterfoil/testing/factories.ts';
import { startProcess, type TestProcess } from '@counterfoil/testing/processes.ts';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gatewayAccounts } from '../src/build-app.ts';
import { readConfig } from '../src/config.ts';
import { Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { createPayLink } from '../src/features/pay-links/service.ts';
import { reconcile } from '../src/features/payments/reconcile.ts';
import { createSecrets } from '../src/secrets.ts';
import { brokenRules } from './books.ts';
import { type TroubledDatabase, troubledDatabase } from './database-trouble.ts';
import { PROVES, randomFrom, SEED } from './seeded.ts';

/**
 * The database is killed, restarted or falls silent while payments are under way. What was answered stands afterwards,
 * nobody waits long, and the sandbox's journal and the books agree.
 */
const AT_ONCE = 10;
const GATEWAY_MS = 200;
const ANSWER_WITHIN_MS = 25_000;
const ROUNDS = PROVES ? 10 : 2;
const secretKey = randomBytes(32).toString('hex');
const secrets = createSecrets(secretKey);
const random = randomFrom(SEED);
let folder = '';
let database: TroubledDatabase;
let sandbox: RunningSandbox;
let server: TestProcess;
let portal = '';
let db: Database;
let pool: pg.Pool;
let whose: { readonly customerId: string; readonly resellerId: number };
let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
const counts: Record<string, number> = {};
const count = (what: string) => {
  counts[what] = (counts[what] ?? 0) + 1;
};
const control = async (method: string, path: string, body?: object) => {
  const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  return (await fetch(`${sandbox.url}/_sandbox/${path}`, init)).json();
};
const rows = async <T>(text: string): Promise<T[]> => (await pool.query(text)).rows as T[];
const env = (url: string) => ({
  ...{ DATABASE_URL: url, SECRET_KEY: secretKey, DATA_DIR: folder, DEMO: '0', PORT: '0' },
  ...{ GATEWAY_URL_STRIPE: sandbox.url, LOG_LEVEL: 'fatal' },
});

async function seed(): Promise<void> {
  const make = factories(pool);
  const settings = { billingAddressRequired: false, cardHolderRequired: false };
  const reseller = await make.reseller({ settings });
  const customer = await make.customer({ resellerId: reseller.id, brandId: reseller.brandId });
  whose = { customerId: customer.id, resellerId: reseller.id };
  const id = randomUUID();
  await pool.query(
    "insert into gateway_account (id, reseller_id, gateway, config, secrets) values ($1, $2, 'stripe', $3, $4)",
    [
      ...[id, reseller.id, JSON.stringify({ publishableKey: 'pk_test_db' })],
      secrets.seal(JSON.stringify({ secretKey: 'sk_test_db' }), id),
    ],
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payments-database-'));
  database = await troubledDatabase(join(folder, 'data'));
  await migrate(database.url);
  sandbox = await launchSandbox({ directory: join(folder, 'sandbox') });
  db = new Database({ url: database.url, name: 'test', max: 8, statementTimeoutMs: 10_000 });
  pool = new pg.Pool({ connectionString: database.url, max: 4 });
  pool.on('error', () => undefined);
  await seed();
  const started = await startProcess({
    ...{ command: ['apps/api/src/main.ts', 'serve', '--json'], env: env(database.proxied) },
    ready: /^\{"ready"/,
  });
  server = started;
  portal = (JSON.parse(started.readyLine) as { listening: string }).listening;
}, 120_000);

afterAll(async () => {
  await server?.stop();
  await Promise.allSettled([db?.end(), pool?.end(), sandbox?.stop()]);
  await database?.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

async function cardToken(): Promise<string> {
  const form = { 'card[number]': '4242424242424242', 'card[exp_month]': '12', 'card[exp_year]': '2036' };
  const body = new URLSearchParams({ ...form, 'card[cvc]': '123', key: 'pk_test_db' });
  const answer = await fetch(`${sandbox.url}/v1/tokens`, { method: 'POST', body });
  return String(((await answer.json()) as { id: string }).id);
}

type Request = () => Promise<{ status: number; told: string; attemptId: string | undefined; ms: number }>;

/** An invoice and the request that pays it. */
async function payment(): Promise<Request> {
  const invoice = await factories(pool).invoice(whose);
  const link = { ...whose, invoiceId: invoice.id, dueOn: null, now: clock.now() };
  const uid = await db.transaction((tx) => createPayLink(tx, secrets, link));
  const body = { uid, invoiceAmount: '110.00', invoiceNumber: invoice.number, cardToken: await cardToken() };
  return async () => {
    const begun = performance.now();
    const answer = await fetch(new URL('/v1/ec/pay', portal), {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: { 'content-type': 'application/json' },
    });
    const { data } = (await answer.json()) as { data?: { status: string; attemptId: string } };
    const ms = performance.now() - begun;
    count(`answer ${answer.status}${data === undefined ? '' : ` ${data.status}`}`);
    return { status: answer.status, told: data?.status ?? '', attemptId: data?.attemptId, ms };
  };
}

async function comeToRest(): Promise<void> {
  const config = readConfig(env(database.url));
  const log = pino({ level: 'silent' });
  const deps = { config, databases: { web: db, exports: db, jobs: db }, clock, secrets, log };
  const engine = { db, clock, secrets, log, accounts: gatewayAccounts(deps, gatewayModules) };
  for (let tries = 0; tries < 60; tries += 1) {
    if ((await rows('select 1 from attempt where is_open')).length === 0) return;
    aheadMs += 10_000;
    await control('POST', 'clock', { advanceMs: 10_000 });
    await reconcile(engine);
  }
  throw new Error('an attempt stays open');
}

const isBack = async () => {
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(100)) {
    const answered = await pool.query('select 1').then(
      () => true,
      () => false,
    );
    if (answered) return;
  }
};

const troubles: readonly { name: string; rounds: number; begin: () => () => void }[] = [
  {
    ...{ name: 'killed', rounds: ROUNDS },
    begin: () => {
      database.kill();
      return () => undefined;
    },
  },
  {
    ...{ name: 'restarted', rounds: ROUNDS - 1 },
    begin: () => {
      database.restart();
      return () => undefined;
    },
  },
  { name: 'silent', rounds: Math.ceil(ROUNDS / 2), begin: () => database.blackHole() },
];

it.each(troubles)(
  'a database that is $name while payments are under way',
  async ({ name, rounds, begin }) => {
    for (let round = 0; round < rounds; round += 1) {
      await control('POST', 'settings', { delayMs: 0 });
      const requests: Request[] = [];
      for (let n = 0; n < AT_ONCE; n += 1) requests.push(await payment());
      await control('POST', 'settings', { delayMs: GATEWAY_MS });
      const answers = Promise.all(
        requests.map(async (request) => {
          await sleep(random() * GATEWAY_MS);
          return request();
        }),
      );
      await sleep(random() * GATEWAY_MS * 2);
      const end = begin();
      const first = await answers;
      end();
      await isBack();
      count(name);
      for (const { status, ms } of first) {
        expect([200, 503]).toContain(status);
        expect(ms).toBeLessThan(ANSWER_WITHIN_MS);
      }
      counts[`longest wait, ${name}, ms`] = Math.round(
        Math.max(counts[`longest wait, ${name}, ms`] ?? 0, ...first.map(({ ms }) => ms)),
      );
      const captured = await rows<{ attempt_id: string }>('select attempt_id from capture');
      for (const { told, attemptId } of first)
        if (told === 'succeeded') expect(captured.map((row) => row.attempt_id)).toContain(attemptId);
      // Everybody presses again, at a database that is there; 409 is that it is paid already.
      for (const request of requests) expect([200, 409]).toContain((await request()).status);
      await comeToRest();
    }
    expect(await brokenRules(pool)).toEqual({});
    const { charges } = (await control('GET', 'charges')) as { charges: { remote: string; minor: number }[] };
    const captures = await rows<{ line: string; attempt_id: string }>(
      "select remote || ' ' || amount_minor as line, attempt_id from capture",
    );
    expect(new Set(captures.map(({ line }) => line))).toEqual(
      new Set(charges.map(({ remote, minor }) => `${remote} ${minor}`)),
    );
    expect(captures).toHaveLength(charges.length);
    const twice = await rows('select invoice_id from allocation group by 1 having count(*) > 1');
    expect(twice).toEqual([]);
    Object.assign(counts, { charges: charges.length, captures: captures.length });
    process.stdout.write(`database ${name} while paying, seed ${SEED}: ${JSON.stringify(counts)}\n`);
  },
  PROVES ? 600_000 : 60_000,
);
