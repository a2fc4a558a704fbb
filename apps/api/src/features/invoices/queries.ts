import {
  externalMethodNames,
  isExternalMethod,
} from '@counterfoil/contract/operator/paying/external-payments.ts';
import type { QuantityUnit } from '@counterfoil/domain/money/quantity.ts';
import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import type { Db } from '../../db/database.ts';
import { type PagedList, rowById } from '../../db/page.ts';
import { sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { feeOfReversal } from '../payments/queries.ts';
import {
  type InvoiceDetailRow,
  type InvoiceLineRow,
  type InvoiceRow,
  invoiceColumns,
  type LineUsageRow,
  type UsageLineRow,
} from './invoice-row.ts';
import { CALENDAR_UNITS } from './paper/line-facts.ts';

/** Invoices and credit notes of one customer, newest first. */
export const allInvoices = (scope: CustomerScope) => sql<InvoiceRow>`
    select ${invoiceColumns(scope)}
      from invoice i join customer cu on cu.customer_id = i.customer_id
     where i.customer_id = ${scope.customerId}
     order by i.issued_on desc, i.id desc`;

export const findInvoice = (db: Db, scope: CustomerScope, id: string) =>
  db.maybeOne<InvoiceDetailRow>(sql`
    select ${invoiceColumns(scope)}, i.supplier, i.buyer, i.details, i.taxes, i.discrepancies,
           cu.external_ref as customer_ref, cu.country as customer_country
      from invoice i join customer cu on cu.customer_id = i.customer_id
     where i.customer_id = ${scope.customerId} and i.id = ${id}`);

/** Of lines `l` of one customer, who is named in each subquery: Citus asks their machine alone. */
const lineColumns = ({ customerId }: CustomerScope) => sql`
           l.id, l.line_no, l.kind, l.product_name, l.details, s.name as service_name,
           r.description as record_type, r.unit as record_unit, l.service_item, l.cost_centre, l.date_from, l.date_to, l.quantity, l.unit,
           l.price, l.base_quantity, l.amount_minor, l.tax_minor, l.tax_percent,
           (select count(*)::int from usage_billed b
             where b.customer_id = ${customerId} and b.invoice_line_id = l.id) as usage_records,
           exists (select from usage_archived_line a
                    where a.customer_id = ${customerId} and a.invoice_line_id = l.id) as has_archived_usage`;

const lineNames = sql`
      left join service s on s.id = l.service_id
      left join record_type r on r.id = l.record_type_id`;

const ofInvoice = (scope: CustomerScope, invoiceId: string) => sql`
      l.customer_id = ${scope.customerId} and l.invoice_id = ${invoiceId}`;

const linesOf = (scope: CustomerScope, invoiceId: string) => sql<InvoiceLineRow>`
    select ${lineColumns(scope)} from invoice_line l ${lineNames} where ${ofInvoice(scope, invoiceId)}`;

/** The lines by the page, in the order of the invoice. @param ids only these of them */
export const lineList = (
  scope: CustomerScope,
  invoiceId: string,
  ids: readonly string[] | undefined,
): PagedList => ({
  parts: [
    sql`from invoice_line l where ${ofInvoice(scope, invoiceId)}
    ${ids === undefined ? sql`` : sql`and l.id = any(${[...ids]}::uuid[])`}`,
  ],
  isNarrow: ids !== undefined,
  id: sql`l.id`,
  order: [{ by: sql`l.line_no` }],
  columns: lineColumns(scope),
  join: sql`from page p cross join ${rowById('invoice_line', scope.customerId, sql`p.id`)} l ${lineNames}`,
});

/** The lines of an invoice, in its order. */
export const allLines = (scope: CustomerScope, invoiceId: string) => sql<InvoiceLineRow>`
    ${linesOf(scope, invoiceId)} order by l.line_no`;

/**
 * The lines in the order of the paper: what is fixed, usage, discounts and surcharges, as `classOf` has it.
 * @param metered units of time and data that these lines are written in
 */
export const linesByClass = (
  scope: CustomerScope,
  invoiceId: string,
  metered: readonly string[],
) => sql<InvoiceLineRow>`
    select * from (${linesOf(scope, invoiceId)}) l
     order by case when l.kind <> 'line' then 2
                   when l.unit = any(${[...metered]}::text[])
                     or (l.unit <> all(${[...CALENDAR_UNITS]}::text[]) and (l.usage_records > 0 or l.record_type is not null)) then 1
                   else 0 end, l.line_no`;

/** How many lines an invoice has, as far as a number. */
export const countLines = async (db: Db, scope: CustomerScope, invoiceId: string, most: number) =>
  (
    await db.one<{ lines: number }>(sql`
      select count(*)::int as lines from (
        select from invoice_line l where l.customer_id = ${scope.customerId} and l.invoice_id = ${invoiceId} limit ${most}) x`)
  ).lines;

/** Of the lines that billed usage, what the split of that needs. */
export const usageLines = (scope: CustomerScope, invoiceId: string) => sql<UsageLineRow>`
    select l.id, l.quantity, l.unit, l.amount_minor, l.tax_minor
      from invoice_line l
     where l.customer_id = ${scope.customerId} and l.invoice_id = ${invoiceId}
       and (exists (select from usage_billed b where b.customer_id = ${scope.customerId} and b.invoice_line_id = l.id)
            or exists (select from usage_archived_line a
                        where a.customer_id = ${scope.customerId} and a.invoice_line_id = l.id))
     order by l.line_no`;

/**
 * What the invoice's lines billed, added up by line, service item and record type. Of months that are archived the sums
 * are kept apart.
 */
export const lineUsage = (scope: CustomerScope, invoiceId: string) => sql<LineUsageRow>`
    select x.line_id, si.name as service_item, s.name as service, r.description as record_type, r.unit,
           sum(x.units)::text as units, sum(x.price)::text as price
      from (select b.invoice_line_id as line_id, u.service_item_id, u.record_type_id, u.units, u.price
              from invoice_line l
              join usage_billed b on b.customer_id = l.customer_id and b.invoice_line_id = l.id
              join usage_record u on u.customer_id = b.customer_id and u.started_at = b.started_at and u.id = b.id
             where l.customer_id = ${scope.customerId} and l.invoice_id = ${invoiceId}
            union all
            select a.invoice_line_id, a.service_item_id, a.record_type_id, a.units, a.price
              from invoice_line l
              join usage_archived_line a on a.customer_id = l.customer_id and a.invoice_line_id = l.id
             where l.customer_id = ${scope.customerId} and l.invoice_id = ${invoiceId}) x
      join service_item si on si.customer_id = ${scope.customerId} and si.id = x.service_item_id
      join record_type r on r.id = x.record_type_id
      join service s on s.id = r.service_id
     group by x.line_id, si.name, s.name, r.description, r.unit
     order by si.name, r.description, x.line_id`;

export interface CreditRow {
  id: string;
  number: string;
  issued_on: string;
  amount_minor: bigint;
}

/** Credits that were taken off an invoice, or that a credit note gave. */
export const listCredits = (db: Db, scope: CustomerScope, invoiceId: string) =>
  db.many<CreditRow>(sql`
    select o.id, o.number, o.issued_on, c.amount_minor
      from invoice_credit c
      join invoice o on o.customer_id = c.customer_id
       and o.id = case when c.invoice_id = ${invoiceId} then c.credit_invoice_id else c.invoice_id end
     where c.customer_id = ${scope.customerId} and ${invoiceId} in (c.invoice_id, c.credit_invoice_id)
     order by c.created_at, c.id`);

export interface InvoicePaymentRow {
  day: string;
  /** Kind of the reversal; null for the payment itself. */
  reversal: string | null;
  ref: string;
  /** As people read it. */
  method: string | null;
  /** Null for money that came outside the portal: it has no receipt of ours. */
  capture_id: string | null;
  minor: bigint;
  in_all_minor: bigint;
  /** What of that is fee. */
  fee_minor: bigint;
}

/** What the ledger has of an invoice's payments and of what came back of them, each with this invoice's share. */
export async function listPayments(
  db: Db,
  scope: CustomerScope,
  invoiceId: string,
  timeZone: string,
): Promise<InvoicePaymentRow[]> {
  const rows = await db.many<InvoicePaymentRow>(sql`
    select (m.at at time zone ${timeZone})::date as day, m.reversal, m.ref, m.method, m.capture_id, m.minor, m.in_all_minor,
           m.fee_minor
      from (${throughGateways(scope, invoiceId)} union all ${fromOutside(scope, invoiceId)}) m
     order by m.at, m.reversal is not null, m.source_id`);
  // Of money from outside the word is ours, of a payment through the portal the gateway's.
  const nameOf = (method: string | null) =>
    method !== null && isExternalMethod(method) ? externalMethodNames[method] : method;
  return rows.map((row) => ({ ...row, method: nameOf(row.method) }));
}

const throughGateways = (scope: CustomerScope, invoiceId: string) => sql`
    select x.at, x.reversal, a.ref, a.method, c.id as capture_id, x.minor, coalesce(x.moved, c.amount_minor) as in_all_minor,
           case when x.moved is null then c.to_fee_minor else ${feeOfReversal(scope.customerId, sql`x.source_id`)} end as fee_minor,
           x.source_id
      from (select l.source_id, r.amount_minor as moved, coalesce(nullif(split_part(l.leg, '@', 1), l.leg), r.kind) as reversal,
                   coalesce(r.capture_id, l.source_id) as capture_id, min(l.at) as at, sum(l.amount_minor)::bigint as minor
              from ledger l
              left join reversal r on l.source = 'reversal' and r.customer_id = l.customer_id and r.id = l.source_id
             where l.customer_id = ${scope.customerId} and l.source in ('capture', 'reversal')
               and (l.leg = 'invoice:' || ${invoiceId} or l.leg like '%@invoice:' || ${invoiceId})
             group by 1, 2, 3, 4) x
      join capture c on c.customer_id = ${scope.customerId} and c.id = x.capture_id
      join attempt a on a.customer_id = c.customer_id and a.id = c.attempt_id`;

const fromOutside = (scope: CustomerScope, invoiceId: string) => sql`
    select l.at, case l.debit when 'external' then null else 'externalVoid' end, p.reference, p.method, null::uuid,
           l.amount_minor, p.amount_minor, 0::bigint, p.id
      from ledger l join external_payment p on p.customer_id = l.customer_id and p.id = l.source_id
     where l.customer_id = ${scope.customerId} and l.source = 'external'
       and l.leg in ('invoice:' || ${invoiceId}, 'void@invoice:' || ${invoiceId})`;

export interface BilledRecordRow {
  line_id: string;
  service_item: string;
  record_type: string;
  started_at: Date;
  /** Whom it was to, as far as the record says. */
  called: string;
  units: string;
  /** Of the record type. */
  unit: QuantityUnit | null;
  price: string;
}

export interface BilledNumberRow {
  number: string;
  description: string;
  records: number;
  first_at: Date;
  last_at: Date;
}

const billed = (scope: CustomerScope, invoiceId: string, lineIds: readonly string[]) => sql`
      from invoice_line l
      join usage_billed b on b.customer_id = l.customer_id and b.invoice_line_id = l.id
      join usage_record u on u.customer_id = b.customer_id and u.started_at = b.started_at and u.id = b.id
      join service_item si on si.customer_id = u.customer_id and si.id = u.service_item_id
      join record_type r on r.id = u.record_type_id
     where l.customer_id = ${scope.customerId} and l.invoice_id = ${invoiceId} and l.id = any(${[...lineIds]}::uuid[])`;

/** The numbers whose usage some of an invoice's lines billed, with how many records each has; of archived months none. */
export const listBilledNumbers = (
  db: Db,
  scope: CustomerScope,
  invoiceId: string,
  lineIds: readonly string[],
) =>
  db.many<BilledNumberRow>(sql`
    select si.name as number, coalesce(min(si.description), '') as description, count(*)::int as records,
           min(u.started_at) as first_at, max(u.started_at) as last_at
      ${billed(scope, invoiceId, lineIds)}
     group by si.name order by si.name`);

/** The usage records themselves, by number and in order of time. */
export const billedRecords = (scope: CustomerScope, invoiceId: string, lineIds: readonly string[]) =>
  sql<BilledRecordRow>`
    select l.id as line_id, si.name as service_item, r.description as record_type, u.started_at, u.service_item2 as called,
           u.units, r.unit, u.price
      ${billed(scope, invoiceId, lineIds)}
     order by si.name, u.started_at, u.id`;

/** The bills before one, in its currency: month and total, the latest first. */
export const listBillsBefore = (
  db: Db,
  scope: CustomerScope,
  of: { readonly id: string; readonly currency: string; readonly issued_on: string },
  most: number,
) =>
  db.many<{ issued_on: string; total_minor: bigint }>(sql`
    select issued_on, total_minor from invoice
     where customer_id = ${scope.customerId} and kind = 'invoice' and status <> ${InvoiceStatus.VOID}
       and currency = ${of.currency} and issued_on < ${of.issued_on} and total_minor > 0
     order by issued_on desc, id desc
     limit ${most}`);
