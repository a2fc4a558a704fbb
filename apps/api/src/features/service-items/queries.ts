import type { ServiceItemOrder } from '@counterfoil/contract/list-orders.ts';
import type { Db, Tx } from '../../db/database.ts';
import { asOrdered, holds, type PagedList, rowById, type SortKey } from '../../db/page.ts';
import { sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';

export interface ServiceRow {
  id: string;
  name: string;
  service_item_label: string | null;
  service_item2_label: string | null;
  service_item3_label: string | null;
  units_label: string | null;
  record_type_label: string | null;
}

/** The services the customer has items of, by name. */
export const listServices = (db: Db, scope: CustomerScope) =>
  db.many<ServiceRow>(sql`
    select s.id, s.name, s.service_item_label, s.service_item2_label, s.service_item3_label, s.units_label,
           s.record_type_label
      from service s
     where s.reseller_id = ${scope.resellerId}
       and exists (select from service_item i where i.customer_id = ${scope.customerId} and i.service_id = s.id)
     order by s.name, s.id`);

export interface ServiceItemRow {
  id: string;
  service_id: string;
  name: string;
  description: string | null;
  cost_centre: string | null;
}

const columns = sql`id, service_id, name, description, cost_centre`;

/** Service items of one service or of all, by name. */
export const allServiceItems = (scope: CustomerScope, serviceId: string | undefined) => sql<ServiceItemRow>`
    select ${columns} from service_item
     where customer_id = ${scope.customerId} ${serviceId === undefined ? sql`` : sql`and service_id = ${serviceId}`}
     order by name, id`;

const texts = {
  serviceItem: sql`i.name`,
  service: sql`s.name`,
  description: sql`i.description`,
  costCentre: sql`i.cost_centre`,
} as const;

export interface ItemListing {
  readonly service?: string | undefined;
  readonly order?: ServiceItemOrder | undefined;
  readonly isDescending: boolean;
  readonly search?: string | undefined;
  /** Parts of these texts. */
  readonly parts: Readonly<Record<'serviceItem' | 'description' | 'costCentre', string | undefined>>;
  /** Words of the item and its description. */
  readonly label?: string | undefined;
  /** Only these. */
  readonly ids?: readonly string[] | undefined;
}

const byName: [SortKey, SortKey] = [{ by: sql`i.name` }, { by: sql`i.id` }];
const searched = ['serviceItem', 'description', 'costCentre'] as const;

/** Service items as the list is asked for; alike ones stand by name. */
export function itemList(scope: CustomerScope, of: ItemListing): PagedList {
  const { service, order, isDescending, search, parts, label, ids } = of;
  const conditions = [
    ...(service === undefined ? [] : [sql`i.service_id = ${service}`]),
    ...searched.flatMap((name) => (parts[name] === undefined ? [] : [holds(texts[name], parts[name])])),
    ...(label?.split(/\s+/).map((word) => holds(sql`concat_ws(' · ', i.name, i.description)`, word)) ?? []),
    ...(ids === undefined ? [] : [sql`i.id = any(${[...ids]}::uuid[])`]),
    ...(search === undefined
      ? []
      : [
          sql`(${sql.join(
            searched.map((name) => sql`coalesce(${holds(texts[name], search)}, false)`),
            sql` or `,
          )})`,
        ]),
  ];
  const joined = order === 'service' ? sql`join service s on s.id = i.service_id` : sql``;
  const all = sql`from service_item i ${joined} where i.customer_id = ${scope.customerId}`;
  return {
    parts: [conditions.length === 0 ? all : sql`${all} and ${sql.join(conditions, sql` and `)}`],
    isNarrow: [search, label, ids, ...searched.map((name) => parts[name])].some(
      (asked) => asked !== undefined,
    ),
    id: sql`i.id`,
    order: order === undefined ? byName : [{ by: asOrdered(texts[order]), isDescending }, ...byName],
    columns: sql`i.id, i.service_id, i.name, i.description, i.cost_centre`,
    join: sql`from page p cross join ${rowById('service_item', scope.customerId, sql`p.id`)} i`,
  };
}

/** The cost centres in use, each once, in order; the first ones of very many. */
export const listCostCentres = (db: Db, { customerId }: CustomerScope, most: number) =>
  db.many<{ cost_centre: string }>(sql`
    select c.cost_centre
      from (select distinct cost_centre from service_item where customer_id = ${customerId} and cost_centre is not null) c
     order by ${asOrdered(sql`c.cost_centre`)} limit ${most}`);

/** The items with these ids, locked in the order of their ids, as everybody takes them. */
export const lockServiceItems = (tx: Tx, scope: CustomerScope, ids: readonly string[]) =>
  tx.many<ServiceItemRow>(sql`
    select ${columns} from service_item
     where customer_id = ${scope.customerId} and id = any(${ids}::uuid[]) order by id for no key update`);

/** Who changed service items, in words that outlive them. */
export interface ChangeAuthor {
  readonly userId: string;
  readonly name: string;
  readonly actor: string | null;
}

export const insertChange = (
  tx: Tx,
  scope: CustomerScope,
  change: {
    readonly id: string;
    readonly at: Date;
    readonly by: ChangeAuthor;
    readonly undoOf: string | null;
  },
) =>
  tx.execute(sql`
    insert into cost_centre_change (customer_id, id, at, user_id, user_name, actor, undo_of)
    values (${scope.customerId}, ${change.id}, ${change.at}, ${change.by.userId}, ${change.by.name},
            ${change.by.actor}, ${change.undoOf})`);

/** What one item was and is now. */
export interface ItemChange {
  readonly before: ServiceItemRow;
  readonly description: string | null;
  readonly costCentre: string | null;
}

/** Writes the new values and what they were before. */
export async function applyChanges(
  tx: Tx,
  scope: CustomerScope,
  changeId: string,
  changes: readonly ItemChange[],
): Promise<void> {
  const rows = changes.map(({ before, description, costCentre }) => ({
    id: before.id,
    description_before: before.description,
    description_after: description,
    cost_centre_before: before.cost_centre,
    cost_centre_after: costCentre,
  }));
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, description_before text,
    description_after text, cost_centre_before text, cost_centre_after text)`;
  await tx.execute(sql`
    update service_item i set description = r.description_after, cost_centre = r.cost_centre_after
      from ${given} where i.customer_id = ${scope.customerId} and i.id = r.id`);
  await tx.execute(sql`
    insert into service_item_version (customer_id, version) values (${scope.customerId}, 1)
    on conflict (customer_id) do update set version = service_item_version.version + 1`);
  await tx.execute(sql`
    insert into cost_centre_change_item (customer_id, change_id, service_item_id, description_before,
                                         description_after, cost_centre_before, cost_centre_after)
    select ${scope.customerId}, ${changeId}, r.id, r.description_before, r.description_after, r.cost_centre_before,
           r.cost_centre_after from ${given}`);
}
