import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface EnqueueOptions {
  /** A second job with the same key, while the first waits, is the same job. */
  readonly key?: string;
  readonly runAt?: Date;
  readonly maxAttempts?: number;
}

const MAX_ATTEMPTS = 12;

/** Puts a job into the queue in the caller's transaction: it exists exactly when the change it follows from does. */
export async function enqueue(
  tx: Tx,
  task: string,
  payload: object,
  options: EnqueueOptions = {},
): Promise<void> {
  await tx.one(sql`
    select (graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json, job_key := ${options.key ?? null},
            run_at := ${options.runAt ?? null}::timestamptz,
            max_attempts := ${options.maxAttempts ?? MAX_ATTEMPTS}::smallint)).id`);
}
