import type { Tx } from '../../../apps/api/src/db/database.ts';
import { type Sql, sql } from '../../../apps/api/src/db/sql.ts';
import { RESELLER } from './write-world.ts';

/**
 * Bills three of five records of one month: each customer gets an invoice with a line for each record type.
 * @param month 'YYYY-MM-01'
 */
export async function billMonth(tx: Tx, month: string): Promise<void> {
  const start = sql`timestamptz ${sql.lit(`${month} 00:00:00+00`)}`;
  const lineId = sql`md5('line ' || customer_id || record_type_id)::uuid`;
  const invoiceId = sql`md5('invoice ' || customer_id)::uuid`;
  await tx.execute(sql`
    create temporary table billed on commit drop as
    select customer_id, started_at, id, record_type_id, units, price from usage_record
     where started_at >= ${start} and started_at < ${start} + interval '1 month'
       and (uuid_hash_extended(id, 7) & 1023) % 5 < 3`);
  await tx.execute(sql`
    create temporary table billed_line on commit drop as
    select customer_id, record_type_id, ${lineId} as id, ${invoiceId} as invoice_id, sum(units) as quantity,
           round(sum(price) * 100)::bigint as amount_minor,
           row_number() over (partition by customer_id order by record_type_id) as line_no
      from billed group by customer_id, record_type_id`);
  await tx.execute(invoices(month));
  await tx.execute(sql`
    insert into invoice_line (customer_id, id, invoice_id, line_no, kind, product_name, record_type_id, date_from, date_to,
      quantity, price, currency, amount_minor)
    select l.customer_id, l.id, l.invoice_id, l.line_no, 'line', t.description, l.record_type_id, ${month}::date,
           (${month}::date + interval '1 month - 1 day')::date, l.quantity,
           round(l.amount_minor / 100.0 / l.quantity, 6), 'USD', l.amount_minor
      from billed_line l join record_type t on t.id = l.record_type_id`);
  await tx.execute(sql`
    insert into usage_billed (customer_id, started_at, id, invoice_line_id)
    select customer_id, started_at, id, ${lineId} from billed order by 1, 2, 3`);
}

const invoices = (month: string): Sql => sql`
  insert into invoice (customer_id, id, reseller_id, kind, number, supplier_key, issued_on, due_on, period_start,
    period_end, currency, subtotal_minor, tax_minor, total_minor, payable_minor, status, content_hash, generated_at)
  select customer_id, invoice_id, ${RESELLER}::int, 'invoice', 'INV-' || row_number() over (order by customer_id), 'bench',
         (${month}::date + interval '1 month')::date, (${month}::date + interval '2 months')::date, ${month}::date,
         (${month}::date + interval '1 month - 1 day')::date, 'USD', sum(amount_minor), 0, sum(amount_minor),
         sum(amount_minor), 10, sha256(invoice_id::text::bytea), ${month}::date + interval '1 month'
    from billed_line group by customer_id, invoice_id`;
