import { RESET_TOKEN_SECONDS } from '@counterfoil/contract/auth.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { Job } from '../../jobs/worker.ts';
import { type AnyBrandMail, composeMail } from '../../mail/compose.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { sha256 } from '../../secrets.ts';
import { brandUrl } from '../brand/service.ts';
import { PASSKEY_MAIL, type PasskeyMailJob } from '../passkeys/tasks.ts';
import { SECOND_FACTOR_MAIL, type SecondFactorMailJob } from '../second-factor/tasks.ts';
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
import {
  newSignInMail,
  passkeySentence,
  passwordChangedMail,
  registrationMail,
  resetMail,
  secondFactorSentence,
  securityChangedMail,
} from './mail-words.ts';
import { findUser, type UserRow } from './queries.ts';
import { mayEnter } from './session-service.ts';
import { issueToken, type TokenKind } from './token-service.ts';
import { brandOfUser } from './user-brand.ts';

export interface AccountMailDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly mailFrom: string;
  /** Scheme and port of links; their host is the brand's. */
  readonly publicUrl: URL;
  /** DEMO=1. */
  readonly isDemo: boolean;
}

/** The jobs that write to a person about their way in. */
export function accountMailJobs(deps: AccountMailDeps): Job[] {
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
    {
      name: PASSWORD_CHANGED_MAIL,
      async run(payload) {
        const { userId, at } = payload as PasswordChangedMailJob;
        const news = await newsFor(deps, userId);
        if (news === undefined) return;
        const link = { url: news.url, id: `${userId}.${Date.parse(at)}.changed` };
        await send(deps, passwordChangedMail(news.to, link, new Date(at)));
      },
    },
    {
      name: SECOND_FACTOR_MAIL,
      async run(payload) {
        const { userId, at, event, codesLeft } = payload as SecondFactorMailJob;
        const news = await newsFor(deps, userId);
        if (news === undefined) return;
        const link = { url: news.url, id: `${userId}.${Date.parse(at)}.${event}` };
        const change = secondFactorSentence(event, codesLeft);
        await send(deps, securityChangedMail(news.to, link, new Date(at), change));
      },
    },
    {
      name: PASSKEY_MAIL,
      async run(payload) {
        const { userId, at, ...passkey } = payload as PasskeyMailJob;
        const news = await newsFor(deps, userId);
        if (news === undefined) return;
        const link = { url: news.url, id: `${userId}.${Date.parse(at)}.passkey-${passkey.event}` };
        await send(deps, securityChangedMail(news.to, link, new Date(at), passkeySentence(passkey)));
      },
    },
    {
      name: NEW_SIGN_IN_MAIL,
      async run(payload) {
        const { userId, ...signIn } = payload as NewSignInMailJob;
        const news = await newsFor(deps, userId);
        if (news === undefined) return;
        const link = { url: news.url, id: `${userId}.${Date.parse(signIn.at)}.sign-in` };
        await send(deps, newSignInMail(news.to, link, signIn));
      },
    },
  ];
}

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
  await send(deps, mail({ brand, email: user.email }, link));
}

/** An active user to be told something, and the sign-in page of their brand. */
async function newsFor(deps: AccountMailDeps, userId: string) {
  const user = await findUser(deps.db, userId);
  if (user === undefined) return undefined;
  const brand = await brandOfUser(deps.db, user);
  return { to: { brand, email: user.email }, url: brandUrl(brand, deps.publicUrl, '/login') };
}

const send = (deps: AccountMailDeps, mail: AnyBrandMail) =>
  deps.mailer.send(composeMail(mail, deps.mailFrom));
