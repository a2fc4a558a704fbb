import type {
  AdminInvoice,
  AdminInvoiceDetail,
} from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { invoiceStateOf } from '@counterfoil/domain/paying/invoice.ts';
import type { AdminInvoiceLineRow, AdminInvoiceRow } from './queries.ts';

/** An invoice as programs and commands are told of it. */
export function presentInvoice(row: AdminInvoiceRow): AdminInvoice {
  const decimal = (minor: bigint) => formatDecimal(money(minor, row.currency));
  return {
    id: row.id,
    number: row.number,
    kind: row.kind,
    customerId: row.customer_id,
    customer: row.customer,
    status: invoiceStateOf(row.status),
    issuedOn: row.issued_on,
    dueOn: row.due_on,
    periodFrom: row.period_start,
    periodTo: row.period_end,
    currency: row.currency,
    subtotal: decimal(row.subtotal_minor),
    tax: decimal(row.tax_minor),
    total: decimal(row.total_minor),
    rounding: decimal(row.rounding_minor),
    prepaid: decimal(row.prepaid_minor),
    payable: decimal(row.payable_minor),
    paid: decimal(row.paid_minor),
    credited: decimal(row.credited_minor),
    reversed: decimal(row.reversed_minor),
    beingPaid: decimal(row.held_minor),
    due: decimal(row.due_minor),
    createdAt: row.generated_at.toISOString(),
  };
}

/** The same with its lines. */
export function presentInvoiceDetail(
  row: AdminInvoiceRow,
  lines: readonly AdminInvoiceLineRow[],
): AdminInvoiceDetail {
  const decimal = (minor: bigint) => formatDecimal(money(minor, row.currency));
  return {
    ...presentInvoice(row),
    lines: lines.map((line) => ({
      lineNo: line.line_no,
      kind: line.kind,
      label: line.product_label,
      name: line.product_name,
      description: line.details,
      serviceItem: line.service_item,
      site: line.site_label,
      costCentre: line.cost_centre,
      periodFrom: line.date_from,
      periodTo: line.date_to,
      quantity: line.quantity,
      unit: line.unit,
      price: line.price,
      baseQuantity: line.base_quantity,
      amount: decimal(line.amount_minor),
      tax: decimal(line.tax_minor),
      taxCategory: line.tax_category,
      taxPercent: line.tax_percent,
      extra: line.extra,
    })),
  };
}
