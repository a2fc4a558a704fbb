import type { Tx } from '../../db/database.ts';
import { enqueue } from '../../jobs/queue.ts';

/** Name of the job that tells a person about a passkey of theirs. */
export const PASSKEY_MAIL = 'passkey-mail';

export interface PasskeyMailJob {
  readonly userId: string;
  readonly event: 'added' | 'removed';
  readonly name: string;
  /** The host where it works. */
  readonly host: string;
  /** ISO 8601 */
  readonly at: string;
}

/** Promises the mail, in the transaction of what it tells. */
export async function enqueuePasskeyMail(tx: Tx, job: PasskeyMailJob): Promise<void> {
  await enqueue(tx, PASSKEY_MAIL, job);
}
