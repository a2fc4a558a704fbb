import type { Db, Tx } from '../../db/database.ts';
import { sql, sqlOnce } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';

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

/** When payments that were tried through the invoice's link were declined, the latest first. */
export const findDeclines = (db: Db, scope: CustomerScope, invoiceId: string, limit: number) =>
  db.many<{ at: Date }>(sqlOnce`
    select a.updated_at as at from claim c
      join attempt a on a.customer_id = c.customer_id and a.id = c.attempt_id
      join pay_session s on s.customer_id = a.customer_id and s.id = a.session_id
     where c.customer_id = ${scope.customerId} and c.invoice_id = ${invoiceId} and a.state = 'declined'
       and s.origin = 'public'
     order by a.updated_at desc limit ${limit}`);
