/** The smallest engine that obeys look-up strategies: it goes through them in order until the end is certain. */
import type { Charge, GatewayState, LookupResult, LookupStrategy, Refund } from '../port/gateway.ts';
import type { CaseSession } from './session.ts';

const ends = new Set<LookupResult['is']>(['succeeded', 'declined', 'closed', 'notAttempted']);
const isEnd = (found: LookupResult): boolean => (found.is === 'absent' ? found.proven : ends.has(found.is));

/** More rounds than any strategy needs: afterwards the attempt would be held for a person. */
const mostRounds = 8;
const roundMs = 6 * 60_000;

async function rounds(
  session: CaseSession,
  strategies: readonly LookupStrategy[],
  ask: (strategy: LookupStrategy, state: GatewayState | undefined) => Promise<LookupResult>,
  sentAt: Date,
  first: GatewayState | undefined,
): Promise<LookupResult> {
  const used = new Map<LookupStrategy, number>();
  let state = first;
  let last: LookupResult = { is: 'inconclusive', why: 'nothing was asked' };
  for (let round = 0; round < mostRounds; round += 1) {
    for (const strategy of strategies) {
      const times = used.get(strategy) ?? 0;
      if (!isOpen(strategy, times, session.run.now().getTime() - sentAt.getTime())) continue;
      used.set(strategy, times + 1);
      last = await ask(strategy, state);
      if (isEnd(last)) return last;
      if ('state' in last && last.state !== undefined) state = last.state;
    }
    await session.control.advance(roundMs);
  }
  return last;
}

/** Whether a strategy may be used still. @param times how often it was */
const isOpen = ({ maxAttempts, validMs }: LookupStrategy, times: number, sinceSentMs: number): boolean =>
  (maxAttempts === 'any' || times < maxAttempts) && (validMs === 'unknown' || sinceSentMs <= validMs);

/** Finds out about a charge. A strategy that may charge is used at most once, like an engine with the payer gone. */
export function settle(
  session: CaseSession,
  charge: Charge,
  state: GatewayState | undefined,
): Promise<LookupResult> {
  let current = charge;
  let hasReplayed = false;
  return rounds(
    session,
    session.run.can.lookup,
    (strategy, kept) => {
      if (strategy.mayCharge) {
        if (hasReplayed) return Promise.resolve({ is: 'inconclusive', why: 'sent again once already' });
        hasReplayed = true;
        current = { ...current, lastSentAt: session.run.now() };
      }
      return session.gateway.lookup(current, kept, strategy);
    },
    charge.sentAt,
    state,
  );
}

/** The same for a refund or void. */
export function settleRefund(
  session: CaseSession,
  refund: Refund,
  state: GatewayState | undefined,
): Promise<LookupResult> {
  return rounds(
    session,
    session.run.can.refundLookup,
    async (strategy, kept) =>
      (await session.gateway.lookupRefund?.(refund, kept, strategy)) ?? {
        is: 'inconclusive',
        why: 'refunds cannot be found',
      },
    refund.sentAt,
    state,
  );
}
