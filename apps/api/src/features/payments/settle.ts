import { isOpen } from '@counterfoil/domain/attempt.ts';
import { type Money, money } from '@counterfoil/domain/money.ts';
import type { Decline, GatewayState } from '@counterfoil/gateways/port.ts';
import type { Logger } from 'pino';
import { counts } from '../../counts.ts';
import type { Database, Tx } from '../../db/database.ts';
import { sql, sqlOnce, withParts } from '../../db/sql.ts';
import type { Clock } from '../../deps.ts';
import type { Secrets } from '../../secrets.ts';
import { type AttemptRow, attemptColumns, sealGatewayState } from './attempt-row.ts';
import { bookCapture, release } from './booking.ts';
import { type Cause, type Finding, type Known, type OperatorWord, stateAfter, weigh } from './finding.ts';
import { methodText } from './method-text.ts';
import { notAttemptedAs } from './not-attempted.ts';
import { enqueueReceipt } from './receipt-queue.ts';
import { nextAskAt } from './schedule.ts';

export interface SettleDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly log: Logger;
}

export interface AttemptKey {
  readonly customerId: string;
  readonly attemptId: string;
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
    const attempt = await lockAttempt(tx, key);
    if (!isOpen(attempt.state)) {
      if (finding.is === 'succeeded') await bookLate(deps, tx, attempt, finding, now);
      return attempt;
    }
    const told = await weigh(tx, attempt, finding, cause, known);
    const next = stateAfter(attempt, told);
    const gatewayState = 'state' in told ? told.state : undefined;
    const after = await moveAttempt(tx, deps, attempt, {
      ...{ next, told, gatewayState, cause, now, againAt: known?.againAt },
    });
    const charged = next === 'succeeded' ? chargedBy(attempt, told) : undefined;
    if (charged !== undefined) {
      const captureId = await bookCapture(tx, attempt, charged.remote, charged.captured, now, false);
      if (captureId !== undefined) await enqueueReceipt(tx, attempt, captureId, now);
    } else if (!isOpen(next)) {
      await release(tx, attempt);
    }
    if (next === 'held' && attempt.state !== 'held') {
      deps.log.error(
        { attempt: attempt.id, ref: attempt.ref, gateway: attempt.gateway },
        'a payment needs a person',
      );
    }
    if (!isOpen(next)) ended = next;
    return after;
  });
  if (ended !== undefined) counts.payments.add(ended);
  return settled;
}

/** Begins the gateway's id of a charge or refund that is known by an operator's word alone. */
export const BY_WORD = 'operator-word:';

/** How the gateway calls what an operator says was taken. */
export const remoteByWord = (attempt: Pick<AttemptRow, 'remote' | 'ref'>, word: OperatorWord): string =>
  word.id ?? attempt.remote ?? `${BY_WORD}${attempt.ref}`;

/** What was taken, by the gateway's word or an operator's. */
function chargedBy(attempt: AttemptRow, told: Finding): { remote: string; captured: Money } | undefined {
  if (told.is === 'succeeded') return told;
  if (told.is !== 'operatorWord') return undefined;
  return { remote: remoteByWord(attempt, told), captured: money(attempt.amount_minor, attempt.currency) };
}

/** An attempt with its row locked: whoever changes what belongs to it takes this lock first. */
export const lockAttempt = (tx: Tx, key: AttemptKey) =>
  tx.one<AttemptRow>(sqlOnce`
    select ${attemptColumns} from attempt a
     where a.customer_id = ${key.customerId} and a.id = ${key.attemptId} for update`);

export interface Change {
  readonly next: AttemptRow['state'];
  readonly told: Finding;
  readonly gatewayState: GatewayState | undefined;
  readonly cause: Cause;
  readonly now: Date;
  /** Nobody need look before. */
  readonly againAt?: Date | undefined;
}

/** Writes a change of an attempt whose row is locked, with the transition that tells why. */
export async function moveAttempt(
  tx: Tx,
  deps: Pick<SettleDeps, 'secrets'>,
  attempt: AttemptRow,
  change: Change,
): Promise<AttemptRow> {
  const { next, told, gatewayState, cause, now, againAt } = change;
  const moved = next !== attempt.state;
  const seq = moved ? attempt.seq + 1 : attempt.seq;
  const remote = 'remote' in told && told.remote !== undefined ? told.remote : null;
  // While the payer must act, what they must do stays known, also when a later look brought nothing.
  const action = told.is === 'requiresAction' ? told.action : attempt.action;
  const kept = next === 'requiresAction' && action !== null ? JSON.stringify(action) : null;
  const why = declineOf(attempt, told);
  const parts = [
    ...(moved
      ? [
          sql`
      told as (
        insert into transition (customer_id, attempt_id, seq, from_state, to_state, cause, evidence, at)
        values (${attempt.customer_id}, ${attempt.id}, ${seq}, ${attempt.state}, ${next}, ${cause},
                ${JSON.stringify(evidenceOf(told))}, ${now}))`,
        ]
      : []),
    ...(remote === null ? [] : [sql`object as (${insertObject(attempt, remote)})`]),
  ];
  return tx.one<AttemptRow>(sqlOnce`
    ${withParts(parts)}
    update attempt a set state = ${next}, seq = ${seq}, updated_at = ${moved ? now : attempt.updated_at},
           remote = coalesce(${remote}, a.remote), method = coalesce(a.method, ${methodOf(told)}),
           gateway_state_sealed = coalesce(${gatewayState === undefined ? null : sealGatewayState(gatewayState, attempt.id, deps.secrets)}, a.gateway_state_sealed),
           action = ${kept}::jsonb, decline = coalesce(${why === null ? null : JSON.stringify(why)}::jsonb, a.decline),
           next_ask_at = ${nextAskAt(next, attempt, now, againAt)}
     where a.customer_id = ${attempt.customer_id} and a.id = ${attempt.id}
    returning ${attemptColumns}`);
}

/** Why a charge was declined, or never got as far as that; of a refund, its history tells the operator. */
function declineOf({ direction }: AttemptRow, told: Finding): Decline | null {
  if (told.is === 'declined') return told.why;
  return told.is === 'notAttempted' && direction === 'charge' ? notAttemptedAs(told.why) : null;
}

/** What the gateway says it is paid with. */
const methodOf = (told: Finding): string | null =>
  'shown' in told && told.shown !== undefined ? methodText(told.shown) : null;

const insertObject = (attempt: AttemptRow, remote: string) => sqlOnce`
    insert into gateway_object (gateway_account_id, remote, customer_id, attempt_id)
    values (${attempt.gateway_account_id}, ${remote}, ${attempt.customer_id}, ${attempt.id})
    on conflict do nothing`;
const keepObject = (tx: Tx, attempt: AttemptRow, remote: string) => tx.execute(insertObject(attempt, remote));

/**
 * Money against an attempt that had ended: nobody loses it, nothing is rewritten, a person is told. It keeps the
 * currency it came in. A second charge for one attempt cannot be booked beside the first and is only reported.
 */
async function bookLate(
  deps: SettleDeps,
  tx: Tx,
  attempt: AttemptRow,
  told: Extract<Finding, { is: 'succeeded' }>,
  now: Date,
): Promise<void> {
  // Booked by an operator's word: now it has a name.
  const named = await tx.execute(sql`
    update capture set remote = ${told.remote}
     where customer_id = ${attempt.customer_id} and attempt_id = ${attempt.id} and remote = ${BY_WORD + attempt.ref}
       and amount_minor = ${told.captured.minor} and currency = ${told.captured.currency}`);
  if (named > 0) return void (await keepObject(tx, attempt, told.remote));
  const captureId = await bookCapture(tx, attempt, told.remote, told.captured, now, true);
  if (captureId === undefined) {
    const booked = await tx.maybeOne(sql`
      select 1 from capture where customer_id = ${attempt.customer_id} and attempt_id = ${attempt.id}
         and remote = ${told.remote}`);
    const byWord = await tx.maybeOne(sql`
      select 1 from capture where customer_id = ${attempt.customer_id} and attempt_id = ${attempt.id}
         and remote = ${BY_WORD + attempt.ref}`);
    if (booked === undefined)
      deps.log.error(
        { attempt: attempt.id, ref: attempt.ref, remote: told.remote, minor: String(told.captured.minor) },
        byWord === undefined
          ? 'a second charge for one payment: give it back at the gateway'
          : 'another amount was taken than an operator said: compare the payment with the gateway',
      );
    return;
  }
  await keepObject(tx, attempt, told.remote);
  deps.log.error(
    { attempt: attempt.id, ref: attempt.ref, state: attempt.state, minor: String(told.captured.minor) },
    'money arrived for an ended payment and was booked as credit',
  );
}

function evidenceOf(told: Finding): Record<string, unknown> {
  switch (told.is) {
    case 'succeeded':
      return { is: told.is, remote: told.remote, minor: String(told.captured.minor) };
    case 'declined':
      return { is: told.is, code: told.why.code, class: told.why.class };
    case 'notAttempted':
      return { is: told.is, why: told.why, detail: told.detail };
    case 'unknown':
      return { is: told.is, evidence: told.evidence };
    case 'pending':
      return { is: told.is, because: told.because, remote: told.remote };
    case 'hold':
      return { is: told.is, why: told.why };
    case 'operatorWord':
      return {
        is: told.is,
        taken: told.taken,
        by: told.by,
        note: told.note,
        ...(told.id && { id: told.id }),
      };
    default:
      return { is: told.is };
  }
}
