import { isDeepStrictEqual } from 'node:util';
import type { GatewayState } from '@counterfoil/gateways/port/gateway.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { Secrets } from '../../../secrets.ts';
import { type AttemptRow, openGatewayState } from './attempt-row.ts';

/**
 * Whether a customer still keeps the very method that a charge was sent with. One that was removed, here or at its
 * gateway, is not kept; nor is a card that was entered again and has another token since.
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
    isDeepStrictEqual(openGatewayState(gateway_state_sealed, id, secrets), saved),
  );
}

/**
 * Whether the saved method of an attempt is as it was when the attempt was sent. A method that is not known here
 * counts as changed.
 */
export async function isMethodUnchanged(
  db: Db,
  attempt: Pick<AttemptRow, 'customer_id' | 'payment_method_id' | 'sent_at'>,
): Promise<boolean> {
  const unchanged = await db.maybeOne(sql`
    select 1 from payment_method
     where customer_id = ${attempt.customer_id} and id = ${attempt.payment_method_id}
       and (changed_at is null or changed_at < ${attempt.sent_at})`);
  return unchanged !== undefined;
}
