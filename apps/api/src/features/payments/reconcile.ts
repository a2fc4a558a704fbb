import { sql } from '../../db/sql.ts';
import { type AskDeps, lookInto } from './ask.ts';
import { type AttemptRow, attemptColumns } from './attempt-row.ts';
import { lookIntoGiveBack } from './give-back.ts';
import { SENDING_LEASE_MS } from './schedule.ts';

/** Attempts looked into at the same time by one process. */
const AT_ONCE = 8;

/**
 * Looks into every open attempt whose time has come. Several processes may run this at once: each takes an attempt
 * by moving its time on, so that the others pass it by; one whose taker dies comes round again.
 * @returns how many attempts were looked into, and how many of them have ended
 */
export async function reconcile(deps: AskDeps, limit = 200): Promise<{ asked: number; ended: number }> {
  const totals = { asked: 0, ended: 0 };
  const taken = await take(deps, limit);
  const queue = taken.values();
  const worker = async () => {
    for (const attempt of queue) {
      totals.asked += 1;
      try {
        const look = attempt.direction === 'giveBack' ? lookIntoGiveBack : lookInto;
        const after = await look(deps, attempt);
        if (!['sending', 'requiresAction', 'pending', 'unknown', 'held'].includes(after.state))
          totals.ended += 1;
      } catch (error) {
        deps.log.error(
          { err: error, attempt: attempt.id },
          'an attempt could not be looked into; it comes round again',
        );
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, taken.length) }, worker));
  return totals;
}

function take(deps: AskDeps, limit: number): Promise<AttemptRow[]> {
  const now = deps.clock.now();
  const until = new Date(now.getTime() + SENDING_LEASE_MS);
  return deps.db.transaction((tx) =>
    tx.many<AttemptRow>(sql`
      update attempt a set next_ask_at = ${until}
       where (a.customer_id, a.id) in (
         select customer_id, id from attempt
          where is_open and next_ask_at <= ${now} order by next_ask_at limit ${limit} for update skip locked)
      returning ${attemptColumns}`),
  );
}

/** Takes one open attempt for looking into now, unless somebody else just has. For readers of a waiting page. */
export function takeOne(
  deps: AskDeps,
  customerId: string,
  attemptId: string,
): Promise<AttemptRow | undefined> {
  const now = deps.clock.now();
  return deps.db.transaction((tx) =>
    tx.maybeOne<AttemptRow>(sql`
      update attempt a set next_ask_at = ${new Date(now.getTime() + SENDING_LEASE_MS)}
       where a.customer_id = ${customerId} and a.id = ${attemptId} and a.is_open and a.next_ask_at <= ${now}
      returning ${attemptColumns}`),
  );
}
