import { newId } from '@counterfoil/domain/ids.ts';
import {
  type InvoiceMoney,
  InvoiceStatus,
  isInvoiceStatus,
  statusAfter,
} from '@counterfoil/domain/invoice.ts';
import { type Money, money } from '@counterfoil/domain/money.ts';
import type { Tx } from '../../db/database.ts';
import { sqlOnce } from '../../db/sql.ts';
import { keepPaidLink } from '../pay-links/service.ts';
import type { AttemptRow } from './attempt-row.ts';
import { followCredit, postCreditUse } from './credit.ts';

/** Accounts of the ledger. Money at the gateway is an asset; invoices are what customers owe. */
export const Account = {
  gateway: 'gateway',
  receivable: 'receivable',
  feeIncome: 'feeIncome',
  customerCredit: 'customerCredit',
  /** Money given back for an invoice that stays settled: a cost of ours, not a debt of the customer's. */
  refunded: 'refunded',
} as const;

interface ClaimRow {
  invoice_id: string;
  claimed: bigint;
  payable_minor: bigint;
  paid_minor: bigint;
  credited_minor: bigint;
  reversed_minor: bigint;
  due_minor: bigint;
  currency: string;
  status: number;
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b);
const atLeastZero = (n: bigint) => (n > 0n ? n : 0n);
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, n) => total + n, 0n);

/**
 * Books one charge of the gateway: capture, allocations, ledger, invoices. Invoices first, the fee after them;
 * what is left over becomes the customer's credit. The credit that the attempt holds pays what the money leaves of its
 * invoices. Money for an attempt that had already ended goes to credit whole.
 * @param captured what the gateway says it took; in the attempt's currency unless it is late
 * @param isLate the attempt had ended otherwise before this became known
 * @returns the capture's id, or undefined when this charge was booked before
 */
export async function bookCapture(
  tx: Tx,
  attempt: AttemptRow,
  remote: string,
  { minor: captured, currency }: Money,
  at: Date,
  isLate: boolean,
): Promise<string | undefined> {
  const known = await tx.maybeOne(sqlOnce`
    select 1 from capture where customer_id = ${attempt.customer_id}
       and (attempt_id = ${attempt.id} or (gateway_account_id = ${attempt.gateway_account_id} and remote = ${remote}))`);
  if (known !== undefined) return undefined;
  const claims = isLate ? [] : await lockClaims(tx, attempt);
  const shares = shareOut(claims, captured, attempt.credit_minor);
  const toInvoices = sum(shares.map(({ paid }) => paid));
  const fromCredit = sum(shares.map(({ credited }) => credited));
  const left = captured - toInvoices;
  const toFee = isLate ? 0n : smaller(left, attempt.fee_minor);
  const toCredit = left - toFee;
  const captureId = newId(at.getTime());
  await tx.execute(sqlOnce`
    insert into capture (customer_id, id, attempt_id, gateway_account_id, remote, currency, amount_minor,
                         to_invoices_minor, to_fee_minor, to_credit_minor, at)
    values (${attempt.customer_id}, ${captureId}, ${attempt.id}, ${attempt.gateway_account_id}, ${remote},
            ${currency}, ${captured}, ${toInvoices}, ${toFee}, ${toCredit}, ${at})`);
  const posting = { tx, attempt, captureId, currency, at };
  for (const share of shares) {
    const { invoice_id: invoiceId } = share.claim;
    await payInvoice(tx, attempt.customer_id, share, at);
    await post(posting, `invoice:${invoiceId}`, Account.receivable, share.paid, invoiceId);
    if (share.credited === 0n) continue;
    const { customer_id: customerId, session_id: sessionId, id: attemptId } = attempt;
    await postCreditUse(tx, {
      ...{ customerId, currency, sessionId, attemptId, invoiceId, minor: share.credited, at },
    });
  }
  await post(posting, 'fee', Account.feeIncome, toFee, null);
  await post(posting, 'credit', Account.customerCredit, toCredit, null);
  const released = isLate ? 0n : attempt.credit_minor;
  await followCredit(tx, { customerId: attempt.customer_id, currency }, toCredit - fromCredit, released);
  return captureId;
}

/** What one invoice of a payment gets. */
interface Share {
  readonly claim: ClaimRow;
  readonly paid: bigint;
  readonly credited: bigint;
}

/** Money fills the invoices in their order, as far as credit is not to pay them; credit fills what is left. */
function shareOut(claims: readonly ClaimRow[], captured: bigint, credit: bigint): Share[] {
  const wanted = claims.map((claim) => atLeastZero(smaller(claim.claimed, claim.due_minor)));
  let money = smaller(captured, atLeastZero(sum(claims.map(({ claimed }) => claimed)) - credit));
  let credits = credit;
  return claims.flatMap((claim, index) => {
    const need = wanted[index] ?? 0n;
    const paid = smaller(money, need);
    const credited = smaller(credits, need - paid);
    money -= paid;
    credits -= credited;
    return paid + credited > 0n ? [{ claim, paid, credited }] : [];
  });
}

const lockClaims = (tx: Tx, attempt: AttemptRow) =>
  tx.many<ClaimRow>(sqlOnce`
    select c.invoice_id, c.amount_minor as claimed, i.payable_minor, i.paid_minor, i.credited_minor,
           i.reversed_minor, i.due_minor, i.currency, i.status
      from claim c join invoice i on i.customer_id = c.customer_id and i.id = c.invoice_id
     where c.customer_id = ${attempt.customer_id} and c.attempt_id = ${attempt.id} and c.is_open
     order by c.invoice_id for update of i`);

async function payInvoice(
  tx: Tx,
  customerId: string,
  { claim, paid, credited }: Share,
  at: Date,
): Promise<void> {
  const { currency } = claim;
  const after: InvoiceMoney = {
    payable: money(claim.payable_minor, currency),
    paid: money(claim.paid_minor + paid, currency),
    credited: money(claim.credited_minor + credited, currency),
    reversed: money(claim.reversed_minor, currency),
  };
  const before = isInvoiceStatus(claim.status) ? claim.status : InvoiceStatus.OPEN;
  const status = statusAfter(before, after, 'payment');
  if (status === InvoiceStatus.PAID) await keepPaidLink(tx, customerId, claim.invoice_id, at);
  await tx.execute(sqlOnce`
    update invoice set paid_minor = paid_minor + ${paid}, credited_minor = credited_minor + ${credited},
                       held_minor = held_minor - ${claim.claimed}, status = ${status}
     where customer_id = ${customerId} and id = ${claim.invoice_id}`);
  await tx.execute(sqlOnce`
    update claim set is_open = false
     where customer_id = ${customerId} and invoice_id = ${claim.invoice_id} and is_open`);
}

interface Posting {
  readonly tx: Tx;
  readonly attempt: AttemptRow;
  readonly captureId: string;
  readonly currency: string;
  readonly at: Date;
}

async function post(
  { tx, attempt, captureId, currency, at }: Posting,
  target: string,
  credit: string,
  amount: bigint,
  invoiceId: string | null,
): Promise<void> {
  if (amount <= 0n) return;
  await tx.execute(sqlOnce`
    insert into allocation (customer_id, id, capture_id, target, invoice_id, amount_minor)
    values (${attempt.customer_id}, ${newId(at.getTime())}, ${captureId}, ${target}, ${invoiceId}, ${amount})`);
  await tx.execute(sqlOnce`
    insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
    values (${attempt.customer_id}, ${newId(at.getTime())}, ${Account.gateway}, ${credit}, ${currency},
            ${amount}, 'capture', ${captureId}, ${target}, ${at})`);
}

/** Gives back what an attempt held that took nothing: its invoices may be paid again, and the credit is free. */
export async function release(tx: Tx, attempt: AttemptRow): Promise<void> {
  await releaseClaims(tx, attempt);
  const { customer_id: customerId, currency, credit_minor: credit } = attempt;
  await followCredit(tx, { customerId, currency }, 0n, credit);
}

/** Closes what is left of an ended attempt's claims. */
export async function releaseClaims(tx: Tx, attempt: AttemptRow): Promise<void> {
  // Locks in the order everybody takes them, so that two of us never wait for each other.
  if ((await lockClaims(tx, attempt)).length === 0) return;
  await tx.execute(sqlOnce`
    with released as (
      update claim set is_open = false
       where customer_id = ${attempt.customer_id} and attempt_id = ${attempt.id} and is_open
      returning invoice_id, amount_minor)
    update invoice i set held_minor = i.held_minor - r.amount_minor
      from released r where i.customer_id = ${attempt.customer_id} and i.id = r.invoice_id`);
}
