import type { CurrencyCode } from '@counterfoil/domain/money/money.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';

/** A party as an invoice keeps it: what its document stated. */
export interface PartyRow {
  readonly name?: string;
  readonly legalName?: string | null;
  readonly taxId?: string | null;
  readonly endpoint?: { readonly scheme: string; readonly id: string } | null;
  readonly legalId?: { readonly scheme: string; readonly id: string } | null;
  readonly identifiers?: readonly { readonly scheme: string; readonly id: string }[];
  readonly address?: AddressRow;
}

export interface AddressRow {
  readonly lines?: readonly string[];
  readonly city?: string | null;
  readonly postalCode?: string | null;
  readonly region?: string | null;
  readonly country?: string | null;
}

/** An invoice as it is written as an e-invoice; amounts in minor units, those of credits below zero. */
export interface EInvoiceRow {
  id: string;
  kind: 'invoice' | 'creditNote';
  number: string;
  issued_on: string;
  due_on: string | null;
  period_start: string | null;
  period_end: string | null;
  currency: CurrencyCode;
  subtotal_minor: bigint;
  tax_minor: bigint;
  total_minor: bigint;
  rounding_minor: bigint;
  prepaid_minor: bigint;
  payable_minor: bigint;
  supplier: PartyRow;
  buyer: PartyRow;
  details: {
    typeCode?: string;
    costCentre?: string | null;
    serviceItem?: string | null;
    buyerReference?: string | null;
    orderReference?: string | null;
    contractReference?: string | null;
    paymentTerms?: string | null;
    paymentReferences?: readonly string[];
    billingReferences?: readonly { readonly number: string; readonly issuedOn: string | null }[];
    note?: string | null;
    taxElsewhere?: { readonly currency: string; readonly taxMinor: number };
  };
  discrepancies: readonly { readonly kind: string; readonly lineNo: number | null }[];
  customer_label: string;
  customer_ref: string | null;
  customer_country: string | null;
  customer_address: AddressRow;
  /** `scheme:id`, as imports know the customer by it. */
  customer_endpoint: string | null;
  has_document: boolean;
}

export interface ELineRow {
  line_no: number;
  kind: 'line' | 'allowance' | 'charge';
  product_label: string;
  product_name: string;
  details: string;
  service_item: string;
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
}

/** An invoice of one customer with what is known of that. */
export const findEInvoice = (db: Db, { customerId, resellerId }: CustomerScope, id: string) =>
  db.maybeOne<EInvoiceRow>(sql`
    select i.id, i.kind, i.number, i.issued_on, i.due_on, i.period_start, i.period_end, i.currency, i.subtotal_minor,
           i.tax_minor, i.total_minor, i.rounding_minor, i.prepaid_minor, i.payable_minor, i.supplier, i.buyer, i.details,
           i.discrepancies, cu.label as customer_label, cu.external_ref as customer_ref, cu.country as customer_country,
           cu.address as customer_address,
           (select k.value from customer_identity k
             where k.reseller_id = ${resellerId} and k.customer_id = ${customerId} and k.kind = 'endpoint'
             order by k.value limit 1) as customer_endpoint,
           exists (select from invoice_document d where d.customer_id = ${customerId} and d.invoice_id = i.id
                      and d.content_hash = i.content_hash) as has_document
      from invoice i join customer cu on cu.customer_id = i.customer_id
     where i.customer_id = ${customerId} and i.id = ${id}`);

/** The lines of an invoice, in its order. */
export const allELines = ({ customerId }: Pick<CustomerScope, 'customerId'>, invoiceId: string) =>
  sql<ELineRow>`
    select line_no, kind, product_label, product_name, details, service_item, cost_centre, date_from, date_to,
           quantity::text, unit, price::text, base_quantity::text, amount_minor, tax_minor, tax_category,
           tax_percent::text
      from invoice_line where customer_id = ${customerId} and invoice_id = ${invoiceId} order by line_no`;

/** The first and the last day that its lines bill. */
export const spanOfLines = (db: Db, { customerId }: CustomerScope, invoiceId: string) =>
  db.one<Pick<ELineRow, 'date_from' | 'date_to'>>(sql`
    select min(date_from) as date_from, max(date_to) as date_to from invoice_line
     where customer_id = ${customerId} and invoice_id = ${invoiceId}`);

/** Whose an invoice is, for the provider. @param resellerId undefined: anybody's */
export const findOwner = (db: Db, resellerId: number | undefined, invoiceId: string) =>
  db.maybeOne<{ customer_id: string; reseller_id: number }>(sql`
    select i.customer_id, cu.reseller_id from invoice i join customer cu on cu.customer_id = i.customer_id
     where i.id = ${invoiceId} and ${resellerId === undefined ? sql`true` : sql`cu.reseller_id = ${resellerId}`}`);
