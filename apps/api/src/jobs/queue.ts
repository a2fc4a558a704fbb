import type { Db, Tx } from '../db/database.ts';
import { asOwner } from '../db/row-security/for-customer.ts';
import { sql } from '../db/sql.ts';

export interface EnqueueOptions {
  /** A second job with the same key, while the first waits, is the same job. */
  readonly key?: string;
  readonly runAt?: Date;
  readonly maxAttempts?: number;
}

const MAX_ATTEMPTS = 12;

/**
 * Puts a job into the queue in the caller's transaction: it exists exactly when the change it follows from does.
 * @returns its id
 */
export async function enqueue(
  tx: Tx,
  task: string,
  payload: object,
  options: EnqueueOptions = {},
): Promise<string> {
  const { id } = await tx.one(
    asOwner(sql<{ id: string }>`
    select (graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json, job_key := ${options.key ?? null},
            run_at := ${options.runAt ?? null}::timestamptz,
            max_attempts := ${options.maxAttempts ?? MAX_ATTEMPTS}::smallint)).id::text as id`),
  );
  return id;
}

/** Puts jobs of a task into the queue, each with a key that no other of them has, in the caller's transaction. */
export async function enqueueAll(
  tx: Tx,
  task: string,
  jobs: readonly { readonly key: string; readonly payload: object }[],
): Promise<void> {
  if (jobs.length === 0) return;
  await tx.many(
    asOwner(sql`
    select 1 from graphile_worker.add_jobs(array(
      select (${task}, j.payload::json, null, null, ${MAX_ATTEMPTS}, j.key, null, null)::graphile_worker.job_spec
        from unnest(${jobs.map(({ payload }) => JSON.stringify(payload))}::text[], ${jobs.map(({ key }) => key)}::text[])
               as j(payload, key)))`),
  );
}

/** How the queue stands. */
export interface QueueStock {
  /** Jobs that are due and nobody has taken. */
  readonly waiting: number;
  readonly running: number;
  /** Jobs for a later time: planned so, or tried again. */
  readonly later: number;
  /** Jobs that failed as often as they may: nobody tries them again. */
  readonly givenUp: number;
  /** For how long the job has been due that waits longest. */
  readonly oldestSeconds: number;
}

/** Enough to see that something is wrong; counting more would cost more than it tells. */
const COUNTED_AT_MOST = 50_000;

/** Times are the database's, as the queue's own are. */
export const readQueue = (db: Db): Promise<QueueStock> =>
  db.one(sql`
    select count(*) filter (where is_left and not is_held and run_at <= now())::int as waiting,
           count(*) filter (where is_held)::int as running,
           count(*) filter (where is_left and not is_held and run_at > now())::int as later,
           count(*) filter (where not is_left and not is_held)::int as "givenUp",
           coalesce(extract(epoch from now() - min(run_at) filter (where is_left and not is_held and run_at <= now())),
                    0)::float8 as "oldestSeconds"
      from (select run_at, attempts < max_attempts as is_left, locked_at is not null as is_held
              from graphile_worker._private_jobs limit ${COUNTED_AT_MOST}) as j`);
