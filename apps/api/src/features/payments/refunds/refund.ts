import type { ErrorCode } from '@counterfoil/contract/errors.ts';
import { formatDecimal, type Money, money } from '@counterfoil/domain/money/money.ts';
import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import { feeOfRefund } from '@counterfoil/domain/paying/refund-fee.ts';
import { isInSteps } from '@counterfoil/domain/paying/step.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Refund, RemoteId } from '@counterfoil/gateways/port/gateway.ts';
import { newGatewayRef, remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { authorisedCustomer } from '../../../http/requests/scope.ts';
import { tellOfPayment } from '../../../messages/payment-messages.ts';
import { sha256 } from '../../../secrets.ts';
import { withTimeout } from '../../../with-timeout.ts';
import type { GatewayAccount } from '../accounts.ts';
import { type AttemptKey, type AttemptRow, attemptColumns } from '../attempts/attempt-row.ts';
import { type EngineDeps, readAttempt } from '../attempts/engine.ts';
import {
  asOwnAnswer,
  type Cause,
  type Finding,
  hasMoved,
  type Known,
  stateAfter,
} from '../attempts/finding.ts';
import { leaseFrom } from '../attempts/schedule.ts';
import { markSent, recordAnswer } from '../attempts/send.ts';
import { lockAttempt, moveAttempt, remoteByWord } from '../attempts/settle.ts';
import { chargeStep } from '../chargeable.ts';
import { isPaused } from '../pause/pause.ts';
import { bookReversalIn } from '../reversals/reversals.ts';
import { writeSession } from '../session.ts';
import { findOrdered, findRefunded, mayHaveGoneBack, type OrderKey } from './refund-key.ts';
import { findTaken, lockTaken, type RefundLabels, refundFromRow } from './refund-row.ts';

/** What an operator wants back. */
export interface RefundOrder {
  readonly customerId: string;
  readonly captureId: string;
  /** Minor units; all that is left unless given. */
  readonly minor: bigint | undefined;
  readonly by: string;
  readonly note: string;
  /** The same order again answers what became of the first. */
  readonly key: OrderKey;
  /** Written with it, in its transaction. */
  readonly also?: (tx: Tx, refund: AttemptRow) => Promise<void>;
  /** How long the gateway's answer is waited for, milliseconds; for ever unless given. The call goes on. */
  readonly waitMs?: number;
}

/** What an order has come to: the refund it made, or the one that the same order had made before. */
export interface Refunded {
  readonly attempt: AttemptRow;
  readonly isNew: boolean;
}

/** It cannot be refunded so; nothing was written. The message says why, for the operator, and the code for programs. */
export class RefundRefused extends Error {
  override readonly name = 'RefundRefused';
  readonly code: RefundRefusal;

  constructor(code: RefundRefusal, message: string) {
    super(message);
    this.code = code;
  }
}

export type RefundRefusal = Extract<ErrorCode, `refund.${string}`> | 'payments.paused';

/**
 * Gives money back to the payer: committed as an attempt of its own before the gateway is called, with the same
 * outcomes as a charge. What is not known is found out by the gateway's strategies.
 * @throws {RefundRefused}
 */
export async function refundPayment(deps: EngineDeps, order: RefundOrder): Promise<Refunded> {
  const of = await findTaken(deps.db, order.customerId, order.captureId);
  const charge = of && (await readAttempt(deps, { customerId: order.customerId, attemptId: of.attempt_id }));
  const account = charge && (await deps.accounts.byId(charge.gateway_account_id));
  if (account === undefined)
    throw new RefundRefused('refund.impossible', 'the gateway account of this payment cannot be opened');
  if (await isPaused(deps.db, account.id))
    throw new RefundRefused(
      'payments.paused',
      'payments are paused after a restored backup: what was refunded since is not known yet',
    );
  const written = await deps.db.transaction((tx) => writeRefund(deps, tx, account, order));
  if (!written.isNew) return written;
  const built = await buildRefund(deps, written.attempt);
  if (built === undefined) return written;
  const sent = send(deps, account, written.attempt, built);
  const { waitMs } = order;
  return {
    ...written,
    attempt: await (waitMs === undefined ? sent : withTimeout(waitMs, sent, written.attempt)),
  };
}

const shown = (minor: bigint, currency: string): string =>
  `${formatDecimal(money(minor, currency))} ${currency}`;

async function writeRefund(
  deps: EngineDeps,
  tx: Tx,
  account: GatewayAccount,
  { customerId, captureId, minor, by, note, key, also }: RefundOrder,
): Promise<Refunded> {
  const locked = await lockTaken(tx, customerId, captureId);
  if (locked === undefined) throw new RefundRefused('refund.impossible', 'there is no such payment');
  const { taken, charge } = locked;
  const left = taken.amount_minor - taken.reversed_minor - taken.leaving_minor;
  const ordered = { customerId, captureId, minor, key, left };
  const known = await findOrdered(tx, ordered);
  if ('before' in known) {
    const { before } = known;
    if (minor !== undefined && minor !== before.amount_minor)
      throw new RefundRefused(
        'refund.keyReused',
        `this key was used before, for ${shown(before.amount_minor, taken.currency)}: ${before.ref}`,
      );
    return { attempt: before, isNew: false };
  }
  if (key.by === 'amount' && key.after !== null)
    refuseAfter(await findRefunded(tx, ordered, key.after), key.after, minor);
  const wanted = minor ?? left;
  if (left <= 0n) throw new RefundRefused('refund.tooLarge', 'nothing of this payment is left to refund');
  if (wanted <= 0n) throw new RefundRefused('refund.amount', 'nothing, or less, cannot be refunded');
  if (wanted > left)
    throw new RefundRefused(
      'refund.tooLarge',
      `no more than ${shown(left, taken.currency)} of this payment is left to refund`,
    );
  const { refund, answerWithinMs } = account.gateway.capabilities;
  if (refund.when === 'never')
    throw new RefundRefused('refund.unsupported', 'this gateway gives nothing back');
  if (!refund.partial && wanted !== taken.amount_minor)
    throw new RefundRefused('refund.unsupported', 'this gateway refunds only whole payments');
  const step = chargeStep(account, taken.currency);
  if (!isInSteps(money(wanted, taken.currency), step))
    throw new RefundRefused(
      'refund.unsupported',
      `this gateway refunds ${taken.currency} only in steps of ${shown(step?.minor ?? 1n, taken.currency)}`,
    );
  const now = deps.clock.now();
  const [sessionId, id, ref] = [newId(now.getTime()), newId(now.getTime()), newGatewayRef()];
  const quote = {
    currency: taken.currency,
    totalMinor: 0n,
    creditMinor: 0n,
    digest: sha256(ref),
    lines: [],
  };
  const scope = authorisedCustomer(customerId, charge.reseller_id, 'system');
  await writeSession(tx, scope, { id: sessionId, origin: 'operator', quote }, now);
  const fee = feeOfRefund(wanted, {
    captured: taken.amount_minor,
    fee: taken.fee_minor,
    feeLeft: taken.fee_left_minor,
    restLeft: left - taken.fee_left_minor,
  });
  const labels: RefundLabels = { refundedBefore: String(taken.reversed_minor) };
  const row = await tx.one<AttemptRow>(sql`
    insert into attempt as a (customer_id, id, session_id, reseller_id, gateway_account_id, gateway, direction, ref,
      client_key, request_digest, kind, initiator, currency, amount_minor, fee_minor, state, labels, return_to, method,
      of_capture_id, next_lookup_at, sent_at, last_sent_at, answer_within_ms, updated_at)
    values (${customerId}, ${id}, ${sessionId}, ${charge.reseller_id}, ${account.id}, ${charge.gateway}, 'refund',
      ${ref}, ${known.clientKey}, ${sha256(`${captureId}:${wanted}`)}, ${charge.kind}, 'merchant', ${taken.currency}, ${wanted}, ${fee},
      'sending', ${JSON.stringify(labels)}, '', ${charge.method}, ${captureId},
      ${leaseFrom(now, answerWithinMs)}, ${now}, ${now}, ${answerWithinMs}, ${now})
    returning ${attemptColumns}`);
  await tx.execute(sql`
    insert into transition (customer_id, attempt_id, seq, from_state, to_state, cause, evidence, at)
    values (${customerId}, ${id}, 0, null, 'sending', 'operator', ${JSON.stringify({ by, note })}, ${now})`);
  await tx.execute(
    sql`insert into attempt_ref (ref, customer_id, attempt_id) values (${ref}, ${customerId}, ${id})`,
  );
  await also?.(tx, row);
  return { attempt: row, isNew: true };
}

/** @throws {RefundRefused} unless it names a refund of the same amount, that gave money back or may have */
function refuseAfter(named: AttemptRow | undefined, ref: string, minor: bigint | undefined): void {
  if (named === undefined) throw new RefundRefused('refund.notAgain', `${ref} is no refund of this payment`);
  if (!mayHaveGoneBack(named))
    throw new RefundRefused(
      'refund.notAgain',
      `${ref} gave nothing back (${named.state}): order it without naming that one`,
    );
  if (minor !== named.amount_minor)
    throw new RefundRefused(
      'refund.notAgain',
      `${ref} was for ${shown(named.amount_minor, named.currency)}, not for this amount`,
    );
}

/** The order with the charge it undoes; undefined when that cannot be read. */
export async function buildRefund(deps: EngineDeps, row: AttemptRow): Promise<Refund | undefined> {
  const of = await findTaken(deps.db, row.customer_id, row.of_capture_id ?? '');
  const charge = of && (await readAttempt(deps, { customerId: row.customer_id, attemptId: of.attempt_id }));
  return of && charge && refundFromRow(row, charge, of, deps.secrets);
}

async function send(
  deps: EngineDeps,
  account: GatewayAccount,
  row: AttemptRow,
  order: Refund,
): Promise<AttemptRow> {
  const key = { customerId: row.customer_id, attemptId: row.id };
  // What was found absent meanwhile, and perhaps refunded once more, is not refunded by this call.
  const sentAt = await markSent(deps, row);
  if (sentAt === undefined) return (await readAttempt(deps, key)) ?? row;
  return recordAnswer(deps, row, {
    answer: account.gateway.refund(order),
    doing: 'refunding',
    settle: (outcome) => settleRefund(deps, key, outcome, 'response', { last_sent_at: sentAt }),
  });
}

/** The one way a refund changes; what has gone back is booked with it, and once. */
export async function settleRefund(
  deps: EngineDeps,
  key: AttemptKey,
  finding: Finding,
  cause: Cause,
  known?: Known,
): Promise<AttemptRow> {
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const row = await lockAttempt(tx, key);
    if (!isOpen(row.state)) {
      if (finding.is === 'succeeded' && row.state !== 'succeeded') {
        deps.log.error(
          { attempt: row.id, ref: row.ref },
          'an ended refund went back after all, and was booked',
        );
        await book(tx, deps, row, finding.remote, finding.captured);
      }
      return row;
    }
    const observed = apply(row, finding, cause, known);
    const next = stateAfter(row, observed);
    const gatewayState = 'state' in observed ? observed.state : undefined;
    const after = await moveAttempt(tx, deps, row, {
      next,
      observed,
      gatewayState,
      cause,
      now,
      againAt: known?.againAt,
    });
    if (next === 'succeeded' && observed.is === 'succeeded')
      await book(tx, deps, row, observed.remote, observed.captured);
    if (next === 'succeeded' && observed.is === 'manualResolution')
      await book(tx, deps, row, remoteId(remoteByWord(row, observed)), money(row.amount_minor, row.currency));
    if (next === 'needsReview' && row.state !== 'needsReview')
      deps.log.error({ attempt: row.id, ref: row.ref, gateway: row.gateway }, 'a refund needs a person');
    if (!isOpen(next) && next !== 'succeeded')
      await tellOfPayment(tx, row, { type: 'payment.refund_failed' }, now);
    return after;
  });
}

/** Books what went back, whatever was ordered; what goes beyond the charge stands as lost. */
async function book(
  tx: Tx,
  deps: EngineDeps,
  row: AttemptRow,
  remote: RemoteId,
  amount: Money,
): Promise<void> {
  const of = await findTaken(tx, row.customer_id, row.of_capture_id ?? '');
  if (of === undefined) return;
  if (amount.minor !== row.amount_minor)
    deps.log.error(
      { attempt: row.id, ref: row.ref, ordered: String(row.amount_minor), minor: String(amount.minor) },
      'another amount went back than was ordered',
    );
  const charge = { customerId: row.customer_id, attemptId: of.attempt_id };
  const late = { kind: 'refund', remote, amount, code: 'refund' } as const;
  await bookReversalIn(tx, deps, charge, undefined, late, { ref: row.ref });
}

function apply(row: AttemptRow, finding: Finding, cause: Cause, known: Known | undefined): Finding {
  if (finding.is === 'notAttempted' || finding.is === 'declined')
    return asOwnAnswer(row, finding, cause, known);
  // No refund waits for a payer in a browser.
  if (finding.is === 'requiresAction') return { is: 'unknown', evidence: 'asks for an action' };
  if (finding.is === 'absent' && finding.proven && hasMoved(row, known))
    return { is: 'absent', proven: false };
  if (finding.is === 'succeeded' && finding.captured.currency !== row.currency) {
    const why = `refunded in ${finding.captured.currency}`;
    return cause === 'webhook' ? { is: 'unknown', evidence: why } : { is: 'flagForReview', why };
  }
  return finding;
}
