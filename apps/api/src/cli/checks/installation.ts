import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import { brandFaults, listBrands } from '../../features/admin/brands.ts';
import { listGatewayAccounts } from '../../features/admin/gateway-accounts.ts';
import {
  type LastVerification,
  lastVerifications,
  standOf,
} from '../../features/admin/gateway-verifications.ts';
import { listRefusedCharges } from '../../features/admin-payments/queries.ts';
import { listPauses } from '../../features/payments/pause/pause.ts';
import { readBacklog } from '../../features/payments/webhooks/inbox.ts';
import { gatewayAccounts } from '../../gateway-accounts.ts';
import type { Runtime } from '../../runtime.ts';
import { CommandError } from '../command.ts';
import { reachGateways } from '../demo-sandbox.ts';
import { demoWorld } from '../doctor/doctor-demo.ts';
import type { Finding } from '../doctor/finding.ts';
import type { Check } from './check.ts';

/** What the provider has set up in it. Nothing of this stops a start: one reseller's fault is not another's. */
export const installationChecks = (modules: readonly GatewayModule[]): readonly Check<Runtime>[] => [
  { stops: [], look: demoWorld },
  { stops: [], look: brands },
  { stops: [], look: (runtime) => reachedGateways(runtime, modules) },
  { stops: [], look: refusedCharges },
  { stops: [], look: pausedPayments },
  { stops: [], look: async (runtime) => [await webhookEvents(runtime)] },
];

async function brands(runtime: Runtime): Promise<readonly Finding[]> {
  const rows = await listBrands(runtime.databases.web);
  if (rows.length === 0)
    return [{ what: 'brands', is: 'warning', found: 'none', remedy: "'counterfoil brand add' makes one" }];
  return rows.map((brand): Finding => {
    const what = `brand ${brand.id}`;
    const faults = brandFaults(brand);
    if (faults.length > 0) {
      const found = `${brand.name}: ${faults.join('; ')}`;
      return { what, is: 'fault', found, remedy: `'counterfoil brand set --id ${brand.id}' puts it right` };
    }
    return {
      what,
      is: brand.hosts.length === 0 ? 'warning' : 'ok',
      found: `${brand.name}: ${brand.hosts.join(', ') || 'no host; links carry the host of PUBLIC_URL'}`,
    };
  });
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
  if (rows.length === 0) {
    const found = 'none is in use: nothing can be paid';
    return [
      { what: 'gateways', is: 'warning', found, remedy: "'counterfoil gateway set' gives a reseller one" },
    ];
  }
  const verified = await lastVerifications(web);
  const found = await Promise.all(
    rows.map(async (row): Promise<Finding> => {
      const what = `gateway of ${row.reseller_id}`;
      const name = accounts.nameOf(row.gateway);
      if (!modules.some((module) => module.manifest.id === row.gateway)) {
        return { what, is: 'warning', found: `${row.gateway}: this program does not have it` };
      }
      const account = await accounts.byId(row.id);
      if (account === undefined) return { what, is: 'fault', found: `${name}: its settings do not fit` };
      const check = await account.gateway.verifyCredentials();
      if (check.ok) return { what, is: 'ok', found: `${name}: the keys work` };
      const trouble = check.unreachable === true ? 'is not reachable' : 'refuses the keys';
      return { what, is: 'fault', found: `${name} ${trouble}: ${check.why ?? ''}` };
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
  const manifest = modules.find((module) => module.manifest.id === row.gateway)?.manifest;
  const { counts, text } = standOf(last, manifest);
  const remedy = `'counterfoil gateway verify --reseller ${row.reseller_id}' with test keys does it`;
  return {
    what: `verified for ${row.reseller_id}`,
    is: counts ? 'ok' : 'warning',
    found: `${manifest?.displayName ?? row.gateway}: ${text}`,
    ...(counts ? {} : { remedy }),
  };
}

/** Charges of the last day that a gateway refused because of the reseller's account, which a check of its keys may not show. */
async function refusedCharges({ databases, clock }: Runtime): Promise<readonly Finding[]> {
  const since = new Date(clock.now().getTime() - DAY_MS);
  const refused = await listRefusedCharges(databases.web, since);
  return refused.map(({ reseller_id, count, detail }) => ({
    what: `charges of ${reseller_id}`,
    is: 'warning',
    found: `the gateway refused ${count} of the last day because of the account: ${detail ?? ''}`,
    remedy: `'counterfoil gateway set --reseller ${reseller_id}' sets its keys`,
  }));
}

/** Accounts whose payments are off since a backup was restored. */
async function pausedPayments({ databases }: Runtime): Promise<readonly Finding[]> {
  const pauses = await listPauses(databases.web);
  return pauses.map(({ resellerId, gateway, since, problem }): Finding => {
    const what = `payments of ${resellerId}`;
    const found = `${gateway}: off since a backup of ${since.toISOString()} was restored`;
    return problem === null
      ? { what, is: 'warning', found: `${found}; a worker scans the gateway` }
      : {
          what,
          is: 'fault',
          found: `${found}; ${problem}`,
          remedy: `compare its payments since then with 'counterfoil payments list', then 'counterfoil payments resume --reseller ${resellerId}'`,
        };
  });
}

/** An event that waits so long shows that no worker runs, or that its gateway does not answer. */
const DAY_MS = 24 * 60 * 60_000;
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
    what: 'webhook events',
    is: isLate || forPerson.length > 0 ? 'warning' : 'ok',
    found: found.join('; ') || 'all are followed up',
  };
}
