import type { RecordTypeValues, ServiceValues } from '@counterfoil/contract/operator/billing/services.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { AppError } from '../../app-error.ts';
import { recordAudit } from '../../audit/record.ts';
import type { BulkOf } from '../../bulk/bulk.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { type Preconditions, requireState } from '../../http/requests/preconditions.ts';
import { etagOf } from './entity.ts';
import { changesBetween, isEqual } from './put-entities.ts';

/** What a reseller sells, and the types of its records: small, and shared by all its customers. */

/** A service or a record type as it is stored. */
export interface SharedRow<Kept> {
  readonly id: string;
  readonly reference: string;
  readonly kept: Kept;
}

const selectServices = (resellerId: number, which: Sql) => sql<SharedRow<ServiceValues>>`
  select t.id, t.code as reference, json_build_object(
           'name', t.name, 'serviceItemLabel', t.service_item_label, 'serviceItem2Label', t.service_item2_label,
           'serviceItem3Label', t.service_item3_label, 'unitsLabel', t.units_label,
           'recordTypeLabel', t.record_type_label) as kept
    from service t where t.reseller_id = ${resellerId} and ${which}`;

const selectTypes = (resellerId: number, service: string, which: Sql) => sql<SharedRow<RecordTypeValues>>`
  select t.id, t.code as reference, json_build_object('description', t.description, 'unit', t.unit) as kept
    from record_type t
   where t.reseller_id = ${resellerId} and ${which}
     and t.service_id = (select s.id from service s where s.reseller_id = ${resellerId} and s.code = ${service})`;

/** In the order of their codes. @param page where it begins, and how many it has */
export const listServices = (
  db: Db,
  resellerId: number,
  page: { readonly after: string; readonly limit: number },
) =>
  db.many(sql<SharedRow<ServiceValues>>`
    ${selectServices(resellerId, sql`t.code > ${page.after}`)} order by t.code limit ${page.limit}`);

export const findService = (db: Db, resellerId: number, code: string) =>
  db.maybeOne(selectServices(resellerId, sql`t.code = ${code}`));

export const listRecordTypes = (
  db: Db,
  resellerId: number,
  service: string,
  page: { readonly after: string; readonly limit: number },
) =>
  db.many(sql<SharedRow<RecordTypeValues>>`
    ${selectTypes(resellerId, service, sql`t.code > ${page.after}`)} order by t.code limit ${page.limit}`);

export const findRecordType = (db: Db, resellerId: number, service: string, code: string) =>
  db.maybeOne(selectTypes(resellerId, service, sql`t.code = ${code}`));

export interface SharedPut<Kept> {
  readonly row: SharedRow<Kept>;
  readonly isNew: boolean;
}

/**
 * Makes a service be as it is given, by its code. The same again changes nothing.
 * @throws {AppError} precondition.failed, precondition.required
 */
export const putService = (
  tx: Tx,
  of: BulkOf,
  code: string,
  values: ServiceValues,
  conditions: Preconditions,
  now: Date,
): Promise<SharedPut<ServiceValues>> =>
  putShared(
    tx,
    of,
    {
      kind: 'service',
      detail: { service: code },
      find: () => findService(tx, of.resellerId, code),
      kept: values,
      write: (id) => sql`
        insert into service (id, reseller_id, code, name, service_item_label, service_item2_label, service_item3_label,
                             units_label, record_type_label)
        values (${id}, ${of.resellerId}, ${code}, ${values.name}, ${values.serviceItemLabel},
                ${values.serviceItem2Label}, ${values.serviceItem3Label}, ${values.unitsLabel}, ${values.recordTypeLabel})
        on conflict (reseller_id, code) do update
           set name = excluded.name, service_item_label = excluded.service_item_label,
               service_item2_label = excluded.service_item2_label, service_item3_label = excluded.service_item3_label,
               units_label = excluded.units_label, record_type_label = excluded.record_type_label`,
    },
    conditions,
    now,
  );

/**
 * Makes a record type be as it is given, by its code within a service.
 * @throws {AppError} reference.notFound where there is no such service; precondition.failed, precondition.required
 */
export async function putRecordType(
  tx: Tx,
  of: BulkOf,
  at: { readonly service: string; readonly code: string },
  values: RecordTypeValues,
  conditions: Preconditions,
  now: Date,
): Promise<SharedPut<RecordTypeValues>> {
  const { resellerId } = of;
  const service = await findService(tx, resellerId, at.service);
  if (service === undefined) throw new AppError('reference.notFound');
  return putShared(
    tx,
    of,
    {
      kind: 'recordType',
      detail: { service: at.service, recordType: at.code },
      find: () => findRecordType(tx, resellerId, at.service, at.code),
      kept: values,
      write: (id) => sql`
        insert into record_type (id, reseller_id, service_id, code, description, unit)
        values (${id}, ${resellerId}, ${service.id}, ${at.code}, ${values.description}, ${values.unit})
        on conflict (reseller_id, service_id, code) do update
           set description = excluded.description, unit = excluded.unit`,
    },
    conditions,
    now,
  );
}

/** What tells a put of one kind from that of another. */
interface SharedKind<Kept> {
  readonly kind: 'service' | 'recordType';
  readonly detail: Readonly<Record<string, string>>;
  readonly find: () => Promise<SharedRow<Kept> | undefined>;
  readonly kept: Kept & object;
  readonly write: (id: string) => Sql;
}

async function putShared<Kept>(
  tx: Tx,
  { resellerId, by }: BulkOf,
  { kind, detail, find, kept, write }: SharedKind<Kept>,
  conditions: Preconditions,
  now: Date,
): Promise<SharedPut<Kept>> {
  // One at a time for a reseller; imports that make the same find it by its unique key.
  await tx.maybeOne(
    sql`select pg_advisory_xact_lock(hashtext(${`counterfoil ${kind} write`}), ${resellerId}::int)`,
  );
  const before = await find();
  const differs = before !== undefined && !isEqual(before.kept, kept);
  requireState(conditions, before && etagOf(before.kept), differs);
  if (before !== undefined && !differs) return { row: before, isNew: false };
  await tx.execute(write(newId(now.getTime())));
  await recordAudit(tx, {
    action: `${kind}.${before === undefined ? 'added' : 'changed'}`,
    at: now,
    resellerId,
    ...by,
    detail: { ...detail, ...changesBetween(before?.kept ?? undefined, kept) },
  });
  const row = await find();
  if (row === undefined) throw new Error(`the ${kind} is gone`);
  return { row, isNew: before === undefined };
}
