import type { Database, Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** How often a process says that its workers live. */
export const SEEN_EVERY_MS = 5_000;
/** A worker not seen for this long was killed, or hangs so badly that its job may run a second time. */
const ALIVE_FOR = sql`interval '30 seconds'`;

/** The workers of one process, and the jobs they took. */
export interface Presence {
  readonly workerIds: readonly string[];
  /** What they are at, or have done without its end being written down yet, by `takenJob`. */
  readonly taken: Set<string>;
}

/** A job as it was taken this time: each time it is taken its attempts go up. */
export const takenJob = (id: string, attempts: number): string => `${id} ${attempts}`;

/**
 * Says that these workers live, and frees the jobs of those that do not any more: the queue itself would wait for
 * four hours. The same for a job that was given to these workers and never reached them, as the connection was lost
 * with the answer. Times are the database's, so that clocks of machines do not matter.
 */
export async function sayAlive(db: Database, { workerIds, taken }: Presence): Promise<void> {
  const known = [...taken];
  const held = await db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into queue_worker (worker_id) select unnest(${workerIds}::text[])
          on conflict (worker_id) do update set seen_at = now()`);
    await tx.many(sql`
      select graphile_worker.force_unlock_workers(array_agg(distinct j.locked_by))
        from graphile_worker.jobs j
       where j.locked_by is not null and j.locked_at < now() - ${ALIVE_FOR}
         and not exists (select from queue_worker w
                          where w.worker_id = j.locked_by and w.seen_at > now() - ${ALIVE_FOR})
      having count(*) > 0`);
    await tx.execute(sql`delete from queue_worker where seen_at < now() - interval '1 day'`);
    // The queue has no function that frees one job and not all of a worker's.
    await tx.execute(sql`
      update graphile_worker._private_jobs set locked_at = null, locked_by = null
       where locked_by = any(${workerIds}::text[]) and locked_at < now() - ${ALIVE_FOR}
         and id || ' ' || attempts <> all(${known}::text[])`);
    return tx.many<{ job: string }>(sql`
      select id || ' ' || attempts as job from graphile_worker._private_jobs
       where locked_by = any(${workerIds}::text[])`);
  });
  const open = new Set(held.map(({ job }) => job));
  for (const job of known) if (!open.has(job)) taken.delete(job);
}

/**
 * How many pools of workers said within the last half minute that they live; a process that works has two. Times are
 * the database's.
 */
export async function livingWorkers(db: Db): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from queue_worker where seen_at > now() - ${ALIVE_FOR}`,
  );
  return count;
}
/** Whether a worker lives, in whatever process, and how many jobs wait for one that should have been done by now. */
export const readWorkers = (db: Db): Promise<{ alive: boolean; waiting: number }> =>
  db.one<{ alive: boolean; waiting: number }>(sql`
    select exists (select from queue_worker where seen_at > now() - ${ALIVE_FOR}) as alive,
           (select count(*)::int from graphile_worker.jobs
             where run_at < now() - ${ALIVE_FOR} and locked_at is null and attempts < max_attempts) as waiting`);

/** Says that these workers have ended as they should. */
export const sayGone = (db: Database, workerIds: readonly string[]): Promise<number> =>
  db.transaction((tx) =>
    tx.execute(sql`delete from queue_worker where worker_id = any(${workerIds}::text[])`),
  );
