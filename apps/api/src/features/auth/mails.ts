import { formatDay } from '@counterfoil/domain/time/day.ts';
import { momentIn } from '@counterfoil/domain/time/time-zone.ts';
import type { BrandMail } from '../../mail/compose.ts';
import type { Brand } from '../brand/service.ts';
import { deviceOf } from '../sessions/service.ts';
import type { SignInMethod } from './sign-in-method.ts';

/** To whom, and in whose name. */
export interface Recipient {
  readonly brand: Brand;
  /** Where the mail goes, which is also the user name. */
  readonly email: string;
}

/** Where its button leads, and its id. */
export interface Link {
  readonly url: string;
  /** Left part of the message id. */
  readonly id: string;
}

/** A sign-in, as the mail tells of it. */
export interface SignInSeen {
  /** ISO 8601 */
  readonly at: string;
  readonly address: string;
  readonly agent: string;
  readonly method: SignInMethod;
}

/** What every mail about an account begins with. */
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

const methodWords: Readonly<Record<SignInMethod, string>> = {
  password: 'Password',
  sso: 'Company sign-in',
  passkey: 'Passkey',
  code: 'One-time code',
};
const UNKNOWN = 'Unknown';

/** Somebody signed in from a browser or a network not seen before. */
export function newSignInMail(to: Recipient, link: Link, signIn: SignInSeen): BrandMail<'newSignIn'> {
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

/** A moment as the brand's customers read it, with the day and the time of its zone. */
function momentOf(timeZone: string, at: Date): string {
  const { day, time } = momentIn(timeZone, at);
  return `${formatDay(day)} ${time}`;
}
