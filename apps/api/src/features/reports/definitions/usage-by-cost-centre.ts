import { ExportType } from '@counterfoil/contract/reports.ts';
import { sql } from '../../../db/sql.ts';
import { defineReport } from '../definition.ts';
import { measuredWithin, ofService } from '../sql-parts.ts';

interface UsageRow {
  cost_centre: string | null;
  service: string;
  record_type: string;
  unit: string | null;
  items: number;
  records: number;
  units: string;
  price: string | null;
}

/** What each cost centre used, by service and type of record; the items' current allocation applies. */
export const usageByCostCentre = defineReport({
  id: 'usage-by-cost-centre',
  name: 'Usage by cost centre',
  exportType: ExportType.XLSX,
  parameters: [
    { name: 'DateRange', required: true },
    { name: 'ServiceId', required: false },
  ],
  readsRecords: true,
  columns: [
    { label: 'Cost Centre', kind: 'text' },
    { label: 'Service', kind: 'text' },
    { label: 'Record Type', kind: 'text' },
    { label: 'Service Items', kind: 'number' },
    { label: 'Records', kind: 'number' },
    { label: 'Units', kind: 'number' },
    { label: 'Price', kind: 'money' },
    { label: 'Currency', kind: 'text' },
    { label: 'Unit', kind: 'text' },
  ],
  async *run(source, scope, params) {
    const rows = source.stream<UsageRow>(sql`
      select nullif(si.cost_centre, '') as cost_centre, s.name as service, t.description as record_type, t.unit,
             count(distinct u.service_item_id)::int as items, count(*)::int as records, sum(u.units)::text as units,
             (sum(u.price) filter (where u.has_price))::text as price
        from usage_record u
        join service_item si on si.customer_id = u.customer_id and si.id = u.service_item_id
        join service s on s.id = si.service_id
        join record_type t on t.id = u.record_type_id
       where u.customer_id = ${scope.customerId} and ${measuredWithin(sql`u.started_at`, params)}
         and ${ofService(sql`si.service_id`, params)}
       group by 1, s.id, s.name, t.id, t.description, t.unit
       order by 1 nulls last, 2, 3, s.id, t.id`);
    for await (const row of rows)
      yield [
        row.cost_centre ?? 'Not allocated',
        row.service,
        row.record_type,
        row.items,
        row.records,
        row.units,
        row.price,
        row.price === null ? null : source.currency,
        row.unit,
      ];
  },
});
