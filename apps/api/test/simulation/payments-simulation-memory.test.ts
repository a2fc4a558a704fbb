import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { expect, it, onTestFinished } from 'vitest';
import { readCatalogue } from './memory-database/catalogue.ts';
import { PROVES, SEED } from './seeded.ts';
import { type Result, TABLES } from './simulated-market/simulate.ts';

/**
 * Payments by the product's own engine, services and statements over tables in memory and under every kind of trouble,
 * so fast that tens of thousands of them are a test. What transactions do to each other's rows while both run is not
 * seen here: that is for `payments-simulation.test.ts`, on PostgreSQL. That memory answers as PostgreSQL does is shown
 * by `memory-database/memory-database.test.ts`.
 */
const database = useDatabase();
const PAYMENTS = PROVES ? 50_000 : 2_000;
const PROCESSES = 2;
const MARKETS = PROVES ? 24 : PROCESSES;
const run = fileURLToPath(new URL('./simulated-market/run.ts', import.meta.url));

it(
  `${PAYMENTS} payments in memory: each charge booked once, each invoice paid once`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'counterfoil-market-'));
    const catalogue = join(folder, 'catalogue.json');
    writeFileSync(catalogue, JSON.stringify(await readCatalogue(database.pool(), TABLES)));
    const seeds = Array.from({ length: MARKETS }, (_, n) => SEED + n);
    const startedMs = performance.now();
    const share = (process: number) => seeds.filter((_, n) => n % PROCESSES === process);
    // Stories that have begun go on to their end, so that each market has some more.
    const each = String(Math.ceil((PAYMENTS / MARKETS) * 0.97));
    const all = await Promise.all(
      Array.from({ length: PROCESSES }, (_, n) => runProcess([catalogue, each, ...share(n).map(String)])),
    );
    rmSync(folder, { recursive: true });
    const results = all.flat();
    const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
    process.stdout.write(
      `payments in memory, seeds from ${SEED}: ${JSON.stringify(totals(results, seconds))}\n`,
    );
    expect(
      results.flatMap(({ seed, violations }) => violations.map((one) => `seed ${seed}: ${one}`)),
    ).toEqual([]);
    expect(results).toHaveLength(MARKETS);
    expect(results.reduce((sum, { payments }) => sum + payments, 0)).toBeGreaterThanOrEqual(PAYMENTS);
    for (const fault of FAULTS) expect(Object.keys(totals(results, seconds).faults)).toContain(fault);
  },
  PROVES ? 600_000 : 180_000,
);

/** Faults that happen so often that a run without one of them has left it out. */
const FAULTS = [
  'a commit is not answered',
  'a look-up cannot tell',
  'a look-up fails',
  'a process dies after a commit',
  'a process stands still before its call',
  'a refund is lost',
  'a repeat is not sent',
  'a request arrives late',
  'a request is lost',
  'a slow line',
  'a transaction fails before it begins',
  'a webhook comes twice',
  'an answer comes after its time',
  'an answer is lost',
  'an error is replayed',
  'less is taken than asked',
  'look-ups see nothing for a while',
  'the answer to a refund is lost',
  'what undoes is told first',
];

function totals(results: readonly Result[], seconds: number) {
  const faults: Record<string, number> = {};
  const happened: Record<string, number> = {};
  for (const { counts } of results) {
    for (const [what, n] of Object.entries(counts)) {
      const [, fault] = /^fault: (.*)/.exec(what) ?? [];
      const into = fault === undefined ? happened : faults;
      const name = fault ?? what;
      into[name] = (into[name] ?? 0) + n;
    }
  }
  const sum = (of: (result: Result) => number) => results.reduce((total, result) => total + of(result), 0);
  return {
    payments: sum(({ payments }) => payments),
    captures: sum(({ captures }) => captures),
    seconds,
    violations: sum(({ violations }) => violations.length),
    simulatedHours: sum(({ hours }) => hours),
    faults,
    happened,
  };
}

function runProcess(args: readonly string[]): Promise<Result[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [run, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    // Else one that never ends would keep the whole run from ending.
    onTestFinished(() => void child.kill('SIGKILL'));
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`a process of the simulation ended with ${code}`));
      return resolve(
        text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Result),
      );
    });
  });
}
