import { newId } from '@counterfoil/domain/text/ids.ts';
import {
  configFieldsOf,
  type GatewayManifest,
  type GatewayModule,
  secretFieldsOf,
  settingsOf,
} from '@counterfoil/gateways/port/define-gateway.ts';
import * as z from 'zod/mini';
import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Secrets } from '../../secrets.ts';
import { requireReseller } from './checks.ts';
import { AdminRefused } from './refused.ts';
import { applySettings, applyValues, type SettingValues } from './settings-input.ts';

export interface GatewayDeps {
  readonly secrets: Secrets;
  readonly modules: readonly GatewayModule[];
}

export interface GatewayChange {
  /** Of a new account; absent: a new one. */
  readonly id?: string | undefined;
  readonly resellerId: number;
  /** Folder name of the gateway, e.g. 'stripe'. */
  readonly gateway: string;
  /** `name=value`, or values by name, as the gateway's manifest declares them. */
  readonly settings: readonly string[] | SettingValues;
}

export interface AccountRow {
  id: string;
  gateway: string;
  config: Record<string, unknown>;
  secrets: Buffer | null;
  secrets_set_at: Record<string, string>;
}

const columns = sql`id, gateway, config, secrets, secrets_set_at`;

export interface GatewaySet {
  readonly id: string;
  readonly isNew: boolean;
  /** For the audit trail: settings before and after; of secrets the names alone. Null: nothing changed. */
  readonly detail: Readonly<Record<string, string | boolean | null>> | null;
}

/**
 * Gives a reseller a gateway, or changes the settings of the one it has. Another gateway takes the place of the one
 * before, which stays for the payments made through it. Secret settings are stored encrypted.
 * @param guard looks at the account before it is changed; at none where one is made
 * @throws {AdminRefused} for an unknown reseller or gateway, an unknown or missing setting, a value that does not fit
 */
export async function setGatewayAccount(
  tx: Tx,
  deps: GatewayDeps,
  change: GatewayChange,
  now: Date,
  guard?: (account: AccountRow | undefined) => void,
): Promise<GatewaySet> {
  const { manifest } = moduleOf(deps.modules, change.gateway);
  await lockReseller(tx, change.resellerId);
  const active = await tx.maybeOne<AccountRow>(sql`
    select ${columns} from gateway_account where reseller_id = ${change.resellerId} and is_active for update`);
  const kept = active?.gateway === change.gateway ? active : undefined;
  const before = kept === undefined ? {} : storedSettings(deps.secrets, kept);
  const wanted = checkedSettings(manifest, changedSettings(manifest, before, change.settings));
  const secretNames = secretFieldsOf(manifest);
  const changes = settingChanges(
    kept === undefined ? {} : readSettings(manifest, before),
    wanted,
    secretNames,
  );
  if (kept !== undefined && changes === undefined) return { id: kept.id, isNew: false, detail: null };
  guard?.(kept);
  const id = kept?.id ?? change.id ?? newId(now.getTime());
  const split = (isSecret: boolean) =>
    JSON.stringify(
      Object.fromEntries(Object.entries(wanted).filter(([name]) => secretNames.includes(name) === isSecret)),
    );
  const sealed = deps.secrets.seal(split(true), id);
  const setAt = JSON.stringify(setTimes(kept?.secrets_set_at ?? {}, changes?.secrets ?? [], wanted, now));
  if (kept === undefined) await disableGateway(tx, change.resellerId);
  await tx.execute(sql`
    insert into gateway_account (id, reseller_id, gateway, config, secrets, secrets_set_at, created_at)
    values (${id}, ${change.resellerId}, ${change.gateway}, ${split(false)}, ${sealed}, ${setAt}, ${now})
    on conflict (id) do update
       set config = excluded.config, secrets = excluded.secrets, secrets_set_at = excluded.secrets_set_at`);
  const isNew = kept === undefined;
  const { plain = {}, secrets = [] } = changes ?? {};
  const detail = { gateway: change.gateway, account: id, isNew, ...plain, secretsSet: secrets.join(' ') };
  return { id, isNew, detail };
}

/** Of two that give a reseller a gateway the second waits for the first. @throws {AdminRefused} for an unknown one */
async function lockReseller(tx: Tx, resellerId: number): Promise<void> {
  await requireReseller(tx, resellerId);
  await tx.execute(sql`select from reseller where id = ${resellerId} for no key update`);
}

const changedSettings = (
  manifest: GatewayManifest,
  before: Readonly<Record<string, unknown>>,
  settings: GatewayChange['settings'],
) =>
  isAssignments(settings)
    ? applySettings(settingsOf(manifest), before, settings)
    : applyValues(settingsOf(manifest), before, settings);

const isAssignments = (settings: GatewayChange['settings']): settings is readonly string[] =>
  Array.isArray(settings);

/**
 * The settings of one run: those that are stored, with some in their place.
 * @throws {AdminRefused} where they do not fit
 */
export const settingsWith = (
  manifest: GatewayManifest,
  stored: Readonly<Record<string, unknown>>,
  settings: GatewayChange['settings'],
): Readonly<Record<string, unknown>> =>
  checkedSettings(manifest, changedSettings(manifest, stored, settings));

function checkedSettings(
  manifest: GatewayManifest,
  settings: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const parsed = z.safeParse(settingsOf(manifest), settings);
  if (parsed.success) return parsed.data;
  const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? 'settings')))];
  throw new AdminRefused(
    `${manifest.displayName} needs these settings, or others than given: ${names.join(', ')}`,
  );
}

/** As the gateway reads them; what no longer fits as it is stored. */
function readSettings(
  manifest: GatewayManifest,
  stored: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const parsed = z.safeParse(settingsOf(manifest), stored);
  return parsed.success ? parsed.data : stored;
}

/** What differs; undefined: nothing. Of secrets the names alone. */
function settingChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  secretNames: readonly string[],
):
  | { readonly plain: Readonly<Record<string, string | null>>; readonly secrets: readonly string[] }
  | undefined {
  const text = (value: unknown) =>
    value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => text(before[name]) !== text(after[name]),
  );
  if (names.length === 0) return undefined;
  const plain = names
    .filter((name) => !secretNames.includes(name))
    .flatMap((name) => [
      [`before.${name}`, text(before[name])] as const,
      [`after.${name}`, text(after[name])] as const,
    ]);
  const secrets = names.filter(
    (name) => secretNames.includes(name) && (isSet(before[name]) || isSet(after[name])),
  );
  return { plain: Object.fromEntries(plain), secrets };
}

/** When each secret was set, those that were changed now included. */
function setTimes(
  before: Readonly<Record<string, string>>,
  changed: readonly string[],
  settings: Readonly<Record<string, unknown>>,
  now: Date,
): Readonly<Record<string, string>> {
  const times = { ...before, ...Object.fromEntries(changed.map((name) => [name, now.toISOString()])) };
  return Object.fromEntries(Object.entries(times).filter(([name]) => isSet(settings[name])));
}

/** Whether a secret setting has a value; an empty list is none. */
export const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** Takes a reseller's gateway out of use; payments made through it are still found out about. @returns accounts changed */
export const disableGateway = (tx: Tx, resellerId: number, id?: string) =>
  tx.execute(sql`
    update gateway_account set is_active = false
     where reseller_id = ${resellerId} and is_active and (${id ?? null}::uuid is null or id = ${id ?? null})`);

/**
 * Takes an account into use again, with the settings it has; the one in use goes out of use.
 * @returns 1, or 0 where it is in use already
 * @throws {AdminRefused} where there is no such account of the reseller, or its settings do not fit any more
 */
export async function enableGateway(
  tx: Tx,
  deps: GatewayDeps,
  { resellerId, id }: { readonly resellerId: number; readonly id: string },
): Promise<number> {
  await lockReseller(tx, resellerId);
  const row = await tx.maybeOne<AccountRow & { is_active: boolean }>(sql`
    select ${columns}, is_active from gateway_account where id = ${id} and reseller_id = ${resellerId}`);
  if (row === undefined) throw new AdminRefused(`reseller ${resellerId} has no gateway account ${id}`);
  if (row.is_active) return 0;
  const { manifest } = moduleOf(deps.modules, row.gateway);
  checkedSettings(manifest, storedSettings(deps.secrets, row));
  await disableGateway(tx, resellerId);
  return tx.execute(sql`update gateway_account set is_active = true where id = ${id}`);
}

/** The settings a gateway takes, for help texts. @throws {AdminRefused} for one this program does not have */
export function gatewayFields(modules: readonly GatewayModule[], gateway: string) {
  return configFieldsOf(moduleOf(modules, gateway).manifest);
}

/** @throws {AdminRefused} for a gateway this program does not have */
export function moduleOf(modules: readonly GatewayModule[], gateway: string): GatewayModule {
  const module = modules.find((one) => one.manifest.id === gateway);
  if (module !== undefined) return module;
  const names = modules.map((one) => one.manifest.id).join(', ');
  throw new AdminRefused(`there is no gateway '${gateway}'; there are: ${names}`);
}

/** All settings of an account as they are stored. Holds the keys: never printed, never told. */
export const storedSettings = (
  secrets: Secrets,
  row: Pick<AccountRow, 'id' | 'config' | 'secrets'>,
): Readonly<Record<string, unknown>> => ({ ...row.config, ...openSecrets(secrets, row) });

function openSecrets(secrets: Secrets, row: Pick<AccountRow, 'id' | 'secrets'>): Record<string, unknown> {
  if (row.secrets === null) return {};
  const opened: unknown = JSON.parse(secrets.open(row.secrets, row.id));
  return typeof opened === 'object' && opened !== null ? { ...opened } : {};
}

/** Gateway accounts of one reseller or of all, without secrets. */
export const listGatewayAccounts = (db: Db, resellerId?: number) =>
  db.many<{
    id: string;
    reseller_id: number;
    gateway: string;
    is_active: boolean;
    config: Record<string, unknown>;
    has_secrets: boolean;
    created_at: Date;
  }>(sql`
    select id, reseller_id, gateway, is_active, config, secrets is not null as has_secrets, created_at
      from gateway_account
     where ${resellerId ?? null}::int is null or reseller_id = ${resellerId ?? null}
     order by reseller_id, is_active desc, created_at desc`);
