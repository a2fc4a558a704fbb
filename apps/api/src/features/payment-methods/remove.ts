import { sql } from '../../db/sql.ts';
import { type MethodDeps, type MethodRow, unseal } from './method-row.ts';

const AGAIN_MS = 60_000;

/**
 * Tells the gateway that a method has left. Until it has understood, the method stays `leaving` and it is told again.
 * @returns 'inUse' when the gateway refuses for good reasons of its own
 */
export async function removeAtGateway(
  deps: MethodDeps,
  row: MethodRow,
): Promise<'gone' | 'inUse' | 'unknown'> {
  const account = await deps.accounts.byId(row.gateway_account_id);
  const { capabilities: can, removeMethod: remove } = account?.gateway ?? {};
  const isOurs = can?.vault.remove === 'local' || remove === undefined;
  const end = isOurs
    ? account === undefined
      ? 'unknown'
      : 'gone'
    : await remove(unseal(deps.secrets, row.gateway_state_sealed, row.id)).catch((error: unknown) => {
        deps.log.error({ err: error, method: row.id }, 'a gateway adapter threw while removing a method');
        return 'unknown' as const;
      });
  const now = deps.clock.now();
  const again = end === 'gone' ? null : new Date(now.getTime() + AGAIN_MS);
  await deps.db.transaction((tx) =>
    tx.execute(sql`
      update payment_method set state = ${end === 'gone' ? 'gone' : 'leaving'}, check_at = ${again}, updated_at = ${now}
       where customer_id = ${row.customer_id} and id = ${row.id} and state = 'leaving'`),
  );
  return end;
}
