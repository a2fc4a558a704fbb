import { envelope } from '@counterfoil/contract/envelope.ts';
import {
  installationHealth,
  type Jobs,
  jobDrop,
  jobParams,
  jobs,
  roundParams,
} from '@counterfoil/contract/operator/running/installation.ts';
import * as z from 'zod/mini';
import { actedBy } from '../../audit/acted-by.ts';
import type { App } from '../../http/app-type.ts';
import { livingWorkers } from '../../jobs/presence.ts';
import { readQueue } from '../../jobs/queue.ts';
import { type HealthDeps, readHealth } from './health.ts';
import { type FailingJobRow, listFailingJobs, listRounds } from './queries.ts';
import { presentRound } from './rounds.ts';
import { dropJobByOperator, retryJob, runRound } from './service.ts';

const tags = ['installation'];
const MOST_JOBS = 200;
const ofAll = { access: 'program', ofInstallation: true } as const;
const reading = { ...ofAll, scope: 'jobs:read', refusals: ['installation.only'] } as const;
const writing = { ...ofAll, scope: 'jobs:write' } as const;

/** Jobs and health of the whole installation, for its own programs and operators. */
export function installationRoutes(app: App, deps: HealthDeps): void {
  const { db, clock } = deps;

  app.get(
    '/v1/admin/health',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getInstallationHealth',
        summary: 'How the installation is: database, disks, workers, queue, mails, webhooks, gateways',
        response: { 200: envelope(installationHealth) },
      },
    },
    async () => ({ data: await readHealth(deps) }),
  );

  app.get(
    '/v1/admin/jobs',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getJobs',
        summary: 'How the queue stands, which of its jobs fail, and what is done again and again',
        response: { 200: envelope(jobs) },
      },
    },
    async () => {
      const now = clock.now();
      const [queue, workers, failing, rounds] = await Promise.all([
        readQueue(db),
        livingWorkers(db),
        listFailingJobs(db, MOST_JOBS),
        listRounds(db),
      ]);
      const data: Jobs = {
        queue: { ...queue, workers },
        failing: failing.map(presentJob),
        rounds: rounds.map((row) => presentRound(row, now)),
      };
      return { data };
    },
  );

  app.post(
    '/v1/admin/jobs/:job/retry',
    {
      config: { ...writing, refusals: ['installation.only', 'job.notFound', 'job.running'] },
      schema: {
        tags,
        operationId: 'retryJob',
        summary: 'Has a job of the queue run now, however often it has failed',
        params: jobParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await retryJob(deps, request.params.job, actedBy(request));
      return reply.status(204).send(null);
    },
  );

  app.post(
    '/v1/admin/jobs/:job/drop',
    {
      config: { ...writing, refusals: ['installation.only', 'job.notFound', 'job.running'] },
      schema: {
        tags,
        operationId: 'dropJob',
        summary: 'Takes a job out of the queue: what it was to do is not done',
        params: jobParams,
        body: jobDrop,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await dropJobByOperator(deps, request.params.job, request.body.note, actedBy(request));
      return reply.status(204).send(null);
    },
  );

  app.post(
    '/v1/admin/rounds/:round/run',
    {
      config: { ...writing, refusals: ['installation.only', 'round.notFound'] },
      schema: {
        tags,
        operationId: 'runRound',
        summary: 'Has what is done again and again begin within seconds; it does what is due',
        params: roundParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await runRound(deps, request.params.round, actedBy(request));
      return reply.status(204).send(null);
    },
  );
}

function presentJob(row: FailingJobRow): Jobs['failing'][number] {
  const isLost = row.attempts >= row.max_attempts && !row.is_running;
  return {
    id: row.id,
    task: row.task,
    state: row.is_running ? 'running' : isLost ? 'givenUp' : 'waiting',
    tries: row.attempts,
    mostTries: row.max_attempts,
    problem: row.last_error?.slice(0, 500) ?? null,
    createdAt: row.created_at.toISOString(),
    nextAt: isLost ? null : row.run_at.toISOString(),
  };
}
