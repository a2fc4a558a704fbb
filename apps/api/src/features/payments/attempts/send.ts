import type { Outcome } from '@counterfoil/gateways/port/gateway.ts';
import type { Logger } from 'pino';
import type { Database } from '../../../db/database.ts';
import { sqlOnce } from '../../../db/sql.ts';
import type { Clock } from '../../../deps.ts';
import { withTimeout } from '../../../with-timeout.ts';
import { type AttemptRow, isInOpenState } from './attempt-row.ts';
import { leaseFrom } from './schedule.ts';

export interface SendDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** The longest wait for a gateway's answer, milliseconds, instead of what the account says. */
  readonly callWithinMs?: number;
}

/**
 * Marks a committed attempt as sent now, with its lease: a process that stood still since its commit is not taken for one
 * that never called, and nothing looks the attempt up while the call runs.
 * @param gatewayState what the adapter wants to see again, sealed; null for nothing new
 * @returns when; undefined when the attempt has ended meanwhile, and must not be sent any more
 */
export async function markSent(
  deps: Pick<SendDeps, 'db' | 'clock'>,
  { customer_id: customerId, id, answer_within_ms: withinMs }: AttemptRow,
  gatewayState: Buffer | null = null,
): Promise<Date | undefined> {
  const now = deps.clock.now();
  const marked = await deps.db.execute(sqlOnce`
    update attempt set gateway_state_sealed = coalesce(${gatewayState}, gateway_state_sealed), last_sent_at = ${now}, next_lookup_at = ${leaseFrom(now, withinMs)}
     where customer_id = ${customerId} and id = ${id} and ${isInOpenState}`);
  return marked === 1 ? now : undefined;
}

/** A call to a gateway that has been started, and how what comes of it is settled. */
export interface GatewayCall {
  readonly answer: Promise<Outcome>;
  readonly settle: (outcome: Outcome) => Promise<AttemptRow>;
  /** For the log: what the adapter was doing. */
  readonly doing: 'charging' | 'refunding';
}

/**
 * Waits for a gateway's answer within its time limit and records it. A later answer is recorded when it comes. Never
 * throws for what gateway, network or database do: the attempt is committed as sent, so it is looked up.
 * @returns the attempt afterwards; `row` when its answer could not be recorded
 */
export async function recordAnswer(
  deps: SendDeps,
  row: AttemptRow,
  { answer, settle, doing }: GatewayCall,
): Promise<AttemptRow> {
  const call = answer.catch((error: unknown): Outcome => {
    deps.log.error({ err: error, attempt: row.id }, `a gateway adapter threw while ${doing}`);
    return { is: 'unknown', evidence: 'adapter fault' };
  });
  const record = (outcome: Outcome) =>
    settle(outcome).catch((error: unknown) => {
      deps.log.error({ err: error, attempt: row.id }, 'an answer was not recorded; it will be found out');
      return row;
    });
  const withinMs = deps.callWithinMs ?? row.answer_within_ms;
  const first = await withTimeout(withinMs, call, undefined);
  if (first !== undefined) return record(first);
  // The caller gets an answer now; the call goes on, and its answer is recorded when it comes.
  void call.then(record);
  return record({ is: 'unknown', evidence: `no answer within ${withinMs} ms` });
}
