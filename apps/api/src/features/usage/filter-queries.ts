import type { Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';

/** Ids as a query gives them. */
interface Named {
  readonly agreement?: string | undefined;
  readonly service?: string | undefined;
  readonly recordType?: string | undefined;
  readonly serviceItem?: string | undefined;
}

export interface NamedRow {
  has_agreement: boolean;
  /** Null: no such service that the customer has items of. */
  service_types: string[] | null;
  has_record_type: boolean;
  has_service_item: boolean;
}

/** Which of the named things exist for this customer, as columns of a statement. */
export const namedColumns = (scope: CustomerScope, named: Named): Sql<NamedRow> => {
  // Services and types are the provider's; the customer has those of its items, as the lists to choose from say.
  const hasItems = (service: Sql) => sql`exists (
    select from service_item i where i.customer_id = ${scope.customerId} and i.service_id = ${service})`;
  return sql`
    exists (select from agreement
             where customer_id = ${scope.customerId} and id = ${named.agreement ?? null}::uuid) as has_agreement,
    (select array(select t.id::text from record_type t where t.service_id = s.id order by t.id)
       from service s
      where s.reseller_id = ${scope.resellerId} and s.id = ${named.service ?? null}::uuid
        and ${hasItems(sql`s.id`)}) as service_types,
    exists (select from record_type t
             where t.reseller_id = ${scope.resellerId} and t.id = ${named.recordType ?? null}::uuid
               and ${hasItems(sql`t.service_id`)}) as has_record_type,
    exists (select from service_item
             where customer_id = ${scope.customerId} and id = ${named.serviceItem ?? null}::uuid) as has_service_item`;
};

export const lookupByRemoteId = (db: Db, scope: CustomerScope, named: Named) =>
  db.one<NamedRow>(sql`select ${namedColumns(scope, named)}`);
