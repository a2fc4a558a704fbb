import type { Db } from '../../db/database.ts';
import { type Sql, sql, sqlOnce } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { type AttemptRow, attemptColumns } from './attempts/attempt-row.ts';
import { Account } from './ledger.ts';

export { listCredits, readCredit } from './credit.ts';
export { type InvoiceAmounts, invoiceAmounts } from './invoice-amounts.ts';
export { readTaken, type TakenMoney } from './taken.ts';

/** The open attempt on an invoice, else the last one. */
export const findLatestAttempt = (db: Db, scope: CustomerScope, invoiceId: string) =>
  db.maybeOne<AttemptRow>(sqlOnce`
    select ${attemptColumns} from attempt a
      join claim c on c.customer_id = a.customer_id and c.attempt_id = a.id
     where a.customer_id = ${scope.customerId} and c.invoice_id = ${invoiceId} and (a.direction = 'charge'
        -- A debit that its gateway collects once more, or that has paid so.
        or (a.direction = 'resubmission' and (a.is_open or exists (
              select 1 from capture p where p.customer_id = ${scope.customerId} and p.attempt_id = a.id))))
     order by a.is_open desc, a.sent_at desc, a.id desc limit 1`);

/** An attempt made through this invoice's link, by its id. */
export const findAttemptOn = (db: Db, scope: CustomerScope, invoiceId: string, attemptId: string) =>
  db.maybeOne<AttemptRow>(sqlOnce`
    select ${attemptColumns} from attempt a
      join claim c on c.customer_id = a.customer_id and c.attempt_id = a.id
     where a.customer_id = ${scope.customerId} and c.invoice_id = ${invoiceId} and a.id = ${attemptId}`);

/** Whether an attempt is for this invoice, and for no other beside it. */
export const paysNothingElse = async (
  db: Db,
  scope: CustomerScope,
  invoiceId: string,
  attemptId: string,
): Promise<boolean> => {
  const row = await db.maybeOne<{ alone: boolean | null }>(sqlOnce`
    select bool_and(c.invoice_id = ${invoiceId}) as alone from claim c
     where c.customer_id = ${scope.customerId} and c.attempt_id = ${attemptId}`);
  return row?.alone === true;
};

/** Whether more of an attempt's money was taken back by the bank, or failed late, than has come again since. */
export const isTakenBack = async (db: Db, scope: CustomerScope, attemptId: string): Promise<boolean> => {
  const row = await db.maybeOne<{ back: boolean | null }>(sqlOnce`
    select sum(case when r.kind in ('lateFailure', 'chargeback') then r.amount_minor
                    when r.kind in ('resubmitted', 'chargebackWon') then -r.amount_minor
                    else 0 end) > 0 as back
      from capture p join reversal r on r.customer_id = p.customer_id and r.capture_id = p.id
     where p.customer_id = ${scope.customerId} and p.attempt_id = ${attemptId}`);
  return row?.back === true;
};

/** The open attempt of a session, else the last one. */
export const findAttemptOfSession = (db: Db, { customerId }: CustomerScope, sessionId: string) =>
  db.maybeOne<AttemptRow>(sql`
    select ${attemptColumns} from attempt a
     where a.customer_id = ${customerId} and a.session_id = ${sessionId} and a.direction = 'charge'
     order by a.is_open desc, a.sent_at desc, a.id desc limit 1`);

/** A charge of the customer, by its id. */
export const findCharge = (db: Db, { customerId }: CustomerScope, id: string) =>
  db.maybeOne<AttemptRow>(sql`
    select ${attemptColumns} from attempt a
     where a.customer_id = ${customerId} and a.id = ${id} and a.direction = 'charge'`);

/** Open attempts on any invoice of a session that belong to another one. */
export const listAttemptsInTheWay = (db: Db, { customerId }: CustomerScope, sessionId: string) =>
  db.many<AttemptRow>(sql`
    select ${attemptColumns} from attempt a
     where a.customer_id = ${customerId} and a.is_open and a.session_id <> ${sessionId} and a.id in (
       select c.attempt_id from claim c
         join pay_session_line l on l.customer_id = c.customer_id and l.invoice_id = c.invoice_id
        where c.customer_id = ${customerId} and c.is_open and l.session_id = ${sessionId})`);

/** Whether an attempt with this method is open: what became of it may have to be found out by sending it again as it was. */
export async function isBeingCharged(
  db: Db,
  { customer_id, id }: { readonly customer_id: string; readonly id: string },
): Promise<boolean> {
  const open = await db.maybeOne(sql`
    select 1 from attempt where customer_id = ${customer_id} and payment_method_id = ${id} and is_open limit 1`);
  return open !== undefined;
}

const ofFee = sql`
      from ledger l
     where l.source = 'reversal' and ${Account.feeIncome} in (l.debit, l.credit)`;

/** What went back of the fee of a capture, by all its reversals; minor units. @param capture its id as SQL */
export const feeGoneBack = (customerId: string, capture: Sql) => sql`
   (select coalesce(sum(case l.debit when ${Account.feeIncome} then l.amount_minor else -l.amount_minor end), 0)::bigint
      ${ofFee} and l.customer_id = ${customerId}
       and l.source_id in (select id from reversal where customer_id = ${customerId} and capture_id = ${capture}))`;

/** What of a reversal is fee, minor units; never below 0. @param reversal its id as SQL */
export const feeOfReversal = (customerId: string, reversal: Sql) => sql`
   (select coalesce(sum(l.amount_minor), 0)::bigint
      ${ofFee} and l.customer_id = ${customerId} and l.source_id = ${reversal} and l.leg = 'fee')`;
