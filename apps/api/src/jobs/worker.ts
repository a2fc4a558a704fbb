import { EventEmitter } from 'node:events';
import {
  type JobHelpers,
  Logger as QueueLogger,
  run,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import pg from 'pg';
import type { Logger } from 'pino';
import { counts, type Round, rounds } from '../counts.ts';
import { Database } from '../db/database.ts';
import { traced } from '../tracing/spans.ts';
import { patientPool } from './patient-pool.ts';
import { SEEN_EVERY_MS, sayAlive, sayGone, takenJob } from './presence.ts';

/** One kind of job: its name in the queue and what it does. Throwing means: again later, with growing pauses. */
export interface Job {
  readonly name: string;
  /** @param run absent outside of the queue */
  run(payload: unknown, run?: JobRun): Promise<void>;
}

/** One try of one job. */
export interface JobRun {
  /** The job in the queue: the same at each try. */
  readonly id: string;
  /** When this one fails, nobody tries again. */
  readonly isLast: boolean;
}

/** What a job is told of this try. */
export const runOf = (job: {
  readonly id: string;
  readonly attempts: number;
  readonly max_attempts: number;
}): JobRun => ({ id: job.id, isLast: job.attempts >= job.max_attempts });

export interface WorkerDeps {
  /** Address of the database. */
  readonly url: string;
  readonly log: Logger;
  /** How many jobs run at once. */
  readonly concurrency?: number;
}

const CONCURRENCY = 4;
const STATEMENT_TIMEOUT_MS = 120_000;

/**
 * Connections for the queue's own code. It writes the ids of jobs that failed into JSON, which takes no bigint: with
 * the types of everything else no failure would ever be recorded, and no job tried again.
 */
export const queueDatabase = (url: string, onIdleError?: (error: Error) => void): Database =>
  new Database({
    url,
    name: 'counterfoil queue',
    max: CONCURRENCY,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    ...(onIdleError === undefined ? {} : { onIdleError }),
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === pg.types.builtins.INT8
          ? String
          : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
    },
  });

/** Runs jobs from the queue until stopped; several processes share the work. */
export async function startWorker(
  deps: WorkerDeps,
  jobs: readonly Job[],
): Promise<{ stop(): Promise<void> }> {
  const taskList: TaskList = Object.fromEntries(
    jobs.map(
      (job) =>
        [
          job.name,
          (payload: unknown, given: JobHelpers) =>
            traced('consumer', `job ${job.name}`, { 'counterfoil.try': given.job.attempts }, () =>
              job.run(payload, runOf(given.job)),
            ),
        ] as const,
    ),
  );
  const db = queueDatabase(deps.url, (error) => deps.log.warn({ err: error }, 'an idle connection ended'));
  const workerIds: string[] = [];
  const taken = new Set<string>();
  const events: WorkerEvents = new EventEmitter();
  // Jobs are locked in the name of the pool of workers.
  events.on('pool:create', ({ workerPool }) => workerIds.push(workerPool.id));
  events.on('job:start', ({ job }) => taken.add(takenJob(job.id, job.attempts)));
  events.on('job:success', ({ job }) => counts.jobs.add(job.task_identifier, 'done'));
  events.on('job:error', ({ job }) => counts.jobs.add(job.task_identifier, 'failed'));
  events.on('job:failed', ({ job }) => counts.jobs.add(job.task_identifier, 'givenUp'));
  const runner = await run({
    events,
    pgPool: patientPool(db.pool),
    taskList,
    concurrency: deps.concurrency ?? CONCURRENCY,
    noHandleSignals: true,
    pollInterval: 1_000,
    logger: new QueueLogger((scope) => (level, message) => {
      const fields = { job: scope.taskIdentifier, jobId: scope.jobId };
      if (level === 'error') deps.log.error(fields, message);
      else if (level === 'warning') deps.log.warn(fields, message);
      else deps.log.trace(fields, message);
    }),
  });
  const stopPresence = startLoop('queue presence', SEEN_EVERY_MS, deps.log, () =>
    sayAlive(db, { workerIds, taken }),
  );
  return {
    async stop() {
      await stopPresence();
      await runner.stop();
      await sayGone(db, workerIds).catch(() => undefined);
      await db.end();
    },
  };
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
      await traced('internal', `round ${name}`, {}, work);
      known.okAt = Date.now();
    } catch (error) {
      log.error({ err: error, loop: name }, 'a background round failed');
      known.failedAt = Date.now();
      known.problem = error instanceof Error ? error.message : String(error);
    }
    if (!isStopped) timer = setTimeout(start, intervalMs);
  };
  const start = () => {
    timer = undefined;
    running = round();
  };
  const wake = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    start();
  };
  const known: Round = { everyMs: intervalMs, wake };
  rounds.set(name, known);
  start();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    if (rounds.get(name) === known) rounds.delete(name);
    await running;
  };
}
