/** The smallest engine that obeys find plans, for tests: it goes through them in order until the end is certain. */
import type { Charge, Gateway, GatewayState, LookupResult, LookupStrategy, Refund } from '../port/gateway.ts';

interface Clock {
  now(): Date;
  advance(milliseconds: number): Promise<void>;
}

const ends = new Set<LookupResult['is']>(['succeeded', 'declined', 'closed', 'notAttempted']);
const isEnd = (found: LookupResult): boolean => (found.is === 'absent' ? found.proven : ends.has(found.is));

/** More rounds than any plan needs: afterwards the attempt would be held for a person. */
const mostRounds = 8;
const roundMs = 6 * 60_000;

async function rounds(
  clock: Clock,
  plans: readonly LookupStrategy[],
  ask: (plan: LookupStrategy, state: GatewayState | undefined) => Promise<LookupResult>,
  first: GatewayState | undefined,
): Promise<LookupResult> {
  let state = first;
  let last: LookupResult = { is: 'inconclusive', why: 'nothing was asked' };
  for (let round = 0; round < mostRounds; round += 1) {
    for (const plan of plans) {
      last = await ask(plan, state);
      if (isEnd(last)) return last;
      if ('state' in last && last.state !== undefined) state = last.state;
    }
    await clock.advance(roundMs);
  }
  return last;
}

/** Finds out about a charge. A plan that may charge is used at most once, like an engine with the payer gone. */
export function settle(
  clock: Clock,
  gateway: Gateway,
  charge: Charge,
  state: GatewayState | undefined,
): Promise<LookupResult> {
  let current = charge;
  let hasReplayed = false;
  return rounds(
    clock,
    gateway.capabilities.lookup,
    (plan, kept) => {
      if (plan.mayCharge) {
        if (hasReplayed) return Promise.resolve({ is: 'inconclusive', why: 'sent again once already' });
        hasReplayed = true;
        current = { ...current, lastSentAt: clock.now() };
      }
      return gateway.lookup(current, kept, plan);
    },
    state,
  );
}

/** The same for a refund or void. */
export function settleRefund(
  clock: Clock,
  gateway: Gateway,
  refund: Refund,
  state: GatewayState | undefined,
): Promise<LookupResult> {
  return rounds(
    clock,
    gateway.capabilities.refundLookup,
    async (plan, kept) =>
      (await gateway.lookupRefund?.(refund, kept, plan)) ?? {
        is: 'inconclusive',
        why: 'refunds cannot be found',
      },
    state,
  );
}
