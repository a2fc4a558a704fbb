import type { ConfirmationRequest } from '@counterfoil/contract/public-pay.ts';
import { isOpen } from '@counterfoil/domain/attempt.ts';
import { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/database.ts';
import type { CustomerScope } from '../../http/scope.ts';
import { withTimeout } from '../../with-timeout.ts';
import type { Brand } from '../brand/service.ts';
import type { GatewayAccount } from './accounts.ts';
import {
  type AttemptRow,
  chargeFromRow,
  findAttemptByKey,
  openGatewayState,
} from './attempts/attempt-row.ts';
import { AttemptInTheWay, type PaymentSource, sendCharge } from './attempts/charge.ts';
import { closeAttempt, type EngineDeps, lookUpCharge } from './attempts/engine.ts';
import { takeOne } from './attempts/reconcile.ts';
import { settle } from './attempts/settle.ts';

/**
 * How long a payer waits for the gateway's answer before being told that the payment is being confirmed. The call goes
 * on; a webhook or a late answer is then seen at the page's next look, not after the gateway's full time-out.
 */
const ANSWER_WITHIN_MS = 8_000;
/** How long a payer waits for a look at the gateway; the look itself goes on. */
const LOOK_WITHIN_MS = 7_000;

const lookWithinMs = (deps: EngineDeps) => Math.min(LOOK_WITHIN_MS, deps.callWithinMs ?? LOOK_WITHIN_MS);

/** Whether a payment can be begun: payments are on, and there is a gateway that takes its keys. */
export const isPayable = async (
  deps: EngineDeps,
  { brand, account }: { readonly brand: Brand; readonly account: GatewayAccount | undefined },
): Promise<boolean> =>
  brand.settings.paymentsEnabled && account !== undefined && (await deps.accounts.isWorking(account));

/** A waiting attempt whose time has come is looked into now; nobody has to wait for the next round. */
export async function refreshed(deps: EngineDeps, attempt: AttemptRow): Promise<AttemptRow> {
  if (!isOpen(attempt.state) || attempt.state === 'requiresAction') return attempt;
  const taken = await takeOne(deps, attempt.customer_id, attempt.id);
  return taken === undefined ? attempt : withTimeout(lookWithinMs(deps), lookUpCharge(deps, taken), attempt);
}

/** The browser is back, or a waiting page asks. What the address says is passed to the gateway and not believed. */
export async function confirmed(
  deps: EngineDeps,
  attempt: AttemptRow,
  body: Omit<ConfirmationRequest, 'reqUid' | 'uid'>,
): Promise<AttemptRow> {
  if (attempt.state !== 'requiresAction') return refreshed(deps, attempt);
  const account = await deps.accounts.byId(attempt.gateway_account_id);
  if (account === undefined) return attempt;
  const query = {
    ...(body.paymentIntent === undefined ? {} : { payment_intent: body.paymentIntent }),
    ...(body.paymentIntentClientSecret === undefined
      ? {}
      : { payment_intent_client_secret: body.paymentIntentClientSecret }),
    ...(body.sourceType === undefined ? {} : { source_type: body.sourceType }),
  };
  const gatewayState = openGatewayState(attempt.gateway_state_sealed, attempt.id, deps.secrets) ?? {};
  const key = { customerId: attempt.customer_id, attemptId: attempt.id };
  const look = account.gateway
    .handleReturn(chargeFromRow(attempt, deps.secrets), gatewayState, query)
    .catch((error: unknown) => {
      deps.log.error({ err: error, attempt: attempt.id }, 'a gateway adapter threw while resuming');
      return { is: 'inconclusive' as const, why: 'adapter fault' };
    })
    .then((found) => settle(deps, key, found, 'redirect', attempt));
  return withTimeout(lookWithinMs(deps), look, attempt);
}

/** What a paying call asks for, so that the same again is known as the same. */
export interface Asked {
  readonly digest: Buffer;
  readonly clientKey: string | null;
}

/** The attempt made with this key. @throws {AppError} when it was made for something else */
export async function attemptOfKey(
  deps: EngineDeps,
  scope: CustomerScope,
  { clientKey, digest }: Asked,
): Promise<AttemptRow | undefined> {
  const sameKey = clientKey === null ? undefined : await findAttemptByKey(deps.db, scope, clientKey);
  if (sameKey !== undefined && !sameKey.request_digest.equals(digest))
    throw new AppError('payment.keyReused');
  return sameKey;
}

/**
 * Ends an abandoned 3-D Secure at the gateway, so that it can never take the money beside a new attempt.
 * @param check throws where the new request will be refused anyway: then nothing is ended for it
 * @returns what decides the request already: the attempt is still open, is what was asked for, or has paid after all
 */
export async function stillDecides(
  deps: EngineDeps,
  latest: AttemptRow | undefined,
  { digest }: Pick<Asked, 'digest'>,
  check: () => void,
): Promise<AttemptRow | undefined> {
  if (latest === undefined || !isOpen(latest.state)) return undefined;
  if (latest.state !== 'requiresAction' || latest.request_digest.equals(digest)) return latest;
  check();
  const closed = await withTimeout(lookWithinMs(deps), closeAttempt(deps, latest), latest);
  return isOpen(closed.state) || closed.state === 'succeeded' ? closed : undefined;
}

/** How an attempt is written, and sent. */
export interface Paying {
  readonly account: GatewayAccount;
  /** Prices, and writes the attempt, in one transaction. */
  readonly write: (tx: Tx) => Promise<AttemptRow>;
  /** Whose attempt was in the way. */
  readonly other: () => Promise<AttemptRow | undefined>;
  /** What pays; asked once the attempt is written. */
  readonly pay: () => PaymentSource;
  /** `performance.now()` when the call began: the payer waits no longer in all. */
  readonly begunMs: number;
}

/** Writes an attempt and sends it, once; whoever comes second is told about the first. */
export async function payOnce(
  deps: EngineDeps,
  { account, write, other, pay, begunMs }: Paying,
): Promise<AttemptRow> {
  let written: AttemptRow;
  try {
    written = await deps.db.transaction(write);
  } catch (error) {
    if (!(error instanceof AttemptInTheWay)) throw error;
    // Somebody was faster: theirs is the attempt, and both are told the same.
    const first = await other();
    if (first === undefined) throw error;
    return first;
  }
  const sent = sendCharge(deps, account, written, pay());
  const leftMs = Math.max(ANSWER_WITHIN_MS - (performance.now() - begunMs), 1_000);
  return withTimeout(leftMs, sent, written);
}
