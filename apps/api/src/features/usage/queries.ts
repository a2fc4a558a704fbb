import type { QuantityUnit } from '@counterfoil/domain/money/quantity.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { type UsageFilter, usageCondition } from './filter.ts';
import { type RecordRow, recordColumns } from './pages/part.ts';
import { type UsageSort, usageOrderBy } from './pages/sort.ts';

/** Names of records `u` that they can be sorted by. */
const sortJoins = sql`
  join service_item si on si.customer_id = u.customer_id and si.id = u.service_item_id
  join record_type r on r.id = u.record_type_id`;

/** Records that one invoice line billed, and what else they must be. */
const billedBy = (scope: CustomerScope, lineId: string, filter: UsageFilter) => sql`
  usage_billed k
  join usage_record u on u.customer_id = k.customer_id and u.started_at = k.started_at and u.id = k.id
 where k.customer_id = ${scope.customerId} and k.invoice_line_id = ${lineId} and ${usageCondition(scope, filter)}`;

export interface LineUsage {
  readonly lineId: string;
  readonly filter: UsageFilter;
}

/** A page of what an invoice line billed: in order of time by the index, else sorted as a whole. */
export const listLineUsage = (
  db: Db,
  scope: CustomerScope,
  { lineId, filter }: LineUsage,
  sort: UsageSort,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) =>
  db.many<RecordRow>(sql`
    select ${recordColumns} from (select u.* from ${billedBy(scope, lineId, filter)}) u
      ${sort.order === 'date' ? sql`` : sortJoins}
     order by ${usageOrderBy(sort)} limit ${limit} offset ${offset}`);

/** How many records a line of this customer billed; undefined when there is no such line. */
export const countLineUsage = (db: Db, scope: CustomerScope, { lineId, filter }: LineUsage) =>
  db.maybeOne<{ n: number }>(sql`
    select (select count(*)::int from ${billedBy(scope, lineId, filter)}) as n
      from invoice_line l where l.customer_id = ${scope.customerId} and l.id = ${lineId}`);

/** The types of the services the customer has items of, by description. */
export const listRecordTypes = (db: Db, scope: CustomerScope) =>
  db.many<{ id: string; service_id: string; description: string; unit: QuantityUnit | null }>(sql`
    select t.id, t.service_id, t.description, t.unit from record_type t
     where t.reseller_id = ${scope.resellerId}
       and exists (select from service_item i
                    where i.customer_id = ${scope.customerId} and i.service_id = t.service_id)
     order by t.description, t.id`);
