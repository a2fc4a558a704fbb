import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess, type TestProcess } from '@counterfoil/testing/processes.ts';
import type { FaultRun } from './fault-runs.ts';
import type { Asking } from './operations-fixture.ts';
import type { SandboxFixture } from './sandbox-fixture.ts';

/** Processes of the product that are killed while they pay, and where a payment stands while they live. */
export interface KilledFixture {
  /** Settings of a process of this fixture. */
  env(): Readonly<Record<string, string>>;
  serve(): Promise<TestProcess & { ask(asking: Asking): Promise<number | undefined> }>;
  work(): Promise<TestProcess>;
  /** A round of auto-pay, and an operator's refund, each in a process of its own. */
  round(): Dying;
  refund(attemptRef: string): Dying;
  /** Waits until the attempt (or setup) is committed. */
  written(customerId: string): Promise<void>;
  /** Waits until the gateway has done it and not said so yet. */
  done(customerId: string): Promise<void>;
}

interface Dying {
  /** As `kill -9`; resolves when it is gone. */
  kill(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../../..');
const WITHIN_MS = 10_000;

/** @param gatewayMs time of each call to the gateway; half before it acts, half before it answers */
export function killedFixture(sandbox: SandboxFixture, run: FaultRun, gatewayMs: number): KilledFixture {
  const url = () => [...sandbox.fixture.deps.config.gatewayUrls.values()][0] ?? '';
  const env = () => {
    const { config } = sandbox.fixture.deps;
    return {
      DATABASE_URL: sandbox.fixture.database.url,
      SECRET_KEY: config.secretKey ?? '',
      DATA_DIR: config.dataDir,
      GATEWAY_URL_STRIPE: url(),
      DEMO: '0',
      PORT: '0',
      RECONCILE_INTERVAL_MS: '500',
      LOG_LEVEL: 'error',
    };
  };
  const dying = (child: ChildProcess): Dying => {
    const gone = once(child, 'exit');
    return {
      async kill() {
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
        await gone;
      },
    };
  };
  const until = async (isSo: () => Promise<boolean>) => {
    for (const end = Date.now() + WITHIN_MS; Date.now() < end; await sleep(4)) if (await isSo()) return;
  };
  const open = (customerId: string) =>
    run.rows<{ ref: string; is_setup: boolean; remote: string | null }>(
      `select a.ref, false as is_setup, c.remote from attempt a
         left join capture c on c.customer_id = a.customer_id and c.id = a.of_capture_id
        where a.customer_id = $1 and a.is_open
       union all select ref, true, null from method_setup where customer_id = $1 and is_open`,
      [customerId],
    );
  const isDone = async (customerId: string) => {
    const [one] = await open(customerId);
    if (one === undefined) return true;
    // Nothing of a setup is in the journal; it takes several calls.
    if (one.is_setup) return sleep(gatewayMs * 0.75, true);
    const charges = await sandbox.charges();
    return charges.some(({ reference, remote, refundedMinor }) =>
      one.remote === null ? reference === one.ref : remote === one.remote && refundedMinor > 0,
    );
  };

  return {
    env,
    async serve() {
      const server = await startProcess({
        command: ['apps/api/src/main.ts', 'serve', '--json'],
        env: env(),
        ready: /^\{"ready"/,
      });
      const { listening } = JSON.parse(server.readyLine) as { listening: string };
      const port = new URL(listening).port;
      return {
        ...server,
        ask: ({ path, headers, body }) =>
          fetch(`http://127.0.0.1:${port}${path}`, {
            method: 'POST',
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json', ...headers },
          }).then(
            (answer) => answer.status,
            () => undefined,
          ),
      };
    },
    work: () => startProcess({ command: ['apps/api/src/main.ts', 'work'], env: env(), ready: /^working/ }),
    round() {
      const { config, clock } = sandbox.fixture.deps;
      const aheadMs = String(clock.now().getTime() - Date.now());
      const args = [sandbox.fixture.database.url, config.secretKey ?? '', url(), config.dataDir, aheadMs];
      const program = join(import.meta.dirname, 'auto-pay-process.ts');
      return dying(
        spawn(process.execPath, [program, ...args, String(sandbox.customer.resellerId), ''], {
          stdio: 'ignore',
        }),
      );
    },
    refund(attemptRef) {
      const args = ['payments', 'refund', attemptRef, '--amount', '33.00', '--note', 'agreed'];
      return dying(
        spawn(process.execPath, [join(ROOT, 'apps/api/src/main.ts'), ...args], {
          stdio: 'ignore',
          cwd: ROOT,
          env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env() },
        }),
      );
    },
    written: (customerId) => until(async () => (await open(customerId)).length > 0),
    done: (customerId) => until(() => isDone(customerId)),
  };
}
