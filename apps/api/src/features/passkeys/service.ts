import {
  type NewPasskey,
  PASSKEY_FRESH_SECONDS,
  type Passkey,
  type PasskeyRegistration,
} from '@counterfoil/contract/people/passkeys.ts';
import { AppError } from '../../app-error.ts';
import { type AuditAction, recordAudit } from '../../audit/record.ts';
import type { Tx } from '../../db/database.ts';
import type { Origin } from '../../http/requests/origin.ts';
import type { SessionScope } from '../../http/requests/scope.ts';
import { findUser, lockUser, passwordStands } from '../auth/queries.ts';
import { verifyPassword } from '../auth/service.ts';
import { askForPasskey, type CeremonyDeps, type Holder, keepPasskey, present } from './ceremonies.ts';
import { users } from './holders.ts';
import { enqueuePasskeyMail } from './mail-queue.ts';
import * as queries from './queries.ts';
import type { RelyingParty } from './relying-party.ts';

export {
  askForPasskey,
  askForSignature,
  countUse,
  keepPasskey,
  present as presentPasskey,
  readSignature,
} from './ceremonies.ts';
export { operators as operatorPasskeys } from './holders.ts';
export { deletePasskey, hasPasskey, listPasskeys, renamePasskey as setPasskeyName } from './queries.ts';
export { relyingPartyAt } from './relying-party.ts';
export { passkeyGrants } from './sign-in.ts';

export type PasskeysDeps = CeremonyDeps;

/** The user's passkeys, newest first. */
export async function myPasskeys(deps: PasskeysDeps, userId: string): Promise<Passkey[]> {
  return (await queries.listPasskeys(deps.db, users, userId)).map(present);
}

const holderOf = ({ userId, sessionId, email, displayName }: SessionScope): Holder => ({
  id: userId,
  sessionId,
  email,
  displayName,
});

/**
 * Begins to add a passkey. The person is proven here, before their device makes anything: a passkey that were refused
 * afterwards would stay on the device as a dead one.
 * @throws {AppError} passkey.passwordNeeded, password.wrongCurrent, passkey.signInNeeded, passkey.tooMany
 */
export async function startRegistration(
  deps: PasskeysDeps,
  session: SessionScope,
  party: RelyingParty,
  password: string | undefined,
): Promise<PasskeyRegistration> {
  if (!(await isFresh(deps, session))) await requirePassword(deps, session, password);
  return askForPasskey(deps, { of: users, party }, holderOf(session));
}

/** Somebody at a screen left open must not make themselves a key to the account, nor take the owner's away. */
async function isFresh(deps: PasskeysDeps, session: SessionScope): Promise<boolean> {
  const { created_at } = await queries.signedInAt(deps.db, session.sessionId);
  return deps.clock.now().getTime() - created_at.getTime() <= PASSKEY_FRESH_SECONDS * 1000;
}

/**
 * @returns the hash of the password that was proven
 * @throws {AppError} passkey.signInNeeded for a user without one, passkey.passwordNeeded, password.wrongCurrent
 */
async function requirePassword(
  deps: PasskeysDeps,
  session: SessionScope,
  password: string | undefined,
): Promise<string> {
  const user = await findUser(deps.db, session.userId);
  if (user?.password_hash == null) throw new AppError('passkey.signInNeeded');
  if (password === undefined) throw new AppError('passkey.passwordNeeded');
  return (await verifyPassword(deps, session.userId, password)).password_hash;
}

/**
 * Keeps the passkey the user's device has made, and tells them by mail.
 * @throws {AppError} passkey.expired for a challenge that is over, passkey.refused for anything not made here and now
 *   by a verified person, passkey.known, passkey.tooMany
 */
export async function addPasskey(
  deps: PasskeysDeps,
  session: SessionScope,
  party: RelyingParty,
  given: NewPasskey,
  origin: Origin,
): Promise<Passkey> {
  return keepPasskey(deps, { of: users, party }, holderOf(session), given, {
    origin,
    async lock(tx) {
      if ((await lockUser(tx, session.userId)) === undefined) throw new AppError('session.ended');
    },
    tell: (tx, row, now) => tell(tx, session, 'added', row, origin, now),
  });
}

/** @throws {AppError} passkey.notFound, also for somebody else's */
export async function renamePasskey(
  deps: PasskeysDeps,
  userId: string,
  id: string,
  name: string,
): Promise<Passkey> {
  const row = await deps.db.transaction((tx) => queries.renamePasskey(tx, users, userId, id, name));
  if (row === undefined) throw new AppError('passkey.notFound');
  return present(row);
}

/**
 * From now on nobody signs in with it, and the sessions that were begun with it end; the one asked from stays, because
 * its person has just been proven. They are told by mail.
 * @param password who has none must have signed in within the last ten minutes
 * @throws {AppError} passkey.passwordNeeded, password.wrongCurrent, passkey.signInNeeded, passkey.notFound
 */
export async function removePasskey(
  deps: PasskeysDeps,
  session: SessionScope,
  id: string,
  password: string | undefined,
  origin: Origin,
): Promise<void> {
  // Before the password costs time: one that is gone, or somebody else's.
  const mine = await queries.listPasskeys(deps.db, users, session.userId);
  if (!mine.some((passkey) => passkey.id === id)) throw new AppError('passkey.notFound');
  const proven = await verifyForRemoval(deps, session, password);
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    // In one order with everything else that changes a user's way in.
    await lockUser(tx, session.userId);
    if (proven !== undefined && !(await passwordStands(tx, session.userId, proven)))
      throw new AppError('password.wrongCurrent');
    // A sign-in with it that is under way holds the row until its session is there to be ended.
    const removed = await queries.deletePasskey(tx, users, session.userId, id);
    if (removed === undefined) throw new AppError('passkey.notFound');
    await queries.endSessionsBegunWith(tx, session, id, now);
    await tell(tx, session, 'removed', { id, ...removed }, origin, now);
  });
}

/** @returns the hash of the password that was proven; undefined for who has none and has just signed in */
async function verifyForRemoval(
  deps: PasskeysDeps,
  session: SessionScope,
  password: string | undefined,
): Promise<string | undefined> {
  const user = await findUser(deps.db, session.userId);
  if (user?.password_hash == null && (await isFresh(deps, session))) return undefined;
  return requirePassword(deps, session, password);
}

const actions = { added: 'passkey.added', removed: 'passkey.removed' } as const satisfies Record<
  string,
  AuditAction
>;

async function tell(
  tx: Tx,
  session: SessionScope,
  event: keyof typeof actions,
  { id, name, rp_id: host }: { readonly id: string; readonly name: string; readonly rp_id: string },
  origin: Origin,
  now: Date,
): Promise<void> {
  const { resellerId, userId, email, sessionId } = session;
  await recordAudit(tx, {
    action: actions[event],
    at: now,
    resellerId,
    userId,
    userEmail: email,
    sessionId,
    address: origin.address,
    requestId: origin.requestId,
    detail: { passkey: id, name, host },
  });
  await enqueuePasskeyMail(tx, { userId, event, name, host, at: now.toISOString() });
}
