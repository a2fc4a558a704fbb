import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import { addDays, type Day } from '@counterfoil/domain/time/day.ts';
import { startOfDay } from '@counterfoil/domain/time/time-zone.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { costCentreOfLine } from '../cost-centres/queries.ts';

/** Which days of whose ledger. */
export interface JournalOf {
  readonly resellerId: number;
  readonly timeZone: string;
  readonly from: Day;
  readonly to: Day;
  /** Of one customer; undefined: of all. */
  readonly customerId?: string | undefined;
}

/** An entry of the ledger, and what it is of. */
export interface EntryRow {
  readonly id: string;
  readonly at: Date;
  readonly day: string;
  readonly debit: string;
  readonly credit: string;
  readonly currency: string;
  readonly amount_minor: bigint;
  readonly source: string;
  readonly customer: string;
  readonly customer_ref: string | null;
  readonly invoice: string | null;
  readonly payment: string | null;
}

const within = ({ resellerId, timeZone, from, to, customerId }: JournalOf) => sql`
  c.reseller_id = ${resellerId} and g.at >= ${startOfDay(from, timeZone)} and g.at < ${startOfDay(addDays(to, 1), timeZone)}
  and ${customerId === undefined ? sql`true` : sql`g.customer_id = ${customerId}`}`;

const dayOf = ({ timeZone }: JournalOf) => sql`(g.at at time zone ${timeZone})::date`;

/** Entries in the order in which they were made, a page of them. */
export const listEntries = (
  db: Db,
  of: JournalOf,
  { after, limit }: { readonly after: EntryRow | undefined; readonly limit: number },
) =>
  db.many<EntryRow>(sql`
  select g.id, g.at, ${dayOf(of)}::text as day, g.debit, g.credit, g.currency, g.amount_minor, g.source, c.label as customer,
         c.external_ref as customer_ref, i.number as invoice, coalesce(a.ref, x.reference) as payment
    from ledger g
    join customer c on c.customer_id = g.customer_id
    left join reversal r on r.customer_id = g.customer_id and r.id = g.source_id and g.source = 'reversal'
    left join capture p on p.customer_id = g.customer_id and p.id = case g.source when 'capture' then g.source_id else r.capture_id end
    left join attempt a on a.customer_id = p.customer_id and a.id = p.attempt_id
    left join external_payment x on x.customer_id = g.customer_id and x.id = g.source_id and g.source = 'external'
    left join invoice i on i.customer_id = g.customer_id
          and i.id = case g.source when 'invoice' then g.source_id else substring(g.leg from 'invoice:([0-9a-f-]{36})')::uuid end
   where ${within(of)} and ${after === undefined ? sql`true` : sql`(g.at, g.id) > (${after.at}, ${after.id}::uuid)`}
   order by g.at, g.id limit ${limit}`);

/** The sums of a day on one account. */
export interface DayRow {
  readonly day: string;
  readonly currency: string;
  readonly account: string;
  readonly debit_minor: bigint;
  readonly credit_minor: bigint;
}

/** Sums by day, currency and account; the debits of a day and currency are as much as its credits. */
export const listDays = (db: Db, of: JournalOf) =>
  db.many<DayRow>(sql`
  select day::text, currency, account, sum(debit_minor)::bigint as debit_minor, sum(credit_minor)::bigint as credit_minor
    from (select ${dayOf(of)} as day, g.currency, g.debit as account, g.amount_minor as debit_minor, 0 as credit_minor
            from ledger g join customer c on c.customer_id = g.customer_id where ${within(of)}
           union all
          select ${dayOf(of)}, g.currency, g.credit, 0, g.amount_minor
            from ledger g join customer c on c.customer_id = g.customer_id where ${within(of)}) as sides
   group by day, currency, account order by day, currency, account`);

/** What an invoice or credit note comes to for one cost centre; null: for none. */
export interface CostCentreRow {
  readonly id: string;
  readonly issued_on: string;
  readonly number: string;
  readonly kind: 'invoice' | 'creditNote';
  readonly currency: string;
  readonly customer: string;
  readonly customer_ref: string | null;
  readonly cost_centre: string | null;
  readonly amount_minor: bigint;
  readonly tax_minor: bigint;
}

/**
 * Invoices that are not void in the order in which they were issued, a page of them, each with its cost centres. What the lines of
 * one do not come to stands with those that have none, so that each invoice is whole.
 */
export const listCostCentres = (
  db: Db,
  { resellerId, customerId, from, to }: JournalOf,
  {
    after,
    limit,
  }: { readonly after: Pick<CostCentreRow, 'id' | 'issued_on'> | undefined; readonly limit: number },
) =>
  db.many<CostCentreRow>(sql`
  with page as (
    select i.customer_id, i.id, i.issued_on, i.number, i.kind, i.currency, i.subtotal_minor, i.tax_minor
      from invoice i
     where i.reseller_id = ${resellerId} and i.issued_on between ${from} and ${to} and i.status <> ${InvoiceStatus.VOID}
       and ${customerId === undefined ? sql`true` : sql`i.customer_id = ${customerId}`}
       and ${after === undefined ? sql`true` : sql`(i.issued_on, i.id) > (${after.issued_on}::date, ${after.id}::uuid)`}
     order by i.issued_on, i.id limit ${limit}),
  part as (
    select p.customer_id, p.id, ${costCentreOfLine} as cost_centre, l.amount_minor, l.tax_minor
      from page p
      join invoice_line l on l.customer_id = p.customer_id and l.invoice_id = p.id
      left join service_item s on s.customer_id = l.customer_id and s.id = l.service_item_id
     union all
    select p.customer_id, p.id, null, p.subtotal_minor - coalesce(sum(l.amount_minor), 0)::bigint,
           p.tax_minor - coalesce(sum(l.tax_minor), 0)::bigint
      from page p
      left join invoice_line l on l.customer_id = p.customer_id and l.invoice_id = p.id
     group by p.customer_id, p.id, p.subtotal_minor, p.tax_minor)
  select p.id, p.issued_on::text, p.number, p.kind, p.currency, c.label as customer, c.external_ref as customer_ref,
         t.cost_centre, sum(t.amount_minor)::bigint as amount_minor, sum(t.tax_minor)::bigint as tax_minor
    from page p
    join part t on t.customer_id = p.customer_id and t.id = p.id
    join customer c on c.customer_id = p.customer_id
   group by p.id, p.issued_on, p.number, p.kind, p.currency, c.label, c.external_ref, t.cost_centre
   order by p.issued_on, p.id, t.cost_centre nulls last`);

/** What is set of a reseller, as it is stored; undefined where there is none. */
export const findResellerSettings = async (db: Db, resellerId: number): Promise<unknown> =>
  (await db.maybeOne<{ settings: unknown }>(sql`select settings from reseller where id = ${resellerId}`))
    ?.settings;
