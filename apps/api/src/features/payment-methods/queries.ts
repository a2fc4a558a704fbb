import type { Mandate, MethodKind, Verification } from '@counterfoil/gateways/port/gateway.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import type { Secrets } from '../../secrets.ts';
import { type MethodRow, methodColumns, remoteDigest, whoseIs } from './method-row.ts';

/** A method with what a list shows beside it. */
export interface ListedRow extends MethodRow {
  mandate_state: Mandate['state'] | null;
  mandate_show: Record<string, string> | null;
  agreed_text: string | null;
  agreed_at: Date | null;
  setup_id: string | null;
  needs: Verification | null;
}

/** Methods `m` of one customer, who is named in each subquery: Citus asks their machine alone. */
const listed = (customerId: string) => sql<ListedRow>`
  select ${methodColumns}, k.state as mandate_state, k.show as mandate_show, c.text as agreed_text, c.at as agreed_at,
         v.id as setup_id, v.needs
    from payment_method m
    left join lateral (
      select state, show, consent_id from mandate
       where customer_id = ${customerId} and payment_method_id = m.id order by created_at desc, id desc limit 1) k on true
    left join consent c on c.customer_id = ${customerId} and c.id = k.consent_id
    left join lateral (
      select id, needs from method_setup
       where customer_id = ${customerId} and payment_method_id = m.id and state = 'underWay'
       order by created_at desc limit 1) v on true
   where m.customer_id = ${customerId}`;

/** The methods offered to a customer, of one kind or both: cards before bank accounts, the oldest first. */
export const listMethods = (db: Db, scope: CustomerScope, accountId: string, kind: MethodKind | null) =>
  db.many<ListedRow>(sql`
    ${listed(scope.customerId)} and m.gateway_account_id = ${accountId} and m.state = 'active'
       and (${kind}::text is null or m.kind = ${kind})
     order by (m.kind = 'card') desc, m.created_at, m.id`);

/** The same at every gateway, for the provider. */
export const listAllMethods = (db: Db, customerId: string) =>
  db.many<ListedRow>(sql`
    ${listed(customerId)} and m.state = 'active'
     order by (m.kind = 'card') desc, m.created_at, m.id`);

/** Whether a customer has, or had, a method. */
export const hadMethod = async (db: Db, customerId: string, id: string): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from payment_method where customer_id = ${customerId} and id = ${id}`)) !== undefined;

/** One of them. */
export const findListed = (db: Db, scope: CustomerScope, accountId: string, id: string) =>
  db.maybeOne<ListedRow>(sql`
    ${listed(scope.customerId)} and m.gateway_account_id = ${accountId} and m.state = 'active'
       and m.id = ${id}`);

/** The name a customer is known by, and where mail reaches them. */
export const findPerson = (db: Db, scope: CustomerScope) =>
  db.one<{ label: string; email: string | null }>(sql`
    select label, email from customer where customer_id = ${scope.customerId}`);

/** Whether a token at a gateway account is that of a method which another customer has saved, and not removed. */
export async function isSavedByAnother(
  db: Db,
  secrets: Secrets,
  customerId: string,
  { accountId, token }: { readonly accountId: string; readonly token: string },
): Promise<boolean> {
  const of = await whoseIs(db, secrets, { about: 'method', accountId, remote: token });
  if (of === undefined || of === customerId) return false;
  const digest = remoteDigest(secrets, 'method', accountId, token);
  const saved = await db.maybeOne(sql`
    select 1 from payment_method
     where customer_id = ${of} and gateway_account_id = ${accountId} and token_digest = ${digest} and state = 'active'`);
  return saved !== undefined;
}
