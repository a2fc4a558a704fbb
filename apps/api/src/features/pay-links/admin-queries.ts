import type { AdminPayLink } from '@counterfoil/contract/operator/paying/admin-pay-links.ts';
import type { AttemptState } from '@counterfoil/domain/paying/attempt.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { firstBrands } from '../brand/queries.ts';

/** The link of an invoice, as the provider sees it. */
export interface AdminPayLinkRow {
  invoice_id: string;
  number: string;
  customer_id: string;
  customer: string;
  token_sealed: Buffer;
  created_at: Date;
  expires_at: Date;
  /** A code of `InvoiceStatus`. */
  status: number;
  currency: string;
  due_minor: bigint;
  /** The last payment of the invoice by a pay link. */
  attempt_id: string | null;
  attempt_at: Date | null;
  attempt_state: AttemptState | null;
  /** Main host of the customer's brand; null where it has none. */
  main_host: string | null;
}

const select = sql`
  select l.invoice_id, i.number, l.customer_id, c.label as customer, l.token_sealed, l.created_at, l.expires_at,
         i.status, i.currency, i.due_minor, p.id as attempt_id, p.sent_at as attempt_at, p.state as attempt_state,
         h.host as main_host
    from invoice i
    join invoice_pay_link l on l.customer_id = i.customer_id and l.invoice_id = i.id and l.retired_at is null
    join customer c on c.customer_id = i.customer_id
    left join ${firstBrands} b on b.reseller_id = i.reseller_id
    left join brand_host h on h.is_main and h.brand_id = coalesce(c.brand_id, b.id, 0)
    left join lateral (
      select a.id, a.sent_at, a.state
        from claim k
        join attempt a on a.customer_id = k.customer_id and a.id = k.attempt_id
        join pay_session s on s.customer_id = a.customer_id and s.id = a.session_id
       where k.customer_id = i.customer_id and k.invoice_id = i.id and s.origin = 'public'
       order by a.sent_at desc limit 1) p on true`;

export interface PayLinkFilter {
  readonly resellerId: number;
  readonly customerId?: string | undefined;
  /** Number of the invoice. */
  readonly invoice?: string | undefined;
  readonly state?: AdminPayLink['state'] | undefined;
  readonly now: Date;
  /** Id of the invoice after which the page begins. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Links that were not replaced, that of the newest invoice first. */
export function listPayLinks(db: Db, of: PayLinkFilter): Promise<AdminPayLinkRow[]> {
  const where: readonly (Sql | false)[] = [
    of.customerId !== undefined && sql`i.customer_id = ${of.customerId}`,
    of.invoice !== undefined && sql`lower(i.number) = lower(${of.invoice}) and i.number = ${of.invoice}`,
    of.state !== undefined && sql`(l.expires_at > ${of.now}) = ${of.state === 'active'}`,
    of.before !== undefined && sql`i.id < ${of.before}`,
  ];
  const conditions = where.reduce<Sql>(
    (all, one) => (one === false ? all : sql`${all} and ${one}`),
    sql`i.reseller_id = ${of.resellerId}`,
  );
  return db.many<AdminPayLinkRow>(sql`${select} where ${conditions} order by i.id desc limit ${of.limit}`);
}

/** The link that an invoice of the reseller has. */
export const findLinkOfInvoice = (db: Db, resellerId: number, invoiceId: string) =>
  db.maybeOne<AdminPayLinkRow>(sql`
    ${select} where i.reseller_id = ${resellerId} and i.id = ${invoiceId}`);

interface LinkedInvoice {
  customer_id: string;
  number: string;
  kind: string;
  status: number;
  payable_minor: bigint;
  due_on: string | null;
}

/** An invoice of the reseller's that a link is about, locked until the transaction ends. On Citus a lock needs to know the customer. */
export async function lockLinkedInvoice(
  tx: Tx,
  resellerId: number,
  invoiceId: string,
): Promise<LinkedInvoice | undefined> {
  const found = await tx.maybeOne<{ customer_id: string }>(sql`
    select customer_id from invoice where reseller_id = ${resellerId} and id = ${invoiceId}`);
  if (found === undefined) return undefined;
  return tx.maybeOne<LinkedInvoice>(sql`
    select customer_id, number, kind, status, payable_minor, due_on from invoice
     where customer_id = ${found.customer_id} and id = ${invoiceId} for no key update`);
}
