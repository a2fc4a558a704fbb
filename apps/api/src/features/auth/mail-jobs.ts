import { RESET_TOKEN_SECONDS } from '@counterfoil/contract/auth.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { Job } from '../../jobs/worker.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { sha256 } from '../../secrets.ts';
import { brandUrl } from '../brand/service.ts';
import {
  PASSWORD_CHANGED_MAIL,
  type PasswordChangedMailJob,
  REGISTRATION_MAIL,
  RESET_MAIL,
  type RegistrationMailJob,
  type ResetMailJob,
} from './mail-queue.ts';
import {
  type AccountMail,
  composeAccountMail,
  passwordChangedWords,
  registrationWords,
  resetWords,
} from './mail-words.ts';
import { findUser, findUserByEmail, type UserRow } from './queries.ts';
import { issueToken, type TokenKind } from './token-service.ts';
import { brandOfUser } from './user-brand.ts';

export interface AccountMailDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly mailFrom: string;
  /** Scheme and port of links; their host is the brand's. */
  readonly publicUrl: URL;
}

/** The jobs that write to a person about their way in. */
export function accountMailJobs(deps: AccountMailDeps): Job[] {
  return [
    {
      name: RESET_MAIL,
      async run(payload) {
        const { email, askedAt } = payload as ResetMailJob;
        const ageMs = deps.clock.now().getTime() - new Date(askedAt).getTime();
        if (ageMs > RESET_TOKEN_SECONDS * 1000) return;
        const user = await findUserByEmail(deps.db, email);
        if (user !== undefined) await sendLink(deps, 'reset', user);
      },
    },
    {
      name: REGISTRATION_MAIL,
      async run(payload) {
        const user = await findUser(deps.db, (payload as RegistrationMailJob).userId);
        if (user !== undefined) await sendLink(deps, 'registration', user);
      },
    },
    {
      name: PASSWORD_CHANGED_MAIL,
      async run(payload) {
        const { userId, at } = payload as PasswordChangedMailJob;
        const user = await findUser(deps.db, userId);
        if (user === undefined) return;
        const brand = await brandOfUser(deps.db, user);
        const words = passwordChangedWords(brand, user.email, new Date(at));
        const url = brandUrl(brand, deps.publicUrl, '/login');
        await send(deps, { brand, to: user.email, words, url, id: `${userId}.${Date.parse(at)}.changed` });
      },
    },
  ];
}

const pages: Readonly<Record<TokenKind, string>> = {
  reset: '/reset-password/',
  registration: '/finish-registration/',
};

/** Each try makes a new token: a mail that may have gone out holds one that no longer opens anything. */
async function sendLink(deps: AccountMailDeps, kind: TokenKind, user: UserRow): Promise<void> {
  const token = await deps.db.transaction((tx) => issueToken(tx, kind, user.id, deps.clock.now()));
  if (token === undefined) return;
  const brand = await brandOfUser(deps.db, user);
  const words = kind === 'reset' ? resetWords(brand, user.email) : registrationWords(brand, user.email);
  const url = brandUrl(brand, deps.publicUrl, pages[kind] + token);
  await send(deps, {
    brand,
    to: user.email,
    words,
    url,
    id: `${sha256(token).toString('hex', 0, 16)}.${kind}`,
  });
}

const send = (deps: AccountMailDeps, mail: AccountMail) =>
  deps.mailer.send(composeAccountMail(mail, deps.mailFrom));
