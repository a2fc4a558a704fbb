import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { GatewayEvent } from '@counterfoil/gateways/port/gateway.ts';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { tellOfPayment } from '../../../messages/payment-messages.ts';
import type { AttemptKey, AttemptRow } from '../attempts/attempt-row.ts';
import { BY_WORD, lockAttempt, type SettleDeps } from '../attempts/settle.ts';
import { beginResubmission, isResubmissionKnown, judgeFailure } from './resubmission-begin.ts';
import { type Booking, move } from './reversal-moves.ts';
import {
  draw,
  FEE,
  kindOf,
  type Leg,
  LOST,
  oppositeOf,
  ownFirst,
  type ReversalKind,
  readLeg,
  type Share,
  standing,
  takenBy,
  takes,
  withFee,
} from './reversal-shares.ts';

type Late = NonNullable<GatewayEvent['reversal']>;

/**
 * `booked`, also when it changed nothing because its opposite came first; `known`: this was booked before;
 * `tooEarly`: the charge or what is undone is not known yet; `person`: it does not fit the charge, see the log.
 */
type ReversalOutcome = 'booked' | 'known' | 'tooEarly' | 'person';

interface CaptureRow {
  id: string;
  remote: string;
  currency: string;
}

/** What is known of a reversal besides what it says. */
interface About {
  /** Our reference of a refund that was ordered here, where the gateway tells it. */
  readonly ref?: string | undefined;
  /** Whether the charge is collected at its gateway now; see `isCollected`. */
  readonly isCollected?: boolean | undefined;
}

/** A reversal that was written down before. */
interface Row {
  readonly id: string;
  readonly kind: ReversalKind;
  readonly remote: string;
  readonly minor: bigint;
}

/** What it moved in the ledger; nothing where its opposite came first. */
type RowLeg = Leg & Pick<Row, 'id' | 'remote'>;

/** What is drawn later for its kind carries another one's name, and comes to nothing. */
const takenAs = (legs: readonly RowLeg[], kind: ReversalKind, remote: string): bigint =>
  legs.reduce((sum, leg) => (leg.kind === kind && leg.remote === remote ? sum + leg.amount : sum), 0n);

/**
 * Books what became of a charge after its attempt had ended: a refund made at the gateway, a chargeback, a late
 * failure, and what undoes each. The attempt itself never changes (specification, decisions 6).
 *
 * Whose money goes: what was filled last is emptied first, so the customer's credit, then the fee, then the
 * invoices; of a refund the fee is its part in proportion, and the last refund takes what is left. A refund that
 * failed brings back what it took. Invoices whose money came back are due again, except after a refund. The fee is not owed again: it
 * belongs to the payment that came back, and a new payment has its own. What is taken beyond the charge (a second
 * chargeback, a refund of what a chargeback had taken) is our loss until it comes back, and a person is told: `lost_minor`
 * of the capture, which `payments resolve --lost` says somebody has seen to. What comes back again fills in the order of
 * booking; an invoice that was paid otherwise meanwhile needs nothing, and the money becomes the customer's credit.
 *
 * Each (charge, id at the gateway, kind) counts once. When the undoing arrives before what it undoes, both are
 * written down and neither moves money. What was lost is drawn from the charge once another reversal brings its money back.
 */
export function bookReversal(
  deps: SettleDeps,
  key: AttemptKey,
  chargeRemote: string | undefined,
  late: Late,
  about: About = {},
): Promise<ReversalOutcome> {
  return deps.db.transaction((tx) => bookReversalIn(tx, deps, key, chargeRemote, late, about));
}

/** The same in the caller's transaction, which holds no lock that comes after the charge's. */
export async function bookReversalIn(
  tx: Tx,
  deps: SettleDeps,
  key: AttemptKey,
  chargeRemote: string | undefined,
  late: Late,
  about: About = {},
): Promise<ReversalOutcome> {
  const { customerId } = key;
  const kind = kindOf[late.kind];
  const attempt = await lockAttempt(tx, key);
  const capture = await tx.maybeOne<CaptureRow>(sql`
    select id, remote, currency from capture
     where customer_id = ${customerId} and (attempt_id = ${key.attemptId} or attempt_id in (
       -- What failed before anything was booked, and was collected once more.
       select attempt_id from resubmission where customer_id = ${customerId} and of_attempt_id = ${key.attemptId}))
     order by at limit 1 for update`);
  const report = reporter(deps, attempt, late);
  const charge = capture ?? { remote: attempt.remote, currency: attempt.currency };
  if (capture === undefined && (isOpen(attempt.state) || (kind !== 'resubmitted' && kind !== 'lateFailure')))
    return 'tooEarly';
  if (chargeRemote !== undefined && chargeRemote !== charge.remote) return report('it is of another charge');
  if (late.amount.currency !== charge.currency) return report(`it is in ${late.amount.currency}`);
  if (late.amount.minor <= 0n) return report('it has no amount');
  if (kind === 'resubmitted') return begin(tx, deps, attempt, capture, late);
  if (capture === undefined) return failedUntaken(tx, attempt, late);
  return book(tx, deps, attempt, capture, late, report, about);
}

/** A charge that failed before anything was taken fails again, or is told to have failed: there is nothing to reverse. */
async function failedUntaken(tx: Tx, attempt: AttemptRow, late: Late): Promise<ReversalOutcome> {
  await judgeFailure(tx, attempt, late.remote, { hasMoney: false, isCollected: undefined });
  return 'known';
}

/** A failed debit is collected once more: that holds its invoices, and is booked when it has ended. */
async function begin(
  tx: Tx,
  deps: SettleDeps,
  attempt: AttemptRow,
  capture: CaptureRow | undefined,
  late: Late,
): Promise<ReversalOutcome> {
  if (await isResubmissionKnown(tx, attempt, late.remote)) return 'known';
  if (capture === undefined) {
    await beginResubmission(tx, deps, { original: attempt, captureId: undefined, late, taken: [] });
    return 'booked';
  }
  const { customer_id: customerId } = attempt;
  const booked = await tx.maybeOne(sql`
    select 1 from reversal
     where customer_id = ${customerId} and capture_id = ${capture.id} and kind = 'resubmitted' and remote = ${late.remote}`);
  if (booked !== undefined) return 'known';
  const at = deps.clock.now();
  const { shares: taken } = await sharesOf({ tx, customerId, capture, kind: 'resubmitted', id: '', at });
  if (taken.every((share) => share.amount === 0n)) return 'tooEarly';
  await beginResubmission(tx, deps, { original: attempt, captureId: capture.id, late, taken });
  return 'booked';
}

/** Says what does not fit, for a person. */
type Report = (problem: string) => ReversalOutcome;

const reporter =
  (deps: SettleDeps, { id: attempt }: AttemptRow, { kind, remote, amount }: Late): Report =>
  (problem) => {
    const fields = { attempt, kind: kindOf[kind], remote, minor: String(amount.minor) };
    deps.log.error(fields, `a reversal needs a person: ${problem}`);
    return 'person';
  };

/** Books the money of a debit that was collected once more, in the transaction that ends its attempt. */
export async function bookCollected(
  tx: Tx,
  deps: SettleDeps,
  original: AttemptRow,
  captureId: string,
  late: Late,
): Promise<void> {
  const capture = await tx.one<CaptureRow>(sql`
    select id, remote, currency from capture
     where customer_id = ${original.customer_id} and id = ${captureId} for update`);
  await book(tx, deps, original, capture, late, reporter(deps, original, late));
}

async function book(
  tx: Tx,
  deps: SettleDeps,
  attempt: AttemptRow,
  capture: CaptureRow,
  late: Late,
  report: Report,
  about: About = {},
): Promise<ReversalOutcome> {
  const at = deps.clock.now();
  const { customer_id: customerId } = attempt;
  const kind = kindOf[late.kind];
  const rows = await tx.many<Row>(sql`
    select id, kind, remote, amount_minor as minor from reversal
     where customer_id = ${customerId} and capture_id = ${capture.id} order by at, id`);
  const has = (of: ReversalKind) => rows.some((row) => row.kind === of && row.remote === late.remote);
  if (has(kind)) return 'known';
  // Booked by an operator's word: now it has a name.
  const byWord = rows.find((row) => row.kind === 'refund' && row.remote === `${BY_WORD}${about.ref}`);
  if (kind === 'refund' && byWord !== undefined) {
    await tx.execute(sql`
      update reversal set remote = ${late.remote} where customer_id = ${customerId} and id = ${byWord.id}`);
    return byWord.minor === late.amount.minor
      ? 'known'
      : report(`by an operator's word it was ${byWord.minor}`);
  }

  const booking: Booking = { tx, customerId, capture, kind, id: newId(at.getTime()), at };
  const { shares, order, legs } = await sharesFor(booking, late, about);
  if (kind === 'lateFailure') {
    const hasMoney = shares.some((share) => share.amount > 0n);
    const failure = await judgeFailure(tx, attempt, late.remote, {
      hasMoney,
      isCollected: about.isCollected,
    });
    if (failure !== 'taken') return failure === 'untaken' ? 'known' : 'tooEarly';
  }
  // A debit sent again has an id of its own; the other pairs share one and cancel each other in either order.
  const isPairKnown = has(oppositeOf[kind]);
  if (takes(kind) ? isPairKnown : !isPairKnown && kind !== 'resubmitted') {
    await writeReversal(booking, late, late.amount.minor);
    return 'booked';
  }
  // What moved nothing, because its opposite came first, brings nothing back.
  const most = isPairKnown ? takenAs(legs, oppositeOf[kind], late.remote) : late.amount.minor;
  if (most === 0n) {
    await writeReversal(booking, late, late.amount.minor);
    return 'booked';
  }
  const { drawn, short } = draw(shares, late.amount.minor < most ? late.amount.minor : most);
  if (takes(kind)) {
    if (short > 0n)
      report(drawn.length === 0 ? 'nothing of the charge is left' : 'it is more than is left of the charge');
    await writeReversal(booking, late, late.amount.minor);
    await move(booking, short > 0n ? [...drawn, { target: LOST, amount: short }] : drawn, order);
  } else {
    if (short > 0n) report('it is more than had come back');
    await writeReversal(booking, late, late.amount.minor - short);
    const surplus = await move(booking, drawn, order);
    if (surplus > 0n && kind === 'resubmitted')
      report('its invoices were paid otherwise; it stands as credit');
    await drawLost(booking);
  }
  const feeMinor = drawn.find(({ target }) => target === FEE)?.amount ?? 0n;
  const moved = takes(kind) ? late.amount.minor : late.amount.minor - short;
  await tellOfPayment(tx, attempt, { type: newsOf(kind), movement: { kind, minor: moved, feeMinor } }, at);
  deps.log.warn({ attempt: attempt.id, kind, minor: String(late.amount.minor) }, 'a payment was reversed');
  return 'booked';
}

/** What a reversal is to whoever keeps books. */
function newsOf(kind: ReversalKind): 'payment.refunded' | 'payment.reversed' | 'payment.restored' {
  if (kind === 'refund') return 'payment.refunded';
  return takes(kind) ? 'payment.reversed' : 'payment.restored';
}

/** Whose money a reversal may move. */
interface Movable {
  readonly allocations: readonly Share[];
  readonly legs: readonly RowLeg[];
  /** In the order in which it is drawn. */
  readonly shares: readonly Share[];
  /** The targets of the capture as they were booked. */
  readonly order: readonly string[];
}

/** What this kind may draw from. */
async function sharesOf({ tx, customerId, capture, kind }: Booking): Promise<Movable> {
  const allocations = await tx.many<Share>(sql`
    select target, amount_minor as amount from allocation
     where customer_id = ${customerId} and capture_id = ${capture.id}
     order by case target when 'fee' then 1 when 'credit' then 2 else 0 end, invoice_id`);
  const found = await tx.many<RowLeg>(sql`
    select r.id, r.remote, r.kind, l.leg as target, l.amount_minor as amount
      from reversal r join ledger l on l.customer_id = r.customer_id and l.source = 'reversal' and l.source_id = r.id
     where r.customer_id = ${customerId} and r.capture_id = ${capture.id}`);
  const legs = found.flatMap(readLeg);
  const shares = takes(kind)
    ? standing(allocations, legs).reverse()
    : takenBy(oppositeOf[kind], allocations, legs);
  return { allocations, legs, shares, order: allocations.map(({ target }) => target) };
}

/** The same as this reversal draws it: a refund with its part of the fee, one that failed with what it took itself. */
async function sharesFor(booking: Booking, late: Late, about: About): Promise<Movable> {
  const movable = await sharesOf(booking);
  const { allocations, legs, shares } = movable;
  if (booking.kind === 'refund')
    return {
      ...movable,
      shares: withFee(shares, allocations, late.amount.minor, await feeTold(booking, late, about)),
    };
  if (booking.kind !== 'refundFailed') return movable;
  const own = legs.filter(({ remote }) => remote === late.remote);
  return { ...movable, shares: ownFirst(shares, takenBy('refund', allocations, own)) };
}

/** What was said to be fee when a refund was ordered here; undefined for one that was made at the gateway, or came to another amount. */
async function feeTold(
  { tx, customerId, capture }: Booking,
  { remote, amount }: Late,
  { ref }: About,
): Promise<bigint | undefined> {
  const ordered = await tx.maybeOne<{ fee: bigint }>(sql`
    select fee_minor as fee from attempt
     where customer_id = ${customerId} and of_capture_id = ${capture.id} and direction = 'refund'
       and amount_minor = ${amount.minor} and (ref = ${ref ?? null} or remote = ${remote})
     limit 1`);
  return ordered?.fee;
}

/**
 * What found nothing left draws it once it has come back: at the gateway that money is gone all the same.
 */
async function drawLost(booking: Booking): Promise<void> {
  for (const kind of TAKING) {
    const { shares, order, legs } = await sharesOf({ ...booking, kind });
    const lost = takenBy(kind, [], legs).find(({ target }) => target === LOST)?.amount ?? 0n;
    const { drawn } = draw(shares, lost);
    if (drawn.length > 0) await move(booking, drawn, order, kind);
  }
}

const TAKING = ['lateFailure', 'chargeback', 'refund'] as const;

async function writeReversal(
  { tx, customerId, capture, kind, id, at }: Booking,
  late: Late,
  minor: bigint,
): Promise<void> {
  await tx.execute(sql`
    insert into reversal (customer_id, id, capture_id, remote, kind, amount_minor, at)
    values (${customerId}, ${id}, ${capture.id}, ${late.remote}, ${kind}, ${minor}, ${at})`);
}
