import { type Money, money } from '@counterfoil/domain/money/money.ts';
import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import type { LookupResult } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { GatewayAccount } from '../accounts.ts';
import {
  type AttemptKey,
  type AttemptRow,
  chargeFromRow,
  openGatewayState,
} from '../attempts/attempt-row.ts';
import { bookCapture, lockClaims, release } from '../attempts/booking.ts';
import { askByName, type EngineDeps, findEnded, readAttempt, recordLookUp } from '../attempts/engine.ts';
import { type Cause, type Finding, type Known, stateAfter } from '../attempts/finding.ts';
import { lookUp } from '../attempts/lookup.ts';
import { lockAttempt, moveAttempt, type SettleDeps } from '../attempts/settle.ts';
import { hasResubmissions, openResubmission } from './resubmission-begin.ts';
import { bookCollected } from './reversals.ts';

interface Pair {
  readonly of_attempt_id: string;
  readonly remote: string;
}

const findPair = (deps: Pick<SettleDeps, 'db'>, { customerId, attemptId }: AttemptKey) =>
  deps.db.maybeOne<Pair>(sql`
    select of_attempt_id, remote from resubmission where customer_id = ${customerId} and attempt_id = ${attemptId}`);

/**
 * Looks up whether a debit that its gateway collects once more has come: the failed charge is asked about, never sent again.
 * @param cause `webhook`, `operator`, or the reconciler
 */
export async function lookUpResubmission(
  deps: EngineDeps,
  row: AttemptRow,
  cause: 'webhook' | 'operator' | 'reconciler' = 'reconciler',
): Promise<AttemptRow> {
  const key = { customerId: row.customer_id, attemptId: row.id };
  const isHint = cause !== 'reconciler';
  const record = (finding: Finding, known?: Known) => settleResubmission(deps, key, finding, cause, known);
  const account = await deps.accounts.byId(row.gateway_account_id);
  const pair = await findPair(deps, key);
  const original =
    pair && (await readAttempt(deps, { customerId: row.customer_id, attemptId: pair.of_attempt_id }));
  if (account === undefined || original === undefined)
    return isHint ? row : record({ is: 'flagForReview', why: 'the gateway account cannot be opened' });
  const named =
    original.remote === null
      ? undefined
      : await askByName(deps, account, original, remoteId(original.remote));
  if (named !== undefined) return record(named, row);
  const state = openGatewayState(original.gateway_state_sealed, original.id, deps.secrets);
  const looked = await lookUp(deps, row, {
    account,
    isHint,
    strategies: account.gateway.capabilities.lookup.filter(({ mayCharge }) => !mayCharge),
    mayCharge: false,
    ask: (_, strategy) => account.gateway.lookup(chargeFromRow(original, deps.secrets), state, strategy),
  });
  if (!isHint) return recordLookUp(deps, looked, record);
  return looked.is === 'decided' ? record(looked.found, looked.attempt) : looked.attempt;
}

/**
 * Whether a charge that was collected more than once is collected at its gateway now: of two failures that are told late, this
 * says whether one took what is booked. What is under way is looked into on the way.
 * @returns undefined for a charge that was collected once, and where the gateway cannot tell
 */
export async function isCollected(
  deps: EngineDeps,
  account: GatewayAccount,
  original: AttemptRow,
): Promise<boolean | undefined> {
  if (isOpen(original.state) || !(await hasResubmissions(deps.db, original))) return undefined;
  const again = await openResubmission(deps.db, original);
  if (again !== undefined) await lookUpResubmission(deps, again, 'webhook');
  const named =
    original.remote === null
      ? undefined
      : await askByName(deps, account, original, remoteId(original.remote));
  const found = named ?? (await findEnded(deps, account, original));
  return found === undefined ? undefined : COLLECTED[found.is];
}

const COLLECTED: Partial<Readonly<Record<LookupResult['is'], boolean>>> = {
  succeeded: true,
  declined: false,
  closed: false,
};

/**
 * The one way an attempt of a gateway to collect a charge once more changes. When it has come it is booked, once; when it has
 * failed its invoices are open again.
 */
export async function settleResubmission(
  deps: SettleDeps,
  key: AttemptKey,
  finding: Finding,
  cause: Cause,
  known?: Known,
): Promise<AttemptRow> {
  const now = deps.clock.now();
  const pair = await findPair(deps, key);
  if (pair === undefined) throw new Error(`${key.attemptId} collects nothing once more`);
  return deps.db.transaction(async (tx) => {
    // The failed charge first, as whoever books what became of it does.
    const original = await lockAttempt(tx, { customerId: key.customerId, attemptId: pair.of_attempt_id });
    const row = await lockAttempt(tx, key);
    if (!isOpen(row.state)) return row;
    const observed = judge(row, finding, cause);
    const next = stateAfter(row, observed);
    const after = await moveAttempt(tx, deps, row, {
      next,
      observed,
      gatewayState: undefined,
      cause,
      now,
      againAt: known?.againAt,
    });
    if (next === 'succeeded') await bookCome(tx, deps, { original, row, pair }, comeOf(row, observed), now);
    else if (!isOpen(next)) await release(tx, row);
    if (next === 'needsReview' && row.state !== 'needsReview')
      deps.log.error({ attempt: row.id, ref: row.ref, gateway: row.gateway }, 'a payment needs a person');
    return after;
  });
}

/** No call of ours brought it about, so that no answer of one counts, and no payer is there to act. */
function judge(row: AttemptRow, finding: Finding, cause: Cause): Finding {
  switch (finding.is) {
    case 'succeeded': {
      if (finding.captured.currency === row.currency) return finding;
      const why = `captured in ${finding.captured.currency}`;
      return cause === 'webhook' ? { is: 'unknown', evidence: why } : { is: 'flagForReview', why };
    }
    case 'notAttempted':
      return { is: 'unknown', evidence: `not asked: ${finding.why}` };
    case 'requiresAction':
      return { is: 'unknown', evidence: 'asks for an action' };
    case 'unknown':
      return finding.needsPerson === true && cause !== 'webhook'
        ? { is: 'flagForReview', why: finding.evidence }
        : finding;
    default:
      return finding;
  }
}

const comeOf = (row: AttemptRow, observed: Finding): Money =>
  observed.is === 'succeeded' ? observed.captured : money(row.amount_minor, row.currency);

async function bookCome(
  tx: Tx,
  deps: SettleDeps,
  { original, row, pair }: { readonly original: AttemptRow; readonly row: AttemptRow; readonly pair: Pair },
  come: Money,
  now: Date,
): Promise<void> {
  if (row.of_capture_id !== null) {
    // What is held is free for its money.
    await release(tx, row);
    const remote = remoteId(pair.remote);
    // The gateway tells what the whole charge has brought, also where a part of it had failed.
    const amount = come.minor < row.amount_minor ? come : money(row.amount_minor, row.currency);
    await bookCollected(tx, deps, original, row.of_capture_id, {
      kind: 'resubmitted',
      remote,
      amount,
      code: 'resubmitted',
    });
    return;
  }
  // Nothing was booked of the failed charge: this is its payment.
  const remote = original.remote ?? `again:${original.ref}`;
  const claims = await lockClaims(tx, { customerId: row.customer_id, attemptId: row.id });
  const captureId = await bookCapture(tx, row, remote, come, now, claims);
  if (captureId === undefined) return;
  const { kept } = await tx.one<{ kept: bigint }>(sql`
    select to_credit_minor as kept from capture where customer_id = ${row.customer_id} and id = ${captureId}`);
  if (kept > 0n)
    deps.log.error(
      { attempt: original.id, ref: original.ref, minor: String(kept) },
      'a debit that was collected once more brought what its invoices do not need; it stands as credit',
    );
}
