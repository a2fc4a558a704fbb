import { isDeepStrictEqual } from 'node:util';
import type { GatewayState } from '@counterfoil/gateways/port/gateway.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Secrets } from '../../secrets.ts';
import { unseal } from './method-row.ts';

/**
 * Whether a customer still keeps the very method that a charge was begun with. One that was removed, here or at its
 * gateway, is not; nor is a card that was entered anew and has another token since.
 */
export async function keepsMethod(
  { db, secrets }: { readonly db: Db; readonly secrets: Secrets },
  customerId: string,
  accountId: string,
  saved: GatewayState,
): Promise<boolean> {
  const rows = await db.many<{ id: string; gateway_state_sealed: Buffer }>(sql`
    select id, gateway_state_sealed from payment_method
     where customer_id = ${customerId} and gateway_account_id = ${accountId} and state = 'active'`);
  return rows.some(({ id, gateway_state_sealed }) =>
    isDeepStrictEqual(unseal(secrets, gateway_state_sealed, id), saved),
  );
}

/**
 * Whether the saved method of an attempt is as it was when the attempt was sent. Of one that is not known here nobody can
 * tell: it counts as changed.
 */
export async function isMethodUnchanged(
  db: Db,
  attempt: {
    readonly customer_id: string;
    readonly payment_method_id: string | null;
    readonly sent_at: Date;
  },
): Promise<boolean> {
  const unchanged = await db.maybeOne(sql`
    select 1 from payment_method
     where customer_id = ${attempt.customer_id} and id = ${attempt.payment_method_id}
       and (changed_at is null or changed_at < ${attempt.sent_at})`);
  return unchanged !== undefined;
}

/** Whether an attempt with this method is open: what became of it may have to be found out by sending it again as it was. */
export async function isBeingCharged(
  db: Db,
  { customer_id, id }: { readonly customer_id: string; readonly id: string },
): Promise<boolean> {
  const open = await db.maybeOne(sql`
    select 1 from attempt where customer_id = ${customer_id} and payment_method_id = ${id} and is_open limit 1`);
  return open !== undefined;
}
