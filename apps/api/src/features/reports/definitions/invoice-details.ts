import { ExportType } from '@counterfoil/contract/reports.ts';
import { money } from '@counterfoil/domain/money/money.ts';
import { formatShown } from '@counterfoil/domain/money/shown.ts';
import type { MoneyDigits } from '@counterfoil/domain/money/shown-decimals.ts';
import { sql } from '../../../db/sql.ts';
import { defineReport, type ReportRow } from '../definition.ts';
import { withinDays } from '../sql-parts.ts';

interface LineRow {
  number: string;
  issued_on: string;
  due_on: string | null;
  product: string;
  service: string | null;
  service_item: string;
  cost_centre: string | null;
  date_from: string | null;
  date_to: string | null;
  quantity: string | null;
  unit: string;
  price: string | null;
  amount_minor: bigint;
  tax_minor: bigint;
  currency: string;
}

const VOID = 13;

/**
 * Every line of the invoices issued in a span of days. Where the lines of one do not add up to what it says (rounding,
 * or no lines at all), a row makes up the difference: the sums are always the invoices'.
 */
export const invoiceDetails = defineReport({
  id: 'invoice-details',
  name: 'Invoice Details',
  exportType: ExportType.CSV,
  isStandard: true,
  parameters: [
    { name: 'DateRange', required: true },
    { name: 'InvoiceId', required: false },
  ],
  columns: [
    { label: 'Invoice Number', kind: 'text' },
    { label: 'Invoice Date', kind: 'day' },
    { label: 'Due Date', kind: 'day' },
    { label: 'Product', kind: 'text' },
    { label: 'Service', kind: 'text' },
    { label: 'Service Item', kind: 'text' },
    { label: 'Cost Centre', kind: 'text' },
    { label: 'From', kind: 'day' },
    { label: 'To', kind: 'day' },
    { label: 'Quantity', kind: 'number' },
    { label: 'Unit', kind: 'text' },
    { label: 'Unit Price', kind: 'money' },
    { label: 'Amount', kind: 'money' },
    { label: 'Tax', kind: 'money' },
    { label: 'Total', kind: 'money' },
    { label: 'Currency', kind: 'text' },
  ],
  async *run(source, scope, params) {
    const chosen = params.invoiceId === undefined ? sql`` : sql`and i.id = ${params.invoiceId}`;
    const rows = source.stream<LineRow>(sql`
      with i as (
        select * from invoice i
         where i.customer_id = ${scope.customerId} and i.status <> ${VOID}
           and ${withinDays(sql`i.issued_on`, params)} ${chosen})
      select i.number, i.issued_on, i.due_on, l.product_name as product, s.name as service,
             coalesce(nullif(l.service_item, ''), si.name, '') as service_item,
             case when l.service_item_id is null then nullif(l.cost_centre, '') else si.cost_centre end as cost_centre,
             l.date_from, l.date_to, l.quantity, l.unit, trim_scale(l.price / l.base_quantity)::text as price,
             l.amount_minor, l.tax_minor, i.currency, i.id as invoice_id, l.line_no, 0 as part
        from i join invoice_line l on l.customer_id = ${scope.customerId} and l.invoice_id = i.id
        left join service s on s.id = l.service_id
        left join service_item si on si.customer_id = l.customer_id and si.id = l.service_item_id
      union all
      select i.number, i.issued_on, i.due_on, 'Rounding and other differences', null, '', null, null, null, null, '', null,
             i.subtotal_minor - l.amount, i.tax_minor - l.tax, i.currency, i.id, null, 1
        from i cross join lateral (
          select coalesce(sum(amount_minor), 0)::bigint as amount, coalesce(sum(tax_minor), 0)::bigint as tax
            from invoice_line where customer_id = ${scope.customerId} and invoice_id = i.id) l
       where (i.subtotal_minor, i.tax_minor) is distinct from (l.amount, l.tax)
       order by 2, 1, invoice_id, part, line_no`);
    for await (const row of rows) yield present(row, source.moneyDigits);
  },
});

function present(row: LineRow, digits: MoneyDigits): ReportRow {
  const amount = (minor: bigint) => formatShown(money(minor, row.currency), digits);
  return [
    row.number,
    row.issued_on,
    row.due_on,
    row.product,
    row.service,
    row.service_item,
    row.cost_centre,
    row.date_from,
    row.date_to,
    row.quantity,
    row.unit,
    row.price,
    amount(row.amount_minor),
    amount(row.tax_minor),
    amount(row.amount_minor + row.tax_minor),
    row.currency,
  ];
}
