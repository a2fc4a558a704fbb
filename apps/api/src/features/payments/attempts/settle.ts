import { type Money, money } from '@counterfoil/domain/money/money.ts';
import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import { methodText } from '@counterfoil/domain/paying/method-text.ts';
import type { Decline, GatewayState } from '@counterfoil/gateways/port/gateway.ts';
import type { Logger } from 'pino';
import { counts } from '../../../counts.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { sql, sqlOnce, withParts } from '../../../db/sql.ts';
import type { Clock } from '../../../deps.ts';
import { tellOfPayment } from '../../../messages/payment-messages.ts';
import { listeningOf } from '../../../messages/write-messages.ts';
import type { Secrets } from '../../../secrets.ts';
import { scheduleAfterEnd } from '../after-end/tasks.ts';
import {
  type AttemptKey,
  type AttemptRow,
  attemptColumns,
  openGatewayState,
  sealGatewayState,
} from './attempt-row.ts';
import { bookCapture, lockClaims, release } from './booking.ts';
import {
  apply,
  type Cause,
  type Finding,
  hasPaidAnother,
  type Known,
  type ManualResolution,
  stateAfter,
} from './finding.ts';
import { notAttemptedAs } from './not-attempted.ts';
import { nextLookupAt } from './schedule.ts';

export interface SettleDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly log: Logger;
}

/**
 * The one way an attempt changes. Answer, redirect, webhook, reconciler and operator all come through here, in any
 * order and any number: the row is locked, the state table decides, a final state never changes, and money is
 * booked once because a charge has one row.
 * @param known the attempt as it was when the gateway was asked, or when the call was sent whose answer this is
 * @returns the attempt as it is afterwards
 */
export async function settle(
  deps: SettleDeps,
  key: AttemptKey,
  finding: Finding,
  cause: Cause,
  known?: Known,
): Promise<AttemptRow> {
  const now = deps.clock.now();
  let ended: AttemptRow['state'] | undefined;
  const settled = await deps.db.transaction(async (tx) => {
    ended = undefined;
    // The attempt first, then its invoices, as everybody locks them.
    const [attempt, isElsewhere, claims] = await Promise.all([
      lockAttempt(tx, key),
      hasPaidAnother(tx, key, finding),
      saysTaken(finding) ? lockClaims(tx, key) : [],
    ]);
    if (!isOpen(attempt.state)) {
      if (finding.is === 'succeeded') await bookLate(deps, tx, attempt, finding, now);
      return attempt;
    }
    const observed = apply(attempt, finding, cause, known, isElsewhere);
    const next = stateAfter(attempt, observed);
    const told = 'state' in observed ? observed.state : undefined;
    const gatewayState =
      told !== undefined && known?.isListed === true ? stateOver(deps, attempt, told) : told;
    const change = { next, observed, gatewayState, cause, now, againAt: known?.againAt };
    const charged = next === 'succeeded' ? chargedBy(attempt, observed) : undefined;
    const [after] = await Promise.all([
      moveAttempt(tx, deps, attempt, change),
      // For those who are told of it.
      isOpen(next) ? undefined : listeningOf(tx, attempt.reseller_id),
      charged && bookCapture(tx, attempt, charged.remote, charged.captured, now, claims),
    ]);
    if (charged === undefined && !isOpen(next)) await release(tx, attempt);
    if (next === 'needsReview' && attempt.state !== 'needsReview') {
      deps.log.error(
        { attempt: attempt.id, ref: attempt.ref, gateway: attempt.gateway },
        'a payment needs a person',
      );
    }
    if (!isOpen(next)) {
      ended = next;
      await scheduleAfterEnd(tx, attempt, next === 'succeeded', now);
      const type = next === 'succeeded' ? 'payment.succeeded' : 'payment.failed';
      await tellOfPayment(tx, attempt, { type }, now);
    }
    return after;
  });
  if (ended !== undefined) counts.payments.add(ended);
  return settled;
}

/**
 * What the adapter sees again of a charge that was found without what is kept of it: what is found is laid over that, so that
 * nothing is forgotten that is still to be removed at the gateway.
 */
const stateOver = (
  { secrets }: Pick<SettleDeps, 'secrets'>,
  attempt: AttemptRow,
  found: GatewayState,
): GatewayState => ({ ...openGatewayState(attempt.gateway_state_sealed, attempt.id, secrets), ...found });

const saysTaken = (finding: Finding): boolean =>
  finding.is === 'succeeded' || (finding.is === 'manualResolution' && finding.taken);

/** Prefix of the gateway's id where only a manual resolution says that the money moved. */
export const BY_WORD = 'operator-word:';

/** How the gateway calls what an operator says was taken. */
export const remoteByWord = (attempt: Pick<AttemptRow, 'remote' | 'ref'>, word: ManualResolution): string =>
  word.id ?? attempt.remote ?? `${BY_WORD}${attempt.ref}`;

/** What was taken, by the gateway's word or an operator's. */
function chargedBy(attempt: AttemptRow, observed: Finding): { remote: string; captured: Money } | undefined {
  if (observed.is === 'succeeded') return observed;
  if (observed.is !== 'manualResolution') return undefined;
  return { remote: remoteByWord(attempt, observed), captured: money(attempt.amount_minor, attempt.currency) };
}

/** An attempt with its row locked: whoever changes what belongs to it takes this lock first. */
export const lockAttempt = (tx: Tx, key: AttemptKey) =>
  tx.one<AttemptRow>(sqlOnce`
    select ${attemptColumns} from attempt a
     where a.customer_id = ${key.customerId} and a.id = ${key.attemptId} for update`);

export interface Change {
  readonly next: AttemptRow['state'];
  readonly observed: Finding;
  readonly gatewayState: GatewayState | undefined;
  readonly cause: Cause;
  readonly now: Date;
  /** The earliest useful look-up. */
  readonly againAt?: Date | undefined;
}

/** Writes a change of an attempt whose row is locked, with the transition that tells why. */
export async function moveAttempt(
  tx: Tx,
  deps: Pick<SettleDeps, 'secrets'>,
  attempt: AttemptRow,
  change: Change,
): Promise<AttemptRow> {
  const { next, observed, gatewayState, cause, now, againAt } = change;
  const moved = next !== attempt.state;
  const seq = moved ? attempt.seq + 1 : attempt.seq;
  const remote = 'remote' in observed && observed.remote !== undefined ? observed.remote : null;
  // While the payer must act, what they must do stays known, also when a later look brought nothing.
  const action = observed.is === 'requiresAction' ? observed.action : attempt.action;
  const kept = next === 'requiresAction' && action !== null ? JSON.stringify(action) : null;
  const why = declineOf(attempt, observed);
  const parts = [
    ...(moved
      ? [
          sql`
      told as (
        insert into transition (customer_id, attempt_id, seq, from_state, to_state, cause, evidence, at)
        values (${attempt.customer_id}, ${attempt.id}, ${seq}, ${attempt.state}, ${next}, ${cause},
                ${JSON.stringify(evidenceOf(observed))}, ${now}))`,
        ]
      : []),
    ...(remote === null ? [] : [sql`object as (${insertObject(attempt, remote)})`]),
  ];
  return tx.one<AttemptRow>(sqlOnce`
    ${withParts(parts)}
    update attempt a set state = ${next}, seq = ${seq}, updated_at = ${moved ? now : attempt.updated_at},
           remote = coalesce(${remote}, a.remote), method = coalesce(a.method, ${methodOf(observed)}),
           gateway_state_sealed = coalesce(${gatewayState === undefined ? null : sealGatewayState(gatewayState, attempt.id, deps.secrets)}, a.gateway_state_sealed),
           action = ${kept}::jsonb, decline = coalesce(${why === null ? null : JSON.stringify(why)}::jsonb, a.decline),
           next_lookup_at = ${nextLookupAt(next, attempt, now, againAt)}
     where a.customer_id = ${attempt.customer_id} and a.id = ${attempt.id}
    returning ${attemptColumns}`);
}

/** Why a charge was declined, or never got as far as that; of a refund, its history tells the operator. */
function declineOf({ direction }: AttemptRow, observed: Finding): Decline | null {
  if (observed.is === 'declined') return observed.why;
  return observed.is === 'notAttempted' && direction === 'charge' ? notAttemptedAs(observed.why) : null;
}

/** What the gateway says it is paid with. */
const methodOf = (observed: Finding): string | null =>
  'shown' in observed && observed.shown !== undefined ? methodText(observed.shown) : null;

const insertObject = (attempt: AttemptRow, remote: string) => sqlOnce`
    insert into gateway_object (gateway_account_id, remote, customer_id, attempt_id)
    values (${attempt.gateway_account_id}, ${remote}, ${attempt.customer_id}, ${attempt.id})
    on conflict do nothing`;

/** What a charge that came after the end is called, and what the adapter wants to see again of it. */
async function keepFound(
  deps: SettleDeps,
  tx: Tx,
  attempt: AttemptRow,
  { remote, state }: Extract<Finding, { is: 'succeeded' }>,
): Promise<void> {
  await tx.execute(insertObject(attempt, remote));
  const sealed = sealGatewayState(stateOver(deps, attempt, state), attempt.id, deps.secrets);
  await tx.execute(sql`
    update attempt set gateway_state_sealed = ${sealed}
     where customer_id = ${attempt.customer_id} and id = ${attempt.id}`);
}

/**
 * Money against an attempt that had ended: it is booked as credit, nothing is rewritten, an operator is alerted. It keeps the
 * currency it came in. A second charge for one attempt cannot be booked beside the first and is only reported.
 */
async function bookLate(
  deps: SettleDeps,
  tx: Tx,
  attempt: AttemptRow,
  observed: Extract<Finding, { is: 'succeeded' }>,
  now: Date,
): Promise<void> {
  // Booked by an operator's word: now it has a name.
  const named = await tx.execute(sql`
    update capture set remote = ${observed.remote}
     where customer_id = ${attempt.customer_id} and attempt_id = ${attempt.id} and remote = ${BY_WORD + attempt.ref}
       and amount_minor = ${observed.captured.minor} and currency = ${observed.captured.currency}`);
  if (named > 0) return keepFound(deps, tx, attempt, observed);
  const captureId = await bookCapture(tx, attempt, observed.remote, observed.captured, now, 'ended');
  if (captureId === undefined) {
    const booked = await tx.maybeOne(sql`
      select 1 from capture where customer_id = ${attempt.customer_id} and attempt_id = ${attempt.id}
         and remote = ${observed.remote}`);
    const byWord = await tx.maybeOne(sql`
      select 1 from capture where customer_id = ${attempt.customer_id} and attempt_id = ${attempt.id}
         and remote = ${BY_WORD + attempt.ref}`);
    if (booked === undefined)
      deps.log.error(
        {
          attempt: attempt.id,
          ref: attempt.ref,
          remote: observed.remote,
          minor: String(observed.captured.minor),
        },
        byWord === undefined
          ? 'a second charge for one payment: give it back at the gateway'
          : 'another amount was taken than an operator said: compare the payment with the gateway',
      );
    return;
  }
  await keepFound(deps, tx, attempt, observed);
  await scheduleAfterEnd(tx, attempt, true, now);
  await tellOfPayment(tx, attempt, { type: 'payment.succeeded' }, now);
  deps.log.error(
    { attempt: attempt.id, ref: attempt.ref, state: attempt.state, minor: String(observed.captured.minor) },
    'money arrived for an ended payment and was booked as credit',
  );
}

function evidenceOf(observed: Finding): Record<string, unknown> {
  switch (observed.is) {
    case 'succeeded':
      return { is: observed.is, remote: observed.remote, minor: String(observed.captured.minor) };
    case 'declined':
      return { is: observed.is, code: observed.why.code, class: observed.why.class };
    case 'notAttempted':
      return { is: observed.is, why: observed.why, detail: observed.detail };
    case 'unknown':
      return { is: observed.is, evidence: observed.evidence };
    case 'pending':
      return { is: observed.is, because: observed.because, remote: observed.remote };
    case 'flagForReview':
      return { is: observed.is, why: observed.why };
    case 'manualResolution':
      return {
        is: observed.is,
        taken: observed.taken,
        by: observed.by,
        note: observed.note,
        ...(observed.id && { id: observed.id }),
      };
    default:
      return { is: observed.is };
  }
}
