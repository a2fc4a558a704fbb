import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess, type TestProcess } from '@counterfoil/testing/processes.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { operationsFixture } from '../fixtures/operations-fixture.ts';
import {
  type Answer,
  databasePresses,
  OPERATIONS,
  type Pressing,
} from '../fixtures/paying/database-presses.ts';
import { cards } from '../fixtures/paying/gateways/gateway-faults.ts';
import type { SandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';
import { randomFrom, SEED } from '../simulation/seeded.ts';
import type { FaultRun } from './fault-runs.ts';
import { serverMain } from './server-main.ts';

/** All operations that move money, at the same time, while something happens to the database. */
export interface DatabaseRun {
  /** Server and worker as they run in earnest; they live through all of it. */
  readonly server: TestProcess;
  readonly worker: TestProcess;
  /** A request to the server, with what every answer must be. */
  ask(path: string, init?: RequestInit): Promise<Answer>;
  /** Every operation is pressed, the trouble comes and goes, everybody presses again, and all comes to rest. */
  round(name: string, trouble: Trouble): Promise<void>;
  /** The sandbox's journal, the books, and what people were told. */
  judge(): Promise<void>;
}

export interface Trouble {
  /** It is there before anybody presses; else it begins while they do. */
  readonly isEarly?: boolean;
  begin(): void | Promise<void>;
  /** While it lasts, and before it ends; by default it has ended when the first answers are in. */
  meanwhile?(pressAll: () => Promise<void>): Promise<void>;
  end?(): void | Promise<void>;
}

/** Time of each call to the gateway; half before it acts, half before it answers. */
const GATEWAY_MS = 150;
/** Everybody presses, and the trouble begins, some time in this. */
const PRESSED_WITHIN_MS = 400;
/** A request may come upon two statements that time out, 12 s each. */
const ANSWER_WITHIN_MS = 30_000;
/** Nobody waits for a round or a command as for a page; it tries several statements before it gives up. */
const ROUND_WITHIN_MS = 60_000;
/** A start of PostgreSQL that gets nowhere is given up by its keeper after 60 s. */
const BACK_WITHIN_MS = 90_000;
/** Call it at the top of the file. */
export function databaseRun(sandbox: SandboxFixture, run: FaultRun): DatabaseRun {
  const operations = operationsFixture(sandbox, run, () => 0);
  const random = randomFrom(SEED);
  const late: { server?: TestProcess; worker?: TestProcess; port?: string; postman?: Server } = {};
  const pressed: Pressing[] = [];
  let current = '';
  const get = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the processes live in hooks and tests only');
    return value;
  };

  beforeAll(async () => {
    const { config } = sandbox.fixture.deps;
    const env = {
      DATABASE_URL: sandbox.fixture.database.url,
      SECRET_KEY: config.secretKey ?? '',
      DATA_DIR: config.dataDir,
      GATEWAY_URL_STRIPE: [...config.gatewayUrls.values()][0] ?? '',
      DEMO: '0',
      PORT: '0',
      RECONCILE_INTERVAL_MS: '500',
      LOG_LEVEL: 'warn',
    };
    const main = serverMain();
    const [server, worker] = await Promise.all([
      startProcess({ command: [main, 'serve', '--json'], env, ready: /^\{"ready"/ }),
      startProcess({ command: [main, 'work'], env, ready: /^working/ }),
    ]);
    Object.assign(late, { server, worker });
    await webhooksThrough();
    late.port = new URL((JSON.parse(server.readyLine) as { listening: string }).listening).port;
  }, 60_000);
  afterAll(async () => {
    late.postman?.closeAllConnections();
    late.postman?.close();
    await Promise.all([late.server?.stop(), late.worker?.stop()]);
  }, 30_000);

  /** The gateway's events come to the server itself, and how it answers them is counted. */
  async function webhooksThrough(): Promise<void> {
    late.postman = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const url = `http://127.0.0.1:${get(late.port)}/v1/webhooks/stripe/${sandbox.customer.resellerId}`;
      const signature = String(request.headers['stripe-signature']);
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      const status = await fetch(url, { method: 'POST', headers, body: Buffer.concat(parts) }).then(
        (answer) => answer.status,
        () => 0,
      );
      run.count(`webhook: ${status}`);
      response.writeHead(status === 0 ? 502 : status).end();
    });
    await once(late.postman.listen(0, '127.0.0.1'), 'listening');
    const { port } = late.postman.address() as AddressInfo;
    await sandbox.control('DELETE', 'webhooks');
    const url = `http://127.0.0.1:${port}/`;
    await sandbox.control('POST', 'webhooks', { gateway: 'stripe', url, secret: 'whsec_faults' });
  }

  async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
    const begun = performance.now();
    const answer = await fetch(`http://127.0.0.1:${get(late.port)}${path}`, {
      ...init,
      signal: AbortSignal.timeout(2 * ANSWER_WITHIN_MS),
    });
    const body = (await answer.json()) as Answer['body'];
    waited(performance.now() - begun, ANSWER_WITHIN_MS);
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body };
  }
  const waited = (ms: number, limitMs = ROUND_WITHIN_MS) => {
    expect(ms).toBeLessThan(limitMs);
    const whose = limitMs === ANSWER_WITHIN_MS ? 'answer' : 'round or command';
    const longest = `longest ${whose}, ${current}, ms`;
    run.counts[longest] = Math.max(run.counts[longest] ?? 0, Math.round(ms));
  };

  const presses = databasePresses(operations, run, { ask, waited });

  async function untilBack(): Promise<void> {
    const begun = performance.now();
    for (;;) {
      const [isThere, ready] = await Promise.all([
        run.rows('select 1').then(
          () => true,
          () => false,
        ),
        ask('/readyz'),
      ]);
      if (isThere && ready.status === 200) break;
      if (performance.now() - begun > BACK_WITHIN_MS)
        throw new Error(`the database does not come back: ${isThere}, ${JSON.stringify(ready.body)}`);
      await sleep(100);
    }
    const back = `longest until it answers again, ${current}, ms`;
    run.counts[back] = Math.max(run.counts[back] ?? 0, Math.round(performance.now() - begun));
  }

  /** Whatever happened, what is due can be paid, and then all is paid. A busy machine may be too slow for a call. */
  async function payTheRest(all: readonly Pressing[]): Promise<void> {
    for (let tries = 0; tries < 3; tries += 1) {
      await run.untilEnded();
      let isAllPaid = true;
      for (const invoice of all.flatMap(({ ready }) => ready.invoices)) {
        const [row] = await run.rows<{ due: number }>(
          'select due_minor::int as due from invoice where id = $1 and due_minor > 0',
          [invoice.id],
        );
        if (row === undefined) continue;
        isAllPaid = false;
        await operations.payLink(invoice, row.due, cards.good);
        run.count('paid by the link afterwards');
      }
      if (isAllPaid) return;
    }
    await run.untilEnded();
  }

  /** The worker has lived through it: every receipt of a payment is made, and no job waits for anybody. */
  async function allJobsDone(): Promise<void> {
    const jobs = () =>
      run.rows('select task_identifier, locked_by, attempts, last_error from graphile_worker.jobs');
    for (const end = Date.now() + BACK_WITHIN_MS; Date.now() < end; await sleep(100)) {
      // Those that failed have growing pauses.
      await run.rows(
        'update graphile_worker._private_jobs set run_at = now() where locked_at is null and run_at > now()',
      );
      if ((await jobs()).length === 0) return;
    }
    expect(await jobs(), get(late.worker).lines.slice(-5).join('\n')).toEqual([]);
  }

  return {
    ask,
    get server() {
      return get(late.server);
    },
    get worker() {
      return get(late.worker);
    },
    async round(name, trouble) {
      current = name;
      // All of them come from one address, and auto-pay works by day.
      await run.rows('delete from rate_limit');
      await run.rows('update brand set time_zone = $1', [zoneOfNoon(sandbox.fixture.clock.now())]);
      await sandbox.control('POST', 'settings', { delayMs: 0 });
      const all = await inTurn(OPERATIONS, presses.prepare);
      pressed.push(...all);
      await sandbox.control('POST', 'settings', { delayMs: GATEWAY_MS });
      const pressAll = async () => {
        const refused = await Promise.all(
          all.map(async ({ press }) => {
            await sleep(random() * PRESSED_WITHIN_MS);
            return press();
          }),
        );
        run.count(`refused while ${name}`, refused.filter(Boolean).length);
      };
      if (trouble.isEarly === true) await trouble.begin();
      const first = pressAll();
      await sleep(random() * PRESSED_WITHIN_MS);
      if (trouble.isEarly !== true) await trouble.begin();
      try {
        await trouble.meanwhile?.(pressAll);
        await first;
      } finally {
        await trouble.end?.();
      }
      await untilBack();
      run.count(name);
      for (const { press } of all) expect(await press()).toBe(false);
      await sandbox.control('POST', 'settings', { delayMs: 0 });
      await payTheRest(all);
    },
    async judge() {
      await sandbox.advance(60_000);
      await sandbox.webhooksDelivered();
      await run.untilEnded();
      await run.judge();
      const journal = await sandbox.charges();
      for (const { ready } of pressed) {
        const [money] = await run.rows<{ due: number; held: number; captured: number }>(
          `select sum(due_minor)::int as due, sum(held_minor)::int as held,
                  (select sum(amount_minor) from capture where customer_id = $1)::int as captured
             from invoice where customer_id = $1`,
          [ready.customerId],
        );
        const attempts = await run.rows(
          'select ref, state, decline, gateway_state_sealed is not null as has_state from attempt where customer_id = $1',
          [ready.customerId],
        );
        expect(money, JSON.stringify(attempts)).toEqual({ due: 0, held: 0, captured: ready.mostMinor });
      }
      await presses.compareRefunds(journal);
      expect(await run.rows('select event_key from inbox where handled_at is null')).toEqual([]);
      // Refused is 503 and nothing else: the gateway then sends again.
      const told = Object.keys(run.counts).filter((what) => what.startsWith('webhook: '));
      expect(['webhook: 200', 'webhook: 503']).toEqual(expect.arrayContaining(told));
      await allJobsDone();
      const [{ n: foundOut } = { n: 0 }] = await run.rows<{ n: number }>(
        "select count(*)::int as n from transition where cause = 'reconciler' and to_state = 'succeeded'",
      );
      Object.assign(run.counts, { 'found out afterwards': foundOut, violations: 0 });
    },
  };
}

/** Where it is noon now: auto-pay has a day for its work. */
function zoneOfNoon(now: Date): string {
  const ahead = 12 - now.getUTCHours();
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

async function inTurn<T, U>(all: readonly T[], work: (one: T) => Promise<U>): Promise<U[]> {
  const done: U[] = [];
  for (const one of all) done.push(await work(one));
  return done;
}
