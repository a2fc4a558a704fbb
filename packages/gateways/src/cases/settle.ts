/** The smallest engine that obeys look-up strategies: it goes through them in order until the end is certain. */
import type { Charge, GatewayState, LookupResult, LookupStrategy, Outcome, Refund } from '../port/gateway.ts';
import { CaseFailed, CaseNotAvailable } from './case-end.ts';
import { type CaseSession, inWords, lost, type Paid } from './session.ts';

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

/** What is first said of a payment that is settled at once; what is later is only on its way to the bank then. */
export const firstOf = (session: CaseSession, kind: 'card' | 'bank'): Outcome['is'] =>
  session.run.can.settles[kind] === 'later' ? 'pending' : 'succeeded';

/** A bank's answer, days later: only in a sandbox. @throws {CaseNotAvailable} at the provider */
const waitsForBank = (session: CaseSession, outcome: Outcome): boolean => {
  if (outcome.is !== 'pending' || outcome.because !== 'bank') return false;
  if (session.run.control === undefined) throw new CaseNotAvailable('the bank answers in some days');
  return true;
};

/** Pays, and waits for the bank where that is what decides. */
export async function endOf(session: CaseSession, charge: Charge): Promise<LookupResult> {
  const { outcome, made } = await session.pay(charge);
  if (!waitsForBank(session, outcome)) return outcome;
  const found = await settle(session, lost(charge), made.state);
  made.outcome = found;
  return found;
}

/** Pays and expects the money to be taken: all of it. @throws {CaseFailed} */
export async function payWhole(session: CaseSession, charge: Charge): Promise<Paid> {
  const outcome = await endOf(session, charge);
  if (outcome.is !== 'succeeded') throw new CaseFailed(`the payment ended as ${inWords(outcome)}`);
  const { minor, currency } = outcome.captured;
  if (minor !== charge.amount.minor || currency !== charge.amount.currency)
    throw new CaseFailed('another amount was captured than was asked for');
  await session.expectTaken(charge, [charge.amount.minor]);
  return outcome;
}
