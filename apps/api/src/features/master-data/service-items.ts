import type { ServiceItemValues } from '@counterfoil/contract/operator/billing/admin-service-items.ts';
import { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { customersNamed } from '../admin/queries.ts';
import {
  type Adoptable,
  type Asked,
  type Change,
  customerJoin,
  type Entity,
  keyOfThing,
  ownedColumns,
  type StoredRow,
  thingsOf,
} from './entity.ts';
import { refuseUsedBy } from './in-use.ts';
import { agreementsNamed, notKnown, servicesNamed } from './named.ts';
import { refusingDuplicates } from './put-entities.ts';

interface KeptItem {
  readonly service: string;
  readonly name: string;
  readonly description: string | null;
  readonly costCentre: string | null;
  readonly site: string | null;
  readonly agreement: string | null;
  /** In their order as text. */
  readonly numbers: readonly string[];
}

const USED_BY = [
  'usage_item_month',
  'invoice_line',
  'bundle_product',
  'cost_centre_change_item',
  'usage_archived_line',
];

/** Service items of customers: lines, numbers, devices. */
export const serviceItems: Entity<ServiceItemValues, KeptItem> = {
  kind: 'serviceItem',
  select: (where) => sql<StoredRow<KeptItem>>`
    select ${ownedColumns}, json_build_object(
             'service', s.code, 'name', t.name, 'description', t.description, 'costCentre', t.cost_centre,
             'site', t.site, 'agreement', coalesce(a.external_ref, a.id::text), 'numbers', '{}'::text[]) as kept
      from service_item t join service s on s.id = t.service_id
      left join agreement a on a.customer_id = t.customer_id and a.id = t.agreement_id
           ${customerJoin} ${where}`,
  // Numbers are found by themselves, and lie apart from what is spread by customers.
  async complete(db, rows) {
    const found = await db.many<{ customer_id: string; id: string; number: string }>(sql`
      select n.customer_id, n.service_item_id as id, n.number
        from ${thingsOf(rows)} join service_item_number n on n.customer_id = g.customer and n.service_item_id = g.id
       order by n.number collate "C"`);
    const numbers = Map.groupBy(found, keyOfThing);
    return rows.map((row) => {
      const own = (numbers.get(keyOfThing(row)) ?? []).map(({ number }) => number);
      return { ...row, kept: { ...row.kept, numbers: own } };
    });
  },
  async understand(tx, resellerId, asked) {
    const customers = await customersNamed(
      tx,
      resellerId,
      asked.map(({ values }) => values.customer),
    );
    const services = await servicesNamed(
      tx,
      resellerId,
      asked.map(({ values }) => values.service),
    );
    const agreements = await agreementsNamed(
      tx,
      asked.flatMap(({ values }) => {
        const customerId = customers.get(values.customer);
        return customerId === undefined || values.agreement === null
          ? []
          : [{ customerId, name: values.agreement }];
      }),
    );
    const taken = await numbersTaken(tx, resellerId, asked);
    return asked.map(({ values, before }) => {
      const customerId = customers.get(values.customer);
      if (customerId === undefined) return notKnown('customer');
      if (!services.has(values.service)) return notKnown('service');
      const agreement =
        values.agreement === null ? null : agreements.get({ customerId, name: values.agreement });
      if (agreement === undefined) return notKnown('agreement');
      const { description = before?.kept.description ?? null, costCentre = before?.kept.costCentre ?? null } =
        values;
      const numbers = [...new Set(values.numbers ?? [values.name])].sort(byBytes);
      if (numbers.some((number) => taken.has(number))) return new AppError('serviceItem.numberTaken');
      const { service, name, site } = values;
      return {
        customerId,
        kept: {
          service,
          name,
          description,
          costCentre,
          site,
          agreement: agreement?.reference ?? null,
          numbers,
        },
        agreementId: agreement?.id ?? null,
      };
    });
  },
  // Imports make items of the lines that they find in usage.
  async adopt(tx, wanted) {
    return tx.many<Adoptable>(sql`
      select g.at::int, t.customer_id, t.id
        from unnest(${wanted.map(({ customerId }) => customerId)}::uuid[],
                    ${wanted.map(({ kept }) => kept.service)}::text[], ${wanted.map(({ kept }) => kept.name)}::text[])
               with ordinality as g(customer, service, name, at)
        join service_item t on t.customer_id = g.customer and t.name = g.name
        join service s on s.id = t.service_id and s.code = g.service`);
  },
  async write(tx, resellerId, changes, now) {
    await refusingDuplicates(
      tx.execute(sql`
        insert into service_item (customer_id, id, external_ref, service_id, name, description, cost_centre, site,
                                  agreement_id, created_at)
        select g.customer, g.id, g.reference, s.id, g.name, g.description, g.centre, g.site,
               g.agreement, ${now}
          from unnest(${changes.map(({ customerId }) => customerId)}::uuid[], ${changes.map(({ id }) => id)}::uuid[],
                      ${changes.map(({ reference }) => reference)}::text[],
                      ${changes.map(({ kept }) => kept.service)}::text[],
                      ${changes.map(({ kept }) => kept.name)}::text[],
                      ${changes.map(({ kept }) => kept.description)}::text[],
                      ${changes.map(({ kept }) => kept.costCentre)}::text[],
                      ${changes.map(({ kept }) => kept.site)}::text[],
                      ${changes.map(({ agreementId }) => agreementId ?? null)}::uuid[])
                 as g(customer, id, reference, service, name, description, centre, site, agreement)
          join service s on s.reseller_id = ${resellerId} and s.code = g.service
        on conflict (customer_id, id) do update
           set external_ref = excluded.external_ref, service_id = excluded.service_id, name = excluded.name,
               description = excluded.description, cost_centre = excluded.cost_centre, site = excluded.site,
               agreement_id = excluded.agreement_id`),
    );
    await writeNumbers(tx, resellerId, changes);
    await touchItems(tx, changes);
  },
  async remove(tx, _resellerId, rows) {
    await refuseUsedBy(tx, rows, USED_BY, 'service_item_id');
    await tx.execute(sql`
      delete from service_item_number n using ${thingsOf(rows)}
       where n.customer_id = g.customer and n.service_item_id = g.id`);
    await tx.execute(sql`
      delete from service_item t using ${thingsOf(rows)} where t.customer_id = g.customer and t.id = g.id`);
    await touchItems(
      tx,
      rows.map((row) => ({ customerId: row.customer_id })),
    );
  },
};

/**
 * Numbers of items that other references name and that are not sent along. Without it the database would still refuse them, but
 * with all that is written together.
 */
async function numbersTaken(
  tx: Tx,
  resellerId: number,
  asked: readonly Asked<ServiceItemValues, KeptItem>[],
): Promise<ReadonlySet<string>> {
  const numbers = [...new Set(asked.flatMap(({ values }) => values.numbers ?? [values.name]))];
  const own = asked.flatMap(({ before }) => (before === undefined ? [] : [before.id]));
  const rows = await tx.many<{ number: string }>(sql`
    select n.number from service_item_number n
      join provider_reference p on p.customer_id = n.customer_id and p.id = n.service_item_id
     where n.reseller_id = ${resellerId} and n.number = any(${numbers}::text[])
       and n.service_item_id <> all(${own}::uuid[])`);
  return new Set(rows.map(({ number }) => number));
}

const byBytes = (one: string, other: string): number => (one < other ? -1 : 1);

/** @throws {AppError} serviceItem.numberTaken */
async function writeNumbers(tx: Tx, resellerId: number, changes: readonly Change<KeptItem>[]): Promise<void> {
  const pairs = changes.flatMap(({ customerId, id, kept }) =>
    kept.numbers.map((number) => ({ customerId, id, number })),
  );
  const before = await tx.many<{ number: string; id: string }>(sql`
    select n.number, n.service_item_id as id
      from unnest(${changes.map(({ customerId }) => customerId)}::uuid[], ${changes.map(({ id }) => id)}::uuid[])
             as i(customer, id)
      join service_item_number n on n.customer_id = i.customer and n.service_item_id = i.id`);
  const kept = new Set(pairs.map(({ id, number }) => `${id} ${number}`));
  const gone = before.filter(({ id, number }) => !kept.has(`${id} ${number}`)).map(({ number }) => number);
  if (gone.length > 0)
    await tx.execute(sql`
      -- Another change may have given a number to another item meanwhile.
      delete from service_item_number
       where reseller_id = ${resellerId} and number = any(${gone}::text[])
         and service_item_id = any(${changes.map(({ id }) => id)}::uuid[])`);
  await tx.execute(sql`
    insert into service_item_number (reseller_id, number, customer_id, service_item_id)
    select ${resellerId}, g.number, g.customer, g.id
      from unnest(${pairs.map(({ customerId }) => customerId)}::uuid[], ${pairs.map(({ id }) => id)}::uuid[],
                  ${pairs.map(({ number }) => number)}::text[]) as g(customer, id, number)
     order by g.number
    on conflict do nothing`);
  // Looked up by number and compared here: a plan for the first conflict alone would read all of them for each.
  const known = await tx.many<{ number: string; id: string }>(sql`
    select number, service_item_id as id from service_item_number
     where reseller_id = ${resellerId} and number = any(${[...new Set(pairs.map(({ number }) => number))]}::text[])`);
  const owner = new Map(known.map(({ number, id }) => [number, id]));
  if (pairs.some(({ number, id }) => owner.get(number) !== id)) throw new AppError('serviceItem.numberTaken');
}

/** What is remembered of the customers' lines is out of date. */
async function touchItems(tx: Tx, of: readonly { readonly customerId: string }[]): Promise<void> {
  await tx.execute(sql`
    insert into service_item_version (customer_id, version)
    select distinct g.customer, 1 from unnest(${of.map(({ customerId }) => customerId)}::uuid[]) as g(customer)
     order by 1
    on conflict (customer_id) do update set version = service_item_version.version + 1`);
}
