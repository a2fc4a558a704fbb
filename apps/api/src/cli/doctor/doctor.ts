import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import type { Config } from '../../config.ts';
import { createLogger } from '../../logger.ts';
import { openRuntime, type Runtime } from '../../runtime.ts';
import { lookAt } from '../checks/check.ts';
import { contentChecks, schemaFindings, serverChecks } from '../checks/database.ts';
import { installationChecks } from '../checks/installation.ts';
import { machineChecks } from '../checks/machine.ts';
import type { Finding } from './finding.ts';
import { sentenceFor } from './world-faults.ts';

/**
 * Examines an installation from its settings, by the checks that a start makes and more.
 * @returns what was found, in the order of what depends on what
 */
export async function examine(
  config: Config,
  modules: readonly GatewayModule[],
): Promise<readonly Finding[]> {
  const first = await lookAt(machineChecks, { config, modules });
  // Without its folder there is neither embedded database nor key.
  if (first.some(({ what, is }) => what === 'DATA_DIR' && is === 'fault')) return first;
  let runtime: Runtime;
  try {
    runtime = await openRuntime(config, createLogger('silent'));
  } catch (error) {
    return [...first, databaseFault(error, config)];
  }
  try {
    return [...first, ...(await examineDatabase(runtime, modules))];
  } finally {
    await runtime.close();
  }
}

async function examineDatabase(
  runtime: Runtime,
  modules: readonly GatewayModule[],
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  const isFit = () => found.every(({ is }) => is !== 'fault');
  try {
    found.push(...(await lookAt(serverChecks, runtime)));
    if (isFit()) found.push(...(await schemaFindings(runtime.databases.web)));
    if (isFit()) found.push(...(await lookAt(contentChecks, runtime)));
    // With another key what is sealed cannot be looked at.
    if (isFit()) found.push(...(await lookAt(installationChecks(modules), runtime)));
    return found;
  } catch (error) {
    return [...found, databaseFault(error, runtime.config)];
  }
}

function databaseFault(error: unknown, config: Config): Finding {
  const found = sentenceFor(error, config) ?? (error instanceof Error ? error.message : String(error));
  return { what: 'database', is: 'fault', found };
}
