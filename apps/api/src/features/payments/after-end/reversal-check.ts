import type { Reversal } from '@counterfoil/gateways/port/gateway.ts';
import type { GatewayAccount } from '../accounts.ts';
import { type AttemptRow, chargeFromRow, openGatewayState } from '../attempts/attempt-row.ts';
import type { EngineDeps } from '../attempts/engine.ts';
import { isCollected } from '../reversals/resubmissions.ts';
import { bookReversal } from '../reversals/reversals.ts';

/**
 * Asks the gateway what became of an ended charge since, and books it. It was asked through the account and by the reference
 * of our own row, so that what it says is believed, whoever made us ask. What is booked already, whichever way it came, stays
 * as it is.
 * @returns whether the gateway answered and all of it could be booked or judged
 */
export async function checkReversals(
  deps: EngineDeps,
  account: GatewayAccount,
  attempt: AttemptRow,
): Promise<boolean> {
  const state = openGatewayState(attempt.gateway_state_sealed, attempt.id, deps.secrets) ?? {};
  let answer: { readonly reversals: readonly Reversal[] } | 'inconclusive' | undefined;
  try {
    answer = await account.gateway.listReversals?.(chargeFromRow(attempt, deps.secrets), state);
  } catch (error) {
    deps.log.error({ err: error, attempt: attempt.id }, 'a gateway adapter threw while listing reversals');
    answer = 'inconclusive';
  }
  if (answer === undefined) return true;
  if (answer === 'inconclusive') return false;
  // In any order: what is told before the thing it undoes is booked after it.
  const early = await bookEach(deps, account, attempt, answer.reversals);
  return early.length === 0 || (await bookEach(deps, account, attempt, early)).length === 0;
}

/** @returns those that undo what is not known */
async function bookEach(
  deps: EngineDeps,
  account: GatewayAccount,
  attempt: AttemptRow,
  reversals: readonly Reversal[],
): Promise<Reversal[]> {
  const key = { customerId: attempt.customer_id, attemptId: attempt.id };
  const early: Reversal[] = [];
  for (const reversal of reversals) {
    const collected = reversal.kind === 'failed' ? await isCollected(deps, account, attempt) : undefined;
    const booked = await bookReversal(deps, key, reversal.of, reversal, { isCollected: collected });
    if (booked === 'tooEarly') early.push(reversal);
  }
  return early;
}
