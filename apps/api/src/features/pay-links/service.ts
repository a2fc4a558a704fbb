import { newToken } from '@counterfoil/domain/text/ids.ts';
import type { Db, Tx } from '../../db/database.ts';
import { listOf, type Sql, sql, sqlOnce } from '../../db/sql.ts';
import { authorisedCustomer, type CustomerScope } from '../../http/requests/scope.ts';
import { type Secrets, sha256 } from '../../secrets.ts';

const TOKEN_BYTES = 16;
const LIVES_DAYS = 120;
const LIVES_AFTER_PAYMENT_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** Until when a link works: 120 days after the later of the due date and its making (decisions 6). */
export function payLinkExpiry(dueOn: string | null, madeAt: Date): Date {
  const due = dueOn === null ? 0 : Date.parse(`${dueOn}T00:00:00Z`);
  return new Date(Math.max(due, madeAt.getTime()) + LIVES_DAYS * DAY_MS);
}

/** Where the sealed token of an invoice's link belongs; it cannot be opened anywhere else. */
const context = (invoiceId: string) => `pay-link:${invoiceId}`;

export interface NewPayLink {
  readonly customerId: string;
  readonly invoiceId: string;
  readonly dueOn: string | null;
  readonly now: Date;
}

/** Makes the pay link of an invoice. @returns its token, 128 random bits */
export async function createPayLink(tx: Tx, secrets: Secrets, link: NewPayLink): Promise<string> {
  const [token = ''] = await createPayLinks(tx, secrets, [link]);
  return token;
}

/** The same for many invoices in two statements. @returns their tokens in their order */
export async function createPayLinks(
  tx: Tx,
  secrets: Secrets,
  links: readonly NewPayLink[],
): Promise<readonly string[]> {
  if (links.length === 0) return [];
  const tokens = links.map(() => newToken(TOKEN_BYTES));
  const rows = links.map(({ invoiceId }, at) => sealPayLink(secrets, tokens[at] ?? '', invoiceId));
  const hashes = sql`${rows.map(({ hash }) => hash)}::bytea[]`;
  const customerIds = sql`${links.map(({ customerId }) => customerId)}::uuid[]`;
  const invoiceIds = sql`${links.map(({ invoiceId }) => invoiceId)}::uuid[]`;
  await tx.execute(sql`
    insert into pay_link (hash, customer_id, invoice_id)
    select * from unnest(${hashes}, ${customerIds}, ${invoiceIds})`);
  await tx.execute(sql`
    insert into invoice_pay_link (customer_id, hash, invoice_id, token_sealed, created_at, expires_at)
    select * from unnest(${customerIds}, ${hashes}, ${invoiceIds},
                         ${rows.map(({ sealed }) => sealed)}::bytea[],
                         ${links.map(({ now }) => now)}::timestamptz[],
                         ${links.map(({ dueOn, now }) => payLinkExpiry(dueOn, now))}::timestamptz[])`);
  return tokens;
}

/** Gives an invoice a new link; the one it had works no more. Two at once make one after the other. @returns its token */
export async function rotatePayLink(tx: Tx, secrets: Secrets, link: NewPayLink): Promise<string> {
  await tx.one(sql`
    select 1 from invoice where customer_id = ${link.customerId} and id = ${link.invoiceId} for no key update`);
  await tx.execute(sql`
    update invoice_pay_link set retired_at = ${link.now}
     where customer_id = ${link.customerId} and invoice_id = ${link.invoiceId} and retired_at is null`);
  return createPayLink(tx, secrets, link);
}

/** Once its invoice is paid, a link shows so for thirty days more (decisions 6). */
export const keepPaidLinks = (
  customerId: string,
  invoiceIds: readonly string[],
  paidAt: Date,
): Sql => sqlOnce`
    update invoice_pay_link set expires_at = ${new Date(paidAt.getTime() + LIVES_AFTER_PAYMENT_DAYS * DAY_MS)}
     where customer_id = ${customerId} and invoice_id = any(${listOf(invoiceIds, 'uuid')}::uuid[]) and retired_at is null`;

/** Has the link of an invoice live on as long as one that is made now, where its due date was moved. */
export const prolongPayLink = (
  customerId: string,
  invoiceId: string,
  dueOn: string | null,
  now: Date,
): Sql => sql`
    update invoice_pay_link set expires_at = greatest(expires_at, ${payLinkExpiry(dueOn, now)})
     where customer_id = ${customerId} and invoice_id = ${invoiceId} and retired_at is null`;

/** Hash and sealed form of a token, for writers of many rows. */
export function sealPayLink(
  secrets: Secrets,
  token: string,
  invoiceId: string,
): { hash: Buffer; sealed: Buffer } {
  return { hash: sha256(token), sealed: secrets.seal(token, context(invoiceId)) };
}

/** The token of a stored link, to be shown to its owner again. */
export function openPayLink(secrets: Secrets, sealed: Uint8Array, invoiceId: string): string {
  return secrets.open(sealed, context(invoiceId));
}

/** The token of an invoice's link that is in use; undefined when it has none. */
export async function findPayLink(
  deps: { readonly db: Db; readonly secrets: Secrets },
  customerId: string,
  invoiceId: string,
): Promise<string | undefined> {
  const row = await deps.db.maybeOne<{ token_sealed: Buffer }>(sql`
    select token_sealed from invoice_pay_link
     where customer_id = ${customerId} and invoice_id = ${invoiceId} and retired_at is null`);
  return row && openPayLink(deps.secrets, row.token_sealed, invoiceId);
}

export interface PayLinkGrant {
  readonly scope: CustomerScope;
  readonly invoiceId: string;
}

export type PayLinkAccess =
  | ({ readonly is: 'valid' } & PayLinkGrant)
  /** Past its time or replaced: it grants nothing any more, but the status of what was paid through it. */
  | { readonly is: 'expired'; readonly was: PayLinkGrant }
  | { readonly is: 'unknown' };

/** Whose a link is, by the hash of its token. */
export const findLinkOwner = (db: Db, hash: Buffer) =>
  db.maybeOne<{ customer_id: string }>(sqlOnce`select customer_id from pay_link where hash = ${hash}`);

/** Proves a token: it grants one customer's one invoice, and nothing else. */
export async function authorisePayLink(db: Db, token: string, now: Date): Promise<PayLinkAccess> {
  const hash = sha256(token);
  const owner = await findLinkOwner(db, hash);
  const row =
    owner &&
    (await db.maybeOne<{
      customer_id: string;
      invoice_id: string;
      expires_at: Date;
      retired_at: Date | null;
      reseller_id: number;
    }>(sqlOnce`
      select l.customer_id, l.invoice_id, l.expires_at, l.retired_at, c.reseller_id
        from invoice_pay_link l join customer c on c.customer_id = l.customer_id
       where l.customer_id = ${owner.customer_id} and l.hash = ${hash}`));
  if (row === undefined) return { is: 'unknown' };
  const grant = {
    scope: authorisedCustomer(row.customer_id, row.reseller_id, 'payLink'),
    invoiceId: row.invoice_id,
  };
  const isOver = row.retired_at !== null || row.expires_at <= now;
  return isOver ? { is: 'expired', was: grant } : { is: 'valid', ...grant };
}
