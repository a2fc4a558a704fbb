/** What a gateway's `manifest.ts` declares, and how the server turns it plus a reseller's settings into a `Gateway`. */
import * as z from 'zod/mini';
import type { GatewayFetch } from './http.ts';
import type { Capabilities, Gateway } from './port.ts';
import type { SavedMethodsManifest } from './saved-manifest.ts';

/** How one configuration field is presented to the operator and kept. */
export interface ConfigField {
  readonly label: string;
  /** Encrypted at rest, never shown again, never logged. */
  readonly secret: boolean;
  readonly help?: string;
}

const fieldNotes = z.registry<ConfigField>();

/** Marks a field of a manifest's `config` schema. Every field must be marked; `defineGateway` checks it. */
export const configField = <Schema extends z.ZodMiniType>(schema: Schema, field: ConfigField): Schema => {
  fieldNotes.add(schema, field);
  return schema;
};

/** One address a gateway is reached at. */
export interface RoleAddress {
  /** The provider's own, without a trailing slash. */
  readonly production: string;
  /** Appended to `GATEWAY_URL_<ID>` when only that one is set: where the sandbox serves this role. `''` for its root. */
  readonly underBase: string;
  /** What calls it takes scheme, host and port alone, so an address with a path is refused. */
  readonly isOrigin?: true;
}

/** Kinds of Content-Security-Policy sources, each with the roles whose origins belong there. */
export interface CspRoles<Role extends string> {
  readonly script: readonly Role[];
  readonly frame: readonly Role[];
  readonly connect: readonly Role[];
}

/** What the browser may know of a reseller's gateway. No secrets. */
export type PublicGatewayConfig = Readonly<Record<string, string | boolean>>;

/** What a reseller's keys may do: `test` moves no money, `live` does, `unknown` cannot be told from the settings. */
export type KeyMode = 'test' | 'live' | 'unknown';

export interface GatewayManifest<
  Role extends string = string,
  Config extends z.ZodMiniObject = z.ZodMiniObject,
> {
  /** Provider code of the specification, payments §2 (1 Stripe, 2 Authorize.Net, …). */
  readonly code: number;
  /** Folder name and path segment of webhooks: lower-case kebab. */
  readonly id: string;
  readonly displayName: string;
  readonly docs: string;
  readonly apiVersion: string;
  /** `integrationType` of the public brand settings; tells the pay page which browser entry to load. */
  readonly integrationType: string;
  readonly roles: Readonly<Record<Role, RoleAddress>>;
  readonly capabilities: Capabilities;
  /** Absent where nothing can be saved. */
  readonly saved?: SavedMethodsManifest;
  /** Settings of one reseller's account. */
  readonly config: Config;
  readonly csp: CspRoles<Role>;
  publicConfig(config: z.output<Config>, addresses: Readonly<Record<Role, string>>): PublicGatewayConfig;
  /** By settings that the schema has read. Absent where they never tell. In doubt `live`. */
  keyMode?(settings: Readonly<Record<string, unknown>>): KeyMode;
}

/** The part of a pino logger an adapter uses. Whatever passes through is redacted by the adapter first. */
export interface GatewayLog {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Everything an adapter needs from outside. Nothing is read from the environment. */
export interface GatewayContext<Config = unknown, Role extends string = string> {
  readonly config: Config;
  readonly addresses: Readonly<Record<Role, string>>;
  readonly clock: { now(): Date };
  readonly log: GatewayLog;
  /** For tests and proxies; the built-in `fetch` otherwise. */
  readonly fetch?: GatewayFetch;
  /** Waits between two tries of the same request; tests pass one that returns at once. */
  readonly pause?: (milliseconds: number) => Promise<void>;
  /** Longest wait for one answer, milliseconds (20,000). */
  readonly timeoutMs?: number;
}

/** What a gateway's folder gives to the registry. */
export interface GatewayModule {
  readonly manifest: GatewayManifest;
  createGateway(context: GatewayContext): Gateway;
}

/**
 * Checks a manifest when it is loaded, so that a mistake stops the start instead of a payment.
 * @throws {TypeError} naming the gateway and the mistake
 */
export function defineGateway<Role extends string, Config extends z.ZodMiniObject>(
  manifest: GatewayManifest<Role, Config>,
): GatewayManifest<Role, Config> {
  const fail = (what: string): never => {
    throw new TypeError(`gateway ${manifest.id}: ${what}`);
  };
  if (!/^[a-z][a-z0-9-]*$/.test(manifest.id)) fail('the id is not lower-case kebab');
  for (const [name, schema] of Object.entries(manifest.config.shape)) {
    if (fieldNotes.get(schema) === undefined)
      fail(`the configuration field ${name} is not marked by configField`);
  }
  for (const [role, address] of Object.entries<RoleAddress>(manifest.roles)) {
    if (!/^https:\/\/[^/]+(\/.*[^/])?$/.test(address.production))
      fail(`the address of ${role} is not an https address`);
    if (address.underBase !== '' && !/^\/.*[^/]$/.test(address.underBase))
      fail(`underBase of ${role} is not a path`);
  }
  return manifest;
}

/** The fields of a manifest's configuration in declared order, for forms, the CLI and encryption. */
export const configFieldsOf = (
  manifest: GatewayManifest,
): readonly (ConfigField & { readonly name: string })[] =>
  Object.entries(manifest.config.shape).map(([name, schema]) => ({
    name,
    ...(fieldNotes.get(schema) ?? { label: name, secret: true }),
  }));

/** Names of the fields that are encrypted at rest and never shown. */
export const secretFieldsOf = (manifest: GatewayManifest): readonly string[] =>
  configFieldsOf(manifest)
    .filter((field) => field.secret)
    .map((field) => field.name);

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

export type OpenGateway =
  | { readonly is: 'open'; readonly gateway: Gateway; readonly publicConfig: PublicGatewayConfig }
  /** `faults` name fields, never their values. */
  | { readonly is: 'misconfigured'; readonly faults: readonly string[] };

/**
 * Opens one reseller's gateway from stored settings.
 * @param settings decrypted configuration, as the manifest's schema takes it
 * @returns `misconfigured` (the product's `apiStatus: false`) instead of throwing on bad settings
 */
export function openGateway(
  module: GatewayModule,
  settings: unknown,
  context: Omit<GatewayContext, 'config'>,
): OpenGateway {
  const parsed = z.safeParse(module.manifest.config, settings);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      (issue) => `${issue.path.join('.') || 'settings'}: ${issue.message}`,
    );
    return { is: 'misconfigured', faults };
  }
  return {
    is: 'open',
    gateway: module.createGateway({ ...context, config: parsed.data }),
    publicConfig: module.manifest.publicConfig(parsed.data, context.addresses),
  };
}
