import { newId } from '@counterfoil/domain/text/ids.ts';
import { lendSecrets } from '@counterfoil/gateways/kit/secret-bytes.ts';
import type {
  BillingOwner,
  Consent,
  GatewayState,
  MethodKind,
  OneTimeInput,
  SetupResult,
} from '@counterfoil/gateways/port/gateway.ts';
import { gatewayRef, newGatewayRef } from '@counterfoil/gateways/port/gateway-ref.ts';
import type { Tx } from '../../../db/database.ts';
import { isUniqueViolation } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import type { GatewayAccount } from '../../payments/service.ts';
import { type MethodDeps, nameObject, type PayerRow, payerColumns, unseal } from '../method-row.ts';
import { keepStep, type SetupCause, settleSetup } from './settle-setup.ts';
import {
  EXPIRES_AFTER_MS,
  nextLookAt,
  type SetupPerson,
  type SetupRow,
  setupColumns,
  UNDER_WAY_FOR_MS,
} from './setup-row.ts';

export interface NewSetup {
  readonly by: SetupRow['by'];
  readonly kind: MethodKind;
  readonly scheme: string;
  readonly person: SetupPerson;
  readonly returnTo: (setupId: string) => string;
  readonly clientKey: string | null;
  /** Of the token, so that the same one twice is known as the same; the token itself is not stored. */
  readonly requestDigest: Buffer | null;
  /** The saved setup of the same digest that the caller knows of; any other was saved since, by another request. */
  readonly savedBefore?: string | undefined;
  /** Writes what the person agreed to, in the setup's transaction. */
  readonly consent?: (tx: Tx) => Promise<string>;
  /** Takes what the method was typed into, in the setup's transaction. */
  readonly take?: (tx: Tx) => Promise<void>;
}

/** The same setup is open already or was saved meanwhile, or the key was used before: nothing was written. */
export class SetupInTheWay extends Error {
  override readonly name = 'SetupInTheWay';
}

/** Writes and commits a setup; only then may the gateway be called. @throws {SetupInTheWay} */
export async function writeSetup(
  deps: MethodDeps,
  scope: CustomerScope,
  account: GatewayAccount,
  wanted: NewSetup,
): Promise<SetupRow> {
  const now = deps.clock.now();
  const { customerId } = scope;
  const [id, ref] = [newId(now.getTime()), newGatewayRef()];
  try {
    return await deps.db.transaction(async (tx) => {
      await wanted.take?.(tx);
      const consentId = wanted.consent === undefined ? null : await wanted.consent(tx);
      const payer = await tx.maybeOne<{ id: string }>(sql`
        select id from payer where customer_id = ${customerId} and gateway_account_id = ${account.id}
         order by created_at, id limit 1`);
      const row = await tx.one<SetupRow>(sql`
        insert into method_setup as s (customer_id, id, gateway_account_id, ref, client_key, request_digest, by, kind,
          scheme, state, payer_id, consent_id, person, return_to, next_lookup_at, created_at, updated_at)
        values (${customerId}, ${id}, ${account.id}, ${ref}, ${wanted.clientKey}, ${wanted.requestDigest}, ${wanted.by},
          ${wanted.kind}, ${wanted.scheme}, 'sending', ${payer?.id ?? null}, ${consentId},
          ${JSON.stringify(wanted.person)}, ${wanted.returnTo(id)},
          ${nextLookAt('sending', { created_at: now, lookups: 0 }, now)}, ${now}, ${now})
        returning ${setupColumns}`);
      if (await isSavedSince(tx, row, wanted.savedBefore)) throw new SetupInTheWay('it was saved meanwhile');
      await nameObject(tx, deps.secrets, customerId, { about: 'setup', accountId: account.id, remote: ref });
      return row;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new SetupInTheWay('a setup is open', { cause: error });
    throw error;
  }
}

/**
 * Whether another request has saved the same since its sender looked. The unique index lets one setup of a digest be open; one
 * that opened and was saved between that look and the insert holds it no more, and is seen here, after the insert.
 */
async function isSavedSince(tx: Tx, row: SetupRow, savedBefore: string | undefined): Promise<boolean> {
  if (row.request_digest === null) return false;
  const saved = await tx.maybeOne<{ id: string }>(sql`
    select id from method_setup
     where customer_id = ${row.customer_id} and request_digest = ${row.request_digest} and state = 'saved'
     order by created_at desc limit 1`);
  return saved !== undefined && saved.id !== savedBefore;
}

/**
 * Starts a committed setup at its gateway, and completes it where we have what finishes it. Never throws for what the
 * gateway or the network does; when the database is gone afterwards, the setup stays open and is found out about.
 * @param input a one-time token or a redirect's query; undefined where the provider's script finishes it
 * @param owner what was typed beside a token
 */
export async function sendSetup(
  deps: MethodDeps,
  account: GatewayAccount,
  row: SetupRow,
  input: (OneTimeInput & { readonly entry?: GatewayState }) | undefined,
  owner?: BillingOwner,
): Promise<SetupRow> {
  try {
    if (input === undefined)
      return await settleSetup(deps, row, (await begin(deps, account, row)).setup, 'response');
    // Numbers are this call's own from here on, however long its sender waits, and overwritten when it ends.
    return await lendSecrets(input, async (own) => {
      const { row: begun, setup } = await begin(deps, account, row);
      const waits = setup.is === 'continue' && setup.action.do === 'browser';
      const result = waits ? await finish(deps, account, begun, own, owner) : setup;
      return settleSetup(deps, row, result, 'response');
    });
  } catch (error) {
    deps.log.error({ err: error, setup: row.id }, 'an answer was not recorded; it will be found out');
    return row;
  }
}

const adapterFault: SetupResult = { is: 'unknown', evidence: 'adapter fault' };

async function begin(
  deps: MethodDeps,
  account: GatewayAccount,
  row: SetupRow,
): Promise<{ row: SetupRow; setup: SetupResult }> {
  const { name, email, resellerId } = row.person;
  const consent = await consentOf(deps, row);
  const payer = await payerState(deps, row);
  const request = {
    ref: gatewayRef(row.ref),
    payer,
    person: { customerId: row.customer_id, resellerId: String(resellerId), name, email },
    kind: row.kind,
    scheme: row.scheme,
    returnTo: row.return_to,
    ...(consent === undefined ? {} : { consent }),
  };
  const begun = await account.gateway.beginSetup?.(request).catch((error: unknown) => {
    deps.log.error({ err: error, setup: row.id }, 'a gateway adapter threw while saving');
    return { payer, result: adapterFault };
  });
  if (begun === undefined)
    return { row, setup: { is: 'notAttempted', why: 'invalid', detail: 'the gateway saves nothing' } };
  return { row: await keepStep(deps, row, begun), setup: begun.result };
}

/** Finishes a setup with what there is; with empty fields it only looks. */
export async function finish(
  deps: MethodDeps,
  account: GatewayAccount,
  row: SetupRow,
  { entry, ...input }: OneTimeInput & { readonly entry?: GatewayState },
  owner?: BillingOwner,
): Promise<SetupResult> {
  if (row.gateway_state_sealed === null || account.gateway.completeSetup === undefined)
    return { is: 'unknown', evidence: 'nothing was begun' };
  const consent = await consentOf(deps, row);
  const request = {
    ref: gatewayRef(row.ref),
    payer: (await payerState(deps, row)) ?? {},
    step: unseal(deps.secrets, row.gateway_state_sealed, row.id),
    input,
    returnTo: row.return_to,
    ...(owner === undefined ? {} : { owner }),
    ...(entry === undefined ? {} : { entry }),
    ...(consent === undefined ? {} : { consent }),
  };
  return account.gateway.completeSetup(request).catch((error: unknown) => {
    deps.log.error({ err: error, setup: row.id }, 'a gateway adapter threw while saving');
    return adapterFault;
  });
}

/** The payer that a customer is at a gateway; undefined where it has not seen them. */
export async function payerOf(
  deps: MethodDeps,
  { customerId }: CustomerScope,
  account: GatewayAccount,
): Promise<GatewayState | undefined> {
  const payer = await deps.db.maybeOne<PayerRow>(sql`
    select ${payerColumns} from payer p where p.customer_id = ${customerId} and p.gateway_account_id = ${account.id}
     order by p.created_at, p.id limit 1`);
  return payer && unseal(deps.secrets, payer.gateway_state_sealed, payer.id);
}

async function payerState(deps: MethodDeps, row: SetupRow): Promise<GatewayState | undefined> {
  if (row.payer_id === null) return undefined;
  const payer = await deps.db.one<PayerRow>(sql`
    select ${payerColumns} from payer p where p.customer_id = ${row.customer_id} and p.id = ${row.payer_id}`);
  return unseal(deps.secrets, payer.gateway_state_sealed, payer.id);
}

async function consentOf(deps: MethodDeps, row: SetupRow): Promise<Consent | undefined> {
  if (row.consent_id === null) return undefined;
  const { address, ...given } = await deps.db.one<Omit<Consent, 'ip'> & { address: string }>(sql`
    select text, version, at, address, agent from consent
     where customer_id = ${row.customer_id} and id = ${row.consent_id}`);
  return { ...given, ip: address };
}

/**
 * Looks at what has become of an open setup, or of one that has ended: a method saved after all is kept. Never sends
 * a token again; a setup whose start was lost is started again under the same reference, which makes nothing twice.
 */
export async function lookUpSetup(
  deps: MethodDeps,
  row: SetupRow,
  cause: Exclude<SetupCause, 'response'>,
): Promise<SetupRow> {
  const account = await deps.accounts.byId(row.gateway_account_id);
  if (account === undefined) return row;
  const ageMs = deps.clock.now().getTime() - row.created_at.getTime();
  const isOver = ageMs > (row.state === 'underWay' ? UNDER_WAY_FOR_MS : EXPIRES_AFTER_MS);
  if (row.gateway_state_sealed === null) {
    // The first call may still be under way; once its key has expired, another call would start a second setup.
    if (cause !== 'reconciler') return row;
    if (isOver) return end(deps, row, 'expired');
    const begun = await begin(deps, account, row);
    return row.by === 'browser' || begun.setup.is !== 'continue'
      ? settleSetup(deps, row, begun.setup, cause)
      : end(deps, begun.row, 'failed');
  }
  const observed = await finish(deps, account, row, { fields: {} });
  const isUntouched = observed.is === 'continue' && observed.action.do === 'browser';
  if (cause === 'reconciler' && isOver && observed.is !== 'saved' && observed.is !== 'refused')
    return end(deps, row, 'expired');
  if (!isUntouched || row.by === 'browser') return settleSetup(deps, row, observed, cause);
  // The token never arrived, and its sender is gone: should it arrive later, an event will tell.
  return cause === 'reconciler' ? end(deps, row, 'failed') : row;
}

/** Ends a setup that came to nothing. */
function end(deps: MethodDeps, row: SetupRow, state: 'expired' | 'failed'): Promise<SetupRow> {
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    await tx.execute(sql`
      update payment_method set state = 'gone', check_at = null, updated_at = ${now}
       where customer_id = ${row.customer_id} and id = ${row.payment_method_id} and usable = 'pending'`);
    return tx.one<SetupRow>(sql`
      update method_setup s
         set state = case when s.is_open then ${state} else s.state end, next_lookup_at = null, updated_at = ${now}
       where s.customer_id = ${row.customer_id} and s.id = ${row.id} returning ${setupColumns}`);
  });
}
