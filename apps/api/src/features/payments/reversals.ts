import { newId } from '@counterfoil/domain/ids.ts';
import { InvoiceStatus, isInvoiceStatus, statusAfter } from '@counterfoil/domain/invoice.ts';
import { money } from '@counterfoil/domain/money.ts';
import type { News } from '@counterfoil/gateways/port.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { Account } from './booking.ts';
import { followCredit } from './credit.ts';
import {
  draw,
  intoCredit,
  kindOf,
  type Leg,
  oppositeOf,
  type ReversalKind,
  type Share,
  standing,
  takenBy,
  takes,
} from './reversal-shares.ts';
import { type AttemptKey, lockAttempt, type SettleDeps } from './settle.ts';

type Late = NonNullable<News['late']>;

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

/** What it moved in the ledger; nothing where its opposite came first, or nothing was left. */
type RowLeg = Leg & Pick<Row, 'id' | 'remote'>;

const takenAs = (legs: readonly RowLeg[], kind: ReversalKind, remote: string): bigint =>
  legs.reduce((sum, leg) => (leg.kind === kind && leg.remote === remote ? sum + leg.amount : sum), 0n);

/** One reversal being booked. */
interface Booking {
  readonly tx: Tx;
  readonly customerId: string;
  readonly capture: CaptureRow;
  readonly kind: ReversalKind;
  readonly id: string;
  readonly at: Date;
}

/**
 * Books what became of a charge after its attempt had ended: a refund made at the gateway, a chargeback, a late
 * failure, and what undoes each. The attempt itself never changes (specification, decisions 6).
 *
 * Whose money goes: what was filled last is emptied first, so the customer's credit, then the fee, then the
 * invoices. Invoices whose money came back are due again, except after a refund. The fee is not owed again: it
 * belongs to the payment that came back, and a new payment has its own. What comes back again fills in the order of
 * booking; an invoice that was paid otherwise meanwhile needs nothing, and the money becomes the customer's credit.
 *
 * Each (charge, id at the gateway, kind) counts once. When the undoing arrives before what it undoes, both are
 * written down and neither moves money. A refund for which nothing is left, because a chargeback had taken it, is
 * written down too, and moves money when the chargeback is won.
 */
export function bookReversal(
  deps: SettleDeps,
  key: AttemptKey,
  chargeRemote: string | undefined,
  late: Late,
): Promise<ReversalOutcome> {
  return deps.db.transaction((tx) => bookReversalIn(tx, deps, key, chargeRemote, late));
}

/** The same in the caller's transaction, which holds no lock that comes after the charge's. */
export async function bookReversalIn(
  tx: Tx,
  deps: Pick<SettleDeps, 'clock' | 'log'>,
  key: AttemptKey,
  chargeRemote: string | undefined,
  late: Late,
): Promise<ReversalOutcome> {
  const at = deps.clock.now();
  const { customerId } = key;
  const kind = kindOf[late.is];
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

  const booking: Booking = { tx, customerId, capture, kind, id: newId(at.getTime()), at };
  const { shares, order, legs } = await sharesOf(booking);
  // A debit sent again has an id of its own; the other pairs share one and cancel each other in either order.
  if (kind === 'resubmitted' && shares.every((share) => share.amount === 0n)) return 'tooEarly';
  const isPairKnown = has(oppositeOf[kind]);
  if (takes(kind) ? isPairKnown : !isPairKnown && kind !== 'resubmitted') {
    await writeReversal(booking, late, late.amount.minor);
    return 'booked';
  }
  // What took less than it says, because no more was left, brings back no more than it took.
  const most = isPairKnown ? takenAs(legs, oppositeOf[kind], late.remote) : late.amount.minor;
  const { drawn, short } = draw(shares, late.amount.minor < most ? late.amount.minor : most);
  if (drawn.length === 0) {
    const isUndone = isPairKnown && most === 0n;
    // A refund waits for what a chargeback took and may lose again.
    if (isUndone || kind === 'refund') await writeReversal(booking, late, late.amount.minor);
    return isUndone ? 'booked' : report('nothing of the charge is left');
  }
  if (short > 0n) report('it is more than is left of the charge');
  await writeReversal(booking, late, late.amount.minor - short);
  await move(booking, drawn, order);
  if (!takes(kind)) {
    const now: Row = { id: booking.id, kind, remote: late.remote, minor: late.amount.minor };
    const missing = await drawWaiting(booking, [...rows, now], legs);
    if (missing > 0n) report(`refunds that waited for it lack ${missing}`);
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
  const legs = await tx.many<RowLeg>(sql`
    select r.id, r.remote, r.kind, l.leg as target, l.amount_minor as amount
      from reversal r join ledger l on l.customer_id = r.customer_id and l.source = 'reversal' and l.source_id = r.id
     where r.customer_id = ${customerId} and r.capture_id = ${capture.id}`);
  const shares = takes(kind)
    ? standing(allocations, legs).reverse()
    : takenBy(oppositeOf[kind], allocations, legs);
  return { shares, order: allocations.map(({ target }) => target), legs };
}

/**
 * Refunds that found nothing left draw it once it has come back: at the gateway that money is gone all the same.
 * @param rows what is known of the capture, in the order of booking, with the one that has just brought money back
 */
async function drawWaiting(booking: Booking, rows: readonly Row[], legs: readonly RowLeg[]): Promise<bigint> {
  let missing = 0n;
  for (const { id, kind, remote, minor } of rows) {
    if (kind !== 'refund' || legs.some((leg) => leg.id === id)) continue;
    if (rows.some((row) => row.kind === 'refundFailed' && row.remote === remote)) continue;
    const waiting: Booking = { ...booking, kind, id };
    const { shares, order } = await sharesOf(waiting);
    const { drawn, short } = draw(shares, minor);
    if (drawn.length === 0) continue;
    missing += short;
    await booking.tx.execute(sql`
      update reversal set amount_minor = ${minor - short} where customer_id = ${booking.customerId} and id = ${id}`);
    await move(waiting, drawn, order);
  }
  return missing;
}

async function writeReversal(
  { tx, customerId, capture, kind, id, at }: Booking,
  late: Late,
  minor: bigint,
): Promise<void> {
  await tx.execute(sql`
    insert into reversal (customer_id, id, capture_id, remote, kind, amount_minor, at)
    values (${customerId}, ${id}, ${capture.id}, ${late.remote}, ${kind}, ${minor}, ${at})`);
}

async function move(booking: Booking, drawn: readonly Share[], order: readonly string[]): Promise<void> {
  const { tx, customerId, capture, kind } = booking;
  // Invoices are locked in the order of their ids, as everybody does.
  const sorted = [...drawn].sort((a, b) => order.indexOf(a.target) - order.indexOf(b.target));
  let total = 0n;
  let credit = 0n;
  for (const { target, amount } of sorted) {
    total += amount;
    const surplus =
      target.startsWith('invoice:') && kind !== 'refund' && kind !== 'refundFailed'
        ? await reopenOrClose(booking, target.slice('invoice:'.length), amount)
        : 0n;
    await post(booking, target, accountOf(target, kind), amount - surplus);
    await post(booking, intoCredit(target), Account.customerCredit, surplus);
    credit += target === 'credit' ? amount : surplus;
  }
  await tx.execute(sql`
    update capture set reversed_minor = reversed_minor + ${takes(kind) ? total : -total}
     where customer_id = ${customerId} and id = ${capture.id}`);
  await followCredit(tx, { customerId, currency: capture.currency }, takes(kind) ? -credit : credit);
}

function accountOf(target: string, kind: ReversalKind): string {
  if (target === 'fee') return Account.feeIncome;
  if (target === 'credit') return Account.customerCredit;
  return kind === 'refund' || kind === 'refundFailed' ? Account.refunded : Account.receivable;
}

/** @returns what of money that came back the invoice has no use for any more */
async function reopenOrClose(
  { tx, customerId, kind }: Booking,
  invoiceId: string,
  amount: bigint,
): Promise<bigint> {
  const row = await tx.one<{
    payable_minor: bigint;
    paid_minor: bigint;
    credited_minor: bigint;
    reversed_minor: bigint;
    held_minor: bigint;
    due_minor: bigint;
    currency: string;
    status: number;
  }>(sql`
    select payable_minor, paid_minor, credited_minor, reversed_minor, held_minor, due_minor, currency, status
      from invoice where customer_id = ${customerId} and id = ${invoiceId} for update`);
  const needs = row.due_minor - row.held_minor;
  const used = takes(kind) || needs >= amount ? amount : needs > 0n ? needs : 0n;
  const reversed = row.reversed_minor + (takes(kind) ? used : -used);
  const after = {
    payable: money(row.payable_minor, row.currency),
    paid: money(row.paid_minor, row.currency),
    credited: money(row.credited_minor, row.currency),
    reversed: money(reversed, row.currency),
  };
  const before = isInvoiceStatus(row.status) ? row.status : InvoiceStatus.OPEN;
  await tx.execute(sql`
    update invoice set reversed_minor = ${reversed}, status = ${statusAfter(before, after, 'reversal')}
     where customer_id = ${customerId} and id = ${invoiceId}`);
  return amount - used;
}

async function post(booking: Booking, leg: string, account: string, amount: bigint): Promise<void> {
  if (amount <= 0n) return;
  const { tx, customerId, capture, kind, id, at } = booking;
  const [debit, credit] = takes(kind) ? [account, Account.gateway] : [Account.gateway, account];
  await tx.execute(sql`
    insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
    values (${customerId}, ${newId(at.getTime())}, ${debit}, ${credit}, ${capture.currency}, ${amount}, 'reversal',
            ${id}, ${leg}, ${at})`);
}
