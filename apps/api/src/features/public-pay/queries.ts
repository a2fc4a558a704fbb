import type { Db, Tx } from '../../db/database.ts';
import { sql, sqlOnce } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/scope.ts';
import { type AttemptRow, attemptColumns } from '../payments/attempts/attempt-row.ts';

export interface PayableRow {
  id: string;
  number: string;
  kind: 'invoice' | 'creditNote';
  status: number;
  currency: string;
  issued_on: string;
  due_on: string | null;
  period_start: string | null;
  period_end: string | null;
  due_minor: bigint;
  total_minor: bigint;
  customer_label: string;
  customer_email: string | null;
  customer_country: string | null;
}

const payable = sql`
  select i.id, i.number, i.kind, i.status, i.currency, i.issued_on, i.due_on, i.period_start, i.period_end,
         i.due_minor, i.total_minor, c.label as customer_label, c.email as customer_email,
         c.country as customer_country
    from invoice i join customer c on c.customer_id = i.customer_id`;

/** What the pay page shows of its invoice. */
export const findPayable = (db: Db, scope: CustomerScope, invoiceId: string) =>
  db.maybeOne<PayableRow>(
    sqlOnce`${payable} where i.customer_id = ${scope.customerId} and i.id = ${invoiceId}`,
  );

/** The same with the invoice's row locked, to price and claim it. */
export const lockPayable = (tx: Tx, scope: CustomerScope, invoiceId: string) =>
  tx.one<PayableRow>(sqlOnce`
    ${payable} where i.customer_id = ${scope.customerId} and i.id = ${invoiceId} for update of i`);

/** The open attempt on an invoice, else the last one. */
export const findLatestAttempt = (db: Db, scope: CustomerScope, invoiceId: string) =>
  db.maybeOne<AttemptRow>(sqlOnce`
    select ${attemptColumns} from attempt a
      join claim c on c.customer_id = a.customer_id and c.attempt_id = a.id
     where a.customer_id = ${scope.customerId} and c.invoice_id = ${invoiceId} and a.direction = 'charge'
     order by a.is_open desc, a.sent_at desc, a.id desc limit 1`);

/** When payments that were tried through the invoice's link were declined, the latest first. */
export const findDeclines = (db: Db, scope: CustomerScope, invoiceId: string, limit: number) =>
  db.many<{ at: Date }>(sqlOnce`
    select a.updated_at as at from claim c
      join attempt a on a.customer_id = c.customer_id and a.id = c.attempt_id
      join pay_session s on s.customer_id = a.customer_id and s.id = a.session_id
     where c.customer_id = ${scope.customerId} and c.invoice_id = ${invoiceId} and a.state = 'declined'
       and s.origin = 'public'
     order by a.updated_at desc limit ${limit}`);

/** An attempt made through this invoice's link, by its id. */
export const findAttemptOf = (db: Db, scope: CustomerScope, invoiceId: string, attemptId: string) =>
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
