import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import { addressesOf } from './demo/sandbox-addresses.ts';
import type { Deps } from './deps.ts';
import { GatewayAccounts } from './features/payments/accounts.ts';

/** The resellers' gateway accounts with this program's gateways and the addresses from the settings. */
export function gatewayAccounts(deps: Deps, modules: readonly GatewayModule[]): GatewayAccounts {
  const addresses = addressesOf(deps.config);
  const { clock, secrets, log } = deps;
  return new GatewayAccounts({ db: deps.databases.web, secrets, clock, log, modules, addresses });
}
