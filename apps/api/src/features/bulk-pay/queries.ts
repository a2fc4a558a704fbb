import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';

/** A bulk payment as it was last priced. */
export interface SessionRow {
  id: string;
  public_id: string;
  client_id: string | null;
  currency: string;
  total_minor: bigint;
  credit_minor: bigint;
  quote_digest: Buffer;
  settled_ref: string | null;
  settled_at: Date | null;
}

const session = sql`
  select s.id, s.public_id, s.client_id, s.currency, s.total_minor, s.credit_minor, s.quote_digest, s.settled_ref, s.settled_at
    from pay_session s`;

export const findSession = (db: Db, { customerId }: CustomerScope, publicId: string) =>
  db.maybeOne<SessionRow>(sql`
    ${session} where s.customer_id = ${customerId} and s.public_id = ${publicId} and s.origin = 'bulk'`);

/** The same with its row locked: whoever prices or pays a session takes this lock before the invoices'. */
export const lockSession = (tx: Tx, { customerId }: CustomerScope, id: string) =>
  tx.one<SessionRow>(sql`
    ${session} where s.customer_id = ${customerId} and s.id = ${id} for no key update`);

/** Whose session a public id is. */
export async function findSessionOwner(
  db: Db,
  publicId: string,
): Promise<{ customer_id: string; session_id: string; reseller_id: number } | undefined> {
  const found = await db.maybeOne<{ customer_id: string; session_id: string }>(sql`
    select customer_id, session_id from pay_session_ref where public_id = ${publicId}`);
  if (found === undefined) return undefined;
  const session = await db.maybeOne<{ reseller_id: number }>(sql`
    select reseller_id from pay_session where customer_id = ${found.customer_id} and id = ${found.session_id}`);
  return session && { ...found, ...session };
}

export interface LineRow {
  kind: 'invoice' | 'CARD_FEE' | 'BANK_FEE' | 'adjustment';
  invoice_id: string | null;
  number: string | null;
  amount_minor: bigint;
  /** Of the invoice, now. */
  due_minor: bigint | null;
}

export const listLines = (db: Db, { customerId }: CustomerScope, sessionId: string) =>
  db.many<LineRow>(sql`
    select l.kind, l.invoice_id, i.number, l.amount_minor, i.due_minor
      from pay_session_line l
      left join invoice i on i.customer_id = l.customer_id and i.id = l.invoice_id
     where l.customer_id = ${customerId} and l.session_id = ${sessionId} order by l.line_no`);

/** An invoice as far as paying it is concerned. */
export interface PayableRow {
  id: string;
  number: string;
  kind: 'invoice' | 'creditNote';
  status: number;
  currency: string;
  payable_minor: bigint;
  due_minor: bigint;
  /** An attempt on it is open. */
  is_held: boolean;
  /** One of them does more than wait for its payer: it cannot simply be ended. */
  is_under_way: boolean;
}

/** Of invoices `i` of one customer, who is named in each subquery: Citus asks their machine alone. */
const payable = (customerId: string) => sql`
  select i.id, i.number, i.kind, i.status, i.currency, i.payable_minor, i.due_minor,
         exists (select 1 from claim c where c.customer_id = ${customerId} and c.invoice_id = i.id and c.is_open)
           as is_held,
         exists (select 1 from claim c join attempt a on a.customer_id = c.customer_id and a.id = c.attempt_id
                  where c.customer_id = ${customerId} and c.invoice_id = i.id and c.is_open
                    and a.state <> 'requiresAction') as is_under_way
    from invoice i where i.customer_id = ${customerId}`;

export const findPayables = (db: Db, { customerId }: CustomerScope, ids: readonly string[]) =>
  db.many<PayableRow>(sql`
    ${payable(customerId)} and i.id = any(${[...ids]}::uuid[])`);

/** The invoices of a session with their rows locked in the order of their ids, as everybody does. */
export async function lockPayables(
  tx: Tx,
  scope: CustomerScope,
  ids: readonly string[],
): Promise<PayableRow[]> {
  const wanted = sql`i.customer_id = ${scope.customerId} and i.id = any(${[...ids]}::uuid[])`;
  await tx.many(sql`select 1 from invoice i where ${wanted} order by i.id for update`);
  // Read again under the locks: a claim that ended while we waited no longer counts.
  return findPayables(tx, scope, ids);
}

/**
 * Credit held by attempts on these invoices that wait for their payer: paying again ends them first, and releases it.
 * @returns minor units
 */
export async function sumWaitingCredit(
  db: Db,
  { customerId }: CustomerScope,
  currency: string,
  ids: readonly string[],
): Promise<bigint> {
  const { minor } = await db.one<{ minor: bigint }>(sql`
    select coalesce(sum(a.credit_minor), 0)::bigint as minor from attempt a
     where a.customer_id = ${customerId} and a.currency = ${currency} and a.state = 'requiresAction' and a.id in (
       select c.attempt_id from claim c
        where c.customer_id = ${customerId} and c.is_open and c.invoice_id = any(${[...ids]}::uuid[]))`);
  return minor;
}

/** Where mail reaches the customer. */
export const findEmail = (db: Db, { customerId }: CustomerScope) =>
  db.one<{ email: string | null }>(sql`select email from customer where customer_id = ${customerId}`);
