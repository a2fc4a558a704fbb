import type {
  AdminInvoice,
  AdminInvoiceLine,
} from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import { isId } from '@counterfoil/domain/text/ids.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { InvoiceAmounts } from '../payments/queries.ts';

/** An invoice as the provider sees it; amounts in minor units. */
export interface AdminInvoiceRow extends InvoiceAmounts {
  id: string;
  customer_id: string;
  reseller_id: number;
  customer: string;
  kind: AdminInvoice['kind'];
  number: string;
  issued_on: string;
  due_on: string | null;
  period_start: string | null;
  period_end: string | null;
  subtotal_minor: bigint;
  tax_minor: bigint;
  total_minor: bigint;
  rounding_minor: bigint;
  prepaid_minor: bigint;
  generated_at: Date;
}

const select = sql`
  select i.id, i.customer_id, i.reseller_id, c.label as customer, i.kind, i.number, i.issued_on, i.due_on, i.period_start,
         i.period_end, i.currency, i.subtotal_minor, i.tax_minor, i.total_minor, i.rounding_minor, i.prepaid_minor,
         i.payable_minor, i.paid_minor, i.credited_minor, i.reversed_minor, i.held_minor, i.due_minor, i.status,
         i.generated_at
    from invoice i join customer c on c.customer_id = i.customer_id`;

export interface InvoiceFilter {
  /** Undefined: of all resellers. */
  readonly resellerId: number | undefined;
  readonly customerId?: string | undefined;
  readonly number?: string | undefined;
  readonly kind?: AdminInvoice['kind'] | undefined;
  /** A code of `InvoiceStatus`. */
  readonly status?: number | undefined;
  readonly currency?: string | undefined;
  readonly issuedFrom?: string | undefined;
  readonly issuedTo?: string | undefined;
  readonly dueFrom?: string | undefined;
  readonly dueTo?: string | undefined;
  /** A day that their billing period has in it. */
  readonly period?: string | undefined;
  /** The id after which the page begins. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Invoices and credit notes, what came in last first. */
export function listInvoices(db: Db, of: InvoiceFilter): Promise<AdminInvoiceRow[]> {
  const where: readonly (Sql | false)[] = [
    of.resellerId !== undefined && sql`i.reseller_id = ${of.resellerId}`,
    of.customerId !== undefined && sql`i.customer_id = ${of.customerId}`,
    of.number !== undefined && sql`lower(i.number) = lower(${of.number}) and i.number = ${of.number}`,
    of.kind !== undefined && sql`i.kind = ${of.kind}`,
    of.status !== undefined && sql`i.status = ${of.status}`,
    of.currency !== undefined && sql`i.currency = ${of.currency}`,
    of.issuedFrom !== undefined && sql`i.issued_on >= ${of.issuedFrom}`,
    of.issuedTo !== undefined && sql`i.issued_on <= ${of.issuedTo}`,
    of.dueFrom !== undefined && sql`i.due_on >= ${of.dueFrom}`,
    of.dueTo !== undefined && sql`i.due_on <= ${of.dueTo}`,
    of.period !== undefined && sql`${of.period} between i.period_start and i.period_end`,
    of.before !== undefined && sql`i.id < ${of.before}`,
  ];
  const conditions = where.reduce<Sql>(
    (all, one) => (one === false ? all : sql`${all} and ${one}`),
    sql`true`,
  );
  return db.many<AdminInvoiceRow>(sql`
    ${select} where ${conditions} order by i.id desc limit ${of.limit}`);
}

/** Reached by reseller and id, which an index has; undefined: of every reseller. */
const withId = (resellerId: number | undefined, id: string): Sql =>
  resellerId === undefined
    ? sql`i.reseller_id in (select id from reseller) and i.id = ${id}`
    : sql`i.reseller_id = ${resellerId} and i.id = ${id}`;

/** @param resellerId whose it has to be; undefined: anybody's */
export const findInvoice = (db: Db, resellerId: number | undefined, id: string) =>
  db.maybeOne<AdminInvoiceRow>(sql`${select} where ${withId(resellerId, id)}`);

/** The same, locked until the transaction ends. */
export async function lockInvoice(
  tx: Tx,
  resellerId: number | undefined,
  id: string,
): Promise<AdminInvoiceRow | undefined> {
  // Whose it is comes first: Citus locks rows of one customer.
  const found = await tx.maybeOne<{ customer_id: string }>(sql`
    select i.customer_id from invoice i where ${withId(resellerId, id)}`);
  if (found === undefined) return undefined;
  return tx.maybeOne<AdminInvoiceRow>(sql`
    ${select} where i.customer_id = ${found.customer_id} and i.id = ${id} for update of i`);
}

/**
 * Invoices that a person may mean, the newest first, three at most.
 * @param name an id or a number
 */
export const findInvoicesNamed = (
  db: Db,
  name: string,
  { resellerId, customerId }: Pick<InvoiceFilter, 'resellerId' | 'customerId'>,
): Promise<AdminInvoiceRow[]> =>
  isId(name)
    ? db.many(sql`${select} where ${withId(resellerId, name)}`)
    : listInvoices(db, { resellerId, customerId, number: name, limit: 3 });

export interface AdminInvoiceLineRow {
  line_no: number;
  kind: AdminInvoiceLine['kind'];
  product_label: string;
  product_name: string;
  details: string;
  service_item: string;
  site_label: string;
  cost_centre: string | null;
  date_from: string | null;
  date_to: string | null;
  quantity: string;
  unit: string;
  price: string;
  base_quantity: string;
  amount_minor: bigint;
  tax_minor: bigint;
  tax_category: string;
  tax_percent: string | null;
  extra: string[];
}

/** Its lines in their order; a document has 20,000 at most. */
export const listInvoiceLines = (
  db: Db,
  { customer_id: customerId, id }: Pick<AdminInvoiceRow, 'customer_id' | 'id'>,
): Promise<AdminInvoiceLineRow[]> =>
  db.many(sql`
    select line_no, kind, product_label, product_name, details, service_item, site_label, cost_centre, date_from, date_to,
           quantity, unit, price, base_quantity, amount_minor, tax_minor, tax_category, tax_percent, extra
      from invoice_line where customer_id = ${customerId} and invoice_id = ${id} order by line_no limit 20000`);
