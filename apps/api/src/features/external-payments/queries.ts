import type { ExternalPayment } from '@counterfoil/contract/operator/paying/external-payments.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { type InvoiceAmounts, invoiceAmounts } from '../payments/queries.ts';

export interface ExternalPaymentRow {
  id: string;
  customer_id: string;
  reseller_id: number;
  reference: string;
  method: ExternalPayment['method'];
  currency: string;
  amount_minor: bigint;
  received_on: string;
  note: string;
  recorded_by: string;
  voided_at: Date | null;
  shares: readonly { invoiceId: string; number: string; minor: string }[];
  to_credit_minor: bigint;
}

/** @param customer the id of one, who is then named in the subquery too: Citus asks their machine alone */
const select = (where: Sql, customer: Sql = sql`p.customer_id`) => sql<ExternalPaymentRow>`
  select p.id, p.customer_id, p.reseller_id, p.reference, p.method, p.currency, p.amount_minor, p.received_on, p.note,
         p.recorded_by, p.voided_at, s.shares, p.amount_minor - s.minor as to_credit_minor
    from external_payment p
    cross join lateral (
      select coalesce(json_agg(json_build_object('invoiceId', i.id, 'number', i.number, 'minor', s.amount_minor::text)
                               order by i.due_on nulls last, i.number), '[]') as shares,
             coalesce(sum(s.amount_minor), 0)::bigint as minor
        from external_payment_share s join invoice i on i.customer_id = s.customer_id and i.id = s.invoice_id
       where s.customer_id = ${customer} and s.payment_id = p.id) s
   where ${where}`;

const ofReseller = (resellerId: number | undefined) =>
  sql`(${resellerId ?? null}::int is null or p.reseller_id = ${resellerId ?? null})`;

/** @param resellerId whose it has to be; undefined: anybody's */
export async function findExternalPayment(
  db: Db,
  resellerId: number | undefined,
  id: string,
): Promise<ExternalPaymentRow | undefined> {
  const found = await db.maybeOne<{ customer_id: string }>(sql`
    select customer_id from external_payment_ref where payment_id = ${id}`);
  if (found === undefined) return undefined;
  const customer = sql`${found.customer_id}`;
  return db.maybeOne(
    select(sql`${ofReseller(resellerId)} and p.id = ${id} and p.customer_id = ${customer}`, customer),
  );
}

/** The payment that a reference of the provider names. */
export async function findReference(db: Db, resellerId: number, reference: string): Promise<string> {
  const row = await db.one<{ payment_id: string }>(sql`
    select payment_id from external_payment_ref where reseller_id = ${resellerId} and reference = ${reference}`);
  return row.payment_id;
}

/** The payment that a reference names, where it has paid this invoice. */
export const findPaymentOfInvoice = (
  db: Db,
  resellerId: number,
  reference: string,
  { customer_id: customerId, id }: { readonly customer_id: string; readonly id: string },
) =>
  db.maybeOne<{ payment_id: string }>(sql`
    select r.payment_id from external_payment_ref r
      join external_payment_share s on s.customer_id = r.customer_id and s.payment_id = r.payment_id
     where r.reseller_id = ${resellerId} and r.reference = ${reference} and s.customer_id = ${customerId}
       and s.invoice_id = ${id}`);

/** Newest recorded first. @param of.before the id after which the page begins */
export const listExternalPayments = (
  db: Db,
  of: {
    readonly resellerId: number | undefined;
    readonly customerId: string | undefined;
    readonly before: string | undefined;
    readonly limit: number;
  },
) => {
  const customer = of.customerId === undefined ? undefined : sql`${of.customerId}`;
  const where = sql`
      ${ofReseller(of.resellerId)} ${customer === undefined ? sql`` : sql`and p.customer_id = ${customer}`}
      and (${of.before ?? null}::uuid is null or p.id < ${of.before ?? null})`;
  return db.many(sql<ExternalPaymentRow>`${select(where, customer)} order by p.id desc limit ${of.limit}`);
};

export interface InvoiceRow extends InvoiceAmounts {
  id: string;
  number: string;
  issued_on: string;
  due_on: string | null;
}

const invoiceColumns = sql`id, number, issued_on, due_on, ${invoiceAmounts}`;

/** Locked in the order of their ids, as everybody does. @param numbers undefined: those that are open */
export const lockOpenInvoices = (
  tx: Tx,
  customerId: string,
  currency: string,
  numbers: readonly string[] | undefined,
) =>
  tx.many<InvoiceRow>(sql`
    select ${invoiceColumns} from invoice
     where customer_id = ${customerId} and kind = 'invoice' and payable_minor >= 0 and currency = ${currency}
       and ${numbers === undefined ? sql`status = 10 and due_minor > held_minor` : sql`status <> 13 and number = any(${[...numbers]}::text[])`}
     order by id for update`);

export const lockInvoices = (tx: Tx, customerId: string, ids: readonly string[]) =>
  tx.many<InvoiceRow>(sql`
    select ${invoiceColumns} from invoice
     where customer_id = ${customerId} and id = any(${[...ids]}::uuid[]) order by id for update`);

/** Entries of bank statements that were booked as a payment are open again once it is taken back; a person decides them. */
export const reopenBankEntries = (tx: Tx, paymentId: string, by: string, now: Date): Promise<number> =>
  tx.execute(sql`
    update bank_entry
       set state = 'suggested', reasons = '{takenBack}', customer_id = null, payment_id = null, decided_by = ${by},
           decided_at = ${now}
     where payment_id = ${paymentId} and sign = 'credit' and state = 'booked'`);
