import { type Sql, sql } from '../../db/sql.ts';
import { effect } from '../statement/queries.ts';

/** What breaks a rule: the number of an invoice, the reference of an attempt, an id. */
export interface Breaker {
  readonly what: string;
}

type Rules = Readonly<Record<string, Sql<Breaker>>>;

// Each table is summed once, and the sums are joined by customer and id: looked up for each row, they would have the rows of a large
// customer read once for each other one. Most joins are full, to find also what is of nothing; their second side is a table, which the
// memory database of the simulations finds by its key.

/** What the ledger says of an account for each capture, by the capture's own entries and those of its reversals. */
const postedOfCaptures = (account: 'gateway' | 'lostAtGateway') => sql`
  (select l.customer_id, coalesce(r.capture_id, l.source_id) as capture_id,
          sum(case l.debit when ${sql.lit(account)} then l.amount_minor else -l.amount_minor end) as minor
     from ledger l left join reversal r on r.customer_id = l.customer_id and r.id = l.source_id
    where ${sql.lit(account)} in (l.debit, l.credit) group by 1, 2)`;

/** The credit that was used, by what it was used of. */
const usedBy = (column: 'attempt_id' | 'session_id') => sql`
  (select customer_id, ${sql.id(column)}, sum(amount_minor) as minor from credit_use
    where ${sql.id(column)} is not null group by 1, 2)`;

const RECEIVED = 'an invoice has received what was allocated to it';

/** What must hold of payments through gateways after any history, each as a query that finds what breaks it. */
export const paymentRules: Rules = {
  'a capture is shared out whole': sql`
    select coalesce(c.id, a.capture_id)::text as what
      from (select customer_id, capture_id, sum(amount_minor) as minor from allocation group by 1, 2) a
      full join capture c on c.customer_id = a.customer_id and c.id = a.capture_id
     where coalesce(c.amount_minor, 0) <> coalesce(a.minor, 0)`,
  'the ledger has what the gateway holds for us': sql`
    select coalesce(c.id, l.capture_id)::text as what
      from ${postedOfCaptures('gateway')} l full join capture c on c.customer_id = l.customer_id and c.id = l.capture_id
     where coalesce(c.amount_minor - c.reversed_minor - c.lost_minor, 0) <> coalesce(l.minor, 0)`,
  'what a gateway took beyond a charge is a loss': sql`
    select coalesce(c.id, l.capture_id)::text as what
      from ${postedOfCaptures('lostAtGateway')} l full join capture c on c.customer_id = l.customer_id and c.id = l.capture_id
     where coalesce(c.lost_minor, 0) <> coalesce(l.minor, 0)`,
  'debits equal credits': sql`
    select currency as what from (
      select currency, sum(amount_minor) as n from (
        select currency, debit as account, amount_minor from ledger
        union all select currency, credit, -amount_minor from ledger) both_sides group by currency) sums where n <> 0`,
  [RECEIVED]: sql`
    select coalesce(i.number, a.invoice_id::text) as what
      from (select customer_id, invoice_id, sum(amount_minor) as minor from allocation where invoice_id is not null group by 1, 2) a
      full join invoice i on i.customer_id = a.customer_id and i.id = a.invoice_id
     where coalesce(i.paid_minor, 0) <> coalesce(a.minor, 0)`,
  'paid exactly when payments + credits - reversals cover it': sql`
    select number as what from invoice where kind = 'invoice' and status in (10, 11)
       and (status = 11) <> (paid_minor + credited_minor - reversed_minor >= payable_minor)`,
  'held is what open claims hold': sql`
    select coalesce(i.number, c.invoice_id::text) as what
      from (select customer_id, invoice_id, sum(amount_minor) as minor from claim where is_open group by 1, 2) c
      full join invoice i on i.customer_id = c.customer_id and i.id = c.invoice_id
     where coalesce(i.held_minor, 0) <> coalesce(c.minor, 0)`,
  'a claim is open exactly while its attempt is': sql`
    select a.ref as what from attempt a join claim c on c.customer_id = a.customer_id and c.attempt_id = a.id
     where a.is_open <> c.is_open`,
  'an attempt has succeeded exactly when its capture paid something, or came late': sql`
    select a.ref as what from attempt a left join capture c on c.customer_id = a.customer_id and c.attempt_id = a.id
     where a.direction = 'charge' and ((a.state = 'succeeded' and c.id is null)
        or (a.state <> 'succeeded' and c.id is not null and c.to_credit_minor <> c.amount_minor))`,
  'no more is refunded, and on its way back, than was taken': sql`
    select coalesce(c.id, a.of_capture_id)::text as what
      from (select a.customer_id, a.of_capture_id, sum(a.amount_minor) as minor from attempt a
             where a.is_open and a.direction = 'refund'
               and not exists (select 1 from reversal r
                                where r.customer_id = a.customer_id and r.capture_id = a.of_capture_id and r.remote = a.remote)
             group by 1, 2) a
      full join capture c on c.customer_id = a.customer_id and c.id = a.of_capture_id
     where coalesce(c.amount_minor, 0) < coalesce(c.reversed_minor, 0) + coalesce(a.minor, 0)`,
  'one receipt for each payment': sql`
    select customer_id::text as what from outbox where kind = 'receipt' group by customer_id, payload having count(*) > 1`,
  'an invoice was credited what credits and the use of credit say': sql`
    select coalesce(i.number, g.invoice_id::text) as what
      from (select customer_id, invoice_id, sum(amount_minor) as minor from (
              select customer_id, invoice_id, amount_minor from invoice_credit
              union all select customer_id, invoice_id, amount_minor from credit_use) given group by 1, 2) g
      full join invoice i on i.customer_id = g.customer_id and i.id = g.invoice_id
     where (i.id is null or i.kind = 'invoice') and coalesce(i.credited_minor, 0) <> coalesce(g.minor, 0)`,
  'the credit that can be used is what the ledger says': sql`
    select coalesce(l.customer_id, c.customer_id)::text as what from
      (select customer_id, currency, sum(case credit when 'customerCredit' then amount_minor else -amount_minor end) as minor
         from ledger where 'customerCredit' in (debit, credit) group by 1, 2) l
      full join customer_credit c on c.customer_id = l.customer_id and c.currency = l.currency
     where coalesce(l.minor, 0) <> coalesce(c.balance_minor - c.overdrawn_minor, 0)`,
  'the credit held is what open attempts hold': sql`
    select coalesce(c.customer_id, a.customer_id)::text as what
      from (select customer_id, currency, sum(credit_minor) as minor from attempt where is_open group by 1, 2) a
      full join customer_credit c on c.customer_id = a.customer_id and c.currency = a.currency
     where coalesce(c.held_minor, 0) <> coalesce(a.minor, 0)`,
  'an attempt that took money used the credit it held, and no other did': sql`
    select a.ref as what from ${usedBy('attempt_id')} u join attempt a on a.customer_id = u.customer_id and a.id = u.attempt_id
     where a.state <> 'succeeded' or a.credit_minor < u.minor`,
  'nothing is paid by a session beyond its price': sql`
    select s.id::text as what from ${usedBy('session_id')} u join pay_session s on s.customer_id = u.customer_id and s.id = u.session_id
     where s.credit_minor < u.minor`,
  'transitions are without a gap': sql`
    select coalesce(a.ref, t.attempt_id::text) as what
      from (select customer_id, attempt_id, count(*) as n from transition group by 1, 2) t
      full join attempt a on a.customer_id = t.customer_id and a.id = t.attempt_id
     where coalesce(a.seq + 1, 0) <> coalesce(t.n, 0)`,
  'what an attempt came to never changes': sql`
    select attempt_id::text as what from transition
     where from_state not in ('sending', 'requiresAction', 'pending', 'unknown', 'needsReview')`,
  'a charge of the gateway is one payment': sql`
    select remote as what from capture group by gateway_account_id, remote having count(*) > 1`,
  'no invoice has more than it costs': sql`
    select number as what from invoice where kind = 'invoice' and paid_minor + credited_minor - reversed_minor > greatest(payable_minor, 0)`,
  'at most one method is the default, and it is there': sql`
    select customer_id::text as what from payment_method where is_default
     group by customer_id having count(*) > 1 or bool_or(state <> 'active')`,
};

/** What must hold where money comes from outside too. */
export const externalPaymentRules: Rules = {
  [RECEIVED]: sql`
    select coalesce(i.number, r.invoice_id::text) as what
      from (select customer_id, invoice_id, sum(amount_minor) as minor from (
              select customer_id, invoice_id, amount_minor from allocation where invoice_id is not null
              union all
              select customer_id, split_part(leg, ':', 2)::uuid, amount_minor from ledger
               where source = 'external' and debit = 'external' and leg like 'invoice:%') came group by 1, 2) r
      full join invoice i on i.customer_id = r.customer_id and i.id = r.invoice_id
     where coalesce(i.paid_minor, 0) <> coalesce(r.minor, 0)`,
  // Not the other way round: entries of demo worlds are of no payment.
  'money from outside is shared out whole': sql`
    select p.id::text as what from external_payment p
      left join (select customer_id, source_id, sum(amount_minor) as minor from ledger
                  where source = 'external' and debit = 'external' group by 1, 2) l
        on l.customer_id = p.customer_id and l.source_id = p.id
     where p.amount_minor <> coalesce(l.minor, 0)`,
  'an invoice has the shares of money from outside that the ledger says': sql`
    select s.invoice_id::text as what from external_payment_share s
      left join (select customer_id, source_id, leg, sum(amount_minor) as minor from ledger
                  where source = 'external' and debit = 'external' and leg like 'invoice:%' group by 1, 2, 3) l
        on l.customer_id = s.customer_id and l.source_id = s.payment_id and l.leg = 'invoice:' || s.invoice_id
     where s.amount_minor <> coalesce(l.minor, 0)`,
};

/** What must hold of the sums of accounts, which are made from the books for the statements. */
const accountSumRules: Rules = {
  'the sums of an account have what was summed of its invoices': sql`
    select coalesce(i.customer_id, d.customer_id)::text as what from
      (select customer_id, summed_currency as currency, summed_on as day, sum(summed_minor) as minor from invoice
        where summed_minor <> 0 group by 1, 2, 3) i
      full join (select * from account_day where billed_minor <> 0) d
        on d.customer_id = i.customer_id and d.currency = i.currency and d.day = i.day
     where coalesce(i.minor, 0) <> coalesce(d.billed_minor, 0)`,
  'the sums of an account have how many of its invoices were summed': sql`
    select coalesce(i.customer_id, d.customer_id)::text as what from
      (select customer_id, summed_currency as currency, summed_on as day, count(*) as n from invoice
        where summed_on is not null group by 1, 2, 3) i
      full join (select * from account_day where invoices <> 0) d
        on d.customer_id = i.customer_id and d.currency = i.currency and d.day = i.day
     where coalesce(i.n, 0) <> coalesce(d.invoices, 0)`,
  'the sums of an account have what was summed of its ledger': sql`
    select coalesce(l.customer_id, d.customer_id)::text as what from
      (select l.customer_id, l.currency, (l.at at time zone 'UTC')::date as day, sum(${effect}) as minor from ledger l
        where l.is_summed group by 1, 2, 3) l
      full join (select * from account_day where entries_minor <> 0) d
        on d.customer_id = l.customer_id and d.currency = l.currency and d.day = l.day
     where coalesce(l.minor, 0) <> coalesce(d.entries_minor, 0)`,
};

/** All that must hold of the books. */
export const bookRules: Rules = { ...paymentRules, ...externalPaymentRules, ...accountSumRules };
