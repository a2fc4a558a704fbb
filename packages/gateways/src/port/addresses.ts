import type { GatewayManifest, RoleAddress } from './define-gateway.ts';

const envName = (text: string): string =>
  text
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase();

/** `GATEWAY_URL_<ID>`, or `GATEWAY_URL_<ID>_<ROLE>` with a role. */
export const addressSetting = (manifest: Pick<GatewayManifest, 'id'>, role?: string): string =>
  role === undefined
    ? `GATEWAY_URL_${envName(manifest.id)}`
    : `GATEWAY_URL_${envName(manifest.id)}_${envName(role)}`;

/** Every setting name that can override an address of this gateway. */
export const addressSettingsOf = (manifest: GatewayManifest): readonly string[] => [
  addressSetting(manifest),
  ...Object.keys(manifest.roles).map((role) => addressSetting(manifest, role)),
];

const parseAddress = (setting: string, text: string): string => {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new TypeError(`${setting} is not an address`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError(`${setting} is not an http address`);
  if (url.username !== '' || url.password !== '')
    throw new TypeError(`${setting} must not carry credentials`);
  if (url.search !== '' || url.hash !== '')
    throw new TypeError(`${setting} must not carry a query or fragment`);
  return url.href.replace(/\/+$/, '');
};

/**
 * The address of every role: `GATEWAY_URL_<ID>_<ROLE>`, else `GATEWAY_URL_<ID>` plus the role's `underBase`,
 * else the provider's own.
 * @param overrides settings by name, as read by the configuration; other names are ignored
 * @throws {TypeError} naming the setting that is not an http(s) address
 */
export function resolveAddresses<Role extends string>(
  manifest: Pick<GatewayManifest<Role>, 'id' | 'roles'>,
  overrides: Readonly<Record<string, string | undefined>>,
): Readonly<Record<Role, string>> {
  const given = (setting: string): string | undefined => {
    const text = overrides[setting];
    return text === undefined || text === '' ? undefined : parseAddress(setting, text);
  };
  const base = given(addressSetting(manifest));
  const resolved: [string, string][] = Object.entries<RoleAddress>(manifest.roles).map(([role, address]) => [
    role,
    given(addressSetting(manifest, role)) ??
      (base === undefined ? address.production : base + address.underBase),
  ]);
  return Object.fromEntries(resolved) as Record<Role, string>;
}

/**
 * What is wrong with the addresses of the settings: one that no gateway has, or that cannot be called. One clause each,
 * which names the setting and never shows what might be a password in it.
 * @param overrides settings by name; all of them begin with `GATEWAY_URL_`
 */
export function addressFaults(
  manifests: readonly Pick<GatewayManifest, 'id' | 'roles'>[],
  overrides: Readonly<Record<string, string>>,
): readonly string[] {
  const known = new Map<string, readonly RoleAddress[]>(
    manifests.flatMap((manifest) => [
      [addressSetting(manifest), Object.values(manifest.roles)] as const,
      ...Object.entries(manifest.roles).map(
        ([role, address]) => [addressSetting(manifest, role), [address]] as const,
      ),
    ]),
  );
  return Object.entries(overrides).flatMap(([setting, text]) => {
    const roles = known.get(setting);
    if (roles === undefined) return [`${setting} is no gateway's; there are ${[...known.keys()].join(', ')}`];
    try {
      const { pathname, origin } = new URL(parseAddress(setting, text));
      const takesPath = !roles.some(({ isOrigin }) => isOrigin);
      return pathname === '/' || takesPath
        ? []
        : [
            `${setting} must be without a path, such as ${origin}: its requests go to that host and know no folder`,
          ];
    } catch (error) {
      return [error instanceof Error ? error.message : `${setting} is no address`];
    }
  });
}

/** Origins for the Content-Security-Policy of pages that take this gateway's payments, without repeats. */
export function cspOrigins<Role extends string>(
  manifest: Pick<GatewayManifest<Role>, 'csp'>,
  addresses: Readonly<Record<Role, string>>,
): {
  readonly script: readonly string[];
  readonly frame: readonly string[];
  readonly connect: readonly string[];
} {
  const origins = (roles: readonly Role[]): string[] => [
    ...new Set(roles.map((role) => new URL(addresses[role]).origin)),
  ];
  return {
    script: origins(manifest.csp.script),
    frame: origins(manifest.csp.frame),
    connect: origins(manifest.csp.connect),
  };
}
