import { formatDay } from '@counterfoil/domain/time/day.ts';
import type { DemoBrand } from '../world/brand.ts';
import { taxNumberOf } from '../world/brand-letters.ts';
import type { DemoCustomer } from '../world/customers.ts';
import { type DemoDocument, type DemoLine, percentOf, taxCategoryOf } from '../world/documents.ts';

const supplierKeyOf = (brand: DemoBrand): string => `legal::${brand.prefix}-${brand.id}`;

/** Columns of `invoice` with their types. */
export const invoiceColumns = {
  customer_id: 'uuid',
  id: 'uuid',
  reseller_id: 'int',
  kind: 'text',
  number: 'text',
  supplier_key: 'text',
  agreement_id: 'uuid',
  issued_on: 'date',
  due_on: 'date',
  period_start: 'date',
  period_end: 'date',
  currency: 'text',
  subtotal_minor: 'bigint',
  tax_minor: 'bigint',
  total_minor: 'bigint',
  payable_minor: 'bigint',
  paid_minor: 'bigint',
  credited_minor: 'bigint',
  status: 'smallint',
  supplier: 'jsonb',
  buyer: 'jsonb',
  details: 'jsonb',
  taxes: 'jsonb',
  discrepancies: 'jsonb',
  content_hash: 'bytea',
  generated_at: 'timestamptz',
};

/** @returns the document's row of `invoice` */
export function invoiceRow(document: DemoDocument) {
  const { customer, brand, payable } = document;
  return {
    customer_id: customer.id,
    id: document.id,
    reseller_id: brand.resellerId,
    kind: document.kind,
    number: document.number,
    supplier_key: supplierKeyOf(brand),
    agreement_id: document.agreementId,
    issued_on: document.issuedOn,
    due_on: document.dueOn,
    period_start: document.period?.from ?? null,
    period_end: document.period?.to ?? null,
    currency: payable.currency,
    subtotal_minor: document.subtotal.minor,
    tax_minor: document.tax.minor,
    total_minor: payable.minor,
    payable_minor: payable.minor,
    paid_minor: document.paid.minor,
    credited_minor: document.credited.minor,
    status: document.status,
    supplier: supplierOf(brand),
    buyer: buyerOf(customer),
    details: detailsOf(document),
    taxes: document.taxes,
    discrepancies: document.discrepancies,
    content_hash: `\\x${document.contentHash}`,
    generated_at: `${document.issuedOn}T06:00:00Z`,
  };
}

/** Parties in the shape imports store them. */
const supplierOf = (brand: DemoBrand) => ({
  endpoint: null,
  identifiers: [],
  legalId: { scheme: '', id: `${brand.prefix}-${brand.id}` },
  taxId: taxNumberOf(brand),
  name: brand.name,
  legalName: brand.companyName,
  address: {
    lines: ['1 Exchange Square'],
    city: brand.city,
    postalCode: null,
    region: null,
    country: brand.country,
  },
  email: null,
  phone: null,
});

const buyerOf = (customer: DemoCustomer) => ({
  endpoint: null,
  identifiers: [],
  legalId: null,
  taxId: null,
  name: customer.label,
  legalName: null,
  address: {
    lines: [customer.street],
    city: customer.city,
    postalCode: customer.postalCode,
    region: null,
    country: customer.country,
  },
  email: customer.email,
  phone: null,
});

const detailsOf = (document: DemoDocument) => ({
  typeCode: document.kind === 'invoice' ? '380' : '381',
  costCentre: null,
  serviceItem: null,
  buyerReference: `CUST-${document.customer.ordinal}`,
  orderReference: null,
  contractReference: null,
  paymentReferences: [document.number],
  paymentTerms: document.dueOn === null ? null : `Due on ${formatDay(document.dueOn)}`,
  billingReferences: document.credits === null ? [] : [document.credits],
  note: document.note,
});

/** Columns of `invoice_identity`. */
export const identityColumns = {
  reseller_id: 'int',
  supplier_key: 'text',
  kind: 'text',
  number: 'text',
  customer_id: 'uuid',
  invoice_id: 'uuid',
};
/** @returns the document's row of `invoice_identity` */
export const identityRow = ({ brand, customer, kind, number, id }: DemoDocument) => ({
  reseller_id: brand.resellerId,
  supplier_key: supplierKeyOf(brand),
  kind,
  number,
  customer_id: customer.id,
  invoice_id: id,
});

/** Columns of `invoice_line`. */
export const lineColumns = {
  customer_id: 'uuid',
  id: 'uuid',
  invoice_id: 'uuid',
  line_no: 'int',
  kind: 'text',
  product_label: 'text',
  product_name: 'text',
  details: 'text',
  service_id: 'uuid',
  record_type_id: 'uuid',
  agreement_id: 'uuid',
  service_item_id: 'uuid',
  service_item: 'text',
  site_label: 'text',
  cost_centre: 'text',
  date_from: 'date',
  date_to: 'date',
  quantity: 'numeric',
  unit: 'text',
  price: 'numeric',
  currency: 'text',
  amount_minor: 'bigint',
  tax_minor: 'bigint',
  tax_category: 'text',
  tax_percent: 'numeric',
  extra: 'text[]',
};
/** @param tax minor units @param invoiceId null: not invoiced yet */
export const lineRow = (
  customer: DemoCustomer,
  line: DemoLine,
  tax: bigint,
  invoiceId: string | null,
  lineNo: number,
) => ({
  customer_id: customer.id,
  id: line.id,
  invoice_id: invoiceId,
  line_no: lineNo,
  kind: line.kind,
  product_label: line.product,
  product_name: line.name,
  details: line.details,
  service_id: line.serviceId,
  record_type_id: line.typeId,
  agreement_id: line.agreementId,
  service_item_id: line.itemId,
  service_item: line.item,
  site_label: line.site,
  cost_centre: line.costCentre,
  date_from: line.from,
  date_to: line.to,
  quantity: line.quantity,
  unit: line.unit,
  price: line.price,
  currency: line.amount.currency,
  amount_minor: line.amount.minor,
  tax_minor: tax,
  tax_category: taxCategoryOf(line.taxPoints),
  tax_percent: percentOf(line.taxPoints),
  extra: line.extra,
});
