import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/scope.ts';

export interface UsageRow {
  started_at: Date;
  service_item: string;
  description: string | null;
  service_item2: string;
  service_item3: string;
  site: string | null;
  units: string;
  price: string;
  has_price: boolean;
  record_type: string;
  cost_centre: string | null;
}

/** The records one invoice line billed, in the order they were measured. */
export const listLineUsage = (db: Db, scope: CustomerScope, lineId: string, limit: number, offset: number) =>
  db.many<UsageRow>(sql`
    select u.started_at, si.name as service_item, si.description, u.service_item2, u.service_item3, si.site, u.units,
           u.price, u.has_price, r.description as record_type, si.cost_centre
      from (select customer_id, started_at, id from usage_billed
             where customer_id = ${scope.customerId} and invoice_line_id = ${lineId}
             order by started_at, id limit ${limit} offset ${offset}) b
      join usage_record u on u.customer_id = b.customer_id and u.started_at = b.started_at and u.id = b.id
      join service_item si on si.customer_id = u.customer_id and si.id = u.service_item_id
      join record_type r on r.id = u.record_type_id
     order by u.started_at, u.id`);

/** How many records a line of this customer billed; undefined when there is no such line. */
export const countLineUsage = (db: Db, scope: CustomerScope, lineId: string) =>
  db.maybeOne<{ n: number }>(sql`
    select (select count(*)::int from usage_billed b
             where b.customer_id = l.customer_id and b.invoice_line_id = l.id) as n
      from invoice_line l where l.customer_id = ${scope.customerId} and l.id = ${lineId}`);
