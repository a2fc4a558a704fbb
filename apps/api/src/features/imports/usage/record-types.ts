import type { QuantityUnit } from '@counterfoil/domain/money/quantity.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

export interface RecordTypeRow {
  service: string;
  code: string;
  description: string;
  /** Null: nobody has said what its units are. */
  unit: QuantityUnit | null;
}

/** Record types of a reseller, by service and code. */
export const listRecordTypes = (db: Db, resellerId: number) =>
  db.many<RecordTypeRow>(sql`
    select s.code as service, t.code, t.description, t.unit
      from record_type t join service s on s.id = t.service_id
     where t.reseller_id = ${resellerId} order by s.code, t.code`);

/**
 * Says what the units of a record type are, of all its records. No number is changed.
 * @returns the unit before; undefined where there is no such type
 */
export const setUnit = (
  db: Db,
  resellerId: number,
  type: { readonly service: string; readonly code: string },
  unit: QuantityUnit | null,
) =>
  db.maybeOne<{ before: QuantityUnit | null }>(sql`
    with known as (
      select t.id, t.unit from record_type t join service s on s.id = t.service_id
       where t.reseller_id = ${resellerId} and s.code = ${type.service} and t.code = ${type.code}
         for update of t)
    update record_type t set unit = ${unit} from known where t.id = known.id returning known.unit as before`);
