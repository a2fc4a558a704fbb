import { Logger as QueueLogger, type Runner, run, type TaskList } from 'graphile-worker';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';

/** One kind of job: its name in the queue and what it does. Throwing means: again later, with growing pauses. */
export interface Job {
  readonly name: string;
  run(payload: unknown): Promise<void>;
}

export interface WorkerDeps {
  readonly db: Database;
  readonly url: string;
  readonly log: Logger;
}

const CONCURRENCY = 4;

/** Runs jobs from the queue until stopped; several processes share the work. */
export async function startWorker(deps: WorkerDeps, jobs: readonly Job[]): Promise<Runner> {
  const taskList: TaskList = Object.fromEntries(
    jobs.map((job) => [job.name, (payload: unknown) => job.run(payload)] as const),
  );
  return run({
    pgPool: deps.db.pool,
    taskList,
    concurrency: CONCURRENCY,
    noHandleSignals: true,
    pollInterval: 1_000,
    logger: new QueueLogger((scope) => (level, message) => {
      const fields = { job: scope.taskIdentifier, jobId: scope.jobId };
      if (level === 'error') deps.log.error(fields, message);
      else if (level === 'warning') deps.log.warn(fields, message);
      else deps.log.trace(fields, message);
    }),
  });
}

/** Runs `work` again and again with a pause between, until stopped; a fault is logged and does not end it. */
export function startLoop(
  name: string,
  intervalMs: number,
  log: Logger,
  work: () => Promise<unknown>,
): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  const round = async () => {
    try {
      await work();
    } catch (error) {
      log.error({ err: error, loop: name }, 'a background round failed');
    }
    if (!isStopped) timer = setTimeout(start, intervalMs);
  };
  const start = () => {
    running = round();
  };
  start();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
}
