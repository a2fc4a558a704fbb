/** The smallest engine that obeys find plans, for tests: it goes through them in order until the end is certain. */
import type { Charge, FindPlan, Found, Gateway, Refund, SealedBag } from './port.ts';

interface Clock {
  now(): Date;
  advance(milliseconds: number): Promise<void>;
}

const ends = new Set<Found['is']>(['succeeded', 'declined', 'closed', 'notAttempted']);
const isEnd = (found: Found): boolean => (found.is === 'absent' ? found.proven : ends.has(found.is));

/** More rounds than any plan needs: afterwards the attempt would be held for a person. */
const mostRounds = 8;
const roundMs = 6 * 60_000;

async function rounds(
  clock: Clock,
  plans: readonly FindPlan[],
  ask: (plan: FindPlan, bag: SealedBag | undefined) => Promise<Found>,
  first: SealedBag | undefined,
): Promise<Found> {
  let bag = first;
  let last: Found = { is: 'cannotTell', why: 'nothing was asked' };
  for (let round = 0; round < mostRounds; round += 1) {
    for (const plan of plans) {
      last = await ask(plan, bag);
      if (isEnd(last)) return last;
      if ('bag' in last && last.bag !== undefined) bag = last.bag;
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
  bag: SealedBag | undefined,
): Promise<Found> {
  let current = charge;
  let hasReplayed = false;
  return rounds(
    clock,
    gateway.can.find,
    (plan, kept) => {
      if (plan.mayCharge) {
        if (hasReplayed) return Promise.resolve({ is: 'cannotTell', why: 'sent again once already' });
        hasReplayed = true;
        current = { ...current, lastSentAt: clock.now() };
      }
      return gateway.find(current, kept, plan);
    },
    bag,
  );
}

/** The same for a refund or void. */
export function settleRefund(
  clock: Clock,
  gateway: Gateway,
  refund: Refund,
  bag: SealedBag | undefined,
): Promise<Found> {
  return rounds(
    clock,
    gateway.can.lookupRefund,
    async (plan, kept) =>
      (await gateway.lookupRefund?.(refund, kept, plan)) ?? {
        is: 'cannotTell',
        why: 'refunds cannot be found',
      },
    bag,
  );
}
