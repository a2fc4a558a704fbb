import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Method } from '@counterfoil/gateways/port/gateway.ts';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { tellOfMethod } from '../../../messages/people-messages.ts';
import type { Secrets } from '../../../secrets.ts';
import { type MethodRow, methodColumns, monthOf, nameObject, remoteDigest, seal } from '../method-row.ts';

/** A mandate that waits for the bank is looked at this often; its event may be lost. */
const PENDING_MANDATE_MS = 60 * 60_000;

export interface Holder {
  readonly customerId: string;
  readonly accountId: string;
  readonly payerId: string | null;
  /** What the holder agreed to when the method was saved. */
  readonly consentId?: string | null;
}

interface TakeInDeps {
  readonly secrets: Secrets;
}

/**
 * Writes a method as its gateway has it, under the customer's lock. One that is there already, by token or by what
 * the gateway says is the same card or account, is updated: its id stays, the token it had is given up.
 * @param isFound it was not saved through us but seen at the gateway: then one that was removed here stays removed,
 *   and a second token of a known one is left alone
 * @returns the method's id; undefined when it was left alone
 */
export async function takeIn(
  tx: Tx,
  deps: TakeInDeps,
  holder: Holder,
  method: Method,
  now: Date,
  isFound = false,
): Promise<string | undefined> {
  const { customerId, accountId } = holder;
  const { secrets } = deps;
  const token = remoteDigest(secrets, 'method', accountId, method.remote);
  const print =
    method.fingerprint === undefined ? null : secrets.digest(method.fingerprint, `fingerprint:${accountId}`);
  const known = await tx.many<MethodRow>(sql`
    select ${methodColumns} from payment_method m
     where m.customer_id = ${customerId} and m.gateway_account_id = ${accountId}
       and (m.token_digest = ${token} or (m.state = 'active' and m.fingerprint = ${print}))`);
  const same = known.find((row) => row.token_digest.equals(token));
  const double = known.find((row) => row !== same && row.state === 'active');
  if (isFound && (double !== undefined || (same !== undefined && same.state !== 'active'))) return undefined;
  // An account that is being verified again is no worse until then.
  if (double !== undefined && method.usable === 'pending') return double.id;
  if (same !== undefined && double !== undefined) await leave(tx, double, now);

  const id = same?.id ?? double?.id ?? newId(now.getTime());
  if (same === undefined && double !== undefined) await giveUpToken(tx, secrets, double, now);
  const isCharged = method.usable === 'now';
  const isHeir = same !== undefined && double?.is_default === true;
  await tx.execute(sql`
    insert into payment_method as m (customer_id, id, gateway_account_id, payer_id, kind, token_digest, gateway_state_sealed, show,
      expires, fingerprint, usable, state, check_at, created_at, updated_at)
    values (${customerId}, ${id}, ${accountId}, ${holder.payerId}, ${method.kind}, ${token},
      ${seal(secrets, method.state, id)}, ${JSON.stringify(method.show)}, ${method.expires ?? null}, ${print},
      ${method.usable}, 'active', ${checkAt(method, now)}, ${now}, ${now})
    on conflict (customer_id, id) do update
      set payer_id = coalesce(excluded.payer_id, m.payer_id), token_digest = excluded.token_digest,
          gateway_state_sealed = excluded.gateway_state_sealed, show = excluded.show, expires = excluded.expires,
          fingerprint = excluded.fingerprint, usable = excluded.usable, state = 'active',
          changed_at = case when m.token_digest is distinct from excluded.token_digest or m.show is distinct from excluded.show
                              or m.expires is distinct from excluded.expires then ${now}::timestamptz else m.changed_at end,
          is_default = (m.is_default or ${isHeir}) and ${isCharged}, check_at = excluded.check_at,
          created_at = case when m.state = 'active' then m.created_at else excluded.created_at end,
          updated_at = excluded.updated_at`);
  await nameObject(tx, secrets, customerId, { about: 'method', accountId, remote: method.remote });
  if (method.mandate !== undefined) await keepMandate(tx, secrets, holder, id, method.mandate, now);
  await promote(tx, customerId, accountId, now);
  const wasSaved = double !== undefined || (same?.state === 'active' && same.usable !== 'pending');
  if (!wasSaved && method.usable !== 'pending')
    await tellOfMethod(tx, customerId, { id, type: 'payment_method.added' }, now);
  return id;
}

/** When a method must be looked at without being told. */
const checkAt = (method: Method, now: Date): Date | null =>
  method.mandate?.state === 'pending' ? new Date(now.getTime() + PENDING_MANDATE_MS) : null;

/** The token a method had before is removed at the gateway too; it leaves in a row of its own. */
async function giveUpToken(tx: Tx, secrets: Secrets, row: MethodRow, now: Date): Promise<void> {
  const id = newId(now.getTime());
  const gatewayState = secrets.seal(secrets.open(row.gateway_state_sealed, row.id), id);
  const spare = secrets.digest(id, 'spare');
  await tx.execute(sql`
    update payment_method set token_digest = ${spare} where customer_id = ${row.customer_id} and id = ${row.id}`);
  await tx.execute(sql`
    insert into payment_method (customer_id, id, gateway_account_id, payer_id, kind, token_digest, gateway_state_sealed, show,
      expires, usable, state, check_at, created_at, updated_at)
    values (${row.customer_id}, ${id}, ${row.gateway_account_id}, ${row.payer_id}, ${row.kind}, ${row.token_digest},
      ${gatewayState}, ${JSON.stringify(row.show)}, ${row.expires}, 'never', 'leaving', ${now}, ${row.created_at}, ${now})`);
}

/** Removed here; the gateway is told next. */
export async function leave(tx: Tx, row: Pick<MethodRow, 'customer_id' | 'id'>, now: Date): Promise<void> {
  await tx.execute(sql`
    update payment_method set state = 'leaving', is_default = false, check_at = ${now}, updated_at = ${now}
     where customer_id = ${row.customer_id} and id = ${row.id}`);
  await tellOfMethod(tx, row.customer_id, { id: row.id, type: 'payment_method.removed' }, now);
}

async function keepMandate(
  tx: Tx,
  secrets: Secrets,
  holder: Holder,
  methodId: string,
  mandate: NonNullable<Method['mandate']>,
  now: Date,
): Promise<void> {
  const { customerId, accountId } = holder;
  const digest = remoteDigest(secrets, 'mandate', accountId, mandate.remote);
  await tx.execute(sql`
    insert into mandate as k (customer_id, id, payment_method_id, remote_digest, scheme, state, show, usable_from,
      consent_id, created_at, updated_at)
    values (${customerId}, ${newId(now.getTime())}, ${methodId}, ${digest}, ${mandate.scheme}, ${mandate.state},
      ${JSON.stringify(mandate.show ?? {})}, ${mandate.from ?? null}, ${holder.consentId ?? null}, ${now}, ${now})
    on conflict (customer_id, payment_method_id, remote_digest) do update
      set state = excluded.state, show = excluded.show, usable_from = excluded.usable_from,
          consent_id = coalesce(k.consent_id, excluded.consent_id), updated_at = excluded.updated_at`);
  await nameObject(tx, secrets, customerId, { about: 'mandate', accountId, remote: mandate.remote });
}

/**
 * Gives a customer without a default one: the first remaining, cards before bank accounts, the oldest first. What has
 * expired or cannot be charged is passed by.
 */
export const promote = (tx: Tx, customerId: string, accountId: string, now: Date) =>
  tx.execute(sql`
    update payment_method set is_default = true, updated_at = ${now}
     where customer_id = ${customerId}
       and id = (select id from payment_method
                  where customer_id = ${customerId} and gateway_account_id = ${accountId} and state = 'active'
                    and usable = 'now' and (expires is null or expires >= ${monthOf(now)})
                  order by (kind = 'card') desc, created_at, id limit 1)
       and not exists (select from payment_method
                        where customer_id = ${customerId} and gateway_account_id = ${accountId} and is_default)`);
