import { access, constants, statfs } from 'node:fs/promises';
import { formatBytes } from '@counterfoil/domain/bytes.ts';
import type { GatewayModule } from '@counterfoil/gateways/define-gateway.ts';
import { makeDataDir } from '@counterfoil/postgres/data-dir.ts';
import { gatewayAccounts } from '../build-app.ts';
import { type Config, isLocal, isLoopback } from '../config.ts';
import { listBrands } from '../features/admin/brands.ts';
import { listGatewayAccounts } from '../features/admin/gateway-accounts.ts';
import {
  type LastVerification,
  lastVerifications,
  standOf,
} from '../features/admin/gateway-verifications.ts';
import { readBacklog } from '../features/payments/inbox.ts';
import type { Runtime } from '../runtime.ts';
import { CommandError } from './command.ts';
import { databaseStatus } from './database-status.ts';
import { reachGateways } from './demo-sandbox.ts';
import { demoWorld } from './doctor-demo.ts';
import { filesFinding } from './doctor-files.ts';
import { databaseTlsFinding, gatewayAddressFindings, mailFinding } from './doctor-transport.ts';
import { type Finding, reasonOf } from './finding.ts';
import { openQuietly } from './with-runtime.ts';

const OLDEST_DATABASE = 150_000;
const LEAST_FREE_BYTES = 1_000_000_000;

/** Examines an installation from its settings. @returns what was found, in the order of what depends on what */
export async function examine(
  config: Config,
  modules: readonly GatewayModule[],
): Promise<readonly Finding[]> {
  const first = [
    ...settings(config),
    await disk(config.dataDir),
    filesFinding(config),
    await mailFinding(config),
    ...gatewayAddressFindings(config),
  ];
  let runtime: Runtime;
  try {
    runtime = await openQuietly({ ...config, logLevel: 'silent' });
  } catch (error) {
    return [...first, { what: 'database', is: 'fault', found: reasonOf(error) }];
  }
  try {
    return [...first, ...(await database(runtime, modules))];
  } finally {
    await runtime.close();
  }
}

function settings(config: Config): readonly Finding[] {
  const plain = config.publicUrl.protocol === 'http:' && !isLoopback(config.publicUrl);
  return [
    { what: 'settings', is: 'ok', found: 'readable' },
    {
      what: 'PUBLIC_URL',
      is: plain ? 'warning' : 'ok',
      found: plain ? `${config.publicUrl.origin}: customers need https` : config.publicUrl.origin,
    },
    {
      what: 'DEMO',
      is: 'ok',
      found: sayDemo(config),
    },
    {
      what: 'PASSWORD_MIN_LENGTH',
      is: config.passwordMinLength < 8 ? 'warning' : 'ok',
      found: `${config.passwordMinLength}${config.passwordMinLength < 8 ? '; 12 or more is recommended' : ''}`,
    },
  ];
}

function sayDemo(config: Config): string {
  if (config.demo === undefined && isLocal(config)) return "not said: 1 to 'npm start', 0 to all else";
  return config.demo === true ? 'demo world and gateway sandbox' : 'off';
}

async function disk(dataDir: string): Promise<Finding> {
  try {
    makeDataDir(dataDir);
    await access(dataDir, constants.W_OK);
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    return {
      what: 'disk',
      is: free < LEAST_FREE_BYTES ? 'warning' : 'ok',
      found: `${dataDir} is writable, ${formatBytes(free)} free`,
    };
  } catch (error) {
    return { what: 'disk', is: 'fault', found: `${dataDir} is not writable: ${reasonOf(error)}` };
  }
}

async function database(runtime: Runtime, modules: readonly GatewayModule[]): Promise<readonly Finding[]> {
  try {
    const status = await databaseStatus(runtime.databases.web);
    const isOld = status.versionNumber < OLDEST_DATABASE;
    const found: Finding[] = [
      {
        what: 'database',
        is: isOld ? 'fault' : 'ok',
        found: `PostgreSQL ${status.version}${isOld ? '; 15 or later is needed' : ''}, ${status.size}`,
      },
      await databaseTlsFinding(runtime.databases.web, runtime.databaseUrl),
      {
        what: 'schema',
        is: status.isCurrent ? 'ok' : 'fault',
        found: `${status.schema} of ${status.newestSchema}${status.isCurrent ? '' : "; run 'counterfoil migrate'"}`,
      },
    ];
    if (!status.isCurrent) return found;
    found.push(...(await demoWorld(runtime)), ...(await brands(runtime)));
    return [...found, ...(await reachedGateways(runtime, modules)), await webhookEvents(runtime)];
  } catch (error) {
    return [{ what: 'database', is: 'fault', found: reasonOf(error) }];
  }
}

async function brands(runtime: Runtime): Promise<readonly Finding[]> {
  const rows = await listBrands(runtime.databases.web);
  if (rows.length === 0)
    return [{ what: 'brands', is: 'warning', found: "none; 'counterfoil brand add' makes one" }];
  return rows.map((brand) => ({
    what: `brand ${brand.id}`,
    is: brand.hosts.length === 0 ? 'warning' : 'ok',
    found: `${brand.name}: ${brand.hosts.join(', ') || 'no host; links carry the host of PUBLIC_URL'}`,
  }));
}

async function reachedGateways(
  runtime: Runtime,
  modules: readonly GatewayModule[],
): Promise<readonly Finding[]> {
  try {
    return await gateways(await reachGateways(runtime, modules), modules);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [{ what: 'gateways', is: 'fault', found: error.message }];
  }
}

async function gateways(runtime: Runtime, modules: readonly GatewayModule[]): Promise<readonly Finding[]> {
  const accounts = gatewayAccounts(runtime, modules);
  const { web } = runtime.databases;
  const rows = (await listGatewayAccounts(web)).filter((row) => row.is_active);
  const verified = await lastVerifications(web);
  const found = await Promise.all(
    rows.map(async (row): Promise<Finding> => {
      const what = `gateway of ${row.reseller_id}`;
      if (!modules.some((module) => module.manifest.id === row.gateway)) {
        return { what, is: 'warning', found: `${row.gateway}: this program does not have it` };
      }
      const account = await accounts.byId(row.id);
      if (account === undefined)
        return { what, is: 'fault', found: `${row.gateway}: its settings do not fit` };
      const check = await account.gateway.check();
      if (check.ok) return { what, is: 'ok', found: `${row.gateway}: the keys work` };
      const trouble = check.unreachable === true ? 'is not reachable' : 'refuses the keys';
      return { what, is: 'fault', found: `${row.gateway} ${trouble}: ${check.why ?? ''}` };
    }),
  );
  return rows.flatMap((row, index): Finding[] => [
    ...(found[index] === undefined ? [] : [found[index]]),
    verification(row, modules, verified.get(row.id)),
  ]);
}

/** Whether what this program says of a gateway's protocol was proven at the gateway. Nothing fails because it was not. */
function verification(
  row: { readonly reseller_id: number; readonly gateway: string },
  modules: readonly GatewayModule[],
  last: LastVerification | undefined,
): Finding {
  const { counts, text } = standOf(
    last,
    modules.find(({ manifest }) => manifest.id === row.gateway)?.manifest,
  );
  const command = `'counterfoil gateway verify --reseller ${row.reseller_id}' with test keys does it`;
  return {
    what: `verified for ${row.reseller_id}`,
    is: counts ? 'ok' : 'warning',
    found: `${row.gateway}: ${text}${counts ? '' : `; ${command}`}`,
  };
}

/** An event that waits so long shows that no worker runs, or that its gateway does not answer. */
const WAITS_LONG_MS = 60 * 60_000;

async function webhookEvents({ databases, clock }: Runtime): Promise<Finding> {
  const now = clock.now();
  const { waiting, oldest, forPerson } = await readBacklog(databases.web, now);
  const isLate = oldest !== null && now.getTime() - oldest.getTime() > WAITS_LONG_MS;
  const found = [
    ...(oldest === null ? [] : [`${waiting} wait, the oldest since ${oldest.toISOString()}`]),
    ...(forPerson.length === 0
      ? []
      : [
          `${forPerson.length} of the last week need a person, see the log: ${forPerson.slice(0, 3).join(', ')}`,
        ]),
  ];
  return {
    ...{ what: 'webhook events', is: isLate || forPerson.length > 0 ? 'warning' : 'ok' },
    found: found.join('; ') || 'all are followed up',
  };
}
