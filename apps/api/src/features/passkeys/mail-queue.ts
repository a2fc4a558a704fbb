import type { Tx } from '../../db/database.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { Job } from '../../jobs/worker.ts';
import { type AccountMailDeps, accountMailJob, securityChangedMail } from '../auth/service.ts';
import { type PasskeyEvent, passkeySentence } from './mails.ts';

/** Name of the job that tells a person about a passkey of theirs. */
const PASSKEY_MAIL = 'passkey-mail';

interface PasskeyMailJob extends PasskeyEvent {
  readonly userId: string;
  /** ISO 8601 */
  readonly at: string;
}

/** Promises the mail, in the transaction of what it tells. */
export async function enqueuePasskeyMail(tx: Tx, job: PasskeyMailJob): Promise<void> {
  await enqueue(tx, PASSKEY_MAIL, job);
}

/** The job that tells a person about a passkey of theirs. */
export const passkeyMailJob = (deps: AccountMailDeps): Job =>
  accountMailJob<PasskeyMailJob>(
    deps,
    PASSKEY_MAIL,
    ({ event }) => `passkey-${event}`,
    (to, link, { at, ...passkey }) => securityChangedMail(to, link, new Date(at), passkeySentence(passkey)),
  );
