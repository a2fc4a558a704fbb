import type { TransactionOrder } from '@counterfoil/contract/list-orders.ts';
import type { QuantityUnit } from '@counterfoil/domain/money/quantity.ts';
import type { Db } from '../../db/database.ts';
import { asNumber, asOrdered, holds, type PagedList, type SortKey } from '../../db/page.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';

/** Agreements of a customer, the oldest first: the first one is also where charges without one are shown. */
export const listAgreements = (db: Db, scope: CustomerScope) =>
  db.many<{ id: string; name: string }>(sql`
    select id, name from agreement where customer_id = ${scope.customerId} order by started_on nulls last, id`);

export interface PeriodRow {
  id: string;
  agreement_id: string;
  period_start: string;
  period_end: string;
}

/** Billing periods of an agreement, newest first. */
export const listPeriods = (db: Db, scope: CustomerScope, agreementId: string) =>
  db.many<PeriodRow>(sql`
    select id, agreement_id, period_start, period_end from billing_period
     where customer_id = ${scope.customerId} and agreement_id = ${agreementId}
     order by period_start desc, period_end desc`);

export const findPeriod = (db: Db, scope: CustomerScope, id: string) =>
  db.maybeOne<PeriodRow>(sql`
    select id, agreement_id, period_start, period_end from billing_period
     where customer_id = ${scope.customerId} and id = ${id}`);

export interface TransactionRow {
  id: string;
  product_label: string;
  product_name: string;
  service_name: string | null;
  service_item: string;
  site_label: string;
  invoice_id: string | null;
  invoice_number: string | null;
  date_from: string | null;
  date_to: string | null;
  amount_minor: bigint;
  currency: string;
  quantity: string;
  unit: string;
  record_unit: QuantityUnit | null;
  extra: string[];
}

// Lines of a void invoice are charged to nobody.
const VOID = 13;

/**
 * The charges of a period, invoiced or not. A line belongs to the period its first day lies in; one without days to
 * that of its invoice. Lines that name no agreement stand with the customer's first.
 */
const ofPeriod = (scope: CustomerScope, period: PeriodRow) => sql`
      from invoice_line l
      left join invoice i on i.customer_id = l.customer_id and i.id = l.invoice_id
      left join service s on s.id = l.service_id
     where l.customer_id = ${scope.customerId}
       and (l.date_from between ${period.period_start} and ${period.period_end}
            or l.date_from is null
               and coalesce(i.period_start, i.issued_on) between ${period.period_start} and ${period.period_end})
       and coalesce(l.agreement_id, i.agreement_id, (
             select id from agreement where customer_id = ${scope.customerId}
              order by started_on nulls last, id limit 1)) = ${period.agreement_id}
       and i.status is distinct from ${VOID}`;

const columns = sql`
           l.id, l.product_label, l.product_name, s.name as service_name, l.service_item, l.site_label, l.invoice_id,
           i.number as invoice_number, l.date_from, l.date_to, l.amount_minor, l.currency, l.quantity, l.unit, (
             select r.unit from record_type r where r.id = l.record_type_id) as record_unit, l.extra`;

/** All of them, in the order of time. */
export const allTransactions = (scope: CustomerScope, period: PeriodRow) => sql<TransactionRow>`
    select ${columns} ${ofPeriod(scope, period)}
     order by l.date_from nulls last, i.number nulls last, l.line_no, l.id`;

const inTime: [SortKey, ...SortKey[]] = [
  { by: sql`l.date_from` },
  { by: sql`i.number` },
  { by: sql`l.line_no` },
  { by: sql`l.id` },
];

const texts = {
  productLabel: sql`l.product_label`,
  productName: sql`l.product_name`,
  serviceName: sql`coalesce(s.name, '')`,
  serviceItem: sql`l.service_item`,
  siteLabel: sql`l.site_label`,
  invoiceNumber: sql`coalesce(i.number, '')`,
  extraField1: sql`coalesce(l.extra[1], '')`,
  extraField2: sql`coalesce(l.extra[2], '')`,
  extraField3: sql`coalesce(l.extra[3], '')`,
  extraField4: sql`coalesce(l.extra[4], '')`,
  extraField5: sql`coalesce(l.extra[5], '')`,
} as const;
/** What a search looks into. */
const searched = [
  'productLabel',
  'productName',
  'serviceName',
  'serviceItem',
  'siteLabel',
  'invoiceNumber',
] as const;

const others: Readonly<Record<Exclude<TransactionOrder, keyof typeof texts>, Sql>> = {
  dateFrom: sql`l.date_from`,
  dateTo: sql`l.date_to`,
  quantity: sql`l.quantity`,
  price: asNumber(sql`l.amount_minor`, sql`l.currency`),
};

const isText = (order: TransactionOrder): order is keyof typeof texts => order in texts;
const keyOf = (order: TransactionOrder): Sql => (isText(order) ? asOrdered(texts[order]) : others[order]);

export interface TransactionListing {
  readonly order?: TransactionOrder | undefined;
  readonly isDescending: boolean;
  readonly search?: string | undefined;
}

/** The charges of a period as the list is asked for; alike ones stand in the order of time. */
export function transactionList(
  scope: CustomerScope,
  period: PeriodRow,
  { order, isDescending, search }: TransactionListing,
): PagedList {
  const all = ofPeriod(scope, period);
  // One text with what nobody searches for between: each is looked at once.
  const together = sql`concat_ws(chr(31), ${sql.join(searched.map((name) => texts[name]))})`;
  return {
    from: search === undefined ? all : sql`${all} and ${holds(together, search)}`,
    isNarrow: search !== undefined,
    id: sql`l.id`,
    order: order === undefined ? inTime : [{ by: keyOf(order), isDescending }, ...inTime],
    columns,
    join: sql`from page p join invoice_line l on l.customer_id = ${scope.customerId} and l.id = p.id
              left join invoice i on i.customer_id = l.customer_id and i.id = l.invoice_id
              left join service s on s.id = l.service_id`,
  };
}

export interface TransactionSumRow {
  currency: string;
  charges: number;
  amount_minor: bigint;
  has_labels: boolean;
  has_sites: boolean;
}

/** What the charges of a period come to. */
export const sumTransactions = (db: Db, scope: CustomerScope, period: PeriodRow) =>
  db.many<TransactionSumRow>(sql`
    select l.currency, count(*)::int as charges, sum(l.amount_minor)::bigint as amount_minor,
           bool_or(l.product_label <> '') as has_labels, bool_or(l.site_label <> '') as has_sites
      ${ofPeriod(scope, period)}
     group by l.currency order by l.currency`);
