import { randomInt } from 'node:crypto';
import type { Tx } from '../../db/database.ts';
import { type ListType, listOf, type Sql, sql, sqlOnce } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 136 random bits. Letters only: digits could read like a card's or an account's, which no call takes. */
const LENGTH = 24;

const newPublicId = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

export interface SessionLine {
  readonly kind: 'invoice' | 'CARD_FEE' | 'BANK_FEE' | 'adjustment';
  readonly invoiceId: string | null;
  readonly minor: bigint;
}

/** What is to be paid, as the server priced it. */
export interface Quote {
  readonly currency: string;
  /** Without fee, less credit. */
  readonly totalMinor: bigint;
  readonly creditMinor: bigint;
  readonly digest: Buffer;
  readonly lines: readonly SessionLine[];
}

export interface NewSession {
  readonly id: string;
  readonly origin: 'public' | 'bulk' | 'auto' | 'operator' | 'gateway';
  readonly clientId?: string | null;
  readonly quote: Quote;
}

/** Writes a session with its lines. @returns its public id, which tells how the payment stands and nothing else */
export async function writeSession(
  tx: Tx,
  scope: CustomerScope,
  session: NewSession,
  now: Date,
): Promise<string> {
  const publicId = newPublicId();
  await tx.execute(sqlOnce`
    with ${sessionParts(scope, session, { publicId, now })}
    select 1`);
  return publicId;
}

/** A session with its lines, as parts of the `with` of a statement that writes more than that. */
export const sessionParts = (
  { customerId, resellerId }: CustomerScope,
  { id, origin, clientId = null, quote }: NewSession,
  { publicId = newPublicId(), now }: { readonly publicId?: string; readonly now: Date },
): Sql => sql`
    session as (
      insert into pay_session (customer_id, id, reseller_id, origin, public_id, client_id, currency, total_minor,
                               credit_minor, quote_digest, created_at)
      values (${customerId}, ${id}, ${resellerId}, ${origin}, ${publicId}, ${clientId}, ${quote.currency},
              ${quote.totalMinor}, ${quote.creditMinor}, ${quote.digest}, ${now})),
    session_line as (${insertLines(customerId, id, quote.lines)}),
    session_ref as (
      insert into pay_session_ref (public_id, customer_id, session_id) values (${publicId}, ${customerId}, ${id}))`;

/** Puts another price in the place of a session's old one; the session is locked. */
export async function requote(
  tx: Tx,
  { customerId }: CustomerScope,
  sessionId: string,
  quote: Quote,
): Promise<void> {
  await tx.execute(sql`
    update pay_session set total_minor = ${quote.totalMinor}, credit_minor = ${quote.creditMinor},
           quote_digest = ${quote.digest}
     where customer_id = ${customerId} and id = ${sessionId}`);
  await tx.execute(sql`
    delete from pay_session_line where customer_id = ${customerId} and session_id = ${sessionId}`);
  await tx.execute(insertLines(customerId, sessionId, quote.lines));
}

const insertLines = (customerId: string, sessionId: string, lines: readonly SessionLine[]) => {
  const column = (type: ListType, of: (line: SessionLine) => string | null) => listOf(lines.map(of), type);
  return sqlOnce`
    insert into pay_session_line (customer_id, session_id, line_no, kind, invoice_id, amount_minor)
    select ${customerId}, ${sessionId}, n, kind, invoice_id, minor
      from unnest(${column('text', ({ kind }) => kind)}, ${column('uuid', ({ invoiceId }) => invoiceId)},
                  ${column('bigint', ({ minor }) => String(minor))}) with ordinality as l(kind, invoice_id, minor, n)`;
};
