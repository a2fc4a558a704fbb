import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Decline, SetupResult, SetupStarted } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { recordAudit } from '../../../audit/record.ts';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { lockMethods, type MethodDeps, nameObject, remoteDigest, seal } from '../method-row.ts';
import { nextLookAt, type SetupRow, type SetupState, setupColumns } from './setup-row.ts';
import { takeIn } from './take-in.ts';

/** Who brought what a setup is told. */
export type SetupCause = 'response' | 'return' | 'webhook' | 'reconciler';

export type SetupKey = Pick<SetupRow, 'customer_id' | 'id'>;

/** Its row, locked; the customer's methods are locked before. */
async function lockSetup(tx: Tx, key: SetupKey): Promise<SetupRow> {
  await lockMethods(tx, key.customer_id);
  return tx.one<SetupRow>(sql`
    select ${setupColumns} from method_setup s
     where s.customer_id = ${key.customer_id} and s.id = ${key.id} for update`);
}

/**
 * Takes in what a setup has come to. Answer, return from a redirect, webhook and reconciler all come through here, in
 * any order and any number. A method that the gateway has saved is kept whatever was told before: no money hangs on it,
 * and the gateway is who knows.
 */
export async function settleSetup(
  deps: MethodDeps,
  key: SetupKey,
  observed: SetupResult,
  cause: SetupCause,
): Promise<SetupRow> {
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const row = await lockSetup(tx, key);
    if (!row.is_open && observed.is !== 'saved') return row;
    const next = stateAfter(row, observed, cause);
    if (next === 'expired' || next === 'refused' || next === 'failed') await dropPending(tx, row, now);
    const method = observed.is === 'saved' || observed.is === 'underWay' ? observed.method : undefined;
    const methodId = method === undefined ? undefined : await takeIn(tx, deps, holderOf(row), method, now);
    const after = await write(tx, deps, row, { next, observed, methodId: methodId ?? null, now });
    if (next === 'saved' && row.state !== 'saved') await recordSaved(tx, after, cause, now);
    return after;
  });
}

const holderOf = (row: SetupRow) => ({
  customerId: row.customer_id,
  accountId: row.gateway_account_id,
  payerId: row.payer_id,
  consentId: row.consent_id,
});

/** One line per outcome. Only the answer to the call itself says that nothing was sent. */
function stateAfter(row: SetupRow, observed: SetupResult, cause: SetupCause): SetupState {
  switch (observed.is) {
    case 'saved':
      return 'saved';
    case 'continue':
      return observed.action.do === 'browser' ? 'browser' : 'redirect';
    case 'underWay':
      return 'underWay';
    case 'refused':
      // The provider's script may try another card in the same set-up.
      return row.by === 'browser' && row.state === 'browser' ? 'browser' : 'refused';
    case 'notAttempted':
      return cause === 'response' ? 'failed' : row.state;
    case 'unknown':
      return row.state === 'sending' ? 'unknown' : row.state;
  }
}

/** An account whose verification has ended badly was never saved. */
const dropPending = (tx: Tx, row: SetupRow, now: Date) =>
  tx.execute(sql`
    update payment_method set state = 'gone', check_at = null, updated_at = ${now}
     where customer_id = ${row.customer_id} and id = ${row.payment_method_id} and usable = 'pending'`);

interface Change {
  readonly next: SetupState;
  readonly observed: SetupResult;
  readonly methodId: string | null;
  readonly now: Date;
}

function write(tx: Tx, deps: MethodDeps, row: SetupRow, change: Change): Promise<SetupRow> {
  const { next, observed, methodId, now } = change;
  const { secrets } = deps;
  const gatewayState =
    'state' in observed && observed.state !== undefined ? seal(secrets, observed.state, row.id) : null;
  const action = observed.is === 'continue' ? secrets.seal(JSON.stringify(observed.action), row.id) : null;
  const needs =
    observed.is === 'underWay' && observed.needs !== undefined ? JSON.stringify(observed.needs) : null;
  return tx.one<SetupRow>(sql`
    update method_setup s
       set state = ${next}, updated_at = ${now}, next_lookup_at = ${nextLookAt(next, row, now)},
           gateway_state_sealed = coalesce(${gatewayState}, s.gateway_state_sealed), action_sealed = coalesce(${action}, s.action_sealed),
           needs = coalesce(${needs}::jsonb, s.needs), decline = coalesce(${declineOf(observed)}::jsonb, s.decline),
           payment_method_id = coalesce(${methodId}, s.payment_method_id)
     where s.customer_id = ${row.customer_id} and s.id = ${row.id}
    returning ${setupColumns}`);
}

function declineOf(observed: SetupResult): string | null {
  if (observed.is === 'refused') return JSON.stringify(observed.why);
  if (observed.is !== 'notAttempted') return null;
  const why: Decline = {
    class: observed.why === 'invalid' ? 'fixInput' : 'retryLater',
    code: observed.why,
    text: '',
  };
  return JSON.stringify(why);
}

/**
 * Takes in what beginning has brought: who the customer is at the gateway, and the step to go on from. The setup is
 * `sending` still.
 */
export async function keepStep(deps: MethodDeps, key: SetupKey, begun: SetupStarted): Promise<SetupRow> {
  const { payer, result: setup } = begun;
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const row = await lockSetup(tx, key);
    const payerId =
      payer === undefined ? row.payer_id : await keepPayer(tx, deps, row, payer, begun.payerRemote, now);
    const gatewayState =
      'state' in setup && setup.state !== undefined ? seal(deps.secrets, setup.state, row.id) : null;
    return tx.one<SetupRow>(sql`
      update method_setup s set payer_id = ${payerId}, gateway_state_sealed = coalesce(${gatewayState}, s.gateway_state_sealed)
       where s.customer_id = ${row.customer_id} and s.id = ${row.id} returning ${setupColumns}`);
  });
}

/** Two first setups at once may make two payers at the gateway: both are ours, and the older one is used from then on. */
async function keepPayer(
  tx: Tx,
  deps: MethodDeps,
  row: SetupRow,
  gatewayState: NonNullable<SetupStarted['payer']>,
  remote: SetupStarted['payerRemote'],
  now: Date,
): Promise<string> {
  const { customer_id: customerId, gateway_account_id: accountId } = row;
  const name = remote ?? remoteId(customerId);
  const digest = remoteDigest(deps.secrets, 'payer', accountId, name);
  const known = await tx.maybeOne<{ id: string }>(sql`
    select id from payer where customer_id = ${customerId} and gateway_account_id = ${accountId}
       and remote_digest = ${digest}`);
  const id = known?.id ?? newId(now.getTime());
  const sealed = seal(deps.secrets, gatewayState, id);
  await tx.execute(sql`
    insert into payer (customer_id, id, gateway_account_id, remote_digest, gateway_state_sealed, created_at)
    values (${customerId}, ${id}, ${accountId}, ${digest}, ${sealed}, ${now})
    on conflict (customer_id, id) do update set gateway_state_sealed = excluded.gateway_state_sealed`);
  await nameObject(tx, deps.secrets, customerId, { about: 'payer', accountId, remote: name });
  return id;
}

async function recordSaved(tx: Tx, row: SetupRow, cause: SetupCause, now: Date): Promise<void> {
  const { resellerId, userId, userEmail, actor } = row.person;
  await recordAudit(tx, {
    action: 'paymentMethod.added',
    at: now,
    resellerId,
    userId,
    userEmail,
    actor,
    customerId: row.customer_id,
    detail: { paymentMethodId: row.payment_method_id, kind: row.kind, scheme: row.scheme, by: cause },
  });
}
