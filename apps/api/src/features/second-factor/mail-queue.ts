import type { Tx } from '../../db/database.ts';
import { enqueue } from '../../jobs/queue.ts';

/** Name of the job that tells a person about their second factor. */
export const SECOND_FACTOR_MAIL = 'second-factor-mail';

/** What may have happened to it. `removed`: by the provider, at the person's request. */
export type SecondFactorEvent = 'on' | 'replaced' | 'off' | 'removed' | 'newCodes' | 'recoveryUsed';

export interface SecondFactorMailJob {
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
