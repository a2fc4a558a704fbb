import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import type { StoredAddress } from '../../letters/sender.ts';

const VOID = 13;
/** Accounts whose balance is between customer and provider: what is owed, and what is kept for the customer. */
const accounts = sql`('receivable', 'customerCredit')`;

/**
 * Everything that moved what the customer owes: bills raise it when issued; the ledger's entries on the customer's
 * accounts do the rest. Moves between the two accounts cancel out. Days are those of the brand's zone.
 */
const movements = (scope: CustomerScope, timeZone: string) => sql`
  select 'invoice' as source, i.id as source_id, i.issued_on as day, i.currency, i.payable_minor as effect
    from invoice i
   where i.customer_id = ${scope.customerId} and i.kind = 'invoice' and i.payable_minor > 0 and i.status <> ${VOID}
  union all
  select case l.source when 'invoice' then 'credit' else l.source end, l.source_id,
         coalesce(d.issued_on, (l.at at time zone ${timeZone})::date), l.currency,
         sum(case when l.debit in ${accounts} then l.amount_minor else 0 end
           - case when l.credit in ${accounts} then l.amount_minor else 0 end)::bigint
    from ledger l
    left join invoice d on l.source = 'invoice' and d.customer_id = l.customer_id and d.id = l.source_id
   where l.customer_id = ${scope.customerId}
   group by 1, 2, 3, 4`;

/** The customer as a letter addresses them. */
export interface CustomerRow {
  label: string;
  /** The provider's number of the customer. */
  external_ref: string | null;
  address: StoredAddress;
  /** ISO 3166-1 alpha-2 */
  country: string | null;
}

export const findCustomer = (db: Db, scope: CustomerScope) =>
  db.one<CustomerRow>(sql`
    select label, external_ref, address, country from customer where customer_id = ${scope.customerId}`);

export const listCurrencies = (db: Db, scope: CustomerScope) =>
  db.many<{ currency: string }>(sql`
    select currency from invoice where customer_id = ${scope.customerId}
     union select currency from ledger where customer_id = ${scope.customerId} order by currency`);

/** What was owed before a day. */
export const balanceBefore = (
  db: Db,
  scope: CustomerScope,
  of: { readonly currency: string; readonly timeZone: string; readonly day: string },
) =>
  db.one<{ minor: bigint }>(sql`
    select coalesce(sum(effect), 0)::bigint as minor from (${movements(scope, of.timeZone)}) m
     where currency = ${of.currency} and day < ${of.day}`);

export interface MovementRow {
  source: string;
  source_id: string;
  day: string;
  effect: bigint;
  number: string | null;
  reference: string | null;
  reversal: string | null;
  invoice_id: string | null;
}

/** What moved the balance in a span of days, in its order; on the same day bills, what pays them, and what comes back of that. */
export const listMovements = (
  db: Db,
  scope: CustomerScope,
  of: { readonly currency: string; readonly timeZone: string; readonly from: string; readonly to: string },
) =>
  db.many<MovementRow>(sql`
    select m.source, m.source_id, m.day, m.effect, i.number, coalesce(a.ref, x.reference, j.reference) as reference, r.kind as reversal, i.id as invoice_id
      from (${movements(scope, of.timeZone)}) m
      left join invoice i on m.source in ('invoice', 'credit') and i.customer_id = ${scope.customerId} and i.id = m.source_id
      left join reversal r on m.source = 'reversal' and r.customer_id = ${scope.customerId} and r.id = m.source_id
      left join capture c on c.customer_id = ${scope.customerId} and c.id = coalesce(r.capture_id, m.source_id)
      left join attempt a on a.customer_id = c.customer_id and a.id = c.attempt_id
      left join balance_adjustment j on m.source = 'adjustment' and j.customer_id = ${scope.customerId} and j.id = m.source_id
      left join external_payment x on m.source = 'external' and x.customer_id = ${scope.customerId} and x.id = m.source_id
     where m.currency = ${of.currency} and m.day between ${of.from} and ${of.to} and m.effect <> 0
     order by m.day, m.source = 'reversal' or m.source = 'external' and m.effect > 0, m.effect < 0, m.source, coalesce(i.number, a.ref, x.reference, j.reference), m.source_id`);

export interface AgeingRow {
  not_due: bigint;
  days_30: bigint;
  days_60: bigint;
  days_90: bigint;
  older: bigint;
}

/** Open amounts of bills by the days since they were due; a bill without a due date is not due. */
export const sumOpen = (db: Db, scope: CustomerScope, currency: string, today: string) => {
  const since = sql`(${today}::date - coalesce(due_on, ${today}::date))`;
  const part = (condition: ReturnType<typeof sql>) =>
    sql`coalesce(sum(due_minor) filter (where ${condition}), 0)::bigint`;
  return db.one<AgeingRow>(sql`
    select ${part(sql`${since} <= 0`)} as not_due, ${part(sql`${since} between 1 and 30`)} as days_30,
           ${part(sql`${since} between 31 and 60`)} as days_60, ${part(sql`${since} between 61 and 90`)} as days_90,
           ${part(sql`${since} > 90`)} as older
      from invoice
     where customer_id = ${scope.customerId} and kind = 'invoice' and currency = ${currency} and due_minor > 0
       and status in (10, 14)`);
};

export interface OpenRow {
  due_on: string | null;
  minor: bigint;
}

/** Open amounts of the same bills by their due date, those without one last. */
export const listOpenByDue = (db: Db, scope: CustomerScope, currency: string) =>
  db.many<OpenRow>(sql`
    select due_on, sum(due_minor)::bigint as minor from invoice
     where customer_id = ${scope.customerId} and kind = 'invoice' and currency = ${currency} and due_minor > 0
       and status in (10, 14)
     group by due_on order by due_on nulls last`);

/** Credit the customer has and has not used, now. */
export const unusedCredit = (db: Db, scope: CustomerScope, currency: string) =>
  db.one<{ minor: bigint }>(sql`
    select coalesce(sum(case credit when 'customerCredit' then amount_minor else -amount_minor end), 0)::bigint as minor
      from ledger
     where customer_id = ${scope.customerId} and currency = ${currency}
       and 'customerCredit' in (debit, credit)`);
