import { newId } from '@counterfoil/domain/text/ids.ts';
import type { GatewayEvent } from '@counterfoil/gateways/port/gateway.ts';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { type AttemptKey, BY_WORD, lockAttempt, type SettleDeps } from '../attempts/settle.ts';
import { type Booking, move } from './reversal-moves.ts';
import {
  draw,
  kindOf,
  type Leg,
  LOST,
  oppositeOf,
  type ReversalKind,
  readLeg,
  type Share,
  standing,
  takenBy,
  takes,
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
 * invoices. Invoices whose money came back are due again, except after a refund. The fee is not owed again: it
 * belongs to the payment that came back, and a new payment has its own. What is taken beyond the charge (a second
 * chargeback, a refund of what a chargeback had taken) is our loss until it comes back, and a person is told: `lost_minor`
 * of the capture, which `payments resolve --lost` says somebody has seen to. What comes back again fills in the order of
 * booking; an invoice that was paid otherwise meanwhile needs nothing, and the money becomes the customer's credit.
 *
 * @param ref our reference of a refund that was ordered here, where the gateway tells it
 *
 * Each (charge, id at the gateway, kind) counts once. When the undoing arrives before what it undoes, both are
 * written down and neither moves money. What was lost is drawn from the charge once another reversal brings its money back.
 */
export function bookReversal(
  deps: SettleDeps,
  key: AttemptKey,
  chargeRemote: string | undefined,
  late: Late,
  ref?: string,
): Promise<ReversalOutcome> {
  return deps.db.transaction((tx) => bookReversalIn(tx, deps, key, chargeRemote, late, ref));
}

/** The same in the caller's transaction, which holds no lock that comes after the charge's. */
export async function bookReversalIn(
  tx: Tx,
  deps: Pick<SettleDeps, 'clock' | 'log'>,
  key: AttemptKey,
  chargeRemote: string | undefined,
  late: Late,
  ref?: string,
): Promise<ReversalOutcome> {
  const at = deps.clock.now();
  const { customerId } = key;
  const kind = kindOf[late.kind];
  await lockAttempt(tx, key);
  const capture = await tx.maybeOne<CaptureRow>(sql`
    select id, remote, currency from capture
     where customer_id = ${customerId} and attempt_id = ${key.attemptId} for update`);
  if (capture === undefined) return 'tooEarly';
  const report = (problem: string): ReversalOutcome => {
    const fields = { attempt: key.attemptId, kind, remote: late.remote, minor: String(late.amount.minor) };
    deps.log.error(fields, `a reversal needs a person: ${problem}`);
    return 'person';
  };
  if (chargeRemote !== undefined && chargeRemote !== capture.remote) return report('it is of another charge');
  if (late.amount.currency !== capture.currency) return report(`it is in ${late.amount.currency}`);
  if (late.amount.minor <= 0n) return report('it has no amount');
  const rows = await tx.many<Row>(sql`
    select id, kind, remote, amount_minor as minor from reversal
     where customer_id = ${customerId} and capture_id = ${capture.id} order by at, id`);
  const has = (of: ReversalKind) => rows.some((row) => row.kind === of && row.remote === late.remote);
  if (has(kind)) return 'known';
  // Booked by an operator's word: now it has a name.
  const byWord = rows.find((row) => row.kind === 'refund' && row.remote === `${BY_WORD}${ref}`);
  if (kind === 'refund' && byWord !== undefined) {
    await tx.execute(sql`
      update reversal set remote = ${late.remote} where customer_id = ${customerId} and id = ${byWord.id}`);
    return byWord.minor === late.amount.minor
      ? 'known'
      : report(`by an operator's word it was ${byWord.minor}`);
  }

  const booking: Booking = { tx, customerId, capture, kind, id: newId(at.getTime()), at };
  const { shares, order, legs } = await sharesOf(booking);
  // A debit sent again has an id of its own; the other pairs share one and cancel each other in either order.
  if (kind === 'resubmitted' && shares.every((share) => share.amount === 0n)) return 'tooEarly';
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
    await move(booking, drawn, order);
    await drawLost(booking);
  }
  deps.log.warn({ attempt: key.attemptId, kind, minor: String(late.amount.minor) }, 'a payment was reversed');
  return 'booked';
}

/** What this kind may draw from, in its order, and the invoices of the capture as they were booked. */
async function sharesOf({
  tx,
  customerId,
  capture,
  kind,
}: Booking): Promise<{ shares: Share[]; order: string[]; legs: RowLeg[] }> {
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
  return { shares, order: allocations.map(({ target }) => target), legs };
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
