import type { InvoiceMessage, MessageType } from '@counterfoil/contract/operator/running/webhook-messages.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { InvoiceStatus, invoiceStateOf } from '@counterfoil/domain/paying/invoice.ts';
import type { Tx } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import { type Listening, listeningOf, listeningOfCustomer, writeMessages } from './write-messages.ts';

type InvoiceType = Extract<MessageType, `invoice.${string}`>;

/** What has happened to an invoice. */
export interface InvoiceNews {
  readonly type: InvoiceType;
  readonly customerId: string;
  readonly id: string;
}

export interface InvoiceMessageRow {
  id: string;
  customer_id: string;
  customer_reference: string | null;
  number: string;
  kind: InvoiceMessage['kind'];
  status: number;
  issued_on: string;
  due_on: string | null;
  currency: string;
  total_minor: bigint;
  payable_minor: bigint;
  paid_minor: bigint;
  credited_minor: bigint;
  reversed_minor: bigint;
  due_minor: bigint;
}

/** Columns of {@link InvoiceMessageRow}, of `invoice i` and `customer c`. */
export const invoiceMessageColumns: Sql =
  sql.raw(`i.id, i.customer_id, c.external_ref as customer_reference, i.number, i.kind,
  i.status, i.issued_on, i.due_on, i.currency, i.total_minor, i.payable_minor, i.paid_minor, i.credited_minor, i.reversed_minor,
  i.due_minor`);

/** What a message says of an invoice. */
export function presentInvoiceMessage(row: InvoiceMessageRow): InvoiceMessage {
  const decimal = (minor: bigint) => formatDecimal(money(minor, row.currency));
  return {
    id: row.id,
    number: row.number,
    kind: row.kind,
    customerId: row.customer_id,
    customerReference: row.customer_reference,
    status: invoiceStateOf(row.status),
    issuedOn: row.issued_on,
    dueOn: row.due_on,
    currency: row.currency,
    total: decimal(row.total_minor),
    payable: decimal(row.payable_minor),
    paid: decimal(row.paid_minor),
    credited: decimal(row.credited_minor),
    reversed: decimal(row.reversed_minor),
    due: decimal(row.due_minor),
    link: `/v1/admin/invoices/${row.id}`,
  };
}

/** Tells of invoices of a reseller as they are now, in the transaction that has changed them. */
export async function tellOfInvoices(
  tx: Tx,
  resellerId: number,
  news: readonly InvoiceNews[],
  now: Date,
): Promise<void> {
  if (news.length > 0) await tell(tx, await listeningOf(tx, resellerId), news, now);
}

/** The same of a customer's invoices. */
export async function tellOfInvoicesOf(
  tx: Tx,
  customerId: string,
  news: readonly Omit<InvoiceNews, 'customerId'>[],
  now: Date,
): Promise<void> {
  if (news.length === 0) return;
  const whose = await listeningOfCustomer(tx, customerId);
  await tell(
    tx,
    whose,
    news.map((one) => ({ ...one, customerId })),
    now,
  );
}

async function tell(
  tx: Tx,
  { wanted, resellerId }: Listening,
  news: readonly InvoiceNews[],
  now: Date,
): Promise<void> {
  const some = news.filter(({ type }) => wanted(type));
  if (some.length === 0) return;
  const rows = await tx.many<InvoiceMessageRow>(sql`
    select ${invoiceMessageColumns}
      from unnest(${some.map(({ customerId }) => customerId)}::uuid[], ${some.map(({ id }) => id)}::uuid[])
             as n(customer_id, id)
      join invoice i on i.customer_id = n.customer_id and i.id = n.id
      join customer c on c.customer_id = i.customer_id`);
  const found = new Map(rows.map((row) => [row.id, row]));
  const messages = some.flatMap(({ type, id, customerId }) => {
    const row = found.get(id);
    return row === undefined ? [] : [{ type, objectId: id, customerId, data: presentInvoiceMessage(row) }];
  });
  await writeMessages(tx, resellerId, messages, now);
}

const isSettled = (status: number) => status === InvoiceStatus.PAID || status === InvoiceStatus.CREDITED;

/** What a change of an invoice's status is to whoever keeps books; nothing where it does not change for them. */
export function newsOfStatus(before: number, after: number): InvoiceType | undefined {
  if (isSettled(after)) return isSettled(before) ? undefined : 'invoice.paid';
  if (before === after) return undefined;
  if (after === InvoiceStatus.VOID) return 'invoice.voided';
  return after === InvoiceStatus.DISPUTED ? 'invoice.disputed' : 'invoice.reopened';
}
