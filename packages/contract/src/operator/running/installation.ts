import * as z from 'zod/mini';
import { said } from '../parts.ts';

/** What is the installation's and no reseller's: `/v1/admin/jobs`, `/v1/admin/rounds`, `/v1/admin/health`. */

const moment = (what: string) => said(z.string(), `${what} ISO 8601 in UTC.`);

/** Something that is done again and again in the background. */
export const backgroundRound = z
  .object({
    name: said(z.string(), 'Its name, such as `auto-pay`.'),
    everySeconds: said(z.number(), 'The pause between two of them.'),
    state: said(
      z.enum(['ok', 'failing', 'overdue', 'never']),
      '`failing`: the last one failed; `overdue`: none went well for long; `never`: none has run yet.',
    ),
    lastOkAt: z.nullable(moment('When one last went well, in whichever process.')),
    lastFailedAt: z.nullable(moment('When one last failed.')),
    nextAt: z.nullable(moment('About when the next one begins.')),
    problem: said(z.nullable(z.string()), 'What the last one that failed said; null where it goes well.'),
    isWanted: said(z.boolean(), 'Somebody has asked for it, and it begins within seconds.'),
  })
  .check(
    z.meta({
      examples: [
        {
          name: 'auto-pay',
          everySeconds: 60,
          state: 'ok',
          lastOkAt: '2026-03-01T10:00:00.000Z',
          lastFailedAt: null,
          nextAt: '2026-03-01T10:01:00.000Z',
          problem: null,
          isWanted: false,
        },
      ],
    }),
  );
export type BackgroundRound = z.infer<typeof backgroundRound>;

/** A job of the queue that has failed. */
export const failingJob = z
  .object({
    id: said(z.string(), 'Its number in the queue.'),
    task: said(z.string(), 'What kind of job it is.'),
    state: said(z.enum(['waiting', 'running', 'givenUp']), '`waiting`: it is tried again by itself.'),
    tries: said(z.int(), 'How often it was tried.'),
    mostTries: said(z.int(), 'After how many tries it is given up.'),
    problem: said(z.nullable(z.string()), 'What the last try said.'),
    createdAt: moment('When it was put into the queue.'),
    nextAt: z.nullable(moment('When it is tried next; null for one that was given up.')),
  })
  .check(
    z.meta({
      examples: [
        {
          id: '4711',
          task: 'receipt',
          state: 'waiting',
          tries: 3,
          mostTries: 12,
          problem: 'the mail server did not take it: 451 at DATA',
          createdAt: '2026-03-01T10:00:00.000Z',
          nextAt: '2026-03-01T10:05:00.000Z',
        },
      ],
    }),
  );
export type FailingJob = z.infer<typeof failingJob>;

/** How the queue stands. */
export const queueStock = z.object({
  waiting: said(z.int(), 'Jobs that are due and that no process has taken.'),
  running: said(z.int(), 'Jobs under way.'),
  later: said(z.int(), 'Jobs for a later time.'),
  givenUp: said(z.int(), 'Jobs that failed as often as they may.'),
  oldestSeconds: said(z.number(), 'For how long the job has been due that waits longest.'),
  workers: said(z.int(), 'Pools of workers that live, two for each process that works.'),
});

export const jobs = z.object({
  queue: queueStock,
  failing: said(z.array(failingJob), 'Jobs that have failed, those given up first; at most 200.'),
  rounds: said(z.array(backgroundRound), 'What is done again and again.'),
});
export type Jobs = z.infer<typeof jobs>;

export const jobParams = z.object({
  job: said(z.string().check(z.regex(/^[1-9]\d{0,17}$/)), 'The number of the job in the queue.'),
});
export const roundParams = z.object({
  round: said(z.string().check(z.regex(/^[a-z][a-z -]{0,39}$/)), 'The name of the round.'),
});

/** Body of `POST /v1/admin/jobs/{job}/drop`. */
export const jobDrop = z
  .strictObject({
    note: said(z.string().check(z.trim(), z.minLength(1), z.maxLength(500)), 'Why; kept in the audit trail.'),
  })
  .check(z.meta({ examples: [{ note: 'The report is not wanted any more' }] }));

/** One thing that was looked at. */
export const healthCheck = z.object({
  what: said(
    z.enum(['database', 'disk', 'workers', 'queue', 'rounds', 'mail', 'webhooks', 'gateways']),
    'What was looked at.',
  ),
  state: said(z.enum(['ok', 'warning', 'fault']), 'How it is.'),
  found: said(z.string(), 'What was found, in a few words.'),
});
export type HealthCheck = z.infer<typeof healthCheck>;

/** How the installation is. */
export const installationHealth = z
  .object({
    at: moment('When this was looked at.'),
    version: said(z.string(), 'The version of the program that answers.'),
    checks: z.array(healthCheck),
  })
  .check(
    z.meta({
      examples: [
        {
          at: '2026-03-01T10:00:00.000Z',
          version: '0.1.0',
          checks: [{ what: 'database', state: 'ok', found: 'answers in 3 ms; PostgreSQL 18.1, 1.2 GB' }],
        },
      ],
    }),
  );
export type InstallationHealth = z.infer<typeof installationHealth>;
