import { type Sql, sql } from '../../db/sql.ts';
import { effect } from '../statement/queries.ts';

/** What breaks a rule: the number of an invoice, the reference of an attempt, an id. */
export interface Breaker {
  readonly what: string;
}

type Rules = Readonly<Record<string, Sql<Breaker>>>;

const RECEIVED = 'an invoice has received what was allocated to it';

/** What must hold of payments through gateways after any history, each as a query that finds what breaks it. */
export const paymentRules: Rules = {
  'a capture is shared out whole': sql`
    select c.id::text as what from capture c where c.amount_minor <>
      (select coalesce(sum(amount_minor), 0) from allocation a where a.customer_id = c.customer_id and a.capture_id = c.id)`,
  'the ledger has what the gateway holds for us': sql`
    select c.id::text as what from capture c where c.amount_minor - c.reversed_minor - c.lost_minor <>
      (select coalesce(sum(case when l.debit = 'gateway' then l.amount_minor when l.credit = 'gateway' then -l.amount_minor
                                else 0 end), 0)
         from ledger l where l.customer_id = c.customer_id and (l.source_id = c.id
           or l.source_id in (select r.id from reversal r where r.customer_id = c.customer_id and r.capture_id = c.id)))`,
  'what a gateway took beyond a charge is a loss': sql`
    select c.id::text as what from capture c where c.lost_minor <>
      (select coalesce(sum(case when l.debit = 'lostAtGateway' then l.amount_minor when l.credit = 'lostAtGateway' then -l.amount_minor
                                else 0 end), 0)
         from ledger l join reversal r on r.customer_id = l.customer_id and r.id = l.source_id
        where l.customer_id = c.customer_id and r.capture_id = c.id)`,
  'debits equal credits': sql`
    select currency as what from (
      select currency, sum(amount_minor) as n from (
        select currency, debit as account, amount_minor from ledger
        union all select currency, credit, -amount_minor from ledger) both_sides group by currency) sums where n <> 0`,
  [RECEIVED]: sql`
    select i.number as what from invoice i where i.paid_minor <>
      (select coalesce(sum(a.amount_minor), 0) from allocation a where a.customer_id = i.customer_id and a.invoice_id = i.id)`,
  'paid exactly when payments + credits - reversals cover it': sql`
    select number as what from invoice where kind = 'invoice' and status in (10, 11)
       and (status = 11) <> (paid_minor + credited_minor - reversed_minor >= payable_minor)`,
  'held is what open claims hold': sql`
    select i.number as what from invoice i where i.held_minor <>
      (select coalesce(sum(c.amount_minor), 0) from claim c
        where c.customer_id = i.customer_id and c.invoice_id = i.id and c.is_open)`,
  'a claim is open exactly while its attempt is': sql`
    select a.ref as what from attempt a join claim c on c.customer_id = a.customer_id and c.attempt_id = a.id
     where a.is_open <> c.is_open`,
  'an attempt has succeeded exactly when its capture paid something, or came late': sql`
    select a.ref as what from attempt a left join capture c on c.customer_id = a.customer_id and c.attempt_id = a.id
     where a.direction = 'charge' and ((a.state = 'succeeded' and c.id is null)
        or (a.state <> 'succeeded' and c.id is not null and c.to_credit_minor <> c.amount_minor))`,
  'no more is refunded, and on its way back, than was taken': sql`
    select c.id::text as what from capture c where c.amount_minor < c.reversed_minor +
      (select coalesce(sum(a.amount_minor), 0) from attempt a
        where a.customer_id = c.customer_id and a.of_capture_id = c.id and a.is_open and a.direction = 'refund'
          and not exists (select from reversal r where r.customer_id = c.customer_id and r.capture_id = c.id and r.remote = a.remote))`,
  'one receipt for each payment': sql`
    select customer_id::text as what from outbox where kind = 'receipt' group by customer_id, payload having count(*) > 1`,
  'an invoice was credited what credits and the use of credit say': sql`
    select i.number as what from invoice i where i.kind = 'invoice' and i.credited_minor <>
      (select coalesce(sum(amount_minor), 0) from invoice_credit c where c.customer_id = i.customer_id and c.invoice_id = i.id)
      + (select coalesce(sum(amount_minor), 0) from credit_use u where u.customer_id = i.customer_id and u.invoice_id = i.id)`,
  'the credit that can be used is what the ledger says': sql`
    select coalesce(l.customer_id, c.customer_id)::text as what from
      (select customer_id, currency, sum(case credit when 'customerCredit' then amount_minor else -amount_minor end) as minor
         from ledger where 'customerCredit' in (debit, credit) group by 1, 2) l
      full join customer_credit c on c.customer_id = l.customer_id and c.currency = l.currency
     where coalesce(l.minor, 0) <> coalesce(c.balance_minor - c.overdrawn_minor, 0)`,
  'the credit held is what open attempts hold': sql`
    select c.customer_id::text as what from customer_credit c where c.held_minor <>
      (select coalesce(sum(a.credit_minor), 0) from attempt a
        where a.customer_id = c.customer_id and a.currency = c.currency and a.is_open)`,
  'an attempt that took money used the credit it held, and no other did': sql`
    select a.ref as what from attempt a where (a.state <> 'succeeded' and exists
        (select 1 from credit_use u where u.customer_id = a.customer_id and u.attempt_id = a.id))
      or a.credit_minor < (select coalesce(sum(amount_minor), 0) from credit_use u
                            where u.customer_id = a.customer_id and u.attempt_id = a.id)`,
  'nothing is paid by a session beyond its price': sql`
    select s.id::text as what from pay_session s where s.credit_minor <
      (select coalesce(sum(amount_minor), 0) from credit_use u where u.customer_id = s.customer_id and u.session_id = s.id)`,
  'transitions are without a gap': sql`
    select a.ref as what from attempt a where a.seq + 1 <>
      (select count(*) from transition t where t.customer_id = a.customer_id and t.attempt_id = a.id)`,
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
    select i.number as what from invoice i
      left join (select customer_id, invoice_id, sum(amount_minor) as minor from (
                   select customer_id, invoice_id, amount_minor from allocation where invoice_id is not null
                   union all
                   select customer_id, split_part(leg, ':', 2)::uuid, amount_minor from ledger
                    where source = 'external' and debit = 'external' and leg like 'invoice:%') came
                  group by customer_id, invoice_id) r on r.customer_id = i.customer_id and r.invoice_id = i.id
     where i.paid_minor <> coalesce(r.minor, 0)`,
  'money from outside is shared out whole': sql`
    select p.id::text as what from external_payment p where p.amount_minor <>
      (select coalesce(sum(l.amount_minor), 0) from ledger l
        where l.customer_id = p.customer_id and l.source = 'external' and l.source_id = p.id and l.debit = 'external')`,
  'an invoice has the shares of money from outside that the ledger says': sql`
    select s.invoice_id::text as what from external_payment_share s where s.amount_minor <>
      (select coalesce(sum(l.amount_minor), 0) from ledger l
        where l.customer_id = s.customer_id and l.source = 'external' and l.source_id = s.payment_id
          and l.debit = 'external' and l.leg = 'invoice:' || s.invoice_id)`,
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
