import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface RoundRow {
  name: string;
  every_ms: number;
  ok_at: Date | null;
  failed_at: Date | null;
  problem: string | null;
  wanted_at: Date | null;
}

/** Everything that is done again and again, by name. */
export const listRounds = (db: Db) =>
  db.many<RoundRow>(sql`
    select name, every_ms, ok_at, failed_at, problem, wanted_at from background_round order by name`);

/** Has a round begin soon, in whichever process. @returns whether there is one of that name */
export const wantRound = async (tx: Tx, name: string, now: Date): Promise<boolean> =>
  (await tx.execute(sql`update background_round set wanted_at = ${now} where name = ${name}`)) === 1;

export interface FailingJobRow {
  id: string;
  task: string;
  attempts: number;
  max_attempts: number;
  last_error: string | null;
  created_at: Date;
  run_at: Date;
  is_running: boolean;
}

const columns = sql`
  j.id::text as id, t.identifier as task, j.attempts, j.max_attempts, j.last_error, j.created_at, j.run_at,
  j.locked_at is not null as is_running`;
const from = sql`from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id`;

/** Jobs of the queue that have failed, those that were given up first. What is done is not in the queue any more. */
export const listFailingJobs = (db: Db, limit: number) =>
  db.many<FailingJobRow>(sql`
    select ${columns} ${from} where j.last_error is not null
     order by j.attempts >= j.max_attempts desc, j.id desc limit ${limit}`);

/** One job of the queue. @param id its number there */
export const findJob = (db: Db, id: string) =>
  db.maybeOne<FailingJobRow>(sql`select ${columns} ${from} where j.id = ${id}::bigint`);

/** Has a job run now, as often as a new one may. */
export const runJobNow = (tx: Tx, id: string) =>
  tx.many(sql`
    select id from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at := now(), attempts := 0)`);

/** Takes a job out of the queue for good. */
export const dropJob = (tx: Tx, id: string) =>
  tx.many(sql`select id from graphile_worker.complete_jobs(array[${id}::bigint])`);

/** Mails of the last day by state, of all resellers. */
export const countMails = (db: Db, since: Date) =>
  db.many<{ state: string; count: number }>(sql`
    select state, count(*)::int as count from mail where created_at >= ${since} group by state`);

/** Gateway accounts in use, and how many of them take no payments for now. */
export const countGateways = (db: Db) =>
  db.one<{ active: number; paused: number }>(sql`
    select count(*)::int as active, count(p.gateway_account_id)::int as paused
      from gateway_account a left join payment_pause p on p.gateway_account_id = a.id where a.is_active`);
