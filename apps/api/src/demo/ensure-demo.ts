import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { table } from '../cli/command.ts';
import type { Config } from '../config.ts';
import { brandUrl } from '../features/brand/service.ts';
import type { Runtime } from '../runtime.ts';
import { WorldFault } from '../world-fault.ts';
import { hasDemo, refuseBesideOthers } from './marks.ts';
import { DEMO_PASSWORD, demoUsers } from './world/customers.ts';

export interface DemoWorld {
  readonly users: readonly {
    readonly email: string;
    readonly password: string;
    readonly customerIds: readonly string[];
  }[];
  /** Lines for the terminal: where to sign in, and as whom. */
  signIns(url: string): string[];
}

/** What the process that makes the world is told: the starter's settings, addresses as text. */
export type SeedTask = Omit<Config, 'publicUrl' | 'filesUrl' | 'gatewayUrls'> & {
  readonly databaseUrl: string;
  readonly publicUrl: string;
  readonly filesUrl: string;
};

const MAIN = join(import.meta.dirname, 'seed.worker.ts');

/**
 * Makes the demo world where it is not there yet, in a process of its own that ends with this one.
 * @throws {BadConfig} where a demo may not be
 * @throws {WorldFault} when its process ends before it is made
 */
export async function ensureDemo(runtime: Runtime): Promise<DemoWorld> {
  await refuseBesideOthers(runtime.databases.jobs);
  if (!(await hasDemo(runtime.databases.jobs))) await seedInProcess(runtime);
  const users = demoUsers.map(({ email, customerIds }) => ({ email, password: DEMO_PASSWORD, customerIds }));
  return { users, signIns };
}

function seedInProcess({ config, databaseUrl }: Runtime): Promise<void> {
  const { gatewayUrls: _unused, ...settings } = config;
  const task: SeedTask = {
    ...settings,
    databaseUrl,
    publicUrl: config.publicUrl.href,
    filesUrl: config.filesUrl.href,
  };
  const child = spawn(process.execPath, [MAIN], { stdio: ['pipe', 'inherit', 'pipe'] });
  let reason = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    // The log goes on to ours; the other line says why there is no world.
    if (line.startsWith('{')) process.stderr.write(`${line}\n`);
    else reason ||= line;
  });
  // Only the first line is sent: the open input tells the child that this process lives.
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify(task)}\n`);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new WorldFault(
            `the demo world could not be made: ${reason || `its process ended (${signal ?? code})`}`,
          ),
        );
    });
  });
}

/** @param url scheme and port of the addresses */
function signIns(url: string): string[] {
  const rows = demoUsers.map(({ email, host }) => [
    brandUrl({ mainHost: host }, new URL(url), '/').replace(/\/$/, ''),
    email,
    DEMO_PASSWORD,
  ]);
  return table(['brand', 'user', 'password'], rows);
}
