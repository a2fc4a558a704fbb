import { formatDay } from '@counterfoil/domain/day.ts';
import { momentIn } from '@counterfoil/domain/time-zone.ts';
import type { BrandMail } from '../../mail/compose.ts';
import type { Brand } from '../brand/service.ts';
import type { PasskeyMailJob } from '../passkeys/tasks.ts';
import type { SecondFactorEvent } from '../second-factor/tasks.ts';
import { deviceOf } from '../sessions/service.ts';
import type { NewSignInMailJob } from './mail-queue.ts';
import type { SignInMethod } from './sign-in-method.ts';

/** To whom, and in whose name. */
interface Recipient {
  readonly brand: Brand;
  /** Where the mail goes, which is also the user name. */
  readonly email: string;
}

/** Where its button leads, and its id. */
interface Link {
  readonly url: string;
  /** Left part of the message id. */
  readonly id: string;
}

const head = ({ brand, email: to }: Recipient, { url, id }: Link) => ({
  brand,
  to,
  url,
  messageId: `<${id}@account.counterfoil>`,
});
const username = (email: string) => ({ label: 'Username', value: email });

/** Somebody asked for a new password. No password is ever mailed. */
export const resetMail = (to: Recipient, link: Link): BrandMail<'reset'> => ({
  kind: 'reset',
  ...head(to, link),
  values: { username: to.email },
  facts: [username(to.email)],
});

/** The provider has made an account; the person chooses its first password. */
export const registrationMail = (to: Recipient, link: Link): BrandMail<'registration'> => ({
  kind: 'registration',
  ...head(to, link),
  values: { username: to.email },
  facts: [username(to.email)],
});

/** Goes out after every change, so that a change by somebody else does not stay unnoticed. */
export function passwordChangedMail(to: Recipient, link: Link, at: Date): BrandMail<'passwordChanged'> {
  const when = momentOf(to.brand.timeZone, at);
  return {
    kind: 'passwordChanged',
    ...head(to, link),
    values: { username: to.email, when },
    facts: [username(to.email), { label: 'When', value: when }],
  };
}

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

/** Something other than the password changed in how the person gets in. @param change in a sentence or two */
export function securityChangedMail(
  to: Recipient,
  link: Link,
  at: Date,
  change: string,
): BrandMail<'securityChanged'> {
  const when = momentOf(to.brand.timeZone, at);
  return {
    kind: 'securityChanged',
    ...head(to, link),
    values: { username: to.email, when, change },
    facts: [username(to.email), { label: 'When', value: when }],
  };
}

const methodWords: Readonly<Record<SignInMethod, string>> = {
  password: 'Password',
  sso: 'Company sign-in',
  passkey: 'Passkey',
  code: 'One-time code',
};
const UNKNOWN = 'Unknown';

/** Somebody signed in from a browser or a network not seen before. */
export function newSignInMail(
  to: Recipient,
  link: Link,
  signIn: Omit<NewSignInMailJob, 'userId'>,
): BrandMail<'newSignIn'> {
  const device = deviceOf(signIn.agent);
  const values = {
    username: to.email,
    when: momentOf(to.brand.timeZone, new Date(signIn.at)),
    browser: device.browser ?? UNKNOWN,
    system: device.system ?? UNKNOWN,
    address: signIn.address,
    method: methodWords[signIn.method],
  };
  return {
    kind: 'newSignIn',
    ...head(to, link),
    values,
    facts: [
      username(to.email),
      { label: 'When', value: values.when },
      { label: 'Browser', value: values.browser },
      { label: 'System', value: values.system },
      { label: 'Address', value: values.address },
      { label: 'Method', value: values.method },
    ],
  };
}

function momentOf(timeZone: string, at: Date): string {
  const { day, time } = momentIn(timeZone, at);
  return `${formatDay(day)} ${time}`;
}
