import { ExportType } from '@counterfoil/contract/reports.ts';
import { sql } from '../../../db/sql.ts';
import { defineReport } from '../definition.ts';
import { measuredWithin, ofService } from '../sql-parts.ts';

interface UsageRow {
  service: string;
  service_item: string;
  description: string | null;
  cost_centre: string | null;
  site: string | null;
  record_type: string;
  unit: string | null;
  records: number;
  units: string;
  price: string | null;
}

/** What each service item used, by type of record. Prices are those of the records that have one. */
export const usageByServiceItem = defineReport({
  id: 'usage-by-service-item',
  name: 'Usage by service item',
  exportType: ExportType.XLSX,
  parameters: [
    { name: 'DateRange', required: true },
    { name: 'ServiceId', required: false },
  ],
  readsRecords: true,
  columns: [
    { label: 'Service', kind: 'text' },
    { label: 'Service Item', kind: 'text' },
    { label: 'Description', kind: 'text' },
    { label: 'Cost Centre', kind: 'text' },
    { label: 'Site', kind: 'text' },
    { label: 'Record Type', kind: 'text' },
    { label: 'Records', kind: 'number' },
    { label: 'Units', kind: 'number' },
    { label: 'Price', kind: 'money' },
    { label: 'Currency', kind: 'text' },
    { label: 'Unit', kind: 'text' },
  ],
  async *run(source, scope, params) {
    const rows = source.stream<UsageRow>(sql`
      select s.name as service, si.name as service_item, si.description, si.cost_centre, si.site,
             t.description as record_type, t.unit, u.records, u.units, u.price
        from (select service_item_id, record_type_id, count(*)::int as records, sum(units)::text as units,
                     (sum(price) filter (where has_price))::text as price
                from usage_record u
               where customer_id = ${scope.customerId} and ${measuredWithin(sql`u.started_at`, params)}
               group by 1, 2) u
        join service_item si on si.customer_id = ${scope.customerId} and si.id = u.service_item_id
        join service s on s.id = si.service_id
        join record_type t on t.id = u.record_type_id
       where ${ofService(sql`si.service_id`, params)}
       order by s.name, si.name, t.description, u.service_item_id, u.record_type_id`);
    for await (const row of rows)
      yield [
        row.service,
        row.service_item,
        row.description,
        row.cost_centre,
        row.site,
        row.record_type,
        row.records,
        row.units,
        row.price,
        row.price === null ? null : source.currency,
        row.unit,
      ];
  },
});
