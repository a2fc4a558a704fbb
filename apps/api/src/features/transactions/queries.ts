import type { TransactionOrder } from '@counterfoil/contract/list-orders.ts';
import type { QuantityUnit } from '@counterfoil/domain/money/quantity.ts';
import type { Db } from '../../db/database.ts';
import { asNumber, asOrdered, holds, type PagedList, rowById, type SortKey } from '../../db/page.ts';
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

/** A period with what it need not be looked through for. */
export interface ChargedPeriodRow extends PeriodRow {
  /** The customer has no other agreement. */
  is_only_agreement: boolean;
  /** Lines of these days name no agreement. */
  has_unnamed: boolean;
  /** Lines of the customer are of no day. */
  has_undated: boolean;
}

/** Billing periods of an agreement, newest first. */
export const listPeriods = (db: Db, scope: CustomerScope, agreementId: string) =>
  db.many<PeriodRow>(sql`
    select id, agreement_id, period_start, period_end from billing_period
     where customer_id = ${scope.customerId} and agreement_id = ${agreementId}
     order by period_start desc, period_end desc`);

export const findPeriod = (db: Db, scope: CustomerScope, id: string) =>
  db.maybeOne<ChargedPeriodRow>(sql`
    select p.id, p.agreement_id, p.period_start, p.period_end,
           not exists (select 1 from agreement a where a.customer_id = ${scope.customerId} and a.id <> p.agreement_id)
             as is_only_agreement,
           exists (select 1 from invoice_line l where l.customer_id = ${scope.customerId} and l.agreement_id is null
                      and l.date_from between p.period_start and p.period_end) as has_unnamed,
           exists (select 1 from invoice_line l where l.customer_id = ${scope.customerId} and l.date_from is null) as has_undated
      from billing_period p
     where p.customer_id = ${scope.customerId} and p.id = ${id}`);

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

/** What a part of the list is asked together with. */
interface Beside {
  /** The invoice, `i`. */
  readonly invoice?: boolean;
  /** The service, `s`. */
  readonly service?: boolean;
  /** `and …`: what else must be true of a line. */
  readonly also?: Sql;
}

/** The lines of an agreement whose first day lies in a period, `l`. */
const namedIn = (
  { customerId }: CustomerScope,
  { agreement_id, period_start, period_end }: PeriodRow,
): Sql => sql`
  l.customer_id = ${customerId} and l.agreement_id = ${agreement_id} and l.date_from between ${period_start} and ${period_end}`;

/**
 * The charges of a period, invoiced or not. A line belongs to the period its first day lies in; one without days to
 * that of its invoice. Lines that name no agreement stand with the customer's first.
 * @returns `from … where …` of parts that share no line, each with its own way by an index
 */
function ofPeriod(
  scope: CustomerScope,
  period: ChargedPeriodRow,
  { invoice = false, service = false, also = sql`` }: Beside = {},
): readonly [Sql, ...Sql[]] {
  const { customerId } = scope;
  const invoiceJoin = sql`left join invoice i on i.customer_id = l.customer_id and i.id = l.invoice_id`;
  const serviceJoin = service ? sql`left join service s on s.id = l.service_id` : sql``;
  const mine = sql`l.customer_id = ${customerId}`;
  const within = (day: Sql) => sql`${day} between ${period.period_start} and ${period.period_end}`;
  // By a short index of what is void: the status of each invoice need not be looked up.
  const notVoid = sql`not exists (
    select 1 from invoice v where v.customer_id = ${customerId} and v.id = l.invoice_id and v.status = ${VOID})`;
  const belongs = period.is_only_agreement
    ? sql`true`
    : sql`coalesce(l.agreement_id, i.agreement_id, (
             select id from agreement where customer_id = ${customerId}
              order by started_on nulls last, id limit 1)) = ${period.agreement_id}`;
  const named = sql`
      from invoice_line l ${invoice ? invoiceJoin : sql``} ${serviceJoin}
     where ${namedIn(scope, period)} and ${notVoid} ${also}`;
  const unnamed = sql`
      from invoice_line l ${invoice || !period.is_only_agreement ? invoiceJoin : sql``} ${serviceJoin}
     where ${mine} and l.agreement_id is null and ${within(sql`l.date_from`)} and ${notVoid} and ${belongs} ${also}`;
  const undated = sql`
      from invoice_line l ${invoiceJoin} ${serviceJoin}
     where ${mine} and l.date_from is null and ${within(sql`coalesce(i.period_start, i.issued_on)`)}
       and i.status <> ${VOID} and ${belongs} ${also}`;
  return [named, ...(period.has_unnamed ? [unnamed] : []), ...(period.has_undated ? [undated] : [])];
}

/**
 * How many charges a period has. All lines of the agreement are counted by their index alone, in whose order they are asked for, and those
 * of void invoices, which are few, are taken off again: looking for a void invoice for each takes as long as counting.
 */
function countOf(scope: CustomerScope, period: ChargedPeriodRow): Sql<number> {
  const { customerId } = scope;
  const named = namedIn(scope, period);
  const [, ...others] = ofPeriod(scope, period);
  const counts = [
    sql`(select count(*) from (
           select 1 from invoice_line l where ${named} order by l.date_from, l.invoice_id, l.line_no) named)`,
    sql`- (select count(*) from invoice v join invoice_line l on l.customer_id = v.customer_id and l.invoice_id = v.id
            where v.customer_id = ${customerId} and v.status = ${VOID} and ${named})`,
    ...others.map((from) => sql`+ (select count(*) ${from})`),
  ];
  return sql<number>`(${sql.join(counts, sql` `)})::int`;
}

const columns = sql`
           l.id, l.product_label, l.product_name, s.name as service_name, l.service_item, l.site_label, l.invoice_id,
           i.number as invoice_number, l.date_from, l.date_to, l.amount_minor, l.currency, l.quantity, l.unit, (
             select r.unit from record_type r where r.id = l.record_type_id) as record_unit, l.extra`;

const inTime: [SortKey, ...SortKey[]] = [
  { by: sql`l.date_from` },
  { by: sql`l.invoice_id` },
  { by: sql`l.line_no` },
  { by: sql`l.id` },
];

/** All of them, in the order of time; those of a day and an invoice in its order. */
export function allTransactions(scope: CustomerScope, period: ChargedPeriodRow): Sql<TransactionRow> {
  const parts = ofPeriod(scope, period, { invoice: true, service: true });
  return sql<TransactionRow>`
    select * from (${sql.join(
      parts.map((from) => sql`select ${columns}, l.line_no ${from}`),
      sql` union all `,
    )}) l
     order by ${sql.join(inTime.map(({ by }) => by))}`;
}

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

/** Of a line that has a text in itself, or in the name of its service or the number of its invoice. */
function found({ customerId, resellerId }: CustomerScope, search: string): Sql {
  const { productLabel, productName, serviceItem, siteLabel } = texts;
  // One text with what nobody searches for between: each is looked at once. Names are looked through once, not for every line.
  const own = sql`concat_ws(chr(31), ${sql.join([productLabel, productName, serviceItem, siteLabel])})`;
  return sql`(${holds(own, search)}
    or l.service_id in (select x.id from service x where x.reseller_id = ${resellerId} and ${holds(sql`x.name`, search)})
    or l.invoice_id in (select x.id from invoice x where x.customer_id = ${customerId} and ${holds(sql`x.number`, search)}))`;
}

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
  period: ChargedPeriodRow,
  { order, isDescending, search }: TransactionListing,
): PagedList {
  return {
    parts: ofPeriod(scope, period, {
      invoice: order === 'invoiceNumber',
      service: order === 'serviceName',
      also: search === undefined ? sql`` : sql`and ${found(scope, search)}`,
    }),
    isNarrow: search !== undefined,
    total: countOf(scope, period),
    id: sql`l.id`,
    order: order === undefined ? inTime : [{ by: keyOf(order), isDescending }, ...inTime],
    columns,
    join: sql`from page p cross join ${rowById('invoice_line', scope.customerId, sql`p.id`)} l
              left join ${rowById('invoice', scope.customerId, sql`l.invoice_id`)} i on true
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
export function sumTransactions(db: Db, scope: CustomerScope, period: ChargedPeriodRow) {
  const lines = ofPeriod(scope, period).map(
    (from) => sql`select l.currency, l.amount_minor, l.product_label, l.site_label ${from}`,
  );
  return db.many<TransactionSumRow>(sql`
    select l.currency, count(*)::int as charges, sum(l.amount_minor)::bigint as amount_minor,
           bool_or(l.product_label <> '') as has_labels, bool_or(l.site_label <> '') as has_sites
      from (${sql.join(lines, sql` union all `)}) l
     group by l.currency order by l.currency`);
}
