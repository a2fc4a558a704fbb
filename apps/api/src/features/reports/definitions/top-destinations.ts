import { ExportType } from '@counterfoil/contract/reports.ts';
import { sql } from '../../../db/sql.ts';
import { defineReport } from '../definition.ts';
import { measuredWithin, ofService } from '../sql-parts.ts';

interface DestinationRow {
  destination: string;
  service: string;
  record_type: string;
  unit: string | null;
  records: number;
  units: string;
  price: string | null;
}

/** How many are listed. */
const MOST = 1_000;

/** What was called or reached, the dearest first. Types of record stay apart: seconds and bytes make no sum. */
export const topDestinations = defineReport({
  id: 'top-destinations',
  name: 'Top destinations',
  exportType: ExportType.XLSX,
  parameters: [
    { name: 'DateRange', required: true },
    { name: 'ServiceId', required: false },
  ],
  readsRecords: true,
  columns: [
    { label: 'Rank', kind: 'number' },
    { label: 'Destination', kind: 'text' },
    { label: 'Service', kind: 'text' },
    { label: 'Record Type', kind: 'text' },
    { label: 'Records', kind: 'number' },
    { label: 'Units', kind: 'number' },
    { label: 'Price', kind: 'money' },
    { label: 'Currency', kind: 'text' },
    { label: 'Unit', kind: 'text' },
  ],
  async *run(source, scope, params) {
    const rows = source.stream<DestinationRow>(sql`
      select u.service_item2 as destination, s.name as service, t.description as record_type, t.unit,
             count(*)::int as records, sum(u.units)::text as units,
             (sum(u.price) filter (where u.has_price))::text as price
        from usage_record u
        join record_type t on t.id = u.record_type_id
        join service s on s.id = t.service_id
       where u.customer_id = ${scope.customerId} and u.service_item2 <> ''
         and ${measuredWithin(sql`u.started_at`, params)} and ${ofService(sql`t.service_id`, params)}
       group by u.service_item2, s.id, s.name, t.id, t.description, t.unit
       order by sum(u.price) filter (where u.has_price) desc nulls last, count(*) desc, 1, s.id, t.id
       limit ${MOST}`);
    let rank = 0;
    for await (const row of rows) {
      rank += 1;
      yield [
        rank,
        row.destination,
        row.service,
        row.record_type,
        row.records,
        row.units,
        row.price,
        row.price === null ? null : source.currency,
        row.unit,
      ];
    }
  },
});
