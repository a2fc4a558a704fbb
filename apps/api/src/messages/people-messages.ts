import type {
  ConsentMessage,
  MethodMessage,
} from '@counterfoil/contract/operator/running/webhook-messages.ts';
import type { Tx } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import { listeningOf, listeningOfCustomer, writeMessages } from './write-messages.ts';

interface MethodRow {
  id: string;
  customer_id: string;
  customer_reference: string | null;
  kind: MethodMessage['kind'];
  gateway: string;
  expires: string | null;
  is_default: boolean;
}

const presentMethod = (row: MethodRow): MethodMessage => ({
  id: row.id,
  customerId: row.customer_id,
  customerReference: row.customer_reference,
  kind: row.kind,
  gateway: row.gateway,
  expires: row.expires,
  isDefault: row.is_default,
  link: `/v1/admin/customers/${row.customer_id}/payment-methods`,
});

const selectMethods = (where: Sql) => sql<MethodRow>`
  select m.id, m.customer_id, c.external_ref as customer_reference, m.kind, g.gateway, m.expires, m.is_default
    from payment_method m join customer c on c.customer_id = m.customer_id
    join gateway_account g on g.id = m.gateway_account_id
   where ${where}`;

/** Tells of a saved method as it is now, in the transaction that has changed it. */
export async function tellOfMethod(
  tx: Tx,
  customerId: string,
  { id, type }: { readonly id: string; readonly type: 'payment_method.added' | 'payment_method.removed' },
  now: Date,
): Promise<void> {
  const { wanted, resellerId } = await listeningOfCustomer(tx, customerId);
  if (!wanted(type)) return;
  const row = await tx.one(selectMethods(sql`m.customer_id = ${customerId} and m.id = ${id}`));
  await writeMessages(tx, resellerId, [{ type, objectId: id, customerId, data: presentMethod(row) }], now);
}

/**
 * Tells of a reseller's saved cards that expire at the end of a month. @param month `YYYY-MM`
 * @param after the id after which to begin @returns the last id; undefined where there are no more
 */
export async function tellOfExpiring(
  tx: Tx,
  resellerId: number,
  { month, after, limit }: { readonly month: string; readonly after: string; readonly limit: number },
  now: Date,
): Promise<string | undefined> {
  const rows = await tx.many(sql<MethodRow>`${selectMethods(sql`
    g.reseller_id = ${resellerId} and m.expires = ${month} and m.state = 'active' and m.id > ${after}`)}
     order by m.id limit ${limit}`);
  const messages = rows.map((row) => ({
    type: 'payment_method.expiring' as const,
    objectId: row.id,
    customerId: row.customer_id,
    data: presentMethod(row),
  }));
  await writeMessages(tx, resellerId, messages, now);
  return rows.at(-1)?.id;
}

interface ConsentRow {
  id: string;
  customer_reference: string | null;
  purpose: ConsentMessage['purpose'];
  at: Date;
  revoked_at: Date | null;
}

/** Tells of consents as they are now, in the transaction that has given them or taken them back. */
export async function tellOfConsents(
  tx: Tx,
  customerId: string,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  const type = 'consent.changed';
  if (ids.length === 0) return;
  const { wanted, resellerId } = await listeningOfCustomer(tx, customerId);
  if (!wanted(type)) return;
  const rows = await tx.many<ConsentRow>(sql`
    select k.id, c.external_ref as customer_reference, k.purpose, k.at, k.revoked_at
      from consent k join customer c on c.customer_id = k.customer_id
     where k.customer_id = ${customerId} and k.id = any(${[...ids]}::uuid[]) order by k.id`);
  const present = (row: ConsentRow): ConsentMessage => ({
    id: row.id,
    customerId,
    customerReference: row.customer_reference,
    purpose: row.purpose,
    state: row.revoked_at === null ? 'given' : 'revoked',
    givenAt: row.at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
    link: `/v1/admin/customers/${customerId}/auto-pay`,
  });
  const messages = rows.map((row) => ({ type, objectId: row.id, customerId, data: present(row) }) as const);
  await writeMessages(tx, resellerId, messages, now);
}

/** Tells that somebody has set up their account. */
export async function tellOfRegistration(
  tx: Tx,
  resellerId: number,
  userId: string,
  now: Date,
): Promise<void> {
  const type = 'user.registered';
  const { wanted } = await listeningOf(tx, resellerId);
  if (!wanted(type)) return;
  const rows = await tx.many<{ id: string }>(sql`
    select customer_id as id from membership where user_id = ${userId} order by customer_id limit 1000`);
  const customerIds = rows.map(({ id }) => id);
  const [customerId = null] = customerIds;
  const link = customerId === null ? '/v1/admin/customers' : `/v1/admin/customers/${customerId}/users`;
  await writeMessages(
    tx,
    resellerId,
    [{ type, objectId: userId, customerId, data: { id: userId, customerIds, link } }],
    now,
  );
}
