import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { lockByCustomer } from '../../../db/lock-rows.ts';
import { sql } from '../../../db/sql.ts';
import type { ImportedInvoice } from './imported-invoice.ts';
import type { StoredInvoice } from './stored-invoice.ts';

export interface KnownInvoice {
  customer_id: string;
  invoice_id: string;
  content_hash: Buffer;
}

/** What a document is known again by within its reseller. */
export type DocumentIdentity = Pick<InvoiceIdentity, 'supplierKey' | 'kind' | 'number'>;

/** An identity as the key of a map. */
export const keyOfIdentity = ({ supplierKey, kind, number }: DocumentIdentity): string =>
  JSON.stringify([supplierKey, kind, number]);

/** The invoices that already have these identities within the reseller, by {@link keyOfIdentity}. */
export async function findByIdentities(
  db: Db,
  resellerId: number,
  identities: readonly DocumentIdentity[],
): Promise<ReadonlyMap<string, KnownInvoice>> {
  if (identities.length === 0) return new Map();
  const rows = await db.many<
    KnownInvoice & { supplier_key: string; kind: InvoiceIdentity['kind']; number: string }
  >(sql`
    select n.supplier_key, n.kind, n.number, n.customer_id, n.invoice_id, i.content_hash
      from unnest(${identities.map(({ supplierKey }) => supplierKey)}::text[],
                  ${identities.map(({ kind }) => kind)}::text[], ${identities.map(({ number }) => number)}::text[])
             as w(supplier_key, kind, number)
      join invoice_identity n on n.reseller_id = ${resellerId} and n.supplier_key = w.supplier_key and n.kind = w.kind
                             and n.number = w.number
      join invoice i on i.customer_id = n.customer_id and i.id = n.invoice_id`);
  return new Map(rows.map((row) => [keyOfIdentity({ ...row, supplierKey: row.supplier_key }), row]));
}

/** What an invoice is known again by. */
export interface InvoiceIdentity {
  readonly resellerId: number;
  readonly supplierKey: string;
  readonly kind: ImportedInvoice['kind'];
  readonly number: string;
  readonly customerId: string;
  readonly id: string;
}

/**
 * Takes identities for invoices that are about to be stored, in an order of its own. Waits for others that are storing them.
 * @returns ids of the invoices that got theirs
 */
export async function claimIdentities(
  tx: Tx,
  identities: readonly InvoiceIdentity[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.many<{ invoice_id: string }>(sql`
    insert into invoice_identity (reseller_id, supplier_key, kind, number, customer_id, invoice_id)
    select * from unnest(${identities.map(({ resellerId }) => resellerId)}::int[],
                         ${identities.map(({ supplierKey }) => supplierKey)}::text[],
                         ${identities.map(({ kind }) => kind)}::text[], ${identities.map(({ number }) => number)}::text[],
                         ${identities.map(({ customerId }) => customerId)}::uuid[],
                         ${identities.map(({ id }) => id)}::uuid[])
     order by 1, 2, 3, 4
    on conflict do nothing returning invoice_id`);
  return new Set(rows.map(({ invoice_id: id }) => id));
}

/** The current pay links of invoices, their tokens sealed, by the invoices' ids. */
export async function findPayLinks(
  db: Db,
  invoices: readonly { readonly customerId: string; readonly id: string }[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (invoices.length === 0) return new Map();
  const rows = await db.many<{ invoice_id: string; token_sealed: Buffer }>(sql`
    select l.invoice_id, l.token_sealed
      from unnest(${invoices.map(({ customerId }) => customerId)}::uuid[], ${invoices.map(({ id }) => id)}::uuid[])
             as w(customer_id, invoice_id)
      join invoice_pay_link l on l.customer_id = w.customer_id and l.invoice_id = w.invoice_id and l.retired_at is null`);
  return new Map(rows.map((row) => [row.invoice_id, row.token_sealed]));
}

/** One import at a time for a customer's documents; does not hold up payments. Locks several in the order of their ids. */
export async function lockCustomers(tx: Tx, customerIds: Iterable<string>): Promise<void> {
  await lockByCustomer(
    tx,
    [...customerIds],
    (these) =>
      sql`select 1 from customer where customer_id = ${these} order by customer_id for no key update`,
  );
}

/** The agreement a document names by its contract reference, else the customer's first; null where there is none. */
export const findAgreement = async (
  db: Db,
  customerId: string,
  reference: string | null,
): Promise<string | null> => (await findAgreements(db, [{ customerId, reference }]))[0] ?? null;

/** The same of many documents, in their order. */
export async function findAgreements(
  db: Db,
  documents: readonly { readonly customerId: string; readonly reference: string | null }[],
): Promise<readonly (string | null)[]> {
  const rows = await db.many<{ at: bigint; id: string }>(sql`
    select distinct on (d.at) d.at, a.id
      from unnest(${documents.map(({ customerId }) => customerId)}::uuid[],
                  ${documents.map(({ reference }) => reference ?? '')}::text[])
             with ordinality as d(customer, reference, at)
      join agreement a on a.customer_id = d.customer
     order by d.at, (a.external_ref = d.reference) desc nulls last, (a.name = d.reference) desc, a.started_on nulls last, a.id`);
  const found = new Map(rows.map(({ at, id }) => [Number(at), id]));
  return documents.map((_, place) => found.get(place + 1) ?? null);
}

export interface InvoiceKeys {
  readonly customerId: string;
  readonly id: string;
  readonly resellerId: number;
  readonly supplierKey: string;
  readonly agreementId: string | null;
  readonly contentHash: Buffer;
  readonly status: number;
}

/** An invoice that is written. */
export interface NewInvoice {
  readonly keys: InvoiceKeys;
  readonly invoice: ImportedInvoice;
  readonly stored: StoredInvoice;
}

/** Writes the invoices' own rows. */
export async function insertInvoices(tx: Tx, invoices: readonly NewInvoice[], now: Date): Promise<void> {
  const rows = invoices.map(({ keys, invoice, stored }) => ({
    ...keys,
    contentHash: keys.contentHash.toString('hex'),
    kind: invoice.kind,
    number: invoice.number,
    issuedOn: invoice.issuedOn,
    dueOn: invoice.dueOn,
    from: invoice.period?.from ?? null,
    to: invoice.period?.to ?? null,
    currency: invoice.currency,
    subtotal: `${stored.subtotal}`,
    tax: `${stored.tax}`,
    total: `${stored.total}`,
    rounding: `${stored.rounding}`,
    prepaid: `${stored.prepaid}`,
    payable: `${stored.payable}`,
    supplier: invoice.supplier,
    buyer: invoice.buyer,
    details: stored.details,
    taxes: stored.taxes,
    discrepancies: stored.discrepancies,
  }));
  await tx.execute(sql`
    insert into invoice (customer_id, id, reseller_id, kind, number, supplier_key, agreement_id, issued_on, due_on,
        period_start, period_end, currency, subtotal_minor, tax_minor, total_minor, rounding_minor, prepaid_minor,
        payable_minor, status, supplier, buyer, details, taxes, discrepancies, content_hash, generated_at)
    select i."customerId", i."id", i."resellerId", i."kind", i."number", i."supplierKey", i."agreementId", i."issuedOn",
           i."dueOn", i."from", i."to", i."currency", i."subtotal", i."tax", i."total", i."rounding", i."prepaid",
           i."payable", i."status", i."supplier", i."buyer", i."details", i."taxes", i."discrepancies",
           decode(i."contentHash", 'hex'), ${now}
      from json_to_recordset(${JSON.stringify(rows)}::json) as i("customerId" uuid, "id" uuid, "resellerId" int,
           "kind" text, "number" text, "supplierKey" text, "agreementId" uuid, "issuedOn" date, "dueOn" date, "from" date,
           "to" date, "currency" text, "subtotal" bigint, "tax" bigint, "total" bigint, "rounding" bigint,
           "prepaid" bigint, "payable" bigint, "status" int, "supplier" jsonb, "buyer" jsonb, "details" jsonb,
           "taxes" jsonb, "discrepancies" jsonb, "contentHash" text)`);
}

/** Puts other content in the place of an invoice's own row; what was paid and credited of it stays. */
export async function updateInvoice(
  tx: Tx,
  keys: InvoiceKeys,
  invoice: ImportedInvoice,
  stored: StoredInvoice,
): Promise<void> {
  await tx.execute(sql`
    update invoice set agreement_id = ${keys.agreementId}, issued_on = ${invoice.issuedOn}, due_on = ${invoice.dueOn},
           period_start = ${invoice.period?.from ?? null}, period_end = ${invoice.period?.to ?? null},
           currency = ${invoice.currency}, subtotal_minor = ${stored.subtotal}, tax_minor = ${stored.tax},
           total_minor = ${stored.total}, rounding_minor = ${stored.rounding}, prepaid_minor = ${stored.prepaid},
           payable_minor = ${stored.payable}, status = ${keys.status}, supplier = ${JSON.stringify(invoice.supplier)},
           buyer = ${JSON.stringify(invoice.buyer)}, details = ${JSON.stringify(stored.details)},
           taxes = ${JSON.stringify(stored.taxes)}, discrepancies = ${JSON.stringify(stored.discrepancies)},
           content_hash = ${keys.contentHash}
     where customer_id = ${keys.customerId} and id = ${keys.id}`);
}

/**
 * Writes all lines of invoices in one statement, in the place of those they had. A line whose service item is known is bound
 * to it.
 */
export async function insertLines(tx: Tx, invoices: readonly NewInvoice[], now: Date): Promise<void> {
  const rows = invoices.flatMap(({ keys, invoice, stored }) =>
    stored.lines.map((line, at) => ({
      ...line,
      customerId: keys.customerId,
      invoiceId: keys.id,
      resellerId: keys.resellerId,
      agreementId: keys.agreementId,
      currency: invoice.currency,
      id: newId(now.getTime()),
      lineNo: at + 1,
      amount: `${line.amount}`,
      tax: `${line.tax}`,
    })),
  );
  await tx.execute(sql`
    insert into invoice_line (customer_id, id, invoice_id, line_no, kind, product_label, product_name, details,
        agreement_id, service_id, service_item_id, service_item, site_label, cost_centre, date_from, date_to, quantity,
        unit, price, base_quantity, currency, amount_minor, tax_minor, tax_category, tax_percent, extra)
    select l."customerId", l."id", l."invoiceId", l."lineNo", l."kind", l."productLabel", l."productName", l."details",
           l."agreementId", s.service_id, s.id, l."serviceItem", coalesce(nullif(l."site", ''), s.site, ''),
           l."costCentre", l."from", l."to", l."quantity", l."unit", l."price", l."baseQuantity", l."currency",
           l."amount", l."tax", l."taxCategory", l."taxPercent", l."extra"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l("customerId" uuid, "invoiceId" uuid,
           "resellerId" int, "agreementId" uuid, "currency" text, "id" uuid, "lineNo" int, "kind" text,
           "productLabel" text, "productName" text, "details" text, "serviceItem" text, "site" text,
           "costCentre" text, "from" date, "to" date, "quantity" numeric, "unit" text, "price" numeric,
           "baseQuantity" numeric, "amount" bigint, "tax" bigint, "taxCategory" text, "taxPercent" numeric,
           "extra" text[])
      left join service_item_number n
             on n.reseller_id = l."resellerId" and n.number = l."serviceItem" and n.customer_id = l."customerId"
      left join service_item s on s.customer_id = n.customer_id and s.id = n.service_item_id
    on conflict (customer_id, invoice_id, line_no) do update
       set kind = excluded.kind, product_label = excluded.product_label, product_name = excluded.product_name,
           details = excluded.details, agreement_id = excluded.agreement_id, service_id = excluded.service_id,
           service_item_id = excluded.service_item_id, service_item = excluded.service_item,
           site_label = excluded.site_label, cost_centre = excluded.cost_centre, date_from = excluded.date_from,
           date_to = excluded.date_to, quantity = excluded.quantity, unit = excluded.unit, price = excluded.price,
           base_quantity = excluded.base_quantity, currency = excluded.currency, amount_minor = excluded.amount_minor,
           tax_minor = excluded.tax_minor, tax_category = excluded.tax_category, tax_percent = excluded.tax_percent,
           extra = excluded.extra`);
}

/** Makes the billing periods of invoices known, of those that have an agreement and both days. */
export async function ensureBillingPeriods(
  tx: Tx,
  invoices: readonly {
    readonly keys: Pick<InvoiceKeys, 'customerId' | 'agreementId'>;
    readonly invoice: ImportedInvoice;
  }[],
  now: Date,
): Promise<void> {
  const periods = invoices.flatMap(({ keys: { customerId, agreementId }, invoice: { period } }) => {
    const { from, to } = period ?? { from: null, to: null };
    return agreementId === null || from === null || to === null
      ? []
      : [{ customerId, agreementId, from, to }];
  });
  if (periods.length === 0) return;
  await tx.execute(sql`
    insert into billing_period (customer_id, id, agreement_id, period_start, period_end)
    select * from unnest(${periods.map(({ customerId }) => customerId)}::uuid[],
                         ${periods.map(() => newId(now.getTime()))}::uuid[],
                         ${periods.map(({ agreementId }) => agreementId)}::uuid[],
                         ${periods.map(({ from }) => from)}::date[], ${periods.map(({ to }) => to)}::date[])
     order by 1, 3, 4, 5
    on conflict do nothing`);
}
