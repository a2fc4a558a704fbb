import { addressSetting, resolveAddresses } from '@counterfoil/gateways/port/addresses.ts';
import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import type { Config } from '../config.ts';

const PREFIX = 'GATEWAY_URL_';

/** The addresses of the settings by the full names of these. */
export const addressesOf = ({ gatewayUrls }: Pick<Config, 'gatewayUrls'>): Readonly<Record<string, string>> =>
  Object.fromEntries([...gatewayUrls].map(([id, url]) => [PREFIX + id, url]));

/**
 * The same settings with every gateway led to the sandbox, in every role, also one that the sandbox does not serve:
 * it answers 404 there, and a demo never reaches a provider. What the operator has set as address stands.
 * @param sandboxUrl without a trailing slash; where a role is below it, its manifest says
 */
export function ledToSandbox<Settings extends Pick<Config, 'gatewayUrls'>>(
  config: Settings,
  modules: readonly Pick<GatewayModule, 'manifest'>[],
  sandboxUrl: string,
): Settings {
  const led = modules.map(
    ({ manifest }) => [addressSetting(manifest).slice(PREFIX.length), sandboxUrl] as const,
  );
  return { ...config, gatewayUrls: new Map([...led, ...config.gatewayUrls]) };
}

/** Whether the settings leave any role of a gateway at the provider's own address. */
export function reachesProvider(
  config: Pick<Config, 'gatewayUrls'>,
  modules: readonly Pick<GatewayModule, 'manifest'>[],
): boolean {
  const addresses = addressesOf(config);
  return modules.some(({ manifest }) =>
    Object.entries(resolveAddresses(manifest, addresses)).some(
      ([role, address]) => manifest.roles[role]?.production === address,
    ),
  );
}
