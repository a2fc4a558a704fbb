import type { Job } from '../../jobs/worker.ts';
import { type AccountMailDeps, accountMailJob, securityChangedMail } from '../auth/service.ts';
import { SECOND_FACTOR_MAIL, type SecondFactorEvent, type SecondFactorMailJob } from './mail-queue.ts';

/** The job that tells a person about their second factor. */
export const secondFactorMailJob = (deps: AccountMailDeps): Job =>
  accountMailJob<SecondFactorMailJob>(
    deps,
    SECOND_FACTOR_MAIL,
    ({ event }) => event,
    (to, link, { at, event, codesLeft }) =>
      securityChangedMail(to, link, new Date(at), secondFactorSentence(event, codesLeft)),
  );

const LEFT = new Intl.PluralRules('en');

/** What happened to a second factor, in one or two sentences. */
export function secondFactorSentence(event: SecondFactorEvent, codesLeft = 0): string {
  if (event !== 'recoveryUsed') return secondFactorSentences[event];
  const left = LEFT.select(codesLeft) === 'one' ? '1 is left' : `${codesLeft} are left`;
  return `Somebody signed in to your account with a recovery code. ${left}; make new ones on the Security page in time.`;
}

const secondFactorSentences: Readonly<Record<Exclude<SecondFactorEvent, 'recoveryUsed'>, string>> = {
  on: 'Two-step sign-in was turned on. You have been signed out everywhere else.',
  replaced:
    'Two-step sign-in was moved to another authenticator app. You have been signed out everywhere else.',
  off: 'Two-step sign-in was turned off. You have been signed out everywhere else.',
  removed: 'Two-step sign-in was turned off by us, as you asked. You have been signed out everywhere.',
  newCodes: 'New recovery codes were made. The old ones no longer work.',
};
