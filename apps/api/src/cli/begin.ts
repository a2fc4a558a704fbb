import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { isUpToDate, migrate } from '../db/migrate.ts';
import { setUpRowSecurity } from '../db/row-security/set-up.ts';
import { noticeRestored } from '../features/payments/pause/restored.ts';
import { keepKeyCheck } from '../key-check.ts';
import { openRuntime, type Runtime } from '../runtime.ts';
import { WorldFault } from '../world-fault.ts';
import { type Beginning, refuseFaults, SERVERS } from './checks/check.ts';
import { keyFinding, serverChecks } from './checks/database.ts';
import { machineChecks } from './checks/machine.ts';
import { sayFinding } from './doctor/finding.ts';
import { beOnlyStart } from './running-server.ts';

const isServer = (begins: readonly Beginning[]): boolean => begins.some((one) => SERVERS.includes(one));

/** `start` is both. */
const isStart = (begins: readonly Beginning[]): boolean => SERVERS.every((one) => begins.includes(one));

/**
 * Opens what a command works with, where the machine is fit for it.
 * @param begins what begins here; a fault that concerns none of it stops nothing
 * @throws {WorldFault}
 */
export async function open(config: Config, begins: readonly Beginning[], log?: Logger): Promise<Runtime> {
  await refuseFaults(machineChecks, { config, modules: await modulesFor(begins) }, begins);
  const lock = isStart(begins) ? await beOnlyStart(config.dataDir) : undefined;
  try {
    const runtime = await openRuntime(config, log);
    const close = () => runtime.close().finally(() => lock?.release());
    return { ...runtime, close };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

/** The gateways, for whose servers their addresses are checked; a command that calls none does not load them. */
const modulesFor = async (begins: readonly Beginning[]): Promise<readonly GatewayModule[]> =>
  isServer(begins) ? (await import('@counterfoil/gateways/registry.ts')).gatewayModules : [];

/**
 * Makes the database fit for work: server and role will do, the schema is up to date, the key is the one it was made
 * with. A command looks at server and role only where the schema is not up to date.
 * @returns the names of the migrations that ran now
 * @throws {WorldFault}
 */
export async function prepareDatabase(
  runtime: Runtime,
  begins: readonly Beginning[] = ['command'],
): Promise<string[]> {
  const isFit = !isServer(begins) && (await isUpToDate(runtime.databases.web));
  if (!isFit) await refuseFaults(serverChecks, runtime, begins);
  const ran = isFit ? [] : await migrate(runtime.databaseUrl);
  const key = keyFinding(await keepKeyCheck(runtime.databases.web, runtime.secrets), runtime);
  if (key.is === 'fault') throw new WorldFault(sayFinding(key));
  if (!isFit) await secureRows(runtime);
  const restored = await noticeRestored(runtime.databases.web, runtime.clock.now());
  if (restored !== undefined)
    runtime.log.error(
      restored,
      'this database was filled from a dump: payments are off until what was paid since is known; see doctor',
    );
  return ran;
}

/**
 * Has the database keep to a customer what is done for one, where the settings wish it and the database allows.
 * @throws {WorldFault} where it has to and cannot
 */
async function secureRows({ config, databases, log }: Runtime): Promise<void> {
  if (config.rowSecurity === 'off') return;
  const security = await setUpRowSecurity(databases);
  if (security.is === 'on') return;
  if (config.rowSecurity === 'required')
    throw new WorldFault(
      `DATABASE_ROW_SECURITY=required, but ${security.why}; see 'Row-level security' in docs/operations.md`,
    );
  log.warn({ why: security.why }, 'the database does not keep rows to their customer; the queries alone do');
}
