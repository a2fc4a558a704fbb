import { isLongEnough, isTooLong, registrationProblems } from '@counterfoil/domain/text/password.ts';
import { AppError } from '../../../app-error.ts';
import { type AuditAction, recordAudit } from '../../../audit/record.ts';
import type { Config } from '../../../config.ts';
import type { Database, Db, Tx } from '../../../db/database.ts';
import type { Clock } from '../../../deps.ts';
import type { Origin } from '../../../http/requests/origin.ts';
import { tellOfRegistration } from '../../../messages/people-messages.ts';
import { enqueuePasswordChangedMail } from '../mail-queue.ts';
import { mayEnter } from '../may-enter.ts';
import { findUser, type UserRow } from '../queries.ts';
import { spendToken, type TokenKind, userOfToken } from '../tokens/one-time-token.ts';
import { retireTokens } from '../tokens/token-queries.ts';
import { brandOfUser } from '../user-brand.ts';
import * as queries from './password-queries.ts';
import { hashPassword, isPasswordOver, passwordFits } from './passwords.ts';

/** What a new password is measured by. */
export type PasswordSettings = Pick<Config, 'passwordMinLength' | 'passwordRule'>;

export interface PasswordDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly settings: PasswordSettings;
  /** DEMO=1. */
  readonly isDemo: boolean;
}

/**
 * Refuses a password that may not be chosen.
 * @param at `registration` asks for the mix of characters too (specification, payments §5)
 * @throws {AppError} password.tooShort, password.tooLong, password.composition, password.tooCommon
 */
export async function refuseBadPassword(
  deps: { readonly db: Db; readonly settings: PasswordSettings },
  user: UserRow,
  password: string,
  at: 'registration' | 'change',
): Promise<void> {
  const { passwordMinLength, passwordRule } = deps.settings;
  if (isTooLong(password)) throw new AppError('password.tooLong');
  if (at === 'registration') {
    const [text] = registrationProblems(password, password, passwordRule, passwordMinLength);
    if (text !== undefined) throw new AppError('password.composition', { text });
  }
  await refuseWeakPassword(password, passwordMinLength, await wordsAbout(deps.db, user));
}

/**
 * Refuses a password that is too short, too long or too common, whoever it is for.
 * @param words about the person, which do not make a password
 * @throws {AppError} password.tooShort, password.tooLong, password.tooCommon
 */
export async function refuseWeakPassword(
  password: string,
  minLength: number,
  words: readonly string[],
): Promise<void> {
  if (isTooLong(password)) throw new AppError('password.tooLong');
  if (!isLongEnough(password, minLength))
    throw new AppError('password.tooShort', { text: `A password has at least ${minLength} characters` });
  // Loaded with the first new password, not with every process.
  const { isCommonPassword } = await import('./block-list.ts');
  if (isCommonPassword(password, words)) throw new AppError('password.tooCommon');
}

async function wordsAbout(db: Db, user: UserRow): Promise<string[]> {
  const brand = await brandOfUser(db, user);
  const local = user.email.slice(0, user.email.lastIndexOf('@'));
  return [brand.name, brand.companyName, user.reseller_name, user.display_name, user.email, local];
}

/** What a mailed link lets its holder do: which rules the password keeps to, and how a link that is over is refused. */
const byLink = {
  reset: { at: 'change', expired: 'reset.expired', action: 'password.reset' },
  registration: { at: 'registration', expired: 'registration.expired', action: 'registration.finished' },
} as const;

/**
 * Sets a password by a mailed token; every session ends, every open link stops working. A password that is refused
 * leaves the token good.
 * @throws {AppError} reset.expired or registration.expired for a token that is unknown, used, replaced or too old;
 *   or as {@link refuseBadPassword}
 */
export async function setPasswordByLink(
  deps: PasswordDeps,
  kind: TokenKind,
  token: string,
  password: string,
  origin: Origin,
): Promise<void> {
  const { at, expired, action } = byLink[kind];
  const user = await userOfToken(deps.db, kind, token, deps.clock.now());
  if (user === undefined || !mayEnter(deps, user)) throw new AppError(expired);
  await refuseBadPassword(deps, user, password, at);
  const passwordHash = await hashPassword(password);
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    if (!(await spendToken(tx, kind, user.id, token, origin.address, now))) throw new AppError(expired);
    await queries.setPasswordHash(tx, user.id, passwordHash, null);
    await afterChange(tx, user, { action, keptSession: null, origin, now });
    if (kind === 'registration') await tellOfRegistration(tx, user.reseller_id, user.id, now);
  });
}

/**
 * The signed-in user, for the password they have just typed.
 * @throws {AppError} password.wrongCurrent, also for one that has run out
 */
export async function verifyPassword(
  { db, clock }: Pick<PasswordDeps, 'db' | 'clock'>,
  userId: string,
  password: string,
): Promise<UserRow & { readonly password_hash: string }> {
  const user = await findUser(db, userId);
  const before = user?.password_hash ?? null;
  const fits = await passwordFits(before, password);
  if (user === undefined || before === null || !fits || isPasswordOver(user, clock.now()))
    throw new AppError('password.wrongCurrent');
  return { ...user, password_hash: before };
}

/**
 * Changes the password of a signed-in user; every other session ends.
 * @throws {AppError} password.wrongCurrent, or as {@link refuseBadPassword}
 */
export async function changePassword(
  deps: PasswordDeps,
  session: { readonly userId: string; readonly sessionId: string },
  oldPassword: string,
  newPassword: string,
  origin: Origin,
): Promise<void> {
  const user = await verifyPassword(deps, session.userId, oldPassword);
  await refuseBadPassword(deps, user, newPassword, 'change');
  const after = await hashPassword(newPassword);
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    const changed = await queries.replacePasswordHash(tx, user.id, user.password_hash, after);
    if (changed === 0) throw new AppError('password.wrongCurrent');
    const keptSession = session.sessionId;
    await afterChange(tx, user, { action: 'password.changed', keptSession, origin, now });
  });
}

/**
 * Sets a password in a user's place; every session ends, every open link stops working, and the user is told by mail.
 * @param expiresAt when a password that was made for the user runs out; undefined for one that somebody chose
 */
export async function setPasswordFor(
  tx: Tx,
  user: UserRow,
  { hash, expiresAt }: { readonly hash: string; readonly expiresAt: Date | undefined },
  now: Date,
): Promise<{ sessionsEnded: number }> {
  await queries.setPasswordHash(tx, user.id, hash, expiresAt ?? null);
  return { sessionsEnded: await closeOldWays(tx, user, null, now) };
}

interface Change {
  readonly action: AuditAction;
  readonly keptSession: string | null;
  readonly origin: Origin;
  readonly now: Date;
}

async function afterChange(tx: Tx, user: UserRow, change: Change): Promise<void> {
  const { action, keptSession, origin, now } = change;
  await recordAudit(tx, {
    action,
    at: now,
    resellerId: user.reseller_id,
    userId: user.id,
    userEmail: user.email,
    address: origin.address,
    requestId: origin.requestId,
    ...(keptSession === null ? {} : { sessionId: keptSession }),
  });
  await closeOldWays(tx, user, keptSession, now);
}

/** What a new password makes useless, and who is told. @returns how many sessions ended */
async function closeOldWays(tx: Tx, user: UserRow, keptSession: string | null, now: Date): Promise<number> {
  const ended = await queries.endSessionsButOne(tx, user.id, keptSession, now);
  await retireTokens(tx, user.id, ['reset', 'registration'], now);
  // A first password is no change: the person has just come from the mail that asked for it.
  if (user.password_hash !== null) await enqueuePasswordChangedMail(tx, user.id, now);
  return ended;
}
