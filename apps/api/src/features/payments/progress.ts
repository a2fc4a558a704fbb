import type { ConfirmationRequest } from '@counterfoil/contract/paying/public-pay.ts';
import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import { withTimeout } from '../../with-timeout.ts';
import { recheckSoon } from './after-end/tasks.ts';
import { type AttemptRow, chargeFromRow, openGatewayState } from './attempts/attempt-row.ts';
import type { EngineDeps } from './attempts/engine.ts';
import { lookUpAttempt } from './attempts/look-up-attempt.ts';
import { takeOne } from './attempts/reconcile.ts';
import { settle } from './attempts/settle.ts';

/** How long a payer waits for a look at the gateway, milliseconds; the look itself goes on. */
const LOOK_WITHIN_MS = 7_000;

export const lookWithinMs = (deps: EngineDeps): number =>
  Math.min(LOOK_WITHIN_MS, deps.callWithinMs ?? LOOK_WITHIN_MS);

/** Looks up an open attempt now, where its time has come: a payer need not wait for the reconciler. */
export async function refresh(deps: EngineDeps, attempt: AttemptRow): Promise<AttemptRow> {
  if (!isOpen(attempt.state) || attempt.state === 'requiresAction') return attempt;
  const taken = await takeOne(deps, attempt);
  return taken === undefined ? attempt : withTimeout(lookWithinMs(deps), lookUpAttempt(deps, taken), attempt);
}

/** A browser that comes back later than this has something to tell: of a payment that has just ended all is known. */
const JUST_ENDED_MS = 60_000;
const hasEndedBefore = ({ state, updated_at: at }: AttemptRow, now: Date): boolean =>
  !isOpen(state) && now.getTime() - at.getTime() > JUST_ENDED_MS;

/** The browser is back, or a waiting page asks. What the address says is passed to the gateway and not believed. */
export async function confirm(
  deps: EngineDeps,
  attempt: AttemptRow,
  body: Omit<ConfirmationRequest, 'reqUid' | 'uid'>,
): Promise<AttemptRow> {
  const account = await deps.accounts.byId(attempt.gateway_account_id);
  const listed = account?.gateway.listReversals !== undefined;
  if (listed && hasEndedBefore(attempt, deps.clock.now()))
    await recheckSoon(deps.db, attempt, deps.clock.now());
  if (attempt.state !== 'requiresAction') return refresh(deps, attempt);
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
