import type {
  GatewayAccountDetail,
  GatewayAccountShown,
  GatewayKind,
  GatewaySetting,
} from '@counterfoil/contract/operator/running/admin-gateways.ts';
import { keyModeOf } from '@counterfoil/gateways/cases/case.ts';
import { resolveAddresses } from '@counterfoil/gateways/port/addresses.ts';
import {
  configFieldsOf,
  type GatewayManifest,
  type GatewayModule,
  secretFieldsOf,
  settingsOf,
} from '@counterfoil/gateways/port/define-gateway.ts';
import * as z from 'zod/mini';
import { elsewhereOf, isSet, type LastVerification, standOf } from '../admin/service.ts';
import { brandUrl } from '../brand/service.ts';
import type { GatewayAccountRow } from './queries.ts';

type Value = GatewayAccountDetail['settings'][string];

interface SettingSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: Value;
}

/** A gateway as its manifest declares it. */
export function presentKind(manifest: GatewayManifest): GatewayKind {
  const { capabilities } = manifest;
  return {
    gateway: manifest.id,
    name: manifest.displayName,
    docs: manifest.docs,
    apiVersion: manifest.apiVersion,
    methods: (['card', 'bank'] as const).filter((kind) => (capabilities.entry[kind] ?? []).length > 0),
    currencies: capabilities.currencies === 'any' ? null : [...capabilities.currencies],
    settings: presentSettings(manifest),
  };
}

function presentSettings(manifest: GatewayManifest): GatewaySetting[] {
  // As it is given, so that what has a default is not required.
  const schema = z.toJSONSchema(settingsOf(manifest), { io: 'input', unrepresentable: 'any' });
  const members = (schema.properties ?? {}) as Readonly<Record<string, SettingSchema>>;
  return configFieldsOf(manifest).map(({ name, label, help, secret }) => ({
    name,
    label,
    help: help ?? null,
    secret,
    required: schema.required?.includes(name) ?? false,
    kind: kindOf(members[name]),
    values: [...(members[name]?.enum ?? [])],
    default: members[name]?.default ?? null,
  }));
}

function kindOf(schema: SettingSchema | undefined): GatewaySetting['kind'] {
  if (schema?.enum !== undefined) return 'choice';
  if (schema?.type === 'boolean') return 'flag';
  if (schema?.type === 'array') return 'list';
  return schema?.type === 'integer' || schema?.type === 'number' ? 'number' : 'text';
}

interface Shown {
  readonly row: GatewayAccountRow;
  readonly state: GatewayAccountShown['state'];
  /** Absent: this program does not have the gateway. */
  readonly module: GatewayModule | undefined;
  readonly brands: readonly {
    readonly id: number;
    readonly name: string;
    readonly hosts: readonly string[];
  }[];
  readonly last: LastVerification | undefined;
}

export function presentAccount({ row, state, module, brands, last }: Shown): GatewayAccountShown {
  const { counts, text } = standOf(last, module?.manifest);
  return {
    id: row.id,
    gateway: row.gateway,
    name: module?.manifest.displayName ?? row.gateway,
    state,
    createdAt: row.created_at.toISOString(),
    brands: row.is_active ? brands.map(({ id, name }) => ({ id, name })) : [],
    isVerified: counts,
    verification: text,
  };
}

interface Installation {
  readonly resellerId: number;
  readonly publicUrl: URL;
  /** `GATEWAY_URL_…` settings by full name. */
  readonly addresses: Readonly<Record<string, string>>;
}

/**
 * The same with its settings; of secrets only whether and when they were set.
 * @param stored all settings as they are stored, the secret ones opened: none of these is told
 */
export function presentAccountDetail(
  shown: Shown & { readonly module: GatewayModule },
  stored: Readonly<Record<string, unknown>>,
  installation: Installation,
): GatewayAccountDetail {
  const { manifest } = shown.module;
  const secrets = secretFieldsOf(manifest);
  const parsed = z.safeParse(settingsOf(manifest), stored);
  const settings = parsed.success ? parsed.data : stored;
  return {
    ...presentAccount(shown),
    settings: Object.fromEntries(
      Object.entries(settings).flatMap(([name, value]) =>
        secrets.includes(name) || value === undefined ? [] : [[name, value as Value]],
      ),
    ),
    secrets: secrets.map((name) => ({
      name,
      isSet: isSet(settings[name]),
      setAt: isSet(settings[name]) ? (shown.row.secrets_set_at[name] ?? null) : null,
    })),
    keyMode: keyModeOf(manifest, settings),
    elsewhere: elsewhereOf(manifest, resolveAddresses(manifest, installation.addresses)),
    addresses: addressesAtProvider(manifest, shown.brands, installation),
  };
}

/**
 * What a provider asks for of those who use it, as far as the gateway has it: where events are sent, from which pages
 * its fields are shown, where its own pages lead back to.
 */
function addressesAtProvider(
  { id, capabilities: { entry, events } }: GatewayManifest,
  brands: Shown['brands'],
  { resellerId, publicUrl }: Installation,
): GatewayAccountDetail['addresses'] {
  const ways = [...(entry.card ?? []), ...(entry.bank ?? [])].map(({ how }) => how);
  const of = (host: string | null, path: string) => brandUrl({ mainHost: host }, publicUrl, path);
  const mainHosts = brands.flatMap(({ hosts }) => hosts.slice(0, 1));
  const hosts = brands.flatMap((brand) => brand.hosts);
  const orOurs = (found: readonly string[]) => (found.length === 0 ? [null] : found);
  const hasHooks = events.some((kind) => kind !== 'poll');
  const showsFields = ways.some((how) => how.startsWith('provider') || how === 'ownFieldsToProvider');
  const [hookHost = null] = mainHosts;
  return [
    ...(hasHooks
      ? [{ purpose: 'webhook' as const, address: of(hookHost, `/v1/webhooks/${id}/${resellerId}`) }]
      : []),
    ...(ways.includes('redirect')
      ? orOurs(mainHosts).map((host) => ({ purpose: 'return' as const, address: of(host, '/') }))
      : []),
    ...(showsFields
      ? orOurs(hosts).map((host) => ({
          purpose: 'origin' as const,
          address: new URL(of(host, '/')).origin,
        }))
      : []),
  ];
}
