import type { InvoiceDetail } from '@counterfoil/contract/invoices.ts';
import type { QuantityUnit } from '@counterfoil/domain/money/quantity.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';

/** An invoice with what is derived beside it; amounts in minor units. */
export interface InvoiceRow {
  id: string;
  kind: 'invoice' | 'creditNote';
  number: string;
  issued_on: string;
  due_on: string | null;
  period_start: string | null;
  period_end: string | null;
  currency: string;
  subtotal_minor: bigint;
  tax_minor: bigint;
  total_minor: bigint;
  rounding_minor: bigint;
  prepaid_minor: bigint;
  payable_minor: bigint;
  paid_minor: bigint;
  credited_minor: bigint;
  reversed_minor: bigint;
  status: number;
  generated_at: Date;
  has_discrepancy: boolean;
  attempt_open: boolean;
  /** The open attempt only waits for its payer, who may pay otherwise. */
  waits_for_payer: boolean;
  token_sealed: Buffer | null;
  customer_label: string;
}

/**
 * Of invoices `i` of one customer `cu`. The customer is named in each subquery: joined to the invoice's alone, Citus would ask every
 * machine.
 */
export const invoiceColumns = ({ customerId }: Pick<CustomerScope, 'customerId'>): Sql => sql`
  i.id, i.kind, i.number, i.issued_on, i.due_on, i.period_start, i.period_end, i.currency, i.subtotal_minor,
  i.tax_minor, i.total_minor, i.rounding_minor, i.prepaid_minor, i.payable_minor, i.paid_minor, i.credited_minor,
  i.reversed_minor, i.status, i.generated_at, i.discrepancies <> '[]'::jsonb as has_discrepancy,
  exists (select 1 from claim c where c.customer_id = ${customerId} and c.invoice_id = i.id and c.is_open)
    as attempt_open,
  coalesce((select bool_and(a.state = 'requiresAction') from claim c
      join attempt a on a.customer_id = c.customer_id and a.id = c.attempt_id
     where c.customer_id = ${customerId} and c.invoice_id = i.id and c.is_open), false) as waits_for_payer,
  (select l.token_sealed from invoice_pay_link l where l.customer_id = ${customerId} and l.invoice_id = i.id
      and l.retired_at is null) as token_sealed,
  cu.label as customer_label`;

export interface StoredParty {
  readonly name?: string;
  readonly legalName?: string | null;
  readonly taxId?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly address?: {
    readonly lines?: readonly string[];
    readonly city?: string | null;
    readonly postalCode?: string | null;
    readonly region?: string | null;
    readonly country?: string | null;
  };
}

/** The invoice's tax in the currency it is paid in, as the provider stated it. */
interface TaxElsewhere {
  readonly currency: string;
  /** Minor units of that currency. */
  readonly taxMinor: number;
  /** Units of it for one of the invoice's. */
  readonly rate: string | null;
  readonly rateOn: string | null;
}

/** The rest of an invoice, for its own page and its PDF. */
export interface InvoiceDetailRow extends InvoiceRow {
  supplier: StoredParty;
  buyer: StoredParty;
  details: {
    costCentre?: string | null;
    note?: string | null;
    paymentTerms?: string | null;
    taxElsewhere?: TaxElsewhere;
  };
  taxes: { category: string; percent: string | null; taxableMinor: number; taxMinor: number }[];
  discrepancies: {
    kind: DiscrepancyKind;
    lineNo: number | null;
    expectedMinor: number;
    statedMinor: number;
  }[];
  /** The provider's number of the customer. */
  customer_ref: string | null;
  /** ISO 3166-1 alpha-2 */
  customer_country: string | null;
}

export type DiscrepancyKind = InvoiceDetail['discrepancies'][number]['kind'];

export interface InvoiceLineRow {
  id: string;
  line_no: number;
  kind: 'line' | 'allowance' | 'charge';
  product_name: string;
  details: string;
  service_name: string | null;
  record_type: string | null;
  /** What its records are counted in. */
  record_unit: QuantityUnit | null;
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
  tax_percent: string | null;
  usage_records: number;
  /** Some of what it billed lies in archived months. */
  has_archived_usage: boolean;
}

/** What the split of usage over the lines that billed it needs of a line. */
export type UsageLineRow = Pick<InvoiceLineRow, 'id' | 'quantity' | 'unit' | 'amount_minor' | 'tax_minor'>;

/** Usage billed by one line, by service item and record type. */
export interface LineUsageRow {
  line_id: string;
  service_item: string;
  service: string;
  record_type: string;
  /** Of the record type. */
  unit: QuantityUnit | null;
  units: string;
  price: string;
}
