import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import type { LookupResult, LookupStrategy, RemoteId } from '@counterfoil/gateways/port/gateway.ts';
import { sql } from '../../../db/sql.ts';
import type { GatewayAccount } from '../accounts.ts';
import {
  type AttemptKey,
  type AttemptRow,
  attemptColumns,
  chargeFromRow,
  openGatewayState,
} from './attempt-row.ts';
import { type Finding, flagged, type Known } from './finding.ts';
import { type LookedUp, type LookUpDeps, lookUp } from './lookup.ts';
import { ABANDONED_MS, isCalling, PERSON_AFTER_MS } from './schedule.ts';
import { settle } from './settle.ts';

export interface EngineDeps extends LookUpDeps {
  /** The longest wait for a charge's answer, milliseconds, instead of what the account says. */
  readonly callWithinMs?: number;
}

/** One attempt by its key. */
export const readAttempt = (deps: Pick<EngineDeps, 'db'>, key: AttemptKey) =>
  deps.db.maybeOne<AttemptRow>(sql`
    select ${attemptColumns} from attempt a where a.customer_id = ${key.customerId} and a.id = ${key.attemptId}`);

/**
 * Looks up what became of an open attempt, by the strategies its gateway declares. The schedule brings it round again.
 * @param cancels whether a challenge that is found abandoned is cancelled: not where that was just refused
 */
async function ask(deps: EngineDeps, attempt: AttemptRow, cancels = true): Promise<AttemptRow> {
  const key = { customerId: attempt.customer_id, attemptId: attempt.id };
  const record = (finding: Finding, known?: Known) => settle(deps, key, finding, 'reconciler', known);
  const account = await deps.accounts.byId(attempt.gateway_account_id);
  if (account === undefined)
    return record({ is: 'flagForReview', why: 'the gateway account cannot be opened' });
  const looked = await lookUp(deps, attempt, chargeLookUp(deps, account, false));
  const after = await recordLookUp(deps, looked, record);
  // A challenge found only now, when its payer has left: whatever is on record, it is cancelled.
  const isAbandoned =
    cancels &&
    looked.is === 'decided' &&
    looked.found.is === 'requiresAction' &&
    ageOf(deps, looked.attempt) >= ABANDONED_MS;
  return isAbandoned && isOpen(after.state) ? closeAttempt(deps, after) : after;
}

/**
 * Records what a look-up by the reconciler has found about a charge or refund. What no strategy can tell any more, or
 * none has told in time, is flagged for a person.
 */
export function recordLookUp(
  deps: EngineDeps,
  looked: LookedUp,
  record: (finding: Finding, known?: Known) => Promise<AttemptRow>,
): Promise<AttemptRow> {
  if (looked.is === 'exhausted') return record({ is: 'flagForReview', why: looked.why });
  const found =
    looked.is === 'notAsked' ? ({ is: 'unknown', evidence: 'not asked yet' } as const) : looked.found;
  const againAt = looked.is === 'decided' ? undefined : looked.againAt;
  return record(orFlagForReview(found, looked.attempt, deps), { ...looked.attempt, againAt });
}

/**
 * Looks up an open attempt because of a hint, at any time: a webhook, which anybody may send where it is not signed, or an
 * operator. It never charges, and uses up none of a counted number of look-ups.
 * @returns the attempt afterwards; undefined when it cannot be asked now but later: the call itself is still running, or
 *   the gateway's pauses are kept
 */
export async function askByHint(
  deps: EngineDeps,
  attempt: AttemptRow,
  cause: 'webhook' | 'operator',
): Promise<AttemptRow | undefined> {
  if (isCalling(attempt, deps.clock.now())) return undefined;
  const key = { customerId: attempt.customer_id, attemptId: attempt.id };
  const account = await deps.accounts.byId(attempt.gateway_account_id);
  if (account === undefined) return attempt;
  const looked = await lookUp(deps, attempt, chargeLookUp(deps, account, true));
  if (looked.is === 'decided') return settle(deps, key, looked.found, cause, looked.attempt);
  // Not knowing changes nothing: the reconciler comes round.
  return looked.is === 'notAsked' && looked.waits ? undefined : looked.attempt;
}

const chargeLookUp = (deps: EngineDeps, account: GatewayAccount, isHint: boolean) => ({
  account,
  isHint,
  strategies: account.gateway.capabilities.lookup,
  mayCharge: !isHint,
  ask: (row: AttemptRow, strategy: LookupStrategy): Promise<LookupResult> =>
    account.gateway.lookup(
      chargeFromRow(row, deps.secrets),
      openGatewayState(row.gateway_state_sealed, row.id, deps.secrets),
      strategy,
    ),
});

/** What is still unknown after an hour needs a person; the schedule goes on asking all the same. */
function orFlagForReview(found: LookupResult, attempt: AttemptRow, deps: EngineDeps): Finding {
  const isOpenQuestion = found.is === 'unknown' || (found.is === 'absent' && !found.proven);
  if (!isOpenQuestion || attempt.state === 'needsReview' || ageOf(deps, attempt) < PERSON_AFTER_MS)
    return found;
  return flagged(found.is === 'unknown' ? found : { is: 'unknown', evidence: 'not seen at the gateway' });
}

const ageOf = (deps: EngineDeps, attempt: AttemptRow): number =>
  deps.clock.now().getTime() - attempt.sent_at.getTime();

/**
 * Looks once more, without ever charging, at what became of an attempt that has ended: money that was taken after
 * all is booked as the customer's credit, and a second charge is reported.
 * @param other the gateway's id of a charge that carries the reference and is not the one we know of
 * @returns whether the gateway gave a certain answer; with `other`, about that charge
 */
export async function askEnded(deps: EngineDeps, attempt: AttemptRow, other?: RemoteId): Promise<boolean> {
  const key = { customerId: attempt.customer_id, attemptId: attempt.id };
  const account = await deps.accounts.byId(attempt.gateway_account_id);
  if (account === undefined) return false;
  const named = other === undefined ? undefined : await askByName(deps, account, attempt, other);
  const found = named ?? (await findEnded(deps, account, attempt));
  if (found === undefined) return false;
  await settle(deps, key, found, 'webhook', attempt);
  if (found.is === 'unknown' || found.is === 'absent') return false;
  if (other === undefined || named !== undefined || attempt.remote === null) return true;
  return 'remote' in found && found.remote === other;
}

/** What the strategies find of an attempt that has ended, without ever charging; undefined where none decides. */
export async function findEnded(
  deps: EngineDeps,
  account: GatewayAccount,
  attempt: AttemptRow,
): Promise<LookupResult | undefined> {
  const looked = await lookUp(deps, attempt, chargeLookUp(deps, account, true));
  return looked.is === 'decided' ? looked.found : undefined;
}

/** What became of the charge that the gateway calls so; undefined where it cannot be asked so, or cannot tell. */
export async function askByName(
  deps: EngineDeps,
  account: GatewayAccount,
  attempt: AttemptRow,
  remote: RemoteId,
): Promise<LookupResult | undefined> {
  try {
    const found = await account.gateway.lookupByRemoteId?.(chargeFromRow(attempt, deps.secrets), remote);
    return found?.is === 'inconclusive' ? undefined : found;
  } catch (error) {
    deps.log.error({ err: error, attempt: attempt.id }, 'a gateway adapter threw while finding out');
    return undefined;
  }
}

/**
 * Ends an open attempt at the gateway so that it can never capture, or learns what it has become.
 * Used before a payer pays again, and on an abandoned 3-D Secure.
 */
export async function closeAttempt(deps: EngineDeps, attempt: AttemptRow): Promise<AttemptRow> {
  const key = { customerId: attempt.customer_id, attemptId: attempt.id };
  const account = await deps.accounts.byId(attempt.gateway_account_id);
  if (account === undefined) return attempt;
  const charge = chargeFromRow(attempt, deps.secrets);
  const closed = await account.gateway
    .cancel(charge, openGatewayState(attempt.gateway_state_sealed, attempt.id, deps.secrets))
    .catch((error: unknown) => {
      deps.log.error({ err: error, attempt: attempt.id }, 'a gateway adapter threw while closing');
      return { is: 'cannotCancel' as const };
    });
  return settle(deps, key, closed, 'close', attempt);
}

/** What the reconciler does with one attempt whose time has come. */
export async function lookUpCharge(deps: EngineDeps, attempt: AttemptRow): Promise<AttemptRow> {
  if (attempt.state !== 'requiresAction' || ageOf(deps, attempt) < ABANDONED_MS) return ask(deps, attempt);
  const after = await closeAttempt(deps, attempt);
  // What cannot be cancelled can still be paid: it is looked up until its gateway's documented end (decisions §6).
  return after.state === 'requiresAction' ? ask(deps, after, false) : after;
}
