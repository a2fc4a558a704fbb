import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { Database } from '../../src/db/database.ts';
import { createMetrics } from '../../src/http/answers/metrics.ts';
import { stockMetrics } from '../../src/http/answers/stock-metrics.ts';
import { givingUp, MailFailed } from '../../src/mail/mailer.ts';
import { workWatched } from '../../src/processes.ts';
import { declined, fixture, hook, rows, setUp, unknown } from '../fixtures/paying/engine-fixture.ts';

type Body = string;
const metrics = async (): Promise<Body> => (await fixture.app.inject('/metrics')).body;
/** The value of one line of the metrics. */
const figure = (body: Body, line: string): number | undefined => {
  const found = body.split('\n').find((one) => one.startsWith(`counterfoil_${line} `));
  return found === undefined ? undefined : Number(found.slice(found.lastIndexOf(' ')));
};
const figureNow = async (line: string) => figure(await metrics(), line);

it('the table of the documentation names every figure, and no other', async () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8');
  const documented = [...text.matchAll(/^\| `(counterfoil_[a-z_]+)/gm)].map((row) => row[1]);
  const shown = [...(await metrics()).matchAll(/^# TYPE (counterfoil_[a-z_]+)/gm)].map((line) => line[1]);
  expect(shown.length).toBeGreaterThan(10);
  expect(new Set(documented)).toEqual(new Set(shown));
  expect(documented).toHaveLength(shown.length);
});

describe('payments', () => {
  it('that are not decided, by state and with the age of the oldest; and those that ended', async () => {
    const { pay } = await setUp();
    expect(await figureNow('payments_open{kind="payment",state="unknown"}')).toBe(0);
    fixture.gateway.onCharge = async () => unknown;
    await pay();
    fixture.clock.advance(90_000);
    const body = await metrics();
    expect(figure(body, 'payments_open{kind="payment",state="unknown"}')).toBe(1);
    expect(figure(body, 'payments_oldest_seconds{kind="payment",state="unknown"}')).toBe(90);
    expect(figure(body, 'payments_open{kind="payment",state="needsReview"}')).toBe(0);
    await rows("update attempt set state = 'needsReview' where is_open");
    expect(await figureNow('payments_open{kind="payment",state="needsReview"}')).toBe(1);
    const other = await setUp();
    fixture.gateway.onCharge = async () => declined;
    await other.pay();
    expect(await figureNow('payments_total{outcome="declined"}')).toBe(1);
  });

  it('deliveries of gateways, taken and refused', async () => {
    const { customer } = await fixture.seedPayer({});
    fixture.gateway.onWebhook = () => [];
    await hook(customer.resellerId);
    await hook(9_999_999);
    const body = await metrics();
    expect(figure(body, 'deliveries_total{outcome="taken"}')).toBe(1);
    expect(figure(body, 'deliveries_total{outcome="refused"}')).toBe(1);
  });
});

it('mails that were sent, failed or refused for good', async () => {
  const ends: (Error | undefined)[] = [
    undefined,
    new MailFailed('busy', false),
    new MailFailed('no box', true),
  ];
  const mailer = givingUp(
    {
      async send() {
        const end = ends.shift();
        if (end !== undefined) throw end;
      },
    },
    pino({ level: 'silent' }),
  );
  for (let n = 0; n < 3; n += 1) await mailer.send({} as never).catch(() => undefined);
  const body = await metrics();
  const count = (outcome: string) => figure(body, `mails_total{outcome="${outcome}"}`);
  expect(['sent', 'failed', 'refused'].map(count)).toEqual([1, 1, 1]);
});

it('the queue, the quarantine and the workers', async () => {
  await rows(`select graphile_worker.add_job('nobodys', '{}'::json)`);
  await rows(`update graphile_worker._private_jobs set run_at = now() - interval '2 minutes'`);
  await rows(`select graphile_worker.add_job('later', '{}'::json, run_at := now() + interval '1 hour')`);
  await rows(`select graphile_worker.add_job('hopeless', '{}'::json, max_attempts := 1)`);
  await rows(`update graphile_worker._private_jobs set attempts = max_attempts where max_attempts = 1`);
  await rows("insert into queue_worker values ('a worker')");
  const { reseller } = await fixture.seedPayer({});
  await rows(
    `with file as (insert into import_file (id, reseller_id, name, digest, state, started_at)
                   values (gen_random_uuid(), ${reseller.id}, 'calls', '', 'done', now()) returning id)
     insert into quarantine_entry (id, reseller_id, file_id, kind, identity, ordinal, cause, reason, missing, first_seen_at, next_try_at)
     select gen_random_uuid(), ${reseller.id}, id, 'usage', gen_random_uuid(), 0, 'owner', 'unknown', '{}', now(), now() from file`,
  );
  const body = await metrics();
  const jobs = (state: string) => figure(body, `queue_jobs{state="${state}"}`);
  expect(['waiting', 'running', 'later', 'givenUp'].map(jobs)).toEqual([1, 0, 1, 1]);
  expect(figure(body, 'queue_oldest_seconds')).toBeGreaterThanOrEqual(120);
  expect(figure(body, 'queue_workers')).toBe(1);
  expect(figure(body, 'import_quarantined_rows')).toBe(1);
  await rows('delete from graphile_worker._private_jobs');
});

describe('a database that does not answer', () => {
  it('does not hold up who reads the metrics, and is asked once however many do', async () => {
    let asked = 0;
    const silent = createServer((socket) => {
      asked += 1;
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const db = new Database({
      url: `postgres://x:y@127.0.0.1:${port}/none`,
      name: 'test',
      max: 4,
      statementTimeoutMs: 60_000,
      connectTimeoutMs: 60_000,
    });
    const { registry } = createMetrics();
    stockMetrics(registry, { db, clock: fixture.clock, readEveryMs: 0 });
    const [body = ''] = await Promise.all([registry.metrics(), registry.metrics(), registry.metrics()]);
    expect(figure(body, 'database_answers')).toBe(0);
    expect(figure(body, 'queue_workers')).toBeUndefined();
    expect(asked).toBe(1);
    silent.close();
  });
});

describe('a process that works', () => {
  const start = (workPort: number | undefined) =>
    workWatched(
      {
        ...fixture.deps,
        config: { ...fixture.deps.config, workPort, reconcileIntervalMs: 200, host: '127.0.0.1' },
        databaseUrl: fixture.database.url,
        close: async () => undefined,
      },
      [fixture.gateway.module],
    );
  const status = (url: string, headers: Record<string, string> = {}) =>
    fetch(url, { headers }).then(
      (answer) => answer.status,
      () => undefined,
    );

  it('has health and metrics at a port of its own, and nothing else; it says when it stops', async () => {
    const worker = await start(0);
    const { address } = worker;
    expect(await status(`${address}/healthz`)).toBe(200);
    expect(await status(`${address}/readyz`)).toBe(200);
    expect(await status(`${address}/metrics`, { 'x-forwarded-for': '203.0.113.9' })).toBe(404);
    expect(await status(`${address}/v1/brands-settings?d=x`)).toBe(404);
    const told = async () => (await fetch(`${address}/metrics`)).text();
    await expect
      .poll(async () => figure(await told(), 'last_round_timestamp_seconds{round="reconcile"}'))
      .toBeGreaterThan(1_000_000_000);
    // What is under way is waited for: meanwhile it is seen to stop.
    const { pay } = await setUp();
    fixture.gateway.onCharge = async () => unknown;
    await pay();
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    fixture.gateway.onLookup = async () => {
      asked.resolve();
      await answer.promise;
      return { is: 'absent', proven: true };
    };
    fixture.clock.advance(60_000);
    await asked.promise;
    const stopped = worker.stop();
    const ready = await fetch(`${address}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { checks: { process: 'stopping' } }]);
    answer.resolve();
    await stopped;
    expect(await status(`${address}/healthz`)).toBeUndefined();
  });

  it('of two on one machine, where no port is said, the second takes another; a said one must be free', async () => {
    const first = await start(undefined);
    const second = await start(undefined);
    try {
      expect(await status(`${second.address}/healthz`)).toBe(200);
      expect(second.address).not.toBe(first.address);
      const taken = Number(new URL(second.address).port);
      await expect(start(taken)).rejects.toThrow('EADDRINUSE');
    } finally {
      await Promise.all([first.stop(), second.stop()]);
    }
  });
});
