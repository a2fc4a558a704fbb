import type { Tx } from '../../db/database.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { Job } from '../../jobs/worker.ts';
import { type AccountMailDeps, accountMailJob, securityChangedMail } from '../auth/service.ts';
import { type SecondFactorEvent, secondFactorSentence } from './mails.ts';

/** Name of the job that tells a person about their second factor. */
const SECOND_FACTOR_MAIL = 'second-factor-mail';

interface SecondFactorMailJob {
  readonly userId: string;
  readonly event: SecondFactorEvent;
  /** ISO 8601 */
  readonly at: string;
  /** Recovery codes that are left, where one was used. */
  readonly codesLeft?: number;
}

/** Promises the mail about a change, in the transaction that makes it. */
export async function enqueueSecondFactorMail(
  tx: Tx,
  userId: string,
  event: SecondFactorEvent,
  now: Date,
  codesLeft?: number,
): Promise<void> {
  const about = codesLeft === undefined ? {} : { codesLeft };
  const job: SecondFactorMailJob = { userId, event, at: now.toISOString(), ...about };
  await enqueue(tx, SECOND_FACTOR_MAIL, job);
}

/** The job that tells a person about their second factor. */
export const secondFactorMailJob = (deps: AccountMailDeps): Job =>
  accountMailJob<SecondFactorMailJob>(
    deps,
    SECOND_FACTOR_MAIL,
    ({ event }) => event,
    (to, link, { at, event, codesLeft }) =>
      securityChangedMail(to, link, new Date(at), secondFactorSentence(event, codesLeft)),
  );
