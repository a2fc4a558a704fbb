import { newId } from '@counterfoil/domain/text/ids.ts';
import {
  configFieldsOf,
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
import { applySettings } from './settings-input.ts';

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
  /** `name=value`, as the gateway's manifest declares them. */
  readonly settings: readonly string[];
}

interface AccountRow {
  id: string;
  gateway: string;
  config: Record<string, unknown>;
  secrets: Buffer | null;
}

/**
 * Gives a reseller a gateway, or changes the settings of the one it has. Another gateway takes the place of the one
 * before, which stays for the payments made through it. Secret settings are stored encrypted.
 * @returns the account's id, and whether it is a new one
 * @throws {AdminRefused} for an unknown reseller or gateway, an unknown or missing setting, a value that does not fit
 */
export async function setGatewayAccount(
  tx: Tx,
  deps: GatewayDeps,
  change: GatewayChange,
  now: Date,
): Promise<{ id: string; isNew: boolean }> {
  const { manifest } = moduleOf(deps.modules, change.gateway);
  await requireReseller(tx, change.resellerId);
  const active = await tx.maybeOne<AccountRow>(sql`
    select id, gateway, config, secrets from gateway_account
     where reseller_id = ${change.resellerId} and is_active for update`);
  const kept = active?.gateway === change.gateway ? active : undefined;
  const before = kept === undefined ? {} : { ...kept.config, ...openSecrets(deps.secrets, kept) };
  const settings = applySettings(settingsOf(manifest), before, change.settings);
  const parsed = z.safeParse(settingsOf(manifest), settings);
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? 'settings')))];
    throw new AdminRefused(
      `${manifest.displayName} needs these settings, or others than given: ${names.join(', ')}`,
    );
  }
  const secretNames = new Set(secretFieldsOf(manifest));
  const split = (isSecret: boolean) =>
    JSON.stringify(
      Object.fromEntries(Object.entries(parsed.data).filter(([name]) => secretNames.has(name) === isSecret)),
    );
  const id = kept?.id ?? change.id ?? newId(now.getTime());
  const sealed = deps.secrets.seal(split(true), id);
  if (kept !== undefined) {
    await tx.execute(
      sql`update gateway_account set config = ${split(false)}, secrets = ${sealed} where id = ${id}`,
    );
    return { id, isNew: false };
  }
  await disableGateway(tx, change.resellerId);
  await tx.execute(sql`
    insert into gateway_account (id, reseller_id, gateway, config, secrets, created_at)
    values (${id}, ${change.resellerId}, ${change.gateway}, ${split(false)}, ${sealed}, ${now})`);
  return { id, isNew: true };
}

/** Takes a reseller's gateway out of use; payments made through it are still found out about. @returns accounts changed */
export const disableGateway = (tx: Tx, resellerId: number) =>
  tx.execute(
    sql`update gateway_account set is_active = false where reseller_id = ${resellerId} and is_active`,
  );

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

/** The secret settings of an account. */
export function openSecrets(
  secrets: Secrets,
  row: Pick<AccountRow, 'id' | 'secrets'>,
): Record<string, unknown> {
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
