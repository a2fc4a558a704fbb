/** What a gateway's `manifest.ts` declares, and how the server turns it plus a reseller's settings into a `Gateway`. */
import * as z from 'zod/mini';
import type { GatewayFetch } from '../kit/http.ts';
import type { Capabilities, Gateway, MethodKind } from './gateway.ts';
import type { FormField, SavedMethodsManifest } from './saved-manifest.ts';

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
  /** What a card that pays once needs beside its number, whatever the brand asks for; nothing where it is absent. */
  readonly payOnceFields?: readonly FormField[];
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

/** A gateway's `gateway.ts`. */
export interface GatewayAdapter {
  createGateway(context: GatewayContext): Gateway;
}

/** What a gateway's folder gives to the registry. */
export interface GatewayModule {
  readonly manifest: GatewayManifest;
  /** Loaded when an account needs it: an installation with one gateway has one in memory. */
  load(): Promise<GatewayAdapter>;
}

/** The setting by which an account chooses its way of entry, for every gateway that has several. */
const ENTRY_SETTINGS = { card: 'cardEntry', bank: 'bankEntry' } as const;
const kinds = ['card', 'bank'] as const satisfies readonly MethodKind[];

/** The settings of a gateway with several ways of entry: the first is what an account has unless it chooses. */
function entrySettings({
  capabilities: { entry },
  config,
}: GatewayManifest): Readonly<Record<string, z.ZodMiniType>> {
  const fields = kinds.flatMap((kind) => {
    if (ENTRY_SETTINGS[kind] in config.shape) return [];
    const [first, ...others] = (entry[kind] ?? []).map(({ how }) => how);
    if (first === undefined || others.length === 0) return [];
    const pci = entry[kind]?.map(({ how, pci: saq }) => `${how} (PCI DSS SAQ ${saq})`).join(', ');
    return [
      [
        ENTRY_SETTINGS[kind],
        configField(z._default(z.enum([first, ...others]), first), {
          label: kind === 'card' ? 'Entry of cards' : 'Entry of bank accounts',
          secret: false,
          help: `How numbers get to the provider: ${pci}.`,
        }),
      ] as const,
    ];
  });
  return Object.fromEntries(fields);
}

/** The ways of entry that an account has chosen, where it has: one that its gateway does not give it is none. */
export type ChosenEntries = Readonly<Partial<Record<MethodKind, string>>>;

const chosenEntries = (settings: Readonly<Record<string, unknown>>): ChosenEntries =>
  Object.fromEntries(
    kinds.flatMap((kind) => {
      const chosen = settings[ENTRY_SETTINGS[kind]];
      return typeof chosen === 'string' ? [[kind, chosen]] : [];
    }),
  );

/**
 * All settings of an account at this gateway: its own, and those that every gateway with several ways of entry has,
 * `cardEntry` and `bankEntry`, unless it declares them itself because its adapter reads them.
 */
export const settingsOf = (manifest: GatewayManifest): z.ZodMiniObject =>
  z.object({ ...manifest.config.shape, ...entrySettings(manifest) });

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
  Object.entries(settingsOf(manifest).shape).map(([name, schema]) => ({
    name,
    ...(fieldNotes.get(schema) ?? { label: name, secret: true }),
  }));

/** Names of the fields that are encrypted at rest and never shown. */
export const secretFieldsOf = (manifest: GatewayManifest): readonly string[] =>
  configFieldsOf(manifest)
    .filter((field) => field.secret)
    .map((field) => field.name);

export type OpenGateway =
  | {
      readonly is: 'open';
      readonly gateway: Gateway;
      readonly publicConfig: PublicGatewayConfig;
      readonly entries: ChosenEntries;
    }
  /** `faults` name fields, never their values. */
  | { readonly is: 'misconfigured'; readonly faults: readonly string[] };

/**
 * Opens one reseller's gateway from stored settings.
 * @param settings decrypted configuration, as the manifest's schema takes it
 * @returns `misconfigured` (the product's `apiStatus: false`) instead of throwing on bad settings
 */
export async function openGateway(
  module: GatewayModule,
  settings: unknown,
  context: Omit<GatewayContext, 'config'>,
): Promise<OpenGateway> {
  const parsed = z.safeParse(settingsOf(module.manifest), settings);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      (issue) => `${issue.path.join('.') || 'settings'}: ${issue.message}`,
    );
    return { is: 'misconfigured', faults };
  }
  const { createGateway } = await module.load();
  return {
    is: 'open',
    gateway: createGateway({ ...context, config: parsed.data }),
    entries: chosenEntries(parsed.data),
    publicConfig: module.manifest.publicConfig(parsed.data, context.addresses),
  };
}
