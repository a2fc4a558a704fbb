import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import { dropJob, type FailingJobRow, findJob, runJobNow, wantRound } from './queries.ts';

export { stateOfRound } from './rounds.ts';

export interface JobDeps {
  readonly db: Database;
  readonly clock: Clock;
}

async function jobNamed({ db }: JobDeps, id: string): Promise<FailingJobRow> {
  const job = await findJob(db, id);
  if (job === undefined) throw new AppError('job.notFound');
  if (job.is_running) throw new AppError('job.running');
  return job;
}

const detailOf = ({ id, task, attempts, last_error }: FailingJobRow) => ({
  job: id,
  task,
  'before.tries': attempts,
  'before.problem': last_error,
});

/**
 * Has a job of the queue run now, however often it has failed. Jobs can be run any number of times.
 * @throws {AppError} job.notFound, job.running
 */
export async function retryJob(deps: JobDeps, id: string, by: ActedBy): Promise<void> {
  const job = await jobNamed(deps, id);
  await deps.db.transaction(async (tx) => {
    if ((await runJobNow(tx, id)).length === 0) throw new AppError('job.running');
    await recordAudit(tx, { action: 'job.retried', at: deps.clock.now(), ...by, detail: detailOf(job) });
  });
}

/**
 * Takes a job out of the queue: what it was to do is not done.
 * @throws {AppError} job.notFound, job.running
 */
export async function dropJobByOperator(deps: JobDeps, id: string, note: string, by: ActedBy): Promise<void> {
  const job = await jobNamed(deps, id);
  await deps.db.transaction(async (tx) => {
    if ((await dropJob(tx, id)).length === 0) throw new AppError('job.running');
    const detail = { ...detailOf(job), note };
    await recordAudit(tx, { action: 'job.dropped', at: deps.clock.now(), ...by, detail });
  });
}

/**
 * Has a background round begin within seconds, in whichever process. Rounds do what is due, whenever they run.
 * @throws {AppError} round.notFound
 */
export async function runRound(deps: JobDeps, name: string, by: ActedBy): Promise<void> {
  const at = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    if (!(await wantRound(tx, name, at))) throw new AppError('round.notFound');
    await recordAudit(tx, { action: 'round.wanted', at, ...by, detail: { round: name } });
  });
}
