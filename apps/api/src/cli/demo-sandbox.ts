import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSettings } from '../config.ts';
import { demoStripeKeys } from '../demo/gateways.ts';
import { listGatewayAccounts } from '../features/admin/gateway-accounts.ts';
import type { Running } from '../processes.ts';
import type { Runtime } from '../runtime.ts';
import { CommandError } from './command.ts';

/** Nobody waits longer for a sandbox that may not be there. */
const ANSWER_WITHIN_MS = 2_000;

/** What a process that runs the demo's sandbox leaves in its data folder. */
interface Word {
  readonly url: string;
  /** Of the process with which the sandbox ends. */
  readonly pid: number;
}

const fileIn = (dataDir: string): string => join(dataDir, 'sandbox.json');

/** Leaves word of where the sandbox of this process is, for commands beside it, until it is stopped. */
export async function leaveSandboxWord(dataDir: string, url: string): Promise<Running> {
  const file = fileIn(dataDir);
  const word: Word = { url, pid: process.pid };
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(word)}\n`, { mode: 0o600 });
  await rename(draft, file);
  return {
    async stop() {
      // Another process may have left its own since.
      if ((await readWord(dataDir))?.pid === process.pid) await rm(file, { force: true });
    },
  };
}

/**
 * The runtime with which a command calls gateways. The demo world's keys are good at the sandbox alone, which says in
 * the data folder where it is; what the operator has set as address, and DEMO=0, stand.
 * @throws {CommandError} when the database has the demo's keys and no sandbox of it runs: they never go elsewhere
 */
export async function reachGateways(runtime: Runtime): Promise<Runtime> {
  const { config } = runtime;
  // The demo world exists only where DEMO was 1, so that unset means: where there is one.
  const mayBeDemo = readSettings({ DEMO: '1' }).demo;
  if (!mayBeDemo || config.gatewayUrls.has('STRIPE') || !(await hasDemoKeys(runtime))) return runtime;
  const url = await runningSandbox(config.dataDir);
  if (url === undefined)
    throw new CommandError(
      "the demo's gateway sandbox does not run, and the demo's keys are good nowhere else: nothing was sent. " +
        "Start it with 'npm start', on this DATA_DIR. An installation of your own has DEMO=0",
    );
  return {
    ...runtime,
    config: { ...config, gatewayUrls: new Map([...config.gatewayUrls, ['STRIPE', url]]) },
  };
}

async function hasDemoKeys({ databases }: Runtime): Promise<boolean> {
  const accounts = await listGatewayAccounts(databases.web);
  return accounts.some(
    ({ gateway, reseller_id, config }) =>
      gateway === 'stripe' && config['publishableKey'] === demoStripeKeys(reseller_id).publishableKey,
  );
}

/** The address that was left, when who left it is there and a sandbox answers at it. */
async function runningSandbox(dataDir: string): Promise<string | undefined> {
  const word = await readWord(dataDir);
  if (word === undefined || !isThere(word.pid)) return undefined;
  const isSandbox = await fetch(`${word.url}/_sandbox/health`, {
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  })
    .then(async (answer) => answer.ok && 'gateways' in ((await answer.json()) as object))
    .catch(() => false);
  return isSandbox ? word.url : undefined;
}

async function readWord(dataDir: string): Promise<Word | undefined> {
  try {
    const word: Partial<Word> | null = JSON.parse(await readFile(fileIn(dataDir), 'utf8'));
    const { url, pid } = word ?? {};
    return typeof url === 'string' && Number.isInteger(pid) ? { url, pid: Number(pid) } : undefined;
  } catch {
    // There is none, or somebody else wrote it.
    return undefined;
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there and another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
