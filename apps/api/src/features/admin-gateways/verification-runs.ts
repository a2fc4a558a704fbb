/** Runs of the cases that a call has asked for: a worker goes through them, and whoever asks sees how far it is. */
import type {
  GatewayVerification,
  VerificationOrder,
} from '@counterfoil/contract/operator/running/admin-gateways.ts';
import { isCurrencyCode } from '@counterfoil/domain/money/money.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { CaseResult } from '@counterfoil/gateways/cases/case.ts';
import { keyModeOf } from '@counterfoil/gateways/cases/case.ts';
import type { GatewayManifest, GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import type { Logger } from 'pino';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Database, Db, Tx } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { Job } from '../../jobs/worker.ts';
import type { Secrets } from '../../secrets.ts';
import { accountToVerify, type VerifiedAccount } from '../admin/service.ts';
import {
  endBrokenRuns,
  endRun,
  insertRun,
  type KeptResult,
  lastRun,
  type RunRow,
  sayRunning,
  takeRun,
} from './queries.ts';
import { refusingGateway } from './refusing.ts';
import {
  casesAtProvider,
  casesFor,
  findCases,
  keyModeFor,
  recordRun,
  unknownCase,
  verify,
} from './verify.ts';

const TASK = 'gateway-verification';
/** A run that no worker has taken by then is given up. */
const TAKEN_WITHIN_MS = 10 * 60_000;
/** A worker that says nothing for so long has ended. */
const SILENT_MS = 30_000;
const SAY_EVERY_MS = 5_000;

export interface RunDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly modules: readonly GatewayModule[];
  /** `GATEWAY_URL_…` settings by full name. */
  readonly addresses: Readonly<Record<string, string>>;
}

const contextOf = (runId: string): string => `verification:${runId}`;

interface Of {
  readonly resellerId: number;
  readonly id: string;
}

/**
 * Asks for a run: a worker makes it. The same guards as those of the command: no live keys, and no keys that nobody vouches
 * for.
 * @throws {AppError} gateway.refused, gateway.liveKeys, gateway.unknownKeys, gateway.verifying
 */
export async function askForRun(
  tx: Tx,
  deps: Omit<RunDeps, 'db'>,
  of: Of,
  order: VerificationOrder,
  by: ActedBy,
): Promise<void> {
  const now = deps.clock.now();
  const { currency, settings = {}, cases: only } = order;
  const account = await refusingGateway(() =>
    accountToVerify(tx, deps, { ...of, given: settings }, deps.addresses),
  );
  const { manifest } = account.module;
  const keyMode = keyModeFor(account, order.areTestKeys);
  if (typeof keyMode !== 'string')
    throw new AppError(keyMode.doubt === 'live' ? 'gateway.liveKeys' : 'gateway.unknownKeys');
  if (currency !== undefined && !isCurrencyCode(currency))
    throw new AppError('gateway.refused', { text: `There is no currency '${currency}'` });
  const found = await refusingGateway(() => casesFor(manifest));
  const unknown = unknownCase(found, only ?? []);
  if (unknown !== undefined)
    throw new AppError('gateway.refused', {
      text: `There is no case '${unknown}' of ${manifest.displayName}`,
    });
  await endBrokenRuns(tx, account.id, {
    waitingSince: new Date(now.getTime() - TAKEN_WITHIN_MS),
    seenSince: new Date(now.getTime() - SILENT_MS),
    now,
  });
  const id = newId(now.getTime());
  const isGiven = Object.keys(settings).length > 0;
  const made = await insertRun(tx, {
    id,
    gateway_account_id: account.id,
    created_at: now,
    created_by: by.actor,
    only_cases: only ?? null,
    currency: currency ?? null,
    key_mode: keyMode,
    settings: isGiven ? deps.secrets.seal(JSON.stringify(settings), contextOf(id)) : null,
    with_given_keys: isGiven,
  });
  if (made === 0) throw new AppError('gateway.verifying');
  await recordAudit(tx, {
    action: 'gateway.verificationAsked',
    at: now,
    resellerId: of.resellerId,
    ...by,
    detail: { gateway: manifest.id, account: account.id, keyMode, cases: only?.join(' ') ?? null },
  });
  // Once: what it made at the gateway is there, and a second run beside it would find it.
  await enqueue(tx, TASK, { id }, { maxAttempts: 1 });
}

/** The last run of an account; where there was none, what a run goes through. */
export async function showRun(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  of: Of,
  manifest: GatewayManifest,
): Promise<GatewayVerification> {
  const row = await lastRun(db, of.resellerId, of.id);
  const found = (await findCases(manifest)) ?? { cases: [] };
  const ended = new Map(row?.results.map((result) => [result.case, result]));
  const isOver = row?.ended_at !== null;
  return {
    state: row === undefined ? 'none' : stateOf(row, clock.now()),
    askedAt: row?.created_at.toISOString() ?? null,
    askedBy: row?.created_by ?? null,
    endedAt: row?.ended_at?.toISOString() ?? null,
    isWhole: (row?.only_cases ?? null) === null,
    isRecorded: row?.is_recorded ?? false,
    cases: casesAtProvider(found, row?.only_cases ?? undefined)
      // Of a run that is over, what it had: cases that came with a later version were not part of it.
      .filter(({ id }) => row === undefined || !isOver || row.is_broken || ended.has(id))
      .map(({ id, title }) => {
        const { is = 'waiting', ms = 0, ids = [], detail = '' } = ended.get(id) ?? {};
        return { case: id, what: title, is, ms, ids, detail } as const;
      }),
    notChecked: row?.not_checked ?? [],
    left: row?.left_behind ?? [],
  };
}

function stateOf(row: RunRow, now: Date): GatewayVerification['state'] {
  if (row.ended_at !== null) return row.is_broken ? 'broken' : 'ended';
  if (row.begun_at === null)
    return row.created_at.getTime() < now.getTime() - TAKEN_WITHIN_MS ? 'broken' : 'waiting';
  return (row.seen_at ?? row.begun_at).getTime() < now.getTime() - SILENT_MS ? 'broken' : 'running';
}

/** Goes through a run that was asked for, and says after each case how it ended. */
export function verificationJob(deps: RunDeps & { readonly log: Logger; readonly publicUrl: URL }): Job {
  return {
    name: TASK,
    async run(payload) {
      const { id } = payload as { id: string };
      const row = await deps.db.transaction((tx) => takeRun(tx, id, deps.clock.now()));
      if (row === undefined) return;
      try {
        await work(deps, row);
      } catch (error) {
        await deps.db.transaction((tx) =>
          endRun(tx, id, { is_recorded: false, is_broken: true }, deps.clock.now()),
        );
        throw error;
      }
    },
  };
}

async function work(deps: Parameters<typeof verificationJob>[0], row: RunRow): Promise<void> {
  const { db, clock, secrets, log } = deps;
  const { id, reseller_id: resellerId, only_cases, currency } = row;
  const given =
    row.settings === null
      ? {}
      : (JSON.parse(secrets.open(row.settings, contextOf(id))) as Readonly<Record<string, unknown>>);
  const account = await accountToVerify(
    db,
    deps,
    { resellerId, id: row.gateway_account_id, given },
    deps.addresses,
  );
  requireAllowed(account, row.key_mode);
  const say = (result?: KeptResult) => db.transaction((tx) => sayRunning(tx, id, clock.now(), result));
  const says: Promise<unknown>[] = [];
  const alive = setInterval(() => void say().catch(() => undefined), SAY_EVERY_MS);
  try {
    const run = {
      ...(await casesFor(account.module.manifest)),
      account,
      keyMode: row.key_mode,
      resellerId,
      currency: currency ?? undefined,
      only: only_cases ?? undefined,
      withGivenKeys: row.with_given_keys,
      returnTo: deps.publicUrl,
      // What is not seen under way is there at the end.
      onResult: (result: CaseResult) => void says.push(say(keptOf(result)).catch(() => undefined)),
    };
    const report = await verify({ clock, log }, run);
    clearInterval(alive);
    await Promise.all(says);
    await db.transaction(async (tx) => {
      const now = clock.now();
      const isRecorded = await recordRun(tx, run, report, { actor: row.created_by }, now);
      const { notChecked, left } = report;
      const results = report.results.map(keptOf);
      await endRun(tx, id, { is_recorded: isRecorded, is_broken: false, results, notChecked, left }, now);
    });
  } finally {
    clearInterval(alive);
  }
}

/** The account's keys may have been changed since: live ones are never used. */
function requireAllowed({ module, settings }: VerifiedAccount, keyMode: RunRow['key_mode']): void {
  const mode = keyModeOf(module.manifest, settings);
  if (mode === 'live' || (mode === 'unknown' && keyMode === 'test'))
    throw new Error('the keys of the account are not those that were looked at');
}

const keptOf = ({ case: name, is, ms, ids, detail }: CaseResult): KeptResult => ({
  case: name,
  is,
  ms,
  ids: [...ids],
  detail,
});
