import { join } from 'node:path';
import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import { demoFaults } from '../config.ts';
import { isDemo } from '../demo/marks.ts';
import { ledToSandbox, reachesProvider } from '../demo/sandbox-addresses.ts';
import type { Running } from '../processes.ts';
import type { Runtime } from '../runtime.ts';
import { CommandError } from './command.ts';
import { leaveWord, readWord } from './left-word.ts';

/** Nobody waits longer for a sandbox that may not be there. */
const ANSWER_WITHIN_MS = 2_000;

const fileIn = (dataDir: string): string => join(dataDir, 'sandbox.json');

/** Leaves word of where the sandbox of this process is, for commands beside it, until it is stopped. */
export const leaveSandboxWord = (dataDir: string, url: string): Promise<Running> =>
  leaveWord(fileIn(dataDir), url);

/**
 * The runtime with which a process calls gateways beside the one that runs the sandbox. In a demo all of them are that
 * sandbox, which says in the data folder where it is, whatever keys they have; what the operator has set as address
 * stands, on this machine.
 * @throws {CommandError} in a demo where a gateway would be the provider itself and no sandbox runs: nothing is sent
 */
export async function reachGateways(
  runtime: Runtime,
  modules: readonly Pick<GatewayModule, 'manifest'>[],
): Promise<Runtime> {
  const { config } = runtime;
  if (!(await isDemo(runtime.databases.web, config))) return runtime;
  const [fault] = demoFaults(config);
  if (fault !== undefined) throw new CommandError(fault);
  if (!reachesProvider(config, modules)) return runtime;
  const url = await runningSandbox(config.dataDir);
  if (url === undefined)
    throw new CommandError(
      "the demo's gateway sandbox does not run, and a demo calls nothing else: nothing was sent. " +
        "Start it with 'npm start', on this DATA_DIR. An installation of your own has DEMO=0",
    );
  return { ...runtime, config: ledToSandbox(config, modules, url) };
}

/** The address that was left, when who left it is there and a sandbox answers at it. */
export async function runningSandbox(dataDir: string): Promise<string | undefined> {
  const word = await readWord(fileIn(dataDir));
  if (word === undefined) return undefined;
  const isSandbox = await fetch(`${word.url}/_sandbox/health`, {
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  })
    .then(async (answer) => answer.ok && 'gateways' in ((await answer.json()) as object))
    .catch(() => false);
  return isSandbox ? word.url : undefined;
}
