import { newId } from '@counterfoil/domain/ids.ts';
import type { Tx } from '../../db/database.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { Secrets } from '../../secrets.ts';
import { findActiveId } from './queries.ts';
import type { SignInMethod } from './sign-in-method.ts';

/** Names of the jobs, and what each is given. Tokens are made by the job: none ever stands in the queue. */
export const RESET_MAIL = 'reset-mail';
export const REGISTRATION_MAIL = 'registration-mail';
export const PASSWORD_CHANGED_MAIL = 'password-changed-mail';
export const NEW_SIGN_IN_MAIL = 'new-sign-in-mail';

export interface ResetMailJob {
  /** Of whoever has what was typed; else an id that nobody has. What was typed may be a password, and is not kept. */
  readonly userId: string;
  /** ISO 8601 */
  readonly lookedUpAt: string;
}
export interface RegistrationMailJob {
  readonly userId: string;
}
export interface PasswordChangedMailJob {
  readonly userId: string;
  /** ISO 8601 */
  readonly at: string;
}

export interface NewSignInMailJob {
  readonly userId: string;
  /** ISO 8601 */
  readonly at: string;
  readonly address: string;
  readonly agent: string;
  readonly method: SignInMethod;
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
export async function enqueueRegistrationMail(tx: Tx, userId: string): Promise<void> {
  const job: RegistrationMailJob = { userId };
  await enqueue(tx, REGISTRATION_MAIL, job, { key: `${REGISTRATION_MAIL}:${userId}` });
}

/** Promises the mail that says the password was changed, in the transaction that changes it. */
export async function enqueuePasswordChangedMail(tx: Tx, userId: string, now: Date): Promise<void> {
  const job: PasswordChangedMailJob = { userId, at: now.toISOString() };
  await enqueue(tx, PASSWORD_CHANGED_MAIL, job);
}

/** Promises the mail that tells of a sign-in from somewhere new. */
export async function enqueueNewSignInMail(tx: Tx, job: NewSignInMailJob): Promise<void> {
  await enqueue(tx, NEW_SIGN_IN_MAIL, job);
}
