import type { GatewayEvent } from '@counterfoil/gateways/port/gateway.ts';
import { sql } from '../../db/sql.ts';
import type { GatewayAccount } from '../payments/service.ts';
import {
  type About,
  type MethodDeps,
  type MethodRow,
  methodColumns,
  type PayerRow,
  payerColumns,
  remoteDigest,
  whoseIs,
} from './method-row.ts';
import { adoptDefault, refreshMethod, syncPayer } from './setups/follow.ts';
import { lookUpSetup } from './setups/setup.ts';
import { type SetupRow, setupColumns } from './setups/setup-row.ts';

/**
 * Follows events of a gateway about saved methods, mandates and payers. What they say is not believed: what they name is
 * read at the gateway, whoever sent it.
 * @returns what was done, for the inbox; undefined when the gateway cannot tell now
 */
export async function receiveMethodEvent(
  deps: MethodDeps,
  account: GatewayAccount,
  event: GatewayEvent,
): Promise<string | undefined> {
  const setup = await setupOf(deps, account, event.ref);
  if (setup !== undefined) return `setup: ${(await lookUpSetup(deps, setup, 'webhook')).state}`;
  const method = await methodOf(deps, account, event);
  if (method !== undefined) return (await refreshMethod(deps, method)) ? 'method read' : undefined;
  const payer = await payerOf(deps, account, event.payer);
  if (payer === undefined) return `not known here: ${event.about}`;
  if (event.about === 'payer') return (await adoptDefault(deps, account, payer)) ? 'default read' : undefined;
  return (await syncPayer(deps, account, payer)) ? 'methods read' : undefined;
}

const whose = (deps: MethodDeps, account: GatewayAccount, about: About, remote: string) =>
  whoseIs(deps.db, deps.secrets, { about, accountId: account.id, remote });

async function setupOf(
  deps: MethodDeps,
  account: GatewayAccount,
  ref: string | undefined,
): Promise<SetupRow | undefined> {
  const customerId = ref === undefined ? undefined : await whose(deps, account, 'setup', ref);
  if (customerId === undefined) return undefined;
  return deps.db.maybeOne<SetupRow>(sql`
    select ${setupColumns} from method_setup s
     where s.customer_id = ${customerId} and s.ref = ${ref} and s.gateway_account_id = ${account.id}`);
}

async function methodOf(
  deps: MethodDeps,
  account: GatewayAccount,
  event: GatewayEvent,
): Promise<MethodRow | undefined> {
  const { remote } = event;
  if (remote === undefined || event.about === 'payer') return undefined;
  const about = event.about === 'mandate' ? 'mandate' : 'method';
  const customerId = await whose(deps, account, about, remote);
  if (customerId === undefined) return undefined;
  const digest = remoteDigest(deps.secrets, about, account.id, remote);
  return about === 'method'
    ? deps.db.maybeOne<MethodRow>(sql`
        select ${methodColumns} from payment_method m
         where m.customer_id = ${customerId} and m.gateway_account_id = ${account.id} and m.token_digest = ${digest}`)
    : deps.db.maybeOne<MethodRow>(sql`
        select ${methodColumns} from payment_method m
          join mandate k on k.customer_id = m.customer_id and k.payment_method_id = m.id
         where m.customer_id = ${customerId} and m.gateway_account_id = ${account.id} and k.remote_digest = ${digest}`);
}

async function payerOf(
  deps: MethodDeps,
  account: GatewayAccount,
  remote: string | undefined,
): Promise<PayerRow | undefined> {
  const customerId = remote === undefined ? undefined : await whose(deps, account, 'payer', remote);
  if (remote === undefined || customerId === undefined) return undefined;
  const digest = remoteDigest(deps.secrets, 'payer', account.id, remote);
  return deps.db.maybeOne<PayerRow>(sql`
    select ${payerColumns} from payer p
     where p.customer_id = ${customerId} and p.gateway_account_id = ${account.id} and p.remote_digest = ${digest}`);
}
