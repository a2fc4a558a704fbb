import type { BundleValues } from '@counterfoil/contract/operator/billing/bundles.ts';
import { parseRate } from '@counterfoil/domain/money/rate.ts';
import type { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { customersNamed } from '../admin/queries.ts';
import {
  type Adoptable,
  type Change,
  customerJoin,
  type Entity,
  keyOfThing,
  ownedColumns,
  type StoredRow,
  thingsOf,
  type Wanted,
} from './entity.ts';
import {
  type NamedItem,
  type NamedOfCustomers,
  type NameOfCustomer,
  notKnown,
  serviceItemsNamed,
} from './named.ts';
import { refusingDuplicates } from './put-entities.ts';

interface KeptBundle {
  readonly name: string;
  readonly position: number;
  /** `YYYY-MM` */
  readonly usedMonth: string | null;
  readonly products: readonly KeptProduct[];
}

interface KeptProduct {
  readonly name: string;
  /** The provider's own reference, else our id. */
  readonly serviceItem: string | null;
  /** By service and code. */
  readonly recordTypes: readonly { readonly service: string; readonly recordType: string }[];
  readonly quantity: string;
  readonly unitLabel: string;
  readonly recordUnits: string;
  readonly used: string | null;
}

/** Bundles of customers with what was used of them. */
export const bundles: Entity<BundleValues, KeptBundle> = {
  kind: 'bundle',
  select: (where) => sql<StoredRow<KeptBundle>>`
    select ${ownedColumns}, json_build_object(
             'name', t.name, 'position', t.position, 'usedMonth', to_char(t.used_month, 'YYYY-MM'),
             'products', '{}'::json[]) as kept
      from bundle t ${customerJoin} ${where}`,
  // By themselves: Citus locks no rows of a statement that looks into other tables for each.
  async complete(db, rows) {
    const found = await db.many<{ customer_id: string; id: string; product: KeptProduct }>(sql`
      select b.customer_id, b.bundle_id as id, json_build_object(
               'name', b.product_name, 'serviceItem', coalesce(i.external_ref, i.id::text),
               'recordTypes', array(
                 select json_build_object('service', s.code, 'recordType', r.code)
                   from record_type r join service s on s.id = r.service_id
                  where r.id = any(b.record_type_ids) order by s.code collate "C", r.code collate "C"),
               'quantity', trim_scale(b.quantity)::text, 'unitLabel', b.unit_label,
               'recordUnits', trim_scale(b.record_units)::text, 'used', trim_scale(b.used)::text) as product
        from ${thingsOf(rows)} join bundle_product b on b.customer_id = g.customer and b.bundle_id = g.id
        left join service_item i on i.customer_id = b.customer_id and i.id = b.service_item_id
       order by b.line_no`);
    const products = Map.groupBy(found, keyOfThing);
    return rows.map((row) => {
      const own = (products.get(keyOfThing(row)) ?? []).map(({ product }) => product);
      return { ...row, kept: { ...row.kept, products: own } };
    });
  },
  async understand(tx, resellerId, asked) {
    const customers = await customersNamed(
      tx,
      resellerId,
      asked.map(({ values }) => values.customer),
    );
    const items = await serviceItemsNamed(
      tx,
      resellerId,
      asked.flatMap(({ values }) => itemNames(values, customers.get(values.customer))),
    );
    const types = await typesNamed(
      tx,
      resellerId,
      asked.flatMap(({ values }) => values.products.flatMap(({ recordTypes }) => recordTypes)),
    );
    return asked.map(({ values }) => {
      const customerId = customers.get(values.customer);
      return customerId === undefined ? notKnown('customer') : understood(values, customerId, items, types);
    });
  },
  // Of two with one name the portal would show a mixture.
  async adopt(tx, wanted) {
    return tx.many<Adoptable>(sql`
      select g.at::int, t.customer_id, t.id
        from unnest(${wanted.map(({ customerId }) => customerId)}::uuid[],
                    ${wanted.map(({ kept }) => kept.name)}::text[]) with ordinality as g(customer, name, at)
        join bundle t on t.customer_id = g.customer and t.name = g.name`);
  },
  async write(tx, resellerId, changes) {
    await refusingDuplicates(
      tx.execute(sql`
        insert into bundle (customer_id, id, name, position, used_month)
        select g.customer, g.id, g.name, g.position, (g.month || '-01')::date
          from unnest(${changes.map(({ customerId }) => customerId)}::uuid[], ${changes.map(({ id }) => id)}::uuid[],
                      ${changes.map(({ kept }) => kept.name)}::text[], ${changes.map(({ kept }) => kept.position)}::int[],
                      ${changes.map(({ kept }) => kept.usedMonth)}::text[]) as g(customer, id, name, position, month)
        on conflict (customer_id, id) do update
           set name = excluded.name, position = excluded.position, used_month = excluded.used_month`),
    );
    await writeProducts(tx, resellerId, changes);
  },
  async remove(tx, _resellerId, rows) {
    await tx.execute(sql`
      delete from bundle t using ${thingsOf(rows)} where t.customer_id = g.customer and t.id = g.id`);
  },
};

const itemNames = ({ products }: BundleValues, customerId: string | undefined): NameOfCustomer[] =>
  products.flatMap(({ serviceItem: name }) =>
    customerId === undefined || name === null ? [] : [{ customerId, name }],
  );

const typeKey = ({ service, recordType }: KeptProduct['recordTypes'][number]): string =>
  `${service}\0${recordType}`;

/** The record types of a reseller that are named, each as one text. */
async function typesNamed(
  tx: Tx,
  resellerId: number,
  types: KeptProduct['recordTypes'],
): Promise<ReadonlySet<string>> {
  if (types.length === 0) return new Set();
  const rows = await tx.many<KeptProduct['recordTypes'][number]>(sql`
    select s.code as service, r.code as "recordType"
      from service s join record_type r on r.service_id = s.id
     where s.reseller_id = ${resellerId} and s.code = any(${[...new Set(types.map(({ service }) => service))]}::text[])`);
  return new Set(rows.map(typeKey));
}

/** What a caller sends, in the form in which it is told again. */
function understood(
  { name, position, usedMonth, products }: BundleValues,
  customerId: string,
  items: NamedOfCustomers<NamedItem>,
  types: ReadonlySet<string>,
): Wanted<KeptBundle> | AppError {
  const kept: KeptProduct[] = [];
  const itemIds: (string | null)[] = [];
  for (const [at, product] of products.entries()) {
    const serviceItem =
      product.serviceItem === null ? null : items.get({ customerId, name: product.serviceItem });
    if (serviceItem === undefined) return notKnown(`products.${at}.serviceItem`);
    const unknown = product.recordTypes.findIndex((type) => !types.has(typeKey(type)));
    if (unknown >= 0) return notKnown(`products.${at}.recordTypes.${unknown}`);
    const recordTypes = [...new Map(product.recordTypes.map((type) => [typeKey(type), type])).values()].sort(
      (one, other) => (typeKey(one) < typeKey(other) ? -1 : 1),
    );
    itemIds.push(serviceItem?.id ?? null);
    kept.push({
      name: product.name,
      serviceItem: serviceItem?.reference ?? null,
      recordTypes: recordTypes.map(({ service, recordType }) => ({ service, recordType })),
      quantity: parseRate(product.quantity),
      unitLabel: product.unitLabel,
      recordUnits: parseRate(product.recordUnits),
      used: product.used === null ? null : parseRate(product.used),
    });
  }
  return { customerId, kept: { name, position, usedMonth, products: kept }, itemIds };
}

/** Writes the products of bundles in the place of those they had. */
async function writeProducts(
  tx: Tx,
  resellerId: number,
  changes: readonly Change<KeptBundle>[],
): Promise<void> {
  const rows = changes.flatMap(({ customerId, id, kept, itemIds }) =>
    kept.products.map((product, at) => ({
      customer: customerId,
      bundle: id,
      line: at + 1,
      item: itemIds?.[at] ?? null,
      ...product,
    })),
  );
  await tx.execute(sql`
    delete from bundle_product b
     using unnest(${changes.map(({ customerId }) => customerId)}::uuid[], ${changes.map(({ id }) => id)}::uuid[])
             as g(customer, id)
     where b.customer_id = g.customer and b.bundle_id = g.id`);
  await tx.execute(sql`
    insert into bundle_product (customer_id, bundle_id, line_no, product_name, service_item_id, record_type_ids,
                                quantity, unit_label, record_units, used)
    select p.customer, p.bundle, p.line, p.name, p.item,
           array(select r.id
                   from json_to_recordset(p."recordTypes") as w(service text, "recordType" text)
                   join service s on s.reseller_id = ${resellerId} and s.code = w.service
                   join record_type r on r.service_id = s.id and r.code = w."recordType"),
           p.quantity, p."unitLabel", p."recordUnits", p.used
      from json_to_recordset(${JSON.stringify(rows)}::json)
             as p(customer uuid, bundle uuid, line int, name text, item uuid, "recordTypes" json,
                  quantity numeric, "unitLabel" text, "recordUnits" numeric, used numeric)`);
}
