import { RESET_TOKEN_SECONDS } from '@counterfoil/contract/auth.ts';
import type { Job } from '../../jobs/worker.ts';
import type { BrandMail } from '../../mail/compose.ts';
import { sha256 } from '../../secrets.ts';
import { brandUrl } from '../brand/service.ts';
import { deviceOf } from '../sessions/service.ts';
import {
  type AccountMailDeps,
  accountMailJob,
  head,
  type Link,
  momentOf,
  type Recipient,
  sendAccountMail,
  username,
} from './account-mails.ts';
import {
  NEW_SIGN_IN_MAIL,
  type NewSignInMailJob,
  PASSWORD_CHANGED_MAIL,
  type PasswordChangedMailJob,
  REGISTRATION_MAIL,
  RESET_MAIL,
  type RegistrationMailJob,
  type ResetMailJob,
} from './mail-queue.ts';
import { issueToken, type TokenKind } from './one-time-token.ts';
import { findUser, type UserRow } from './queries.ts';
import { mayEnter } from './session.ts';
import type { SignInMethod } from './sign-in-method.ts';
import { brandOfUser } from './user-brand.ts';

/** The jobs that mail links to a new password, and tell of a changed one and of a sign-in from somewhere new. */
export function authMailJobs(deps: AccountMailDeps): Job[] {
  return [
    {
      name: RESET_MAIL,
      async run(payload) {
        const { userId, lookedUpAt } = payload as ResetMailJob;
        const ageMs = deps.clock.now().getTime() - new Date(lookedUpAt).getTime();
        if (ageMs > RESET_TOKEN_SECONDS * 1000) return;
        const user = await findUser(deps.db, userId);
        if (user !== undefined && mayEnter(deps, user)) await sendLink(deps, 'reset', user);
      },
    },
    {
      name: REGISTRATION_MAIL,
      async run(payload) {
        const user = await findUser(deps.db, (payload as RegistrationMailJob).userId);
        if (user !== undefined && mayEnter(deps, user)) await sendLink(deps, 'registration', user);
      },
    },
    accountMailJob<PasswordChangedMailJob>(
      deps,
      PASSWORD_CHANGED_MAIL,
      () => 'changed',
      (to, link, { at }) => passwordChangedMail(to, link, new Date(at)),
    ),
    accountMailJob<NewSignInMailJob>(deps, NEW_SIGN_IN_MAIL, () => 'sign-in', newSignInMail),
  ];
}

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

const linkMails = {
  reset: { page: '/reset-password/', mail: resetMail },
  registration: { page: '/finish-registration/', mail: registrationMail },
} as const;

/** Each try makes a new token: a mail that may have gone out holds one that no longer opens anything. */
async function sendLink(deps: AccountMailDeps, kind: TokenKind, user: UserRow): Promise<void> {
  const token = await deps.db.transaction((tx) => issueToken(tx, kind, user.id, deps.clock.now()));
  if (token === undefined) return;
  const { page, mail } = linkMails[kind];
  const brand = await brandOfUser(deps.db, user);
  const link = {
    url: brandUrl(brand, deps.publicUrl, page + token),
    id: `${sha256(token).toString('hex', 0, 16)}.${kind}`,
  };
  await sendAccountMail(deps, mail({ brand, email: user.email }, link));
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
