import { externalMethodNames } from '@counterfoil/contract/operator/paying/external-payments.ts';
import { ExportType } from '@counterfoil/contract/reports.ts';
import { money } from '@counterfoil/domain/money/money.ts';
import { formatShown } from '@counterfoil/domain/money/shown.ts';
import { sql } from '../../../db/sql.ts';
import { feeOfReversal } from '../../payments/queries.ts';
import { defineReport } from '../definition.ts';
import { withinDays } from '../sql-parts.ts';

interface PaymentRow {
  day: string;
  what: string;
  reference: string | null;
  method: string | null;
  invoices: string | null;
  amount_minor: bigint;
  fee_minor: bigint;
  currency: string;
}

const methods: Readonly<Record<string, string>> = {
  card: 'Card',
  bank: 'Bank account',
  ...externalMethodNames,
};
const kinds: Readonly<Record<string, string>> = {
  payment: 'Payment',
  refund: 'Refund',
  void: 'Payment cancelled',
  lateFailure: 'Payment returned',
  chargeback: 'Chargeback',
  chargebackWon: 'Chargeback won',
  resubmitted: 'Payment repeated',
  external: 'Payment taken back',
};
/** Of what came back, these came in again. */
const cameIn = sql`('chargebackWon', 'resubmitted')`;

/** Payments and what came back of them, by day of the brand's time zone. What came back has a minus. */
export const payments = defineReport({
  id: 'payments',
  name: 'Payments',
  exportType: ExportType.PDF,
  parameters: [{ name: 'DateRange', required: false }],
  columns: [
    { label: 'Date', kind: 'day' },
    { label: 'Type', kind: 'text' },
    { label: 'Reference', kind: 'text' },
    { label: 'Method', kind: 'text' },
    { label: 'Invoices', kind: 'text' },
    { label: 'Amount', kind: 'money' },
    { label: 'Of Which Fee', kind: 'money' },
    { label: 'Currency', kind: 'text' },
  ],
  async *run(source, scope, params) {
    const dayOf = (at: ReturnType<typeof sql>) => sql`(${at} at time zone ${source.timeZone})::date`;
    const invoicesOf = (capture: ReturnType<typeof sql>) => sql`
      (select string_agg(i.number, ', ' order by i.number)
         from allocation l join invoice i on i.customer_id = l.customer_id and i.id = l.invoice_id
        where l.customer_id = ${scope.customerId} and l.capture_id = ${capture})`;
    const rows = source.stream<PaymentRow>(sql`
      select * from (
        select ${dayOf(sql`c.at`)} as day, 'payment' as what, a.ref as reference, a.kind as method,
               ${invoicesOf(sql`c.id`)} as invoices, c.amount_minor, c.to_fee_minor as fee_minor,
               c.currency, c.at, c.id
          from capture c join attempt a on a.customer_id = c.customer_id and a.id = c.attempt_id
         where c.customer_id = ${scope.customerId}
        union all
        select ${dayOf(sql`r.at`)}, r.kind, a.ref, a.kind, ${invoicesOf(sql`c.id`)},
               case when r.kind in ${cameIn} then r.amount_minor else -r.amount_minor end,
               case when r.kind in ${cameIn} then 1 else -1 end * ${feeOfReversal(scope.customerId, sql`r.id`)}, c.currency, r.at, r.id
          from reversal r
          join capture c on c.customer_id = r.customer_id and c.id = r.capture_id
          join attempt a on a.customer_id = c.customer_id and a.id = c.attempt_id
         where r.customer_id = ${scope.customerId}
        union all
        select ${dayOf(sql`g.at`)}, case g.debit when 'external' then 'payment' else 'external' end, x.reference, x.method,
               i.number, case g.debit when 'external' then g.amount_minor else -g.amount_minor end,
               0, g.currency, g.at, g.id
          from ledger g
          left join external_payment x on x.customer_id = g.customer_id and x.id = g.source_id
          left join invoice i on i.customer_id = g.customer_id and g.leg in ('invoice:' || i.id, 'void@invoice:' || i.id)
         where g.customer_id = ${scope.customerId} and g.source = 'external'
           and 'external' in (g.debit, g.credit)) p
       where ${withinDays(sql`p.day`, params)}
       order by p.at, p.id`);
    for await (const row of rows) {
      const shown = (minor: bigint) => formatShown(money(minor, row.currency), source.moneyDigits);
      yield [
        row.day,
        kinds[row.what] ?? row.what,
        row.reference,
        methods[row.method ?? ''] ?? null,
        row.invoices,
        shown(row.amount_minor),
        shown(row.fee_minor),
        row.currency,
      ];
    }
  },
});
