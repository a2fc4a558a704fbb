/** What `gateway verify` needs of an account, and what it found. */
import { newId } from '@counterfoil/domain/text/ids.ts';
import { type CasesReport, countEnds } from '@counterfoil/gateways/cases/case.ts';
import { resolveAddresses } from '@counterfoil/gateways/port/addresses.ts';
import type { GatewayManifest, GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import {
  type GatewayChange,
  type GatewayDeps,
  moduleOf,
  settingsWith,
  storedSettings,
} from './gateway-accounts.ts';
import { AdminRefused } from './refused.ts';

/** A reseller's account with the settings of one run. */
export interface VerifiedAccount {
  readonly id: string;
  readonly module: GatewayModule;
  /** As the manifest's schema reads them. Holds the keys: never printed, never stored. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly addresses: Readonly<Record<string, string>>;
  /** ISO 4217. */
  readonly currency: string;
}

/** Which account is verified, and with which settings beside those that are stored: for this run only. */
export interface AccountWanted {
  readonly resellerId: number;
  /** Absent: the one in use. */
  readonly id?: string | undefined;
  readonly given: GatewayChange['settings'];
}

/**
 * An account of a reseller, ready to be verified.
 * @param overrides `GATEWAY_URL_…` settings by full name
 * @throws {AdminRefused} where there is none, or its settings do not fit
 */
export async function accountToVerify(
  db: Db,
  deps: GatewayDeps,
  { resellerId, id, given }: AccountWanted,
  overrides: Readonly<Record<string, string>>,
): Promise<VerifiedAccount> {
  const row = await db.maybeOne<{
    id: string;
    gateway: string;
    config: Record<string, unknown>;
    secrets: Buffer | null;
    currency: string | null;
  }>(sql`
    select g.id, g.gateway, g.config, g.secrets,
           (select b.currency from brand b where b.reseller_id = g.reseller_id order by b.id limit 1) as currency
      from gateway_account g
     where g.reseller_id = ${resellerId} and ${id === undefined ? sql`g.is_active` : sql`g.id = ${id}`}`);
  if (row === undefined) throw new AdminRefused(`reseller ${resellerId} has no gateway in use`);
  const module = moduleOf(deps.modules, row.gateway);
  const { manifest } = module;
  const { currencies } = manifest.capabilities;
  const own = row.currency ?? 'USD';
  return {
    id: row.id,
    module,
    settings: settingsWith(manifest, storedSettings(deps.secrets, row), given),
    addresses: resolveAddresses(manifest, overrides),
    currency: currencies === 'any' || currencies.includes(own) ? own : (currencies[0] ?? own),
  };
}

/** Where calls go instead of to the provider's own addresses; null when they go there. */
export function elsewhereOf(
  manifest: GatewayManifest,
  addresses: Readonly<Record<string, string>>,
): string | null {
  const other = Object.entries(manifest.roles)
    .filter(([role, { production }]) => addresses[role] !== production)
    .map(([role]) => new URL(addresses[role] ?? '').origin);
  return other.length === 0 ? null : [...new Set(other)].join(', ');
}

export interface VerificationRun {
  readonly accountId: string;
  readonly endedAt: Date;
  readonly apiVersion: string;
  readonly programVersion: string;
  readonly elsewhere: string | null;
  readonly keyMode: 'test' | 'word';
  readonly withGivenKeys: boolean;
  readonly isWhole: boolean;
  readonly report: CasesReport;
}

/** Keeps what a run found. */
export async function recordVerification(tx: Tx, run: VerificationRun): Promise<void> {
  const { passed, failed, unreachable, notRun, notAvailable } = countEnds(run.report.results);
  const cases = run.report.results.map(({ what: _what, ...kept }) => kept);
  await tx.execute(sql`
    insert into gateway_verification (id, gateway_account_id, ended_at, api_version, program_version, elsewhere,
                                      key_mode, with_given_keys, is_whole, passed, failed, unreachable, not_run,
                                      not_available, cases)
    values (${newId(run.endedAt.getTime())}, ${run.accountId}, ${run.endedAt}, ${run.apiVersion},
            ${run.programVersion}, ${run.elsewhere}, ${run.keyMode}, ${run.withGivenKeys}, ${run.isWhole},
            ${passed}, ${failed}, ${unreachable}, ${notRun}, ${notAvailable}, ${JSON.stringify(cases)})`);
}

/** The last run of all cases against one account. */
export interface LastVerification {
  readonly at: Date;
  readonly apiVersion: string;
  readonly programVersion: string;
  readonly elsewhere: string | null;
  readonly passed: number;
  /** Cases that were to be shown: all but those this account cannot show. */
  readonly of: number;
  readonly notAvailable: number;
  /** Ids of the cases that did not pass. */
  readonly open: readonly string[];
}

/** By account. A run of some cases only does not count. */
export async function lastVerifications(db: Db): Promise<ReadonlyMap<string, LastVerification>> {
  const rows = await db.many<{
    gateway_account_id: string;
    ended_at: Date;
    api_version: string;
    program_version: string;
    elsewhere: string | null;
    passed: number;
    not_available: number;
    of: number;
    open: string[];
  }>(sql`
    select distinct on (gateway_account_id) gateway_account_id, ended_at, api_version, program_version, elsewhere,
           passed, not_available, passed + failed + unreachable + not_run as "of",
           array(select c ->> 'case' from jsonb_array_elements(cases) c
                  where c ->> 'is' not in ('passed', 'notAvailable')) as open
      from gateway_verification
     where is_whole
     order by gateway_account_id, ended_at desc`);
  return new Map(
    rows.map((row) => [
      row.gateway_account_id,
      {
        at: row.ended_at,
        apiVersion: row.api_version,
        programVersion: row.program_version,
        elsewhere: row.elsewhere,
        passed: row.passed,
        of: row.of,
        notAvailable: row.not_available,
        open: row.open,
      },
    ]),
  );
}

/** What a verification is worth now. */
export interface VerificationStand {
  /** All passed, at the provider, with the API version this program speaks. */
  readonly counts: boolean;
  readonly text: string;
}

/** @param manifest of the account's gateway; absent: this program does not have it */
export function standOf(
  last: LastVerification | undefined,
  manifest: Pick<GatewayManifest, 'apiVersion'> | undefined,
): VerificationStand {
  if (last === undefined) return { counts: false, text: 'never' };
  const isCurrent = last.apiVersion === manifest?.apiVersion;
  const remarks = [
    ...(isCurrent ? [] : [`counts no more: this program speaks ${manifest?.apiVersion ?? 'it no more'}`]),
    ...(last.elsewhere === null ? [] : [`at ${last.elsewhere}, not at the provider`]),
    ...(last.open.length === 0 ? [] : [`not passed: ${last.open.join(', ')}`]),
  ];
  const day = last.at.toISOString().slice(0, 10);
  const text = `${day}, ${last.passed} of ${last.of}, API ${last.apiVersion}, version ${last.programVersion}`;
  return {
    counts: remarks.length === 0,
    text: [text, ...remarks].join('; '),
  };
}
