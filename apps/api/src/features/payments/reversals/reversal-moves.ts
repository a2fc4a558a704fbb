import { money } from '@counterfoil/domain/money/money.ts';
import { InvoiceStatus, isInvoiceStatus, statusAfter } from '@counterfoil/domain/paying/invoice.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { Account } from '../attempts/booking.ts';
import { followCredit } from '../credit.ts';
import { intoCredit, LOST, laterLeg, type ReversalKind, type Share, takes } from './reversal-shares.ts';

/** One reversal being booked. */
export interface Booking {
  readonly tx: Tx;
  readonly customerId: string;
  readonly capture: { readonly id: string; readonly currency: string };
  readonly kind: ReversalKind;
  /** Of its row. */
  readonly id: string;
  readonly at: Date;
}

/**
 * Moves money of a charge's targets: away to the gateway, or back from it.
 * @param order the targets of the capture as they were booked
 * @param forKind what was found lost when a reversal of this kind was booked is now taken from these targets: the
 *   booking has just brought them back, and at the gateway nothing moves any more
 * @returns what came back and its invoices have no use for: it is the customer's credit, minor units
 */
export async function move(
  booking: Booking,
  drawn: readonly Share[],
  order: readonly string[],
  forKind?: ReversalKind,
): Promise<bigint> {
  const { tx, customerId, capture } = booking;
  const kind = forKind ?? booking.kind;
  // Invoices are locked in the order of their ids, as everybody does.
  const sorted = [...drawn].sort((a, b) => order.indexOf(a.target) - order.indexOf(b.target));
  let total = 0n;
  let credit = 0n;
  let lost = 0n;
  let unused = 0n;
  for (const { target, amount } of sorted) {
    if (target === LOST) {
      await post(booking, kind, target, Account.lost, amount);
      lost += amount;
      continue;
    }
    total += amount;
    const surplus =
      target.startsWith('invoice:') && kind !== 'refund' && kind !== 'refundFailed'
        ? await reopenOrClose(booking, kind, target.slice('invoice:'.length), amount)
        : 0n;
    const leg = forKind === undefined ? target : laterLeg(forKind, target);
    const other = forKind === undefined ? Account.gateway : Account.lost;
    await post(booking, kind, leg, accountOf(target, kind), amount - surplus, other);
    await post(booking, kind, intoCredit(leg), Account.customerCredit, surplus, other);
    credit += target === 'credit' ? amount : surplus;
    unused += surplus;
  }
  if (forKind !== undefined) lost -= total;
  const sign = (minor: bigint) => (takes(kind) ? minor : -minor);
  await tx.execute(sql`
    update capture set reversed_minor = reversed_minor + ${sign(total)}, lost_minor = lost_minor + ${sign(lost)},
           lost_seen_minor = least(lost_seen_minor, lost_minor + ${sign(lost)})
     where customer_id = ${customerId} and id = ${capture.id}`);
  await followCredit(tx, { customerId, currency: capture.currency }, takes(kind) ? -credit : credit);
  return unused;
}

function accountOf(target: string, kind: ReversalKind): string {
  if (target === 'fee') return Account.feeIncome;
  if (target === 'credit') return Account.customerCredit;
  return kind === 'refund' || kind === 'refundFailed' ? Account.refunded : Account.receivable;
}

/** @returns what of money that came back the invoice has no use for any more */
async function reopenOrClose(
  { tx, customerId }: Booking,
  kind: ReversalKind,
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

async function post(
  { tx, customerId, capture, id, at }: Booking,
  kind: ReversalKind,
  leg: string,
  account: string,
  amount: bigint,
  other: string = Account.gateway,
): Promise<void> {
  if (amount <= 0n) return;
  const [debit, credit] = takes(kind) ? [account, other] : [other, account];
  await tx.execute(sql`
    insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
    values (${customerId}, ${newId(at.getTime())}, ${debit}, ${credit}, ${capture.currency}, ${amount}, 'reversal',
            ${id}, ${leg}, ${at})`);
}
