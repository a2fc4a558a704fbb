import type { Database, Db, Tx } from '../../../db/database.ts';
import { later, sql } from '../../../db/sql.ts';
import { takeDue } from '../../../db/take-due.ts';
import type { AttemptRow } from '../attempts/attempt-row.ts';
import { nextRecheckAt } from './plan.ts';

/** `recheck`: ask what became of a charge since; `cleanUp`: remove what was made at the gateway for it. */
export type AfterEndTask = 'recheck' | 'cleanUp';

/** A hint does not make a gateway be asked about the same charge more often than this. */
const HINT_PAUSE_MS = 30_000;

/**
 * Schedules what is to be done after the end of an attempt whose row is locked.
 * @param hasTaken whether it brought money, also late
 */
export async function scheduleAfterEnd(
  tx: Tx,
  attempt: AttemptRow,
  hasTaken: boolean,
  now: Date,
): Promise<void> {
  const { after_end: after, answer_within_ms: withinMs } = attempt;
  if (after?.cleanUp === true) {
    // A call that is still under way keeps what was made for it.
    await schedule(tx, attempt, 'cleanUp', new Date(now.getTime() + withinMs), now);
  }
  const recheckAt = hasTaken ? nextRecheckAt(after, now, now) : null;
  if (recheckAt !== null) await schedule(tx, attempt, 'recheck', recheckAt, now);
}

const schedule = (tx: Tx, attempt: AttemptRow, task: AfterEndTask, nextAt: Date, now: Date) =>
  tx.execute(sql`
    insert into after_end_task (customer_id, attempt_id, task, gateway_account_id, ended_at, next_at)
    values (${attempt.customer_id}, ${attempt.id}, ${task}, ${attempt.gateway_account_id}, ${now}, ${nextAt})
    on conflict (customer_id, attempt_id, task) do update set ended_at = excluded.ended_at, next_at = excluded.next_at`);

/**
 * Has what became of an ended charge asked for soon, because of a hint: a webhook that is not signed, an event that does not
 * say it all, a browser that came back. However many come, the gateway is asked once in a while.
 */
export async function recheckSoon(db: Database, attempt: AttemptRow, now: Date): Promise<void> {
  const { customer_id: customerId, id, gateway_account_id: accountId, updated_at: endedAt } = attempt;
  const notBefore = new Date(now.getTime() - HINT_PAUSE_MS);
  await db.execute(sql`
    insert into after_end_task as t (customer_id, attempt_id, task, gateway_account_id, ended_at, next_at)
    values (${customerId}, ${id}, 'recheck', ${accountId}, ${endedAt}, ${now})
    on conflict (customer_id, attempt_id, task) do update
       set next_at = case when t.taken_at is null or t.taken_at <= ${notBefore} then ${now}::timestamptz
                          else ${later(sql`t.taken_at`, sql`interval '30 seconds'`)} end
     where t.next_at is null or t.next_at > ${now}`);
}

/** A task that is this process's until its lease ends. */
export interface TakenTask {
  readonly customerId: string;
  readonly attemptId: string;
  readonly task: AfterEndTask;
  readonly accountId: string;
  readonly endedAt: Date;
  readonly leasedUntil: Date;
  readonly tries: number;
}

/** Takes a task of an account that is due; others pass it by until its lease ends. */
export function takeTask(
  db: Database,
  accountId: string,
  now: Date,
  leasedUntil: Date,
): Promise<TakenTask | undefined> {
  const isDue = sql`gateway_account_id = ${accountId} and next_at <= ${now}`;
  return takeDue<Pick<TakenTask, 'customerId' | 'attemptId' | 'task'>, TakenTask>(db, {
    due: sql`
      select customer_id as "customerId", attempt_id as "attemptId", task from after_end_task
       where ${isDue} order by next_at, attempt_id`,
    take: ({ customerId, attemptId, task }) => sql`
      with next as (
        select attempt_id, task from after_end_task
         where customer_id = ${customerId} and attempt_id = ${attemptId} and task = ${task} and ${isDue}
           for update skip locked)
      update after_end_task t set next_at = ${leasedUntil}, taken_at = ${now}, tries = t.tries + 1 from next
       where t.customer_id = ${customerId} and t.attempt_id = next.attempt_id and t.task = next.task
      returning t.customer_id as "customerId", t.attempt_id as "attemptId", t.task,
                t.gateway_account_id as "accountId", t.ended_at as "endedAt", t.next_at as "leasedUntil", t.tries`,
  });
}

/** Ends the lease of a task. A hint that came meanwhile stands. @param nextAt null for never */
export const putBack = (
  db: Database,
  task: TakenTask,
  nextAt: Date | null,
  hasSucceeded: boolean,
): Promise<number> =>
  db.execute(sql`
    update after_end_task set next_at = ${nextAt}, tries = case when ${hasSucceeded} then 0 else tries end
     where customer_id = ${task.customerId} and attempt_id = ${task.attemptId} and task = ${task.task}
       and next_at = ${task.leasedUntil}`);

/** Gateway accounts with something that is due. */
export const accountsWithTasks = (db: Db, now: Date): Promise<{ readonly id: string }[]> =>
  db.many(sql`
    select distinct gateway_account_id as id from after_end_task where next_at <= ${now}`);
