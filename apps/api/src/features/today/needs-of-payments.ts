import type { Need } from '@counterfoil/contract/operator/running/today.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import type { Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Needs } from './needs.ts';
import { LISTED } from './needs.ts';

/** A refund that is under way for longer has met something; most end in seconds, those of banks in days. */
const REFUND_WAITS_MS = 7 * 86_400_000;

interface PaymentRow {
  kind: 'paymentInReview' | 'paymentLost' | 'refundInReview' | 'refundWaiting';
  id: string;
  customer_id: string;
  customer: string;
  amount_minor: bigint;
  currency: string;
  at: Date;
}

interface TotalRow {
  currency: string;
  count: number;
  minor: bigint;
  oldest: Date;
}

/** Charges that need review, and payments of which a gateway took more back than anybody has seen to. */
export function paymentNeeds(db: Db, resellerId: number): Promise<Needs> {
  const inReview = sql`
    select 'paymentInReview' as kind, a.customer_id, a.id, a.amount_minor, a.currency, a.sent_at as at
      from attempt a
     where a.reseller_id = ${resellerId} and a.is_open and a.state = 'needsReview' and a.direction <> 'refund'
    union all
    select 'paymentLost', c.customer_id, c.attempt_id, c.lost_minor - c.lost_seen_minor, c.currency, c.at
      from gateway_account g join capture c on c.gateway_account_id = g.id and c.lost_minor > c.lost_seen_minor
     where g.reseller_id = ${resellerId}`;
  return needsOf(db, inReview);
}

/** Refunds that need review, and those that take far longer than refunds take. */
export function refundNeeds(db: Db, resellerId: number, now: Date): Promise<Needs> {
  const late = new Date(now.getTime() - REFUND_WAITS_MS);
  const waiting = sql`
    select case when a.state = 'needsReview' then 'refundInReview' else 'refundWaiting' end as kind,
           a.customer_id, a.id, a.amount_minor, a.currency, a.sent_at as at
      from attempt a
     where a.reseller_id = ${resellerId} and a.is_open and a.direction = 'refund'
       and (a.state = 'needsReview' or a.sent_at < ${late})`;
  return needsOf(db, waiting);
}

/** @param from rows of kind, customer_id, id, amount_minor, currency, at */
async function needsOf(db: Db, from: Sql): Promise<Needs> {
  const totals = await db.many<TotalRow>(sql`
    select currency, count(*)::int as count, sum(amount_minor)::bigint as minor, min(at) as oldest
      from (${from}) as n group by currency order by 3 desc, 1`);
  if (totals.length === 0) return { count: 0, sums: [], oldestAt: null, items: [] };
  const rows = await db.many<PaymentRow>(sql`
    select n.kind, n.customer_id, n.id, c.label as customer, n.amount_minor, n.currency, n.at
      from (${from} order by amount_minor desc, at limit ${LISTED}) as n
      join customer c on c.customer_id = n.customer_id
     order by n.amount_minor desc, n.at`);
  const [invoices, reasons] = await Promise.all([invoicesOf(db, rows), reasonsOf(db, rows)]);
  const oldest = totals.reduce((first, total) => (total.oldest < first ? total.oldest : first), new Date());
  return {
    count: totals.reduce((sum, { count }) => sum + count, 0),
    sums: totals.map(({ currency, minor }) => ({ currency, amount: formatDecimal(money(minor, currency)) })),
    oldestAt: oldest,
    items: rows.map((row) => present(row, invoices.get(row.id) ?? [], reasons.get(row.id) ?? null)),
  };
}

const listed = (rows: readonly PaymentRow[]): Sql => sql`
  unnest(${rows.map((row) => row.customer_id)}::uuid[], ${rows.map(({ id }) => id)}::uuid[]) as g(customer, id)`;

/** Numbers of the invoices of attempts, three at most. */
async function invoicesOf(
  db: Db,
  rows: readonly PaymentRow[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await db.many<{ id: string; numbers: string[] }>(sql`
    select k.attempt_id as id, (array_agg(i.number order by i.number))[1:3] as numbers
      from ${listed(rows)}
      join claim k on k.customer_id = g.customer and k.attempt_id = g.id
      join invoice i on i.customer_id = k.customer_id and i.id = k.invoice_id
     group by k.attempt_id`);
  return new Map(found.map(({ id, numbers }) => [id, numbers]));
}

/** What was said of attempts last. */
async function reasonsOf(db: Db, rows: readonly PaymentRow[]): Promise<ReadonlyMap<string, string | null>> {
  const found = await db.many<{ id: string; reason: string | null }>(sql`
    select distinct on (t.attempt_id) t.attempt_id as id,
           coalesce(t.evidence ->> 'why', t.evidence ->> 'because', t.evidence ->> 'evidence') as reason
      from ${listed(rows)} join transition t on t.customer_id = g.customer and t.attempt_id = g.id
     order by t.attempt_id, t.seq desc`);
  return new Map(found.map(({ id, reason }) => [id, reason]));
}

const present = (
  row: PaymentRow,
  invoices: readonly string[],
  reason: string | null,
): Omit<Need, 'state'> => ({
  kind: row.kind,
  id: row.id,
  title: row.customer,
  about: invoices.length === 0 ? null : invoices.join(', '),
  reason,
  amount: formatDecimal(money(row.amount_minor, row.currency)),
  currency: row.currency,
  count: 1,
  at: row.at.toISOString(),
  path: `/admin/payments/${row.id}`,
});
