import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';

/** Units of some record types by month, newest first; months without usage are left out. */
export const sumUnitsByMonth = (
  db: Db,
  scope: CustomerScope,
  recordTypes: readonly string[],
  limit: number | undefined,
) =>
  db.many<{ month: string; units: string }>(sql`
    select date_trunc('month', d.day)::date as month, sum(d.units)::text as units
      from usage_type_day d join record_type t on t.id = d.record_type_id
     where d.customer_id = ${scope.customerId} and t.reseller_id = ${scope.resellerId}
       and t.code = any(${recordTypes})
     group by 1 order by 1 desc ${limit === undefined ? sql`` : sql`limit ${limit}`}`);

export interface BundleProductRow {
  name: string;
  product_name: string;
  service_item: string | null;
  quantity: string;
  unit_label: string;
  consumption: string;
}

/**
 * Bundles with what was used of them in a month (UTC, as all usage): daily sums where all items count, the records of
 * one item otherwise.
 * @param from first day of the month
 * @param to first day of the next
 */
export const listBundles = (db: Db, scope: CustomerScope, from: string, to: string) =>
  db.many<BundleProductRow>(sql`
    select b.name, p.product_name, s.name as service_item, p.quantity, p.unit_label,
           -- What the provider counted itself of this month, else what the records say.
           coalesce(case when b.used_month = ${from} then p.used end,
                    round(coalesce(u.units, 0) / p.record_units, 6))::text as consumption
      from bundle b
      join bundle_product p on p.customer_id = b.customer_id and p.bundle_id = b.id
      left join service_item s on s.customer_id = p.customer_id and s.id = p.service_item_id
     cross join lateral (
       select case when p.service_item_id is null
         then (select sum(d.units) from usage_type_day d
                where d.customer_id = ${scope.customerId} and d.record_type_id = any(p.record_type_ids)
                  and d.day >= ${from} and d.day < ${to})
         else (select sum(r.units) from usage_record r
                where r.customer_id = ${scope.customerId} and r.service_item_id = p.service_item_id
                  and r.record_type_id = any(p.record_type_ids)
                  and r.started_at >= ${from}::timestamp at time zone 'UTC'
                  and r.started_at < ${to}::timestamp at time zone 'UTC')
         end as units) u
     where b.customer_id = ${scope.customerId}
     order by b.position, b.name, p.line_no`);

export interface OpenChargeRow {
  currency: string;
  name: string;
  lines: number;
  subtotal_minor: bigint;
  tax_minor: bigint;
  date_from: string | null;
  date_to: string | null;
}

/** Charges that no invoice carries yet, by currency and service; those of no service by their product. */
export const sumOpenCharges = (db: Db, scope: CustomerScope) =>
  db.many<OpenChargeRow>(sql`
    select l.currency, coalesce(s.name, l.product_name) as name, count(*)::int as lines,
           sum(l.amount_minor)::bigint as subtotal_minor, sum(l.tax_minor)::bigint as tax_minor,
           min(l.date_from) as date_from, max(coalesce(l.date_to, l.date_from)) as date_to
      from invoice_line l left join service s on s.id = l.service_id
     where l.customer_id = ${scope.customerId} and l.invoice_id is null
     group by 1, 2 order by 1, sum(l.amount_minor) desc, 2`);

/** Usage since a day (UTC), by service: records and the price of those that have one. */
export const sumUsageSince = (db: Db, scope: CustomerScope, from: string) =>
  db.many<{ service: string; records: number; price: string }>(sql`
    select s.name as service, sum(d.n)::int as records, sum(d.price)::text as price
      from usage_type_day d
      join record_type t on t.id = d.record_type_id
      join service s on s.id = t.service_id
     where d.customer_id = ${scope.customerId} and d.day >= ${from}
     group by s.name having sum(d.n) > 0 order by sum(d.price) desc, s.name`);
