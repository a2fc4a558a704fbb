import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import type { StoredAddress } from '../../letters/sender.ts';
import { billed, effect, isUnsummed, isUnsummedEntry } from './account-sums.ts';

export { effect, invoiceCount } from './account-sums.ts';

/** A customer's account in one currency; days are those of the brand's zone. */
interface Of {
  readonly currency: string;
  readonly timeZone: string;
}

/** Entries about documents that are credits: they are of the day of the document. */
const credits = (scope: CustomerScope, { currency }: Of) => sql`
  ledger l left join invoice d on d.customer_id = l.customer_id and d.id = l.source_id
   where l.customer_id = ${scope.customerId} and l.source = 'invoice' and l.currency = ${currency}`;

/** All other entries: they are of the day of their moment. */
const entries = (scope: CustomerScope, { currency }: Of) => sql`
  ledger l where l.customer_id = ${scope.customerId} and l.currency = ${currency} and l.source <> 'invoice'`;

const dayOfMoment = ({ timeZone }: Of) => sql`(l.at at time zone ${timeZone})::date`;
const dayOfCredit = (of: Of) => sql`coalesce(d.issued_on, ${dayOfMoment(of)})`;
/** Some days after a day, at midnight UTC: no zone is more than a day away from it. Entries are found by it, without their zone. */
const midnight = (day: string, after: number) =>
  sql`(${day}::date + ${after}::int)::timestamp at time zone 'UTC'`;

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

/** All currencies in which there is anything; one look into the index for each. */
export const listCurrencies = (db: Db, { customerId }: CustomerScope) => {
  const next = (table: string, after: ReturnType<typeof sql>) => sql`
    (select currency from ${sql.table(table)} where customer_id = ${customerId} and currency > ${after} order by currency limit 1)`;
  const all = (table: string) => sql`
    (with recursive found as (
       select ${next(table, sql`''`)} as currency
        union all
       select ${next(table, sql`f.currency`)} from found f where f.currency is not null)
     select currency from found where currency is not null)`;
  return db.many<{ currency: string }>(sql`${all('invoice')} union ${all('ledger')} order by currency`);
};

/**
 * What was owed before a day: what the sums by day have, and what differs from them. Days of the sums are UTC, so entries about
 * the day itself are looked at one by one.
 * @returns also how many rows are not in the sums
 */
export const balanceBefore = (db: Db, scope: CustomerScope, of: Of & { readonly day: string }) => {
  const { currency, day } = of;
  const isBefore = sql`(l.at < ${midnight(day, -1)} or (l.at < ${midnight(day, 1)} and ${dayOfMoment(of)} < ${day}))`;
  return db.one<{ minor: bigint; unsummed: number }>(sql`
    select (kept.minor + bills.minor + late.minor + border.minor + credits.minor)::bigint as minor,
           (bills.n + late.n)::int as unsummed
      from (select coalesce(sum(billed_minor), 0)
                   + coalesce(sum(entries_minor) filter (where day < ${day}::date - 1), 0) as minor
              from account_day
             where customer_id = ${scope.customerId} and currency = ${currency} and day < ${day}) kept,
           (select coalesce(sum(${billed}) filter (where i.currency = ${currency} and i.issued_on < ${day}), 0)
                   - coalesce(sum(i.summed_minor)
                       filter (where i.summed_currency = ${currency} and i.summed_on < ${day}), 0) as minor,
                   count(*) as n
              from invoice i where i.customer_id = ${scope.customerId} and ${isUnsummed}) bills,
           (select coalesce(sum(${effect}) filter (where ${isBefore}), 0) as minor, count(*) as n
              from ledger l
             where l.customer_id = ${scope.customerId} and l.currency = ${currency} and ${isUnsummedEntry}) late,
           (select coalesce(sum(${effect}), 0) as minor from ${entries(scope, of)}
               and l.is_summed and l.at >= ${midnight(day, -1)} and l.at < ${midnight(day, 1)}
               and ${dayOfMoment(of)} < ${day}) border,
           (select coalesce(sum(${effect}), 0) as minor
              from ${credits(scope, of)} and ${dayOfCredit(of)} < ${day}) credits`);
};

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
export const allMovements = (
  scope: CustomerScope,
  of: Of & { readonly from: string; readonly to: string },
) => {
  const { from, to } = of;
  const within = sql`between ${from} and ${to}`;
  const movements = sql`
    select 'invoice' as source, i.id as source_id, i.issued_on as day, i.payable_minor as effect, i.number, i.id as invoice_id
      from invoice i
     where i.customer_id = ${scope.customerId} and i.currency = ${of.currency} and i.issued_on ${within} and ${billed} > 0
    union all
    select 'credit', l.source_id, ${dayOfCredit(of)}, sum(${effect})::bigint, d.number, d.id
      from ${credits(scope, of)} and ${dayOfCredit(of)} ${within} group by 2, 3, d.number, d.id
    union all
    select l.source, l.source_id, ${dayOfMoment(of)}, sum(${effect})::bigint, null, null
      from ${entries(scope, of)} and l.at >= ${midnight(from, -1)} and l.at < ${midnight(to, 2)}
       and ${dayOfMoment(of)} ${within} group by 1, 2, 3`;
  return sql<MovementRow>`
    select m.source, m.source_id, m.day, m.effect, m.number, coalesce(a.ref, x.reference, j.reference) as reference,
           r.kind as reversal, m.invoice_id
      from (${movements}) m
      left join reversal r on m.source = 'reversal' and r.customer_id = ${scope.customerId} and r.id = m.source_id
      left join capture c on c.customer_id = ${scope.customerId} and c.id = coalesce(r.capture_id, m.source_id)
      left join attempt a on a.customer_id = c.customer_id and a.id = c.attempt_id
      left join balance_adjustment j on m.source = 'adjustment' and j.customer_id = ${scope.customerId} and j.id = m.source_id
      left join external_payment x on m.source = 'external' and x.customer_id = ${scope.customerId} and x.id = m.source_id
     where m.effect <> 0
     order by m.day, m.source = 'reversal' or m.source = 'external' and m.effect > 0, m.effect < 0, m.source, coalesce(m.number, a.ref, x.reference, j.reference), m.source_id`;
};

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
export const unusedCredit = async (db: Db, { customerId }: CustomerScope, currency: string) =>
  (await db.maybeOne<{ minor: bigint }>(sql`
    select balance_minor - overdrawn_minor as minor from customer_credit
     where customer_id = ${customerId} and currency = ${currency}`)) ?? { minor: 0n };
