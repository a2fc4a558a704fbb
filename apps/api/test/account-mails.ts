import { Logger, runOnce } from 'graphile-worker';
import { afterAll, beforeEach, vi } from 'vitest';
import type { Database } from '../src/db/database.ts';
import { authMailJobs } from '../src/features/auth/mails.ts';
import { passkeyMailJob } from '../src/features/passkeys/mails.ts';
import { secondFactorMailJob } from '../src/features/second-factor/mails.ts';
import { queueDatabase } from '../src/jobs/worker.ts';
import type { Mail, Mailer } from '../src/mail/mailer.ts';
import type { TestFixture } from './test-fixture.ts';

/** The mails about people's way in, as the worker sends them. */
export interface AccountMails {
  /** Runs what waits in the queue. @param mailer one that really sends @returns the mails given to it */
  deliver(mailer?: Mailer): Promise<Mail[]>;
  /** Asks for a reset mail and @returns the token in it. */
  resetToken(email: string): Promise<string>;
}

const quiet = new Logger(() => () => undefined);
export const PUBLIC_URL = new URL('http://portal.example:8080');

export function accountMails(fixture: TestFixture): AccountMails {
  let queue: Database | undefined;
  afterAll(() => queue?.end());
  const deliver = async (mailer?: Mailer) => {
    const sent: Mail[] = [];
    const { jobs } = fixture.deps.databases;
    const deps = {
      db: jobs,
      clock: fixture.clock,
      isDemo: fixture.deps.config.demo === true,
      mailer: {
        async send(mail: Mail) {
          sent.push(mail);
          await mailer?.send(mail);
        },
      },
      mailFrom: 'billing@portal.example',
      publicUrl: PUBLIC_URL,
    };
    const tasks = [...authMailJobs(deps), secondFactorMailJob(deps), passkeyMailJob(deps)];
    queue ??= queueDatabase(fixture.database.url);
    await runOnce({
      pgPool: queue.pool,
      taskList: Object.fromEntries(tasks.map((job) => [job.name, (payload: unknown) => job.run(payload)])),
      noHandleSignals: true,
      logger: quiet,
    });
    await recorded(queue);
    return sent;
  };
  // What an earlier test left waiting is not this one's.
  beforeEach(async () => {
    await deliver();
  });
  return {
    deliver,
    async resetToken(email) {
      const asked = await post(fixture, '/v1/ec/password-reset-request', { email });
      if (asked.statusCode !== 204) throw new Error(asked.body);
      const sent = await deliver();
      return tokenIn(sent.find((mail) => mail.text.includes('/reset-password/')));
    },
  };
}

/** The queue writes down what became of a job after it says that it is done: waits until it has. */
const recorded = (queue: Database) =>
  vi.waitUntil(
    async () => {
      const jobs = 'select 1 from graphile_worker._private_jobs where locked_at is not null';
      return (await queue.pool.query(jobs)).rowCount === 0;
    },
    { timeout: 5_000, interval: 5 },
  );

/** The token at the end of the link in a mail. */
export function tokenIn(mail: Mail | undefined): string {
  const token = /\/(?:reset-password|finish-registration)\/([\w-]+)/.exec(mail?.text ?? '')?.[1];
  if (token === undefined) throw new Error('there is no link in this mail');
  return token;
}

/** Calls the server with a JSON body. */
export const post = (
  fixture: TestFixture,
  url: string,
  payload: object,
  headers: Readonly<Record<string, string>> = {},
) => fixture.app.inject({ method: 'POST', url, payload, headers });

/** Status of a sign-in with this password. */
export async function signInStatus(fixture: TestFixture, email: string, password: string): Promise<number> {
  return (await signIn(fixture, email, password)).statusCode;
}

/** A sign-in. */
export const signIn = (fixture: TestFixture, username: string, password: string) =>
  fixture.app.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      client_id: 'counterfoil-portal',
      grant_type: 'password',
      username,
      password,
    }).toString(),
  });

/** Status of a call with this access token. */
export async function sessionStatus(fixture: TestFixture, accessToken: string): Promise<number> {
  const headers = { authorization: `Bearer ${accessToken}` };
  return (await fixture.app.inject({ url: '/v1/ec/me', headers })).statusCode;
}
