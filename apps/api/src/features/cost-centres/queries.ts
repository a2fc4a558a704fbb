import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';

export interface ChangeRow {
  id: string;
  at: Date;
  user_name: string;
  actor: string | null;
  items: number;
  cost_centre: string | null;
  is_undo: boolean;
  undone_at: Date | null;
}

/** The latest changes, newest first. */
export const listChanges = (db: Db, scope: CustomerScope, limit: number) =>
  db.many<ChangeRow>(sql`
    select c.id, c.at, c.user_name, c.actor, c.undo_of is not null as is_undo, c.undone_at, i.items, i.cost_centre
      from (select * from cost_centre_change where customer_id = ${scope.customerId}
             order by at desc, id desc limit ${limit}) c
     cross join lateral (
       select count(*)::int as items,
              case when count(distinct coalesce(cost_centre_after, '')) = 1 then min(cost_centre_after) end as cost_centre
         from cost_centre_change_item where customer_id = ${scope.customerId} and change_id = c.id) i
     order by c.at desc, c.id desc`);

/** Marks a change as undone. @returns false when there is no such change, or it was undone before */
export const markUndone = async (tx: Tx, scope: CustomerScope, id: string, now: Date): Promise<boolean> =>
  (await tx.execute(sql`
    update cost_centre_change set undone_at = ${now}
     where customer_id = ${scope.customerId} and id = ${id} and undone_at is null`)) === 1;

export const changeExists = async (tx: Tx, scope: CustomerScope, id: string): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select 1 from cost_centre_change where customer_id = ${scope.customerId} and id = ${id}`)) !== undefined;

export interface ChangedItemRow {
  service_item_id: string;
  description_before: string | null;
  description_after: string | null;
  cost_centre_before: string | null;
  cost_centre_after: string | null;
}

export const listChangedItems = (tx: Tx, scope: CustomerScope, changeId: string) =>
  tx.many<ChangedItemRow>(sql`
    select service_item_id, description_before, description_after, cost_centre_before, cost_centre_after
      from cost_centre_change_item where customer_id = ${scope.customerId} and change_id = ${changeId}`);

export interface CostRow {
  currency: string;
  cost_centre: string | null;
  service_items: number;
  amount_minor: bigint;
  tax_minor: bigint;
}

const VOID = 13;

/**
 * Of a line `l` and its service item `s`: the cost centre that the item has now; a line without an item keeps the one it was
 * invoiced with.
 */
export const costCentreOfLine = sql<string | null>`
  case when l.service_item_id is null then nullif(l.cost_centre, '') else s.cost_centre end`;

/**
 * What the lines of the invoices issued in a span cost, by the cost centre their service item has now; lines without
 * a service item keep the one they were invoiced with. Credit notes take off what they credit.
 */
export const sumByCostCentre = (db: Db, scope: CustomerScope, from: string, to: string) =>
  db.many<CostRow>(sql`
    select i.currency, ${costCentreOfLine} as cost_centre,
           count(distinct l.service_item_id)::int as service_items,
           sum(l.amount_minor)::bigint as amount_minor, sum(l.tax_minor)::bigint as tax_minor
      from invoice i
      join invoice_line l on l.customer_id = i.customer_id and l.invoice_id = i.id
      left join service_item s on s.customer_id = l.customer_id and s.id = l.service_item_id
     where i.customer_id = ${scope.customerId} and i.issued_on between ${from} and ${to} and i.status <> ${VOID}
     group by 1, 2
     order by 1, 2 nulls last`);

export interface InvoiceSumRow {
  currency: string;
  invoices: number;
  amount_minor: bigint;
  tax_minor: bigint;
  total_minor: bigint;
}

/** What those invoices say themselves. */
export const sumInvoices = (db: Db, scope: CustomerScope, from: string, to: string) =>
  db.many<InvoiceSumRow>(sql`
    select currency, count(*)::int as invoices, sum(subtotal_minor)::bigint as amount_minor,
           sum(tax_minor)::bigint as tax_minor, sum(total_minor)::bigint as total_minor
      from invoice
     where customer_id = ${scope.customerId} and issued_on between ${from} and ${to} and status <> ${VOID}
     group by currency order by currency`);
