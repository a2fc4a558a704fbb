import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import { sql } from '../../../db/sql.ts';
import { type RowKey, takeDue } from '../../../db/take-due.ts';
import { CallSlots } from '../../../limits/call-slots.ts';
import { type AttemptRow, attemptColumns, isInOpenState } from './attempt-row.ts';
import type { EngineDeps } from './engine.ts';
import { lookUpAttempt } from './look-up-attempt.ts';
import { leaseFrom } from './schedule.ts';

/** Workers of one gateway account; how many of them look into something is for the process's slots to say. */
const AT_ONCE = 8;
/** Of one account in one round; what has become due meanwhile comes before the rest. */
const AT_MOST = 200;

interface Totals {
  asked: number;
  ended: number;
}

/** What is looked into, by gateway account. */
interface Rounds {
  readonly lanes: Map<string, Promise<Totals>>;
  readonly limit: number;
  readonly slots: CallSlots;
  isStopping: boolean;
}

/**
 * Looks into every open attempt whose time has come, each gateway account for itself: one that hangs holds up nobody
 * else, and all together hold no more calls than a process has slots for. Several processes may run this at once: each takes an attempt by moving its time on, so that the others pass it
 * by; one whose taker dies comes round again.
 * @param limit the most of one account
 * @returns how many attempts were looked into, and how many of them have ended
 */
export async function reconcile(
  deps: EngineDeps,
  limit = AT_MOST,
): Promise<{ asked: number; ended: number }> {
  const rounds = roundsOf(deps, limit);
  await begin(deps, rounds);
  const done = await Promise.all(rounds.lanes.values());
  return {
    asked: done.reduce((sum, { asked }) => sum + asked, 0),
    ended: done.reduce((sum, { ended }) => sum + ended, 0),
  };
}

/** The same in rounds, for as long as a process lives. */
export interface Reconciler {
  /** Begins with every account that has something due and is not still at it. Waits for none of them. */
  round(): Promise<void>;
  /** Begins nothing more; resolves when what was begun has ended. */
  stop(): Promise<void>;
}

export function reconciler(deps: EngineDeps): Reconciler {
  const rounds = roundsOf(deps, AT_MOST);
  return {
    round: () => begin(deps, rounds),
    async stop() {
      rounds.isStopping = true;
      await Promise.allSettled(rounds.lanes.values());
    },
  };
}

const roundsOf = ({ clock }: EngineDeps, limit: number): Rounds => ({
  lanes: new Map(),
  limit,
  isStopping: false,
  slots: new CallSlots(() => clock.now().getTime()),
});

async function begin(deps: EngineDeps, rounds: Rounds): Promise<void> {
  const { lanes, limit } = rounds;
  const begun = deps.clock.now();
  const accounts = await deps.db.many<{ id: string; due: number }>(sql`
    select gateway_account_id as id, count(*)::int as due from attempt
     where is_open and next_lookup_at <= ${begun} group by 1`);
  for (const { id, due } of accounts) {
    if (lanes.has(id)) continue;
    const lane = lookThrough(deps, rounds, { id, begun, due: Math.min(due, limit) });
    lanes.set(id, lane);
    const close = () => lanes.delete(id);
    lane.then(close, (error: unknown) => {
      close();
      deps.log.error(
        { err: error, account: id },
        'looking into open payments broke off; they come round again',
      );
    });
  }
}

/** Looks into what was due for one account when the round began. */
async function lookThrough(
  deps: EngineDeps,
  rounds: Rounds,
  { id, begun, due }: { readonly id: string; readonly begun: Date; readonly due: number },
): Promise<Totals> {
  const totals: Totals = { asked: 0, ended: 0 };
  let left = due;
  const account = await deps.accounts.byId(id);
  const answerWithinMs = account?.gateway.capabilities.answerWithinMs;
  const next = async (): Promise<boolean> => {
    if (left <= 0 || rounds.isStopping) return false;
    left -= 1;
    // Taken when it is begun with, not before: else it would be another's again by then.
    const attempt = await take(deps, id, begun, answerWithinMs);
    if (attempt === undefined) return false;
    totals.asked += 1;
    try {
      const after = await lookUpAttempt(deps, attempt);
      if (!isOpen(after.state)) totals.ended += 1;
    } catch (error) {
      deps.log.error(
        { err: error, attempt: attempt.id },
        'an attempt could not be looked into; it comes round again',
      );
    }
    return true;
  };
  const worker = async () => {
    while (left > 0 && !rounds.isStopping && (await rounds.slots.run(id, next)));
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, due) }, worker));
  return totals;
}

function take(
  deps: EngineDeps,
  accountId: string,
  begun: Date,
  answerWithinMs: number | undefined,
): Promise<AttemptRow | undefined> {
  const until = leaseFrom(deps.clock.now(), answerWithinMs);
  const isDue = sql`is_open and next_lookup_at <= ${begun} and gateway_account_id = ${accountId}`;
  return takeDue<RowKey, AttemptRow>(deps.db, {
    due: sql`select customer_id, id from attempt where ${isDue} order by next_lookup_at, id`,
    take: ({ customer_id: customerId, id }) => sql`
      with next as (
        select id from attempt where customer_id = ${customerId} and id = ${id} and ${isDue} for update skip locked)
      update attempt a set next_lookup_at = ${until} from next where a.customer_id = ${customerId} and a.id = next.id
      returning ${attemptColumns}`,
  });
}

/** Takes one open attempt for looking into now, unless somebody else just has. For readers of a waiting page. */
export function takeOne(
  deps: EngineDeps,
  { customer_id: customerId, id, answer_within_ms: withinMs }: AttemptRow,
): Promise<AttemptRow | undefined> {
  const now = deps.clock.now();
  return deps.db.transaction((tx) =>
    tx.maybeOne<AttemptRow>(sql`
      update attempt a set next_lookup_at = ${leaseFrom(now, withinMs)}
       where a.customer_id = ${customerId} and a.id = ${id} and ${isInOpenState} and a.next_lookup_at <= ${now}
      returning ${attemptColumns}`),
  );
}
