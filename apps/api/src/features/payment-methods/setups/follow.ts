import type { Method, MethodReading } from '@counterfoil/gateways/port/gateway.ts';
import { sql } from '../../../db/sql.ts';
import { tellOfMethod } from '../../../messages/people-messages.ts';
import type { GatewayAccount } from '../../payments/service.ts';
import {
  lockMethods,
  type MethodDeps,
  type MethodRow,
  methodColumns,
  monthOf,
  type PayerRow,
  remoteDigest,
  unseal,
} from '../method-row.ts';
import { promote, takeIn } from './take-in.ts';

const AGAIN_MS = 5 * 60_000;

/**
 * Brings one method in step with its gateway.
 * @returns false when the gateway could not be asked; it is asked again later
 */
export async function refreshMethod(deps: MethodDeps, row: MethodRow): Promise<boolean> {
  const account = await deps.accounts.byId(row.gateway_account_id);
  const { getMethod: read } = account?.gateway ?? {};
  // One that waits for its verification is no method of the gateway yet: its setup says how it stands.
  if (row.state !== 'active') return true;
  if (account === undefined || read === undefined || row.usable === 'pending') {
    await checkAgain(deps, row, null);
    return true;
  }
  const found: MethodReading = await read(unseal(deps.secrets, row.gateway_state_sealed, row.id)).catch(
    (error: unknown) => {
      deps.log.error({ err: error, method: row.id }, 'a gateway adapter threw while reading a method');
      return { is: 'unknown' as const, evidence: 'adapter fault' };
    },
  );
  if (found.is === 'unknown') {
    await checkAgain(deps, row, new Date(deps.clock.now().getTime() + AGAIN_MS));
    return false;
  }
  await apply(deps, row, found);
  await tellDefault(deps, account, row.customer_id);
  return true;
}

async function apply(
  deps: MethodDeps,
  row: MethodRow,
  found: Exclude<MethodReading, { is: 'unknown' }>,
): Promise<void> {
  const now = deps.clock.now();
  const { customer_id: customerId, gateway_account_id: accountId } = row;
  await deps.db.transaction(async (tx) => {
    await lockMethods(tx, customerId);
    const current = await tx.one<MethodRow>(sql`
      select ${methodColumns} from payment_method m
       where m.customer_id = ${customerId} and m.id = ${row.id} for update`);
    // Removed here, or saved again under another token, while the gateway was asked.
    if (current.state !== 'active' || !current.token_digest.equals(row.token_digest)) return;
    if (found.is === 'there') {
      await takeIn(tx, deps, { customerId, accountId, payerId: row.payer_id }, found.method, now);
      return;
    }
    await tx.execute(sql`
      update payment_method set state = 'gone', is_default = false, check_at = null, updated_at = ${now}
       where customer_id = ${customerId} and id = ${row.id}`);
    await promote(tx, customerId, accountId, now);
    await tellOfMethod(tx, customerId, { id: row.id, type: 'payment_method.removed' }, now);
  });
}

const checkAgain = (deps: MethodDeps, row: Pick<MethodRow, 'customer_id' | 'id'>, at: Date | null) =>
  deps.db.transaction((tx) =>
    tx.execute(sql`
      update payment_method set check_at = ${at} where customer_id = ${row.customer_id} and id = ${row.id}`),
  );

/**
 * Brings the whole list of a payer in step with the gateway, where the gateway keeps it: what was added there is taken
 * in, what is not there any more is gone.
 * @returns false when the gateway could not be asked
 */
export async function syncPayer(
  deps: MethodDeps,
  account: GatewayAccount,
  payer: PayerRow,
): Promise<boolean> {
  const { gateway } = account;
  if (gateway.capabilities.vault.owner !== 'gateway' || gateway.listMethods === undefined) return true;
  const there: Method[] = [];
  try {
    for await (const method of gateway.listMethods(
      unseal(deps.secrets, payer.gateway_state_sealed, payer.id),
    ))
      there.push(method);
  } catch (error) {
    deps.log.warn({ err: error, payer: payer.id }, 'saved methods could not be read at the gateway');
    return false;
  }
  const known = await deps.db.many<MethodRow>(sql`
    select ${methodColumns} from payment_method m
     where m.customer_id = ${payer.customer_id} and m.gateway_account_id = ${account.id}`);
  const digestOf = (method: Method) => remoteDigest(deps.secrets, 'method', account.id, method.remote);
  const isHere = (method: Method) => known.some((row) => row.token_digest.equals(digestOf(method)));
  let isComplete = true;
  for (const method of there.filter((one) => !isHere(one)))
    isComplete = (await takeFound(deps, account, payer, method)) && isComplete;
  const missing = known.filter(
    (row) =>
      row.state === 'active' &&
      row.payer_id === payer.id &&
      gateway.capabilities.vault.list.includes(row.kind) &&
      !there.some((method) => digestOf(method).equals(row.token_digest)),
  );
  for (const row of missing) isComplete = (await refreshMethod(deps, row)) && isComplete;
  return isComplete;
}

/** Saves methods that were added at the gateway; a list does not say what a method's mandate is worth. */
async function takeFound(
  deps: MethodDeps,
  account: GatewayAccount,
  payer: PayerRow,
  listed: Method,
): Promise<boolean> {
  const found = (await account.gateway.getMethod?.(listed.state)) ?? { is: 'there' as const, method: listed };
  if (found.is !== 'there') return found.is === 'gone';
  const now = deps.clock.now();
  const holder = { customerId: payer.customer_id, accountId: account.id, payerId: payer.id };
  await deps.db.transaction(async (tx) => {
    await lockMethods(tx, payer.customer_id);
    await takeIn(tx, deps, holder, found.method, now, true);
  });
  return true;
}

interface DefaultRow extends MethodRow {
  payer_bag: Buffer;
}

/**
 * Tells the gateway which method is the default, for its own pages. Nothing depends on it: what it does not learn now
 * it learns with the next change.
 */
export async function tellDefault(
  deps: MethodDeps,
  account: GatewayAccount,
  customerId: string,
): Promise<void> {
  const { setDefaultMethod: prefer } = account.gateway;
  if (prefer === undefined) return;
  try {
    const row = await deps.db.maybeOne<DefaultRow>(sql`
      select ${methodColumns}, p.gateway_state_sealed as payer_bag from payment_method m
        join payer p on p.customer_id = m.customer_id and p.id = m.payer_id
       where m.customer_id = ${customerId} and m.gateway_account_id = ${account.id} and m.is_default
         and p.default_seen is distinct from m.token_digest`);
    if (row === undefined || row.payer_id === null) return;
    const payer = unseal(deps.secrets, row.payer_bag, row.payer_id);
    const observed = await prefer(payer, unseal(deps.secrets, row.gateway_state_sealed, row.id));
    if (observed === 'done')
      await seeDefault(deps, { customer_id: customerId, id: row.payer_id }, row.token_digest);
  } catch (error) {
    deps.log.warn({ err: error, customer: customerId }, 'the gateway was not told of a default');
  }
}

const seeDefault = (deps: MethodDeps, payer: Pick<PayerRow, 'customer_id' | 'id'>, seen: Buffer | null) =>
  deps.db.transaction((tx) =>
    tx.execute(sql`
      update payer set default_seen = ${seen} where customer_id = ${payer.customer_id} and id = ${payer.id}`),
  );

/**
 * Follows a default that somebody has set at the gateway. Only a change there counts: what it has not yet been told
 * by us is not somebody's wish.
 * @returns false when the gateway could not be asked
 */
export async function adoptDefault(
  deps: MethodDeps,
  account: GatewayAccount,
  payer: PayerRow,
): Promise<boolean> {
  const { getDefaultMethod: preferred } = account.gateway;
  if (preferred === undefined) return true;
  const remote = await preferred(unseal(deps.secrets, payer.gateway_state_sealed, payer.id)).catch(
    () => 'unknown' as const,
  );
  if (remote === 'unknown') return false;
  const token = remote === null ? null : remoteDigest(deps.secrets, 'method', account.id, remote);
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    await lockMethods(tx, payer.customer_id);
    const changed = await tx.execute(sql`
      update payer set default_seen = ${token}
       where customer_id = ${payer.customer_id} and id = ${payer.id} and default_seen is distinct from ${token}`);
    if (changed === 0 || token === null) return;
    const wanted = await tx.maybeOne<{ id: string }>(sql`
      select id from payment_method
       where customer_id = ${payer.customer_id} and gateway_account_id = ${account.id} and token_digest = ${token}
         and state = 'active' and usable = 'now' and not is_default
         and (expires is null or expires >= ${monthOf(now)})`);
    if (wanted === undefined) return;
    await tx.execute(sql`
      update payment_method set is_default = false
       where customer_id = ${payer.customer_id} and gateway_account_id = ${account.id} and is_default`);
    await tx.execute(sql`
      update payment_method set is_default = true, updated_at = ${now}
       where customer_id = ${payer.customer_id} and id = ${wanted.id}`);
  });
  return true;
}
