import type { Capabilities, LookupStrategy } from '@counterfoil/gateways/port/gateway.ts';
import type { AttemptRow } from './attempt-row.ts';

/** A strategy that may charge runs only this long after the customer pressed Pay. */
const MAY_CHARGE_FOR_MS = 30 * 60_000;

/** What decides, besides the attempt and the time, whether a strategy may be used. */
export interface StrategyTerms {
  /** Whether a strategy is allowed that takes the money when the first request never arrived. */
  readonly mayCharge: boolean;
  /** A webhook: anybody may send one, so it uses up none of a counted number of look-ups. */
  readonly isHint: boolean;
  /** Rights of the account; undefined while they are not known. */
  readonly rights: readonly string[] | undefined;
  /** What a second send of the same reference does at this gateway. */
  readonly repeat: Capabilities['repeat'];
  /** Whether the saved method is as it was when the charge was sent. */
  readonly isMethodUnchanged: boolean;
}

export type StrategyUse =
  | { readonly is: 'now' }
  /** Not for this asker: others may use it, so it is not lost. */
  | { readonly is: 'notByThis' }
  /** Later; `inMs` where the time is known. */
  | { readonly is: 'later'; readonly inMs?: number }
  | { readonly is: 'expired'; readonly why: string };

type Asked = Pick<
  AttemptRow,
  'sent_at' | 'last_sent_at' | 'lookups' | 'looked_up_at' | 'method_sealed' | 'initiator'
>;

const expired = (why: string): StrategyUse => ({ is: 'expired', why });

/** Whether a strategy may be used at this moment: what the port says of each of its members is obeyed here. */
export function strategyUse(
  strategy: LookupStrategy,
  attempt: Asked,
  nowMs: number,
  terms: StrategyTerms,
): StrategyUse {
  const closed = whyClosed(strategy, attempt, nowMs, terms);
  if (closed !== undefined) return expired(closed);
  if (terms.isHint && strategy.maxAttempts !== 'any') return { is: 'notByThis' };
  if (strategy.mayCharge && !terms.mayCharge) return { is: 'notByThis' };
  // Keys that are refused, or a gateway that is away: nobody knows yet what the account may do.
  if (strategy.needs !== undefined && terms.rights === undefined) return { is: 'later' };
  const inMs =
    Math.max(attempt.last_sent_at.getTime() + strategy.firstMs, pausedUntil(strategy, attempt)) - nowMs;
  return inMs > 0 ? { is: 'later', inMs } : { is: 'now' };
}

/** Why a strategy can never be used again for this attempt; undefined while it can. */
function whyClosed(
  strategy: LookupStrategy,
  attempt: Asked,
  nowMs: number,
  { rights, repeat, isMethodUnchanged }: StrategyTerms,
): string | undefined {
  const sinceSent = nowMs - attempt.sent_at.getTime();
  if (strategy.validMs !== 'unknown' && sinceSent > strategy.validMs) return 'its time is over';
  if (strategy.savedMethodOnly && attempt.method_sealed === null) return 'it needs a saved method';
  if (strategy.methodUnchanged === true && !isMethodUnchanged) return 'the saved method was changed since';
  if (strategy.by === 'replay' && repeat === 'charges') return 'sending again would be a second charge';
  if (strategy.needs !== undefined && rights !== undefined && !rights.includes(strategy.needs))
    return `the account lacks the right ${strategy.needs}`;
  if (strategy.maxAttempts !== 'any' && (attempt.lookups[strategy.by] ?? 0) >= strategy.maxAttempts)
    return 'it was used often enough';
  if (strategy.mayCharge && attempt.initiator === 'customer' && sinceSent > MAY_CHARGE_FOR_MS)
    return 'the customer is gone';
  return undefined;
}

/** When a strategy may be used again after it was last used, milliseconds; 0 for one that was not. */
function pausedUntil({ by, pause }: LookupStrategy, { lookups, looked_up_at: lookedUpAt }: Asked): number {
  const last = lookedUpAt[by];
  if (last === undefined) return 0;
  const times = Math.max((lookups[by] ?? 0) - 1, 0);
  return new Date(last).getTime() + Math.min(pause.firstMs * pause.factor ** times, pause.mostMs);
}
