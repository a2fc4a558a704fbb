/** What `gateway verify` does, by command and by call: the guards, the cases and the record. */
import {
  type CaseResult,
  type CasesReport,
  countEnds,
  type GatewayCase,
  keyModeOf,
} from '@counterfoil/gateways/cases/case.ts';
import type { CasesData } from '@counterfoil/gateways/cases/data.ts';
import { casesOf } from '@counterfoil/gateways/cases/list.ts';
import { runCases } from '@counterfoil/gateways/cases/run.ts';
import { gatewayCases } from '@counterfoil/gateways/cases-registry.ts';
import type { GatewayManifest } from '@counterfoil/gateways/port/define-gateway.ts';
import type { Logger } from 'pino';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Tx } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import { VERSION } from '../../version.ts';
import { AdminRefused, elsewhereOf, recordVerification, type VerifiedAccount } from '../admin/service.ts';

/** Why a run is refused before anything is sent, for what the caller calls its own word. */
export type KeyDoubt = 'live' | 'unknown';

/**
 * Whether the keys of an account may be used for a run: test keys, or those for which somebody vouches where the settings
 * cannot tell.
 * @returns how it is known, or what speaks against it
 */
export function keyModeFor(
  { module, settings }: Pick<VerifiedAccount, 'module' | 'settings'>,
  isVouchedFor: boolean,
): 'test' | 'word' | { readonly doubt: KeyDoubt } {
  const mode = keyModeOf(module.manifest, settings);
  if (mode === 'test') return 'test';
  if (mode === 'live') return { doubt: 'live' };
  return isVouchedFor ? 'word' : { doubt: 'unknown' };
}

export interface Cases {
  readonly cases: readonly GatewayCase[];
  readonly data: CasesData;
}

/** The cases of a gateway; undefined where it has none. */
export async function findCases(manifest: GatewayManifest): Promise<Cases | undefined> {
  const load = gatewayCases[manifest.id];
  if (load === undefined) return undefined;
  const { casesData: data } = await load();
  return { cases: casesOf(manifest, data), data };
}

/** The same. @throws {AdminRefused} where it has none */
export async function casesFor(manifest: GatewayManifest): Promise<Cases> {
  const found = await findCases(manifest);
  if (found === undefined) throw new AdminRefused(`${manifest.displayName} has no cases to verify`);
  return found;
}

/** The first of these that is no case; undefined where all are. */
export const unknownCase = ({ cases }: Pick<Cases, 'cases'>, asked: readonly string[]): string | undefined =>
  asked.find((name) => cases.every(({ id }) => id !== name));

/** Those that run at a provider, in their order. */
export const casesAtProvider = (
  { cases }: Pick<Cases, 'cases'>,
  only: readonly string[] | undefined,
): readonly GatewayCase[] =>
  cases.filter(({ id, needs }) => (only === undefined ? needs === undefined : only.includes(id)));

export interface Run extends Cases {
  readonly account: VerifiedAccount;
  readonly keyMode: 'test' | 'word';
  readonly resellerId: number;
  /** ISO 4217; absent: the account's. */
  readonly currency?: string | undefined;
  /** Absent: all. */
  readonly only?: readonly string[] | undefined;
  readonly withGivenKeys: boolean;
  /** Where the provider's pages would lead a payer back to; nobody comes. */
  readonly returnTo: URL;
  readonly onResult: (result: CaseResult) => void;
}

/** Runs the cases one after the other, which takes minutes. @throws {TypeError} for live keys: nothing is sent */
export const verify = (
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  { account, cases, data, only, currency, resellerId, returnTo, onResult }: Run,
): Promise<CasesReport> =>
  runCases({
    cases,
    data,
    module: account.module,
    context: { config: account.settings, addresses: account.addresses, clock, log },
    currency: currency ?? account.currency,
    resellerId: `${resellerId}`,
    returnTo: returnTo.href,
    onResult,
    ...(only === undefined ? {} : { only }),
  });

/**
 * Keeps what a run found, with a line of the audit trail.
 * @returns false where nothing was reached: that says nothing of the adapter, nor undoes what an earlier run showed
 */
export async function recordRun(
  tx: Tx,
  { account, keyMode, resellerId, only, withGivenKeys }: Omit<Run, keyof Cases | 'onResult' | 'returnTo'>,
  report: CasesReport,
  by: ActedBy,
  endedAt: Date,
): Promise<boolean> {
  const counts = countEnds(report.results);
  if (counts.passed + counts.failed === 0) return false;
  const { manifest } = account.module;
  const elsewhere = elsewhereOf(manifest, account.addresses);
  const isWhole = only === undefined;
  await recordVerification(tx, {
    accountId: account.id,
    endedAt,
    apiVersion: manifest.apiVersion,
    programVersion: VERSION,
    elsewhere,
    keyMode,
    withGivenKeys,
    isWhole,
    report,
  });
  const { id: gateway, apiVersion } = manifest;
  const detail = { gateway, account: account.id, apiVersion, isWhole, ...counts, keyMode };
  await recordAudit(tx, {
    action: 'gateway.verified',
    at: endedAt,
    resellerId,
    ...by,
    detail: elsewhere === null ? detail : { ...detail, elsewhere },
  });
  return true;
}
