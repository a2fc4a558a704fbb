import type { UsageRecord } from '@counterfoil/contract/usage.ts';
import type { QuantityUnit } from '@counterfoil/domain/money/quantity.ts';
import { storedRateToNumber } from '@counterfoil/domain/money/rate.ts';
import type { Db } from '../../../db/database.ts';
import { rowById } from '../../../db/page.ts';
import { type Sql, sql, sqlOnce } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import type { RecordRow } from './part.ts';

type LineNames = [name: string, description: string | null, site: string | null, costCentre: string | null];
type TypeNames = [description: string, unit: QuantityUnit | null];
type Bill = [invoiceId: string, invoiceNumber: string, invoiceLineId: string];

/** What records are shown with, by id of line, type and record. */
interface Names {
  lines: Readonly<Record<string, LineNames>> | null;
  types: Readonly<Record<string, TypeNames>> | null;
  bills: Readonly<Record<string, Bill>> | null;
}

/** {@link Names} as the database writes them: equal texts are equal names. */
export interface NamesRow {
  stamp: string;
  names: string;
}

/** Keys of what records are shown with. */
export interface NameKeys {
  readonly lines: readonly string[];
  readonly types: readonly string[];
  readonly times: readonly string[];
  readonly ids: readonly string[];
}

export const nameKeysOf = (rows: readonly RecordRow[]): NameKeys => ({
  lines: [...new Set(rows.map((row) => row.service_item_id))],
  types: [...new Set(rows.map((row) => row.record_type_id))],
  times: rows.map((row) => row.started_at),
  ids: rows.map((row) => row.id),
});

/**
 * Looks up what the records of a page are shown with, each by its key. So it is planned once a connection: joined to the records it
 * would be planned with every page, which takes longer than to run it.
 * @param stamp read in the same moment
 */
export const readNames = (
  db: Db,
  scope: CustomerScope,
  { lines, types, times, ids }: NameKeys,
  stamp: Sql<string>,
): Promise<NamesRow> =>
  db.one<NamesRow>(sqlOnce`
    select ${stamp} as stamp, json_build_object(
      'lines', (select json_object_agg(k.id, json_build_array(si.name, si.description, si.site, si.cost_centre) order by k.id)
                  from unnest(${lines}::uuid[]) as k (id)
                 cross join ${rowById('service_item', scope.customerId, sql`k.id`)} si),
      'types', (select json_object_agg(r.id, json_build_array(r.description, r.unit) order by r.id)
                  from record_type r where r.id = any(${types}::uuid[])),
      'bills', (select json_object_agg(k.id, json_build_array(i.id, i.number, b.invoice_line_id) order by k.id)
                  from unnest(${times}::timestamptz[], ${ids}::uuid[]) as k (started_at, id)
                 cross join lateral (
                   select invoice_line_id from usage_billed
                    where customer_id = ${scope.customerId} and started_at = k.started_at and id = k.id limit 1) b
                 cross join ${rowById('invoice_line', scope.customerId, sql`b.invoice_line_id`)} l
                 cross join ${rowById('invoice', scope.customerId, sql`l.invoice_id`)} i))::text as names`);

/** What never changes, for records that hang on no positions. */
export const noStamp: Sql<string> = sql`''`;

/** Records as they are shown. @param names of `readNames` */
export function presentRecords(rows: readonly RecordRow[], names: string): UsageRecord[] {
  const { lines, types, bills } = JSON.parse(names) as Names;
  return rows.map((row) => {
    const [name, description, site, costCentre] = lines?.[row.service_item_id] ?? ['', null, null, null];
    const [recordType, unit] = types?.[row.record_type_id] ?? ['', null];
    return {
      id: row.id,
      date: `${row.started_at.slice(0, 10)}T${row.started_at.slice(11, 19)}${milliseconds(row.started_at)}Z`,
      serviceItemName: name,
      serviceItemDescription: description,
      serviceItem2: row.service_item2,
      serviceItem3: row.service_item3,
      siteName: site,
      units: storedRateToNumber(row.units),
      unit,
      price: row.has_price ? storedRateToNumber(row.price) : null,
      recordType,
      costCentre,
      billedBy: presentBill(bills?.[row.id]),
    };
  });
}

const milliseconds = (at: string): string =>
  at.charAt(19) === '.' ? `.${at.slice(20, -1).slice(0, 3).padEnd(3, '0')}` : '.000';

function presentBill(bill: Bill | undefined): UsageRecord['billedBy'] {
  if (bill === undefined) return null;
  const [invoiceId, invoiceNumber, invoiceLineId] = bill;
  return { invoiceId, invoiceNumber, invoiceLineId };
}
