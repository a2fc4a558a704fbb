import { isDeepStrictEqual } from 'node:util';
import type { SealedBag } from '@counterfoil/gateways/port.ts';
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
  saved: SealedBag,
): Promise<boolean> {
  const rows = await db.many<{ id: string; bag_sealed: Buffer }>(sql`
    select id, bag_sealed from payment_method
     where customer_id = ${customerId} and gateway_account_id = ${accountId} and state = 'active'`);
  return rows.some(({ id, bag_sealed }) => isDeepStrictEqual(unseal(secrets, bag_sealed, id), saved));
}
