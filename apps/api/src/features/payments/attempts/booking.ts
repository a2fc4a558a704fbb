import type { Money } from '@counterfoil/domain/money/money.ts';
import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { isUniqueViolation, type Tx } from '../../../db/database.ts';
import { type ListType, listOf, type Sql, sql, sqlOnce, withParts } from '../../../db/sql.ts';
import { newsOfStatus, tellOfInvoices } from '../../../messages/invoice-messages.ts';
import { keepPaidLinks } from '../../pay-links/service.ts';
import { followCredit, postCreditUse } from '../credit.ts';
import { type InvoiceAmounts, invoiceAmounts, statusWith } from '../invoice-amounts.ts';
import { Account } from '../ledger.ts';
import { receiptParts } from '../receipts/mail-queue.ts';
import type { AttemptKey, AttemptRow } from './attempt-row.ts';

/** An invoice that an attempt is to pay, locked. */
export interface LockedClaim extends InvoiceAmounts {
  invoice_id: string;
  claimed: bigint;
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b);
const atLeastZero = (n: bigint) => (n > 0n ? n : 0n);
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, n) => total + n, 0n);

/**
 * Books one charge of the gateway: capture, allocations, ledger, invoices. Invoices first, the fee after them;
 * what is left over becomes the customer's credit. The credit that the attempt holds pays what the money leaves of its
 * invoices. Money for an attempt that had already ended goes to credit whole; of other money a receipt is promised.
 * @param captured what the gateway says it took; in the attempt's currency unless it is late
 * @param open what the attempt is to pay, or that it had ended otherwise before this became known
 * @returns the capture's id, or undefined when the attempt had ended and this charge was booked before
 * @throws {Error} when another attempt was paid by this very charge, seen only now
 */
export async function bookCapture(
  tx: Tx,
  attempt: AttemptRow,
  remote: string,
  { minor: captured, currency }: Money,
  at: Date,
  open: readonly LockedClaim[] | 'ended',
): Promise<string | undefined> {
  const isLate = open === 'ended';
  const claims = isLate ? [] : open;
  const shares = shareOut(claims, captured, attempt.credit_minor);
  const toInvoices = sum(shares.map(({ paid }) => paid));
  const left = captured - toInvoices;
  const toFee = isLate ? 0n : smaller(left, attempt.fee_minor);
  const toCredit = left - toFee;
  const { customer_id: customerId, session_id: sessionId, id: attemptId } = attempt;
  const captureId = newId(at.getTime());
  const legs: Leg[] = [
    ...shares.map(({ claim: { invoice_id: invoiceId }, paid }) => {
      return { target: `invoice:${invoiceId}`, account: Account.receivable, invoiceId, minor: paid };
    }),
    { target: 'fee', account: Account.feeIncome, invoiceId: null, minor: toFee },
    { target: 'credit', account: Account.customerCredit, invoiceId: null, minor: toCredit },
  ];
  const parts = { toInvoices, toFee, toCredit };
  const charge = { captureId, remote, captured, currency, parts, legs, shares, at };
  const isNew = await writeCapture(tx, attempt, charge, isLate);
  if (!isNew) return undefined;
  await tellOfShares(tx, attempt, shares, at);
  const credited = shares.filter((share) => share.credited > 0n);
  for (const { claim, credited: minor } of credited) {
    const invoiceId = claim.invoice_id;
    await postCreditUse(tx, { customerId, currency, sessionId, attemptId, invoiceId, minor, at });
  }
  const released = isLate ? 0n : attempt.credit_minor;
  const fromCredit = sum(credited.map((share) => share.credited));
  await followCredit(tx, { customerId, currency }, toCredit - fromCredit, released);
  return captureId;
}

/** Tells of the invoices that a payment has settled. */
function tellOfShares(tx: Tx, attempt: AttemptRow, shares: readonly Share[], at: Date): Promise<void> {
  const news = shares.flatMap((share) => {
    const type = newsOfStatus(share.claim.status, statusOf(share));
    const { customer_id: customerId } = attempt;
    return type === undefined ? [] : [{ type, customerId, id: share.claim.invoice_id }];
  });
  return tellOfInvoices(tx, attempt.reseller_id, news, at);
}

/** Where a part of what was taken goes. */
interface Leg {
  readonly target: string;
  readonly account: string;
  readonly invoiceId: string | null;
  readonly minor: bigint;
}

interface NewCapture {
  readonly captureId: string;
  readonly remote: string;
  readonly captured: bigint;
  readonly currency: string;
  readonly parts: { readonly toInvoices: bigint; readonly toFee: bigint; readonly toCredit: bigint };
  readonly legs: readonly Leg[];
  readonly shares: readonly Share[];
  readonly at: Date;
}

/**
 * Writes what was taken with its allocations, ledger entries and receipt, and pays the invoices, in one statement: a payment holds
 * its locks for no more waits than it must. No part of it reads another's rows, which Citus would send to every machine.
 * @returns false when a late charge was booked before: nothing of it is written
 * @throws {Error} when another attempt was paid by this very charge
 */
async function writeCapture(
  tx: Tx,
  attempt: AttemptRow,
  charge: NewCapture,
  isLate: boolean,
): Promise<boolean> {
  const capture = captureInsert(attempt, charge);
  if (isLate) {
    // The transaction has more to do when it is known already.
    if ((await tx.execute(sqlOnce`${capture} on conflict do nothing`)) === 0) return false;
    await tx.many(sqlOnce`${withParts(legParts(attempt, charge))} select 1`);
    return true;
  }
  const pays = charge.shares.length === 0 ? [] : [payParts(attempt, charge.shares, charge.at)];
  const receipt = receiptParts(attempt, charge.captureId, charge.at);
  try {
    await tx.many(sqlOnce`
      ${withParts([sql`booked as (${capture})`, ...legParts(attempt, charge), ...pays, ...receipt])} select 1`);
    return true;
  } catch (error) {
    // An open attempt has no capture: another one booked this charge a moment ago, so a person will have to look.
    if (isUniqueViolation(error))
      throw new Error(`${charge.remote} was booked for another payment meanwhile`, { cause: error });
    throw error;
  }
}

const captureInsert = (
  attempt: AttemptRow,
  { captureId, remote, captured, currency, parts, at }: NewCapture,
): Sql => sql`
  insert into capture (customer_id, id, attempt_id, gateway_account_id, remote, currency, amount_minor,
                       to_invoices_minor, to_fee_minor, to_credit_minor, at)
  values (${attempt.customer_id}, ${captureId}, ${attempt.id}, ${attempt.gateway_account_id}, ${remote},
          ${currency}, ${captured}, ${parts.toInvoices}, ${parts.toFee}, ${parts.toCredit}, ${at})`;

/** Where what was taken goes: its allocations and ledger entries. */
function legParts(
  { customer_id: customerId }: AttemptRow,
  { captureId, currency, legs, at }: NewCapture,
): readonly Sql[] {
  const some = legs.filter(({ minor }) => minor > 0n);
  const ids = () =>
    listOf(
      some.map(() => newId(at.getTime())),
      'uuid',
    );
  const column = (type: ListType, of: (leg: Leg) => string | null) => listOf(some.map(of), type);
  const targets = column('text', ({ target }) => target);
  const minors = column('bigint', ({ minor }) => String(minor));
  return [
    sql`
    allocated as (
      insert into allocation (customer_id, id, capture_id, target, invoice_id, amount_minor)
      select ${customerId}::uuid, l.id, ${captureId}::uuid, l.target, l.invoice_id, l.minor
        from unnest(${ids()}, ${targets}, ${column('uuid', ({ invoiceId }) => invoiceId)}, ${minors})
               as l(id, target, invoice_id, minor))`,
    sql`
    posted as (
      insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
      select ${customerId}::uuid, l.id, ${Account.gateway}, l.account, ${currency}, l.minor, 'capture', ${captureId}::uuid, l.target,
             ${at}::timestamptz
        from unnest(${ids()}, ${column('text', ({ account }) => account)}, ${targets}, ${minors})
               as l(id, account, target, minor))`,
  ];
}

/** What one invoice of a payment gets. */
interface Share {
  readonly claim: LockedClaim;
  readonly paid: bigint;
  readonly credited: bigint;
}

/** Money fills the invoices in their order, as far as credit is not to pay them; credit fills what is left. */
function shareOut(claims: readonly LockedClaim[], captured: bigint, credit: bigint): Share[] {
  const wanted = claims.map((claim) => atLeastZero(smaller(claim.claimed, claim.due_minor)));
  let money = smaller(captured, atLeastZero(sum(claims.map(({ claimed }) => claimed)) - credit));
  let credits = credit;
  return claims.map((claim, index) => {
    const need = wanted[index] ?? 0n;
    const paid = smaller(money, need);
    const credited = smaller(credits, need - paid);
    money -= paid;
    credits -= credited;
    return { claim, paid, credited };
  });
}

/** Locks the invoices that an open attempt is to pay. */
export const lockClaims = (tx: Tx, { customerId, attemptId }: AttemptKey) =>
  tx.many<LockedClaim>(sqlOnce`
    select c.invoice_id, c.amount_minor as claimed, ${invoiceAmounts}
      from claim c join invoice i on i.customer_id = c.customer_id and i.id = c.invoice_id
     where c.customer_id = ${customerId} and c.attempt_id = ${attemptId} and c.is_open
     order by c.invoice_id for update of i`);

/** Pays the invoices their shares, whose claims end. */
function payParts(
  { customer_id: customerId, id: attemptId }: AttemptRow,
  shares: readonly Share[],
  at: Date,
): Sql {
  const statuses = shares.map(statusOf);
  const invoiceIds = shares.map(({ claim }) => claim.invoice_id);
  const minors = (of: (share: Share) => bigint) =>
    listOf(
      shares.map((share) => String(of(share))),
      'bigint',
    );
  const paid = invoiceIds.filter((_, index) => statuses[index] === InvoiceStatus.PAID);
  return sql`
    ended as (
      update claim c set is_open = false, due_after_minor = e.due
        from unnest(${listOf(invoiceIds, 'uuid')}, ${minors(dueAfter)}) as e(invoice_id, due)
       where c.customer_id = ${customerId} and c.attempt_id = ${attemptId} and c.invoice_id = e.invoice_id and c.is_open),
    paid as (
      update invoice i
         set paid_minor = i.paid_minor + s.paid, credited_minor = i.credited_minor + s.credited,
             held_minor = i.held_minor - s.claimed, status = s.status
        from unnest(${listOf(invoiceIds, 'uuid')}, ${minors(({ paid }) => paid)}, ${minors(({ credited }) => credited)},
                    ${minors(({ claim }) => claim.claimed)}, ${listOf(statuses, 'integer')})
               as s(invoice_id, paid, credited, claimed, status)
       where i.customer_id = ${customerId} and i.id = s.invoice_id),
    shown as (${keepPaidLinks(customerId, paid, at)})`;
}

/** What is still due of an invoice after its share, minor units. */
const dueAfter = ({ claim, paid, credited }: Share): bigint => atLeastZero(claim.due_minor - paid - credited);

/** The invoice's status after its share; one that gets nothing stays as it is. */
const statusOf = ({ claim, paid, credited }: Share): number =>
  paid + credited === 0n ? claim.status : statusWith(claim, { paid, credited }, 'payment');

/** Gives back what an attempt held that took nothing: its invoices may be paid again, and the credit is free. */
export async function release(tx: Tx, attempt: AttemptRow): Promise<void> {
  const { customer_id: customerId, currency, credit_minor: credit } = attempt;
  // Locks in the order everybody takes them, so that two of us never wait for each other.
  if ((await lockClaims(tx, { customerId, attemptId: attempt.id })).length > 0) {
    await tx.execute(sqlOnce`
      with released as (
        update claim set is_open = false
         where customer_id = ${customerId} and attempt_id = ${attempt.id} and is_open
        returning invoice_id, amount_minor)
      update invoice i set held_minor = i.held_minor - r.amount_minor
        from released r where i.customer_id = ${customerId} and i.id = r.invoice_id`);
  }
  await followCredit(tx, { customerId, currency }, 0n, credit);
}
