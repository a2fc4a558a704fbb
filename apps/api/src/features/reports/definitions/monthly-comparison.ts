import { ExportType } from '@counterfoil/contract/reports.ts';
import { money } from '@counterfoil/domain/money/money.ts';
import { formatShown } from '@counterfoil/domain/money/shown.ts';
import { sql } from '../../../db/sql.ts';
import { defineReport } from '../definition.ts';
import { withinDays } from '../sql-parts.ts';

interface MonthRow {
  month: string;
  currency: string;
  invoices: number;
  credits: number;
  subtotal: bigint;
  tax: bigint;
  total: bigint;
  paid: bigint;
  change: bigint | null;
}

const VOID = 13;

/** What was billed and paid for each month's invoices, one row per month and currency; credit notes are taken off. */
export const monthlyComparison = defineReport({
  id: 'monthly-comparison',
  name: 'Monthly comparison',
  exportType: ExportType.XLSX,
  parameters: [{ name: 'DateRange', required: false }],
  columns: [
    { label: 'Month', kind: 'text' },
    { label: 'Currency', kind: 'text' },
    { label: 'Invoices', kind: 'number' },
    { label: 'Credit Notes', kind: 'number' },
    { label: 'Subtotal', kind: 'money' },
    { label: 'Tax', kind: 'money' },
    { label: 'Total', kind: 'money' },
    { label: 'Change', kind: 'money' },
    { label: 'Paid', kind: 'money' },
  ],
  async *run(source, scope, params) {
    const rows = source.stream<MonthRow>(sql`
      with m as (
        select date_trunc('month', i.issued_on)::date as month, i.currency,
               (count(*) filter (where i.kind = 'invoice'))::int as invoices,
               (count(*) filter (where i.kind = 'creditNote'))::int as credits,
               sum(i.subtotal_minor)::bigint as subtotal, sum(i.tax_minor)::bigint as tax,
               sum(i.total_minor)::bigint as total, sum(i.paid_minor - i.reversed_minor)::bigint as paid
          from invoice i
         where i.customer_id = ${scope.customerId} and i.status <> ${VOID}
           and ${withinDays(sql`i.issued_on`, params)}
         group by 1, 2)
      select m.month, m.currency, m.invoices, m.credits, m.subtotal, m.tax, m.total, m.paid,
             m.total - before.total as change
        from m left join m before on before.currency = m.currency and before.month = (m.month - interval '1 month')::date
       order by m.month, m.currency`);
    for await (const row of rows) {
      const amount = (minor: bigint) => formatShown(money(minor, row.currency), source.moneyDigits);
      yield [
        row.month.slice(0, 7),
        row.currency,
        row.invoices,
        row.credits,
        amount(row.subtotal),
        amount(row.tax),
        amount(row.total),
        row.change === null ? null : amount(row.change),
        amount(row.paid),
      ];
    }
  },
});
