import type { Database } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** How often a process says that its workers live. */
export const SEEN_EVERY_MS = 5_000;
/** A worker not seen for this long was killed, or hangs so badly that its job may run a second time. */
const ALIVE_FOR = sql`interval '30 seconds'`;

/**
 * Says that these workers live, and frees the jobs of those that do not any more: the queue itself would wait for
 * four hours. Times are the database's, so that clocks of machines do not matter.
 */
export async function sayAlive(db: Database, workerIds: readonly string[]): Promise<void> {
  await db.transaction(async (tx) => {
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
  });
}

/** Says that these workers have ended as they should. */
export const sayGone = (db: Database, workerIds: readonly string[]): Promise<number> =>
  db.transaction((tx) =>
    tx.execute(sql`delete from queue_worker where worker_id = any(${workerIds}::text[])`),
  );
