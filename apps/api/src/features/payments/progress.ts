import type { ConfirmationRequest } from '@counterfoil/contract/paying/public-pay.ts';
import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import { withTimeout } from '../../with-timeout.ts';
import { recheckSoon } from './after-end/tasks.ts';
import { type AttemptRow, chargeFromRow, openGatewayState } from './attempts/attempt-row.ts';
import { askByHint, askEnded, type EngineDeps, readAttempt } from './attempts/engine.ts';
import { lookUpAttempt } from './attempts/look-up-attempt.ts';
import { takeOne } from './attempts/reconcile.ts';
import { settle } from './attempts/settle.ts';
import { lookUpRefund } from './refunds/refund-lookup.ts';
import { lookUpResubmission } from './reversals/resubmissions.ts';

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

/**
 * Looks a payment or refund up now because an operator asks, whatever the schedule says. What is due is looked up as the
 * reconciler does; else it is asked about as after a webhook: nothing is ever sent again by it, and the gateway's pauses and
 * counted look-ups are kept. Of a charge that succeeded a worker asks soon what became of it since.
 * @returns the attempt afterwards, or as it is after the time that a caller waits; the look-up goes on
 */
export async function lookUpNow(deps: EngineDeps, attempt: AttemptRow): Promise<AttemptRow> {
  return withTimeout(lookWithinMs(deps), lookUpAtOnce(deps, attempt), attempt);
}

async function lookUpAtOnce(deps: EngineDeps, attempt: AttemptRow): Promise<AttemptRow> {
  const { customer_id: customerId, id: attemptId, direction } = attempt;
  const now = async () => (await readAttempt(deps, { customerId, attemptId })) ?? attempt;
  if (!isOpen(attempt.state)) {
    if (direction !== 'charge') return attempt;
    if (attempt.state === 'succeeded') await recheckSoon(deps.db, attempt, deps.clock.now());
    else await askEnded(deps, attempt);
    return now();
  }
  const taken = await takeOne(deps, attempt);
  if (taken !== undefined) return lookUpAttempt(deps, taken);
  if (direction === 'refund') return lookUpRefund(deps, attempt, 'operator');
  if (direction === 'resubmission') return lookUpResubmission(deps, attempt, 'operator');
  return (await askByHint(deps, attempt, 'operator')) ?? now();
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
