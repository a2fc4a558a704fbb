import { RESET_TOKEN_SECONDS } from '@counterfoil/contract/people/auth.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Tx } from '../../db/database.ts';
import { enqueue, enqueueAll } from '../../jobs/queue.ts';
import type { Job } from '../../jobs/worker.ts';
import type { AnyBrandMail } from '../../mail/compose.ts';
import { type MailDeps, mailJob } from '../../mail/outbox.ts';
import { type Secrets, sha256 } from '../../secrets.ts';
import { brandUrl } from '../brand/service.ts';
import {
  type Link,
  newSignInMail,
  passwordChangedMail,
  type Recipient,
  registrationMail,
  resetMail,
  type SignInSeen,
} from './mails.ts';
import { mayEnter } from './may-enter.ts';
import { findActiveId, findUser, type UserRow } from './queries.ts';
import { issueToken, type TokenKind } from './tokens/one-time-token.ts';
import { brandOfUser } from './user-brand.ts';

/** Names of the jobs, and what each is given. Tokens are made by the job: none ever stands in the queue. */
const RESET_MAIL = 'reset-mail';
const REGISTRATION_MAIL = 'registration-mail';
const PASSWORD_CHANGED_MAIL = 'password-changed-mail';
const NEW_SIGN_IN_MAIL = 'new-sign-in-mail';

interface ResetMailJob {
  /** Of whoever has what was typed; else an id that nobody has. What was typed may be a password, and is not kept. */
  readonly userId: string;
  /** ISO 8601 */
  readonly lookedUpAt: string;
}
interface RegistrationMailJob {
  readonly userId: string;
}
interface PasswordChangedMailJob {
  readonly userId: string;
  /** ISO 8601 */
  readonly at: string;
}

export interface NewSignInMailJob extends SignInSeen {
  readonly userId: string;
}

// About an hour with the queue's growing pauses; nobody waits longer for a link.
const RESET_ATTEMPTS = 8;

/**
 * Asks for a reset mail to whoever has this user name. Runs the same statements for every text and queues a job of the
 * same look, so that it tells nobody which names exist.
 */
export async function enqueueResetMail(tx: Tx, secrets: Secrets, typed: string, now: Date): Promise<void> {
  const found = await findActiveId(tx, typed);
  const job: ResetMailJob = { userId: found?.id ?? newId(now.getTime()), lookedUpAt: now.toISOString() };
  const key = `${RESET_MAIL}:${secrets.digest(typed.toLowerCase(), RESET_MAIL).toString('base64url')}`;
  await enqueue(tx, RESET_MAIL, job, { key, maxAttempts: RESET_ATTEMPTS });
}

/** Promises a registration mail; a second promise while the first waits is the same mail. */
export const enqueueRegistrationMail = (tx: Tx, userId: string): Promise<void> =>
  enqueueRegistrationMails(tx, [userId]);

/** The same for many users. */
export const enqueueRegistrationMails = (tx: Tx, userIds: readonly string[]): Promise<void> =>
  enqueueAll(
    tx,
    REGISTRATION_MAIL,
    userIds.map((userId) => {
      const payload: RegistrationMailJob = { userId };
      return { payload, key: `${REGISTRATION_MAIL}:${userId}` };
    }),
  );

/** Promises the mail that says the password was changed, in the transaction that changes it. */
export async function enqueuePasswordChangedMail(tx: Tx, userId: string, now: Date): Promise<void> {
  const job: PasswordChangedMailJob = { userId, at: now.toISOString() };
  await enqueue(tx, PASSWORD_CHANGED_MAIL, job);
}

/** Promises the mail that tells of a sign-in from somewhere new. */
export async function enqueueNewSignInMail(tx: Tx, job: NewSignInMailJob): Promise<void> {
  await enqueue(tx, NEW_SIGN_IN_MAIL, job);
}

export interface AccountMailDeps extends MailDeps {
  /** DEMO=1. */
  readonly isDemo: boolean;
}

/** The jobs that mail links to a new password, and tell of a changed one and of a sign-in from somewhere new. */
export function authMailJobs(deps: AccountMailDeps): Job[] {
  return [
    mailJob<ResetMailJob>(deps, RESET_MAIL, async ({ userId, lookedUpAt }, isAgain) => {
      const ageMs = deps.clock.now().getTime() - new Date(lookedUpAt).getTime();
      const isLate = !isAgain && ageMs > RESET_TOKEN_SECONDS * 1000;
      return isLate ? undefined : linkMail(deps, 'reset', userId);
    }),
    mailJob<RegistrationMailJob>(deps, REGISTRATION_MAIL, ({ userId }) =>
      linkMail(deps, 'registration', userId),
    ),
    accountMailJob<PasswordChangedMailJob>(
      deps,
      PASSWORD_CHANGED_MAIL,
      () => 'changed',
      (to, link, { at }) => passwordChangedMail(to, link, new Date(at)),
    ),
    accountMailJob<NewSignInMailJob>(deps, NEW_SIGN_IN_MAIL, () => 'sign-in', newSignInMail),
  ];
}

const linkMails = {
  reset: { page: '/reset-password/', mail: resetMail },
  registration: { page: '/finish-registration/', mail: registrationMail },
} as const;

/** Each try makes a new token: a mail that may have gone out holds one that no longer opens anything. */
async function linkMail(
  deps: AccountMailDeps,
  kind: TokenKind,
  userId: string,
): Promise<AnyBrandMail | undefined> {
  const user: UserRow | undefined = await findUser(deps.db, userId);
  if (user === undefined || !mayEnter(deps, user)) return undefined;
  const token = await deps.db.transaction((tx) => issueToken(tx, kind, user.id, deps.clock.now()));
  if (token === undefined) return undefined;
  const { page, mail } = linkMails[kind];
  const brand = await brandOfUser(deps.db, user);
  const link = {
    url: brandUrl(brand, deps.publicUrl, page + token),
    id: `${sha256(token).toString('hex', 0, 16)}.${kind}`,
  };
  return { ...mail({ brand, email: user.email }, link), about: { userId: user.id } };
}

/** What the job of a mail about an account is given. */
interface AccountEvent {
  readonly userId: string;
  /** ISO 8601 */
  readonly at: string;
}

/**
 * A job that tells an active user what happened to their account. The button of its mail leads to the sign-in page.
 * @param event distinguishes this mail from others about the same user and moment
 */
export const accountMailJob = <E extends AccountEvent>(
  deps: AccountMailDeps,
  name: string,
  event: (payload: E) => string,
  write: (to: Recipient, link: Link, payload: E) => AnyBrandMail,
): Job =>
  mailJob<E>(deps, name, async (payload) => {
    const { userId, at } = payload;
    const user = await findUser(deps.db, userId);
    if (user === undefined) return undefined;
    const brand = await brandOfUser(deps.db, user);
    const link = {
      url: brandUrl(brand, deps.publicUrl, '/login'),
      id: `${userId}.${Date.parse(at)}.${event(payload)}`,
    };
    return { ...write({ brand, email: user.email }, link, payload), about: { userId } };
  });
