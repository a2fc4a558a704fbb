import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

interface CustomerRow {
  customer_id: string;
  time_zone: string;
  currency: string;
  /** The first agreement stands first. */
  agreements: readonly { id: string; name: string; ref: string | null }[];
}

/** What a record takes from its customer: the brand's zone and currency, the agreements. */
export const findCustomers = (db: Db, ids: readonly string[], resellerId: number) =>
  db.many<CustomerRow>(sql`
    select c.customer_id, b.time_zone, b.currency,
           coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name, 'ref', a.external_ref)
                                      order by a.started_on nulls last, a.id)
                       from agreement a where a.customer_id = c.customer_id), '[]') as agreements
      from customer c
      join brand b on b.id = coalesce(c.brand_id,
             (select id from brand where reseller_id = ${resellerId} order by id limit 1), 0)
     where c.customer_id = any(${[...ids]}::uuid[])`);

/** A usage record needs an agreement, so a customer without gets 'Telephony'. @returns its id */
export const ensureAgreement = (db: Database, customerId: string, now: Date): Promise<string> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into agreement (customer_id, id, name, external_ref)
      values (${customerId}, ${newId(now.getTime())}, 'Telephony', 'imported') on conflict do nothing`);
    const row = await tx.one<{ id: string }>(sql`
      select id from agreement where customer_id = ${customerId} order by started_on nulls last, id limit 1`);
    return row.id;
  });

/** A line that is wanted: by id, or by name within a service. `key` comes back with what was found. */
export interface WantedItem {
  readonly key: string;
  readonly customer: string;
  readonly item: string | null;
  readonly name: string;
  readonly service: string;
  /** Of a line that is made. */
  readonly agreement: string | null;
}

const wantedRows = (items: readonly WantedItem[]) => sql`
  jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as w(key text, customer uuid, item uuid, name text, service uuid,
       agreement uuid)`;

/** Makes the lines that are wanted by a name their customer has none of. */
export const makeItems = (db: Database, items: readonly WantedItem[], now: Date): Promise<number> => {
  const named = items.filter((one) => one.item === null);
  if (named.length === 0) return Promise.resolve(0);
  const ids = named.map(({ key }) => ({ key, id: newId(now.getTime()) }));
  return db.transaction((tx) =>
    tx.execute(sql`
      insert into service_item (customer_id, id, service_id, agreement_id, name, created_at)
      with known as materialized (
        select s.customer_id, s.name from ${wantedRows(named)}
          join service_item s on s.customer_id = w.customer and s.name = w.name)
      select w.customer, i.id, w.service, w.agreement, w.name, ${now}
        from ${wantedRows(named)}
        join jsonb_to_recordset(${JSON.stringify(ids)}::jsonb) as i(key text, id uuid) on i.key = w.key
       where not exists (select 1 from known k where k.customer_id = w.customer and k.name = w.name)
       order by w.customer, w.service, w.name
      on conflict do nothing`),
  );
};

/** The lines; by name that of the wanted service first. */
export const findItems = (db: Db, items: readonly WantedItem[]) =>
  db.many<{ key: string; id: string; agreement_id: string | null; cost_centre: string | null }>(sql`
    select distinct on (w.key) w.key, s.id, s.agreement_id, s.cost_centre
      from ${wantedRows(items)}
      join service_item s on s.customer_id = w.customer and (s.id = w.item or w.item is null and s.name = w.name)
     order by w.key, s.service_id = w.service desc, s.id`);

/** Gives lines without a cost centre one; what a person chose stays. */
export const setCostCentres = (
  db: Database,
  centres: readonly { readonly customer: string; readonly item: string; readonly centre: string }[],
): Promise<number> =>
  db.transaction(async (tx) => {
    const json = JSON.stringify(centres);
    const changed = await tx.execute(sql`
      update service_item s set cost_centre = c.centre
        from jsonb_to_recordset(${json}::jsonb) as c(customer uuid, item uuid, centre text)
       where s.customer_id = c.customer and s.id = c.item and s.cost_centre is null`);
    // What is remembered of the customers' lines is out of date.
    await tx.execute(sql`
      insert into service_item_version (customer_id, version)
      select distinct customer, 1 from jsonb_to_recordset(${json}::jsonb) as c(customer uuid) order by 1
      on conflict (customer_id) do update set version = service_item_version.version + 1`);
    return changed;
  });
