import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import type { EngineDeps } from '../features/payments/attempts/engine.ts';
import { gatewayAccounts } from '../gateway-accounts.ts';
import type { Runtime } from '../runtime.ts';

/** The payment engine as a command works with it. */
export function engineOf(runtime: Runtime): EngineDeps {
  const { secrets, clock, log, databases } = runtime;
  return { db: databases.jobs, secrets, clock, log, accounts: gatewayAccounts(runtime, gatewayModules) };
}
