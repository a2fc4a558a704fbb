import type { Job } from '../../jobs/worker.ts';
import { type AccountMailDeps, accountMailJob, securityChangedMail } from '../auth/service.ts';
import { PASSKEY_MAIL, type PasskeyMailJob } from './mail-queue.ts';

/** The job that tells a person about a passkey of theirs. */
export const passkeyMailJob = (deps: AccountMailDeps): Job =>
  accountMailJob<PasskeyMailJob>(
    deps,
    PASSKEY_MAIL,
    ({ event }) => `passkey-${event}`,
    (to, link, { at, ...passkey }) => securityChangedMail(to, link, new Date(at), passkeySentence(passkey)),
  );

/** What happened to a passkey; a new password alone would not take it away. */
export function passkeySentence({
  event,
  name,
  host,
}: Pick<PasskeyMailJob, 'event' | 'name' | 'host'>): string {
  if (event === 'removed') return `The passkey “${name}” was removed. It no longer opens your account.`;
  return (
    `The passkey “${name}” was added. It opens your account at ${host} without the password. ` +
    'You can remove it in Settings, Security.'
  );
}
