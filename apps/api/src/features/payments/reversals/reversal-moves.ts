import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { followCredit } from '../credit.ts';
import { changeInvoice, type InvoiceAmounts, invoiceAmounts } from '../invoice-amounts.ts';
import { Account, postLedger } from '../ledger.ts';
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
  { tx, customerId, at }: Booking,
  kind: ReversalKind,
  invoiceId: string,
  amount: bigint,
): Promise<bigint> {
  const row = await tx.one<InvoiceAmounts>(sql`
    select ${invoiceAmounts} from invoice where customer_id = ${customerId} and id = ${invoiceId} for update`);
  const needs = row.due_minor - row.held_minor;
  const used = takes(kind) || needs >= amount ? amount : needs > 0n ? needs : 0n;
  const change = { reversed: takes(kind) ? used : -used };
  await changeInvoice(tx, customerId, { id: invoiceId, ...row }, change, 'reversal', at);
  return amount - used;
}

function post(
  { tx, customerId, capture: { currency }, id, at }: Booking,
  kind: ReversalKind,
  leg: string,
  account: string,
  minor: bigint,
  other: string = Account.gateway,
): Promise<void> {
  const [debit, credit] = takes(kind) ? [account, other] : [other, account];
  return postLedger(tx, {
    customerId,
    debit,
    credit,
    currency,
    minor,
    source: 'reversal',
    sourceId: id,
    leg,
    at,
  });
}
