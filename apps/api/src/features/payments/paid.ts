import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { StoredAddress } from '../../letters/sender.ts';
import { feeGoneBack } from './queries.ts';

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
  /** What of that was fee. */
  reversed_fee_minor: bigint;
  /** Some of that was not refunded but taken: a debit that failed late, a chargeback. */
  was_returned: boolean;
  invoices: readonly PaidInvoiceStated[];
}

/** Which payment: what was taken, or a session that credit settled. */
export type PaidKey = { readonly captureId: string } | { readonly sessionId: string };

/** What a session gave invoices of the customer's credit. */
const creditShares = (customerId: string) => sql`
  select u.invoice_id, u.amount_minor as minor, u.amount_minor as credit from credit_use u
   where u.customer_id = ${customerId} and u.session_id = s.id`;

/** Where a payment stands: what was taken `p` of an attempt `a` of a session `s`, and what its invoices got. */
const taken = (customerId: string, captureId: string) => ({
  columns: sql`
    p.reversed_minor, ${feeGoneBack(customerId, sql`p.id`)} as reversed_fee_minor, a.ref, p.currency,
    p.amount_minor, a.amount_minor as asked_minor, p.to_fee_minor, p.to_credit_minor, a.method, p.at,
    exists (select from reversal r where r.customer_id = ${customerId} and r.capture_id = p.id
               and r.kind in ('lateFailure', 'chargeback')) as was_returned`,
  from: sql`
    capture p join attempt a on a.customer_id = ${customerId} and a.id = p.attempt_id
              join pay_session s on s.customer_id = ${customerId} and s.id = a.session_id`,
  shares: sql`
    select l.invoice_id, l.amount_minor as minor, 0 as credit from allocation l
     where l.customer_id = ${customerId} and l.capture_id = p.id and l.invoice_id is not null
    union all ${creditShares(customerId)}
    -- Also what got nothing, because less was taken than was asked for.
    union all select c.invoice_id, 0, 0 from claim c
     where c.customer_id = ${customerId} and c.attempt_id = a.id and c.due_after_minor > 0`,
  left: sql`(select k.due_after_minor::text from claim k
              where k.customer_id = ${customerId} and k.attempt_id = a.id and k.invoice_id = m.invoice_id)`,
  where: sql`p.customer_id = ${customerId} and p.id = ${captureId}`,
});

/** The same of a session that credit settled. Without what was taken: Citus refuses joins that come to nothing. */
const settled = (customerId: string, sessionId: string) => ({
  columns: sql`
    0::bigint as reversed_minor, 0::bigint as reversed_fee_minor, s.settled_ref as ref, s.currency,
    0::bigint as amount_minor, null::bigint as asked_minor, 0::bigint as to_fee_minor, 0::bigint as to_credit_minor, null as method, s.settled_at as at, false as was_returned`,
  from: sql`pay_session s`,
  shares: creditShares(customerId),
  left: sql`null`,
  where: sql`s.customer_id = ${customerId} and s.id = ${sessionId} and s.settled_at is not null`,
});

/** A payment as its receipt states it. */
export function findPaid(db: Db, customerId: string, key: PaidKey): Promise<PaidRow | undefined> {
  const { columns, from, shares, left, where } =
    'captureId' in key ? taken(customerId, key.captureId) : settled(customerId, key.sessionId);
  return db.maybeOne<PaidRow>(sql`
    select s.reseller_id, c.label, c.external_ref as customer_ref, c.address, c.country, ${columns},
           coalesce(paid.credit, 0)::bigint as credit_minor, coalesce(paid.invoices, '[]') as invoices
      from ${from}
      join customer c on c.customer_id = ${customerId}
      cross join lateral (
        select json_agg(json_build_object('id', i.id, 'number', i.number, 'minor', m.minor::text, 'left', ${left},
                        'issuedOn', i.issued_on, 'total', i.total_minor::text, 'taxes', i.taxes)
                        order by i.number) as invoices,
               sum(m.credit) as credit
          from (select invoice_id, sum(minor) as minor, sum(credit) as credit
                  from (${shares}) parts group by invoice_id) m
          join invoice i on i.customer_id = ${customerId} and i.id = m.invoice_id) paid
     where ${where}`);
}

/** A payment of the customer by the id of its attempt, of what was taken, or of the session that credit settled. */
export async function findPaidKey(db: Db, customerId: string, id: string): Promise<PaidKey | undefined> {
  const taken = await db.maybeOne<{ id: string }>(sql`
    select id from capture where customer_id = ${customerId} and (id = ${id} or attempt_id = ${id})`);
  if (taken !== undefined) return { captureId: taken.id };
  const settled = await db.maybeOne(sql`
    select 1 from pay_session where customer_id = ${customerId} and id = ${id} and settled_at is not null`);
  return settled === undefined ? undefined : { sessionId: id };
}
