import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { StoredAddress } from '../../letters/sender.ts';

/** What was paid of an invoice, and what was still due of it then: '0' for nothing, null where that was not kept. */
export interface PaidInvoice {
  id: string;
  number: string;
  minor: string;
  left: string | null;
}

/** The same with what the invoice itself says, minor units. */
export interface PaidInvoiceStated extends PaidInvoice {
  issuedOn: string;
  total: string;
  taxes: { percent: string | null; taxableMinor: number; taxMinor: number }[];
}

/** The money of a payment: with the gateway's, or one that credit paid alone. */
export interface PaidMoney {
  ref: string;
  currency: string;
  amount_minor: bigint;
  /** What was asked for; null where credit paid alone. */
  asked_minor: bigint | null;
  to_fee_minor: bigint;
  /** More was taken than was asked for: it stands as the customer's credit. */
  to_credit_minor: bigint;
  /** The customer's credit that paid a part, or all where no money was taken. */
  credit_minor: bigint;
  method: string | null;
  at: Date;
  invoices: readonly PaidInvoice[];
}

/** A payment as its receipt tells of it. */
export interface PaidRow extends PaidMoney {
  reseller_id: number;
  /** How the provider names the customer. */
  label: string;
  /** The provider's number of the customer. */
  customer_ref: string | null;
  address: StoredAddress;
  /** ISO 3166-1 alpha-2 */
  country: string | null;
  /** What came back of it since, by refund or by the bank. */
  reversed_minor: bigint;
  /** Some of that was not refunded but taken: a debit that failed late, a chargeback. */
  was_returned: boolean;
  invoices: readonly PaidInvoiceStated[];
}

/** Which payment: what was taken, or a session that credit settled. */
export interface PaidKey {
  readonly captureId: string | null;
  readonly sessionId: string | null;
}

export const findPaid = (db: Db, customerId: string, { captureId, sessionId }: PaidKey) =>
  db.maybeOne<PaidRow>(sql`
    select s.reseller_id, c.label, c.external_ref as customer_ref, c.address, c.country,
           coalesce(p.reversed_minor, 0)::bigint as reversed_minor,
           exists (select from reversal r where r.customer_id = ${customerId} and r.capture_id = p.id
                      and r.kind in ('lateFailure', 'chargeback')) as was_returned, coalesce(a.ref, s.settled_ref) as ref, coalesce(p.currency, s.currency) as currency,
           coalesce(p.amount_minor, 0)::bigint as amount_minor, a.amount_minor as asked_minor, coalesce(p.to_fee_minor, 0)::bigint as to_fee_minor,
           coalesce(p.to_credit_minor, 0)::bigint as to_credit_minor, a.method,
           coalesce(p.at, s.settled_at) as at, coalesce(paid.credit, 0)::bigint as credit_minor,
           coalesce(paid.invoices, '[]') as invoices
      from pay_session s
      join customer c on c.customer_id = ${customerId}
      left join capture p on p.customer_id = ${customerId} and p.id = ${captureId}
      left join attempt a on a.customer_id = ${customerId} and a.id = p.attempt_id
      cross join lateral (
        select json_agg(json_build_object('id', i.id, 'number', i.number, 'minor', m.minor::text, 'left', k.due_after_minor::text,
                        'issuedOn', i.issued_on, 'total', i.total_minor::text, 'taxes', i.taxes)
                        order by i.number) as invoices,
               sum(m.credit) as credit
          from (select invoice_id, sum(minor) as minor, sum(credit) as credit
                  from (select l.invoice_id, l.amount_minor as minor, 0 as credit from allocation l
                         where l.customer_id = ${customerId} and l.capture_id = p.id and l.invoice_id is not null
                        union all
                        select u.invoice_id, u.amount_minor, u.amount_minor from credit_use u
                         where u.customer_id = ${customerId} and u.session_id = s.id
                        union all
                        -- Also what got nothing, because less was taken than was asked for.
                        select c.invoice_id, 0, 0 from claim c
                         where c.customer_id = ${customerId} and c.attempt_id = a.id and c.due_after_minor > 0) parts
                 group by invoice_id) m
          join invoice i on i.customer_id = ${customerId} and i.id = m.invoice_id
          left join claim k on k.customer_id = ${customerId} and k.attempt_id = a.id and k.invoice_id = m.invoice_id) paid
     where s.customer_id = ${customerId} and s.id = coalesce(a.session_id, ${sessionId})
       and (p.id is not null or s.settled_at is not null)`);

/** A payment of the customer by the id of its attempt, of what was taken, or of the session that credit settled. */
export async function findPaidKey(db: Db, customerId: string, id: string): Promise<PaidKey | undefined> {
  const taken = await db.maybeOne<{ id: string }>(sql`
    select id from capture where customer_id = ${customerId} and (id = ${id} or attempt_id = ${id})`);
  if (taken !== undefined) return { captureId: taken.id, sessionId: null };
  const settled = await db.maybeOne(sql`
    select 1 from pay_session where customer_id = ${customerId} and id = ${id} and settled_at is not null`);
  return settled === undefined ? undefined : { captureId: null, sessionId: id };
}
