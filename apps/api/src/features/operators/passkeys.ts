import type { OperatorProof } from '@counterfoil/contract/operator/access/operator-ways.ts';
import {
  type NewPasskey,
  PASSKEY_FRESH_SECONDS,
  type Passkey,
  type PasskeyChallenge,
  type PasskeyRegistration,
} from '@counterfoil/contract/people/passkeys.ts';
import { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/database.ts';
import type { Origin } from '../../http/requests/origin.ts';
import type { OperatorScope } from '../../http/requests/scope.ts';
import {
  askForPasskey,
  askForSignature,
  deletePasskey,
  keepPasskey,
  listPasskeys,
  operatorPasskeys as of,
  presentPasskey,
  relyingPartyAt,
  setPasskeyName,
} from '../passkeys/service.ts';
import { enqueueChangedMail } from './mail-queue.ts';
import { requireCode } from './owner.ts';
import * as queries from './queries.ts';
import { type OperatorDeps, recordOwn, rowOf } from './session.ts';

/**
 * Operators' passkeys at the host of a request.
 * @throws {AppError} brand.notFound for a name that is none of the installation's
 */
export async function siteAt(deps: Pick<OperatorDeps, 'db' | 'publicUrl'>, host: string) {
  const party = await relyingPartyAt(deps, host);
  if (party === undefined) throw new AppError('brand.notFound');
  return { of, party: { ...party, name: 'Counterfoil console' } };
}

const holderOf = ({ operatorId: id, sessionId, email, displayName }: OperatorScope) => ({
  id,
  sessionId,
  email,
  displayName,
});

/**
 * A screen left open must not make itself a key to the console, nor take the operator's away: within ten minutes of the
 * sign-in, or by the newest code of the app.
 * @throws {AppError} operator.codeNeeded, secondFactor.wrongCode, rate.limited; passkey.signInNeeded for one without an app
 */
async function requireFresh(
  deps: OperatorDeps,
  operator: OperatorScope,
  { code }: OperatorProof,
): Promise<void> {
  const now = deps.clock.now().getTime();
  const own = await queries.findOwnSession(deps.db, operator.operatorId, operator.sessionId);
  if (own !== undefined && now - own.created_at.getTime() <= PASSKEY_FRESH_SECONDS * 1000) return;
  if (own?.has_app !== true) throw new AppError('passkey.signInNeeded');
  if (code === undefined) throw new AppError('operator.codeNeeded');
  await requireCode(deps, operator, code);
}

/** The operator's passkeys, the newest first. */
export const myPasskeys = async ({ db }: OperatorDeps, { operatorId }: OperatorScope): Promise<Passkey[]> =>
  (await listPasskeys(db, of, operatorId)).map(presentPasskey);

/** Begins to add a passkey. @throws {AppError} as {@link requireFresh}, passkey.tooMany */
export async function startPasskey(
  deps: OperatorDeps,
  operator: OperatorScope,
  host: string,
  proof: OperatorProof,
): Promise<PasskeyRegistration> {
  const site = await siteAt(deps, host);
  await requireFresh(deps, operator, proof);
  return askForPasskey(deps, site, holderOf(operator));
}

/**
 * Keeps the passkey the operator's device has made, and tells them by mail.
 * @throws {AppError} passkey.expired, passkey.refused, passkey.known, passkey.tooMany
 */
export async function addPasskey(
  deps: OperatorDeps,
  operator: OperatorScope,
  host: string,
  given: NewPasskey,
  origin: Origin,
): Promise<Passkey> {
  return keepPasskey(deps, await siteAt(deps, host), holderOf(operator), given, {
    origin,
    async lock(tx) {
      await lockOwn(tx, operator);
    },
    async tell(tx, { id, name, rp_id }, now) {
      const detail = { passkey: id, 'after.name': name, host: rp_id };
      await recordOwn(tx, rowOf(operator), 'operator.passkeyAdded', origin, now, detail);
      const change = `The passkey “${name}” was added. It opens the console at ${rp_id} without password and code.`;
      await enqueueChangedMail(tx, operator.operatorId, change, now);
    },
  });
}

/** @throws {AppError} operator.signInNeeded for one who was shut out meanwhile */
async function lockOwn(tx: Tx, { operatorId }: OperatorScope): Promise<queries.OperatorRow> {
  const row = await queries.lockOperatorById(tx, operatorId);
  if (row === undefined || row.disabled_at !== null) throw new AppError('operator.signInNeeded');
  return row;
}

/** @throws {AppError} passkey.notFound, also for somebody else's */
export const renamePasskey = (
  deps: OperatorDeps,
  operator: OperatorScope,
  { id, name }: { readonly id: string; readonly name: string },
  origin: Origin,
): Promise<Passkey> =>
  deps.db.transaction(async (tx) => {
    await lockOwn(tx, operator);
    const before = (await listPasskeys(tx, of, operator.operatorId)).find((passkey) => passkey.id === id);
    const row = await setPasskeyName(tx, of, operator.operatorId, id, name);
    if (row === undefined || before === undefined) throw new AppError('passkey.notFound');
    const detail = { passkey: id, 'before.name': before.name, 'after.name': name };
    if (before.name !== name)
      await recordOwn(tx, rowOf(operator), 'operator.passkeyRenamed', origin, deps.clock.now(), detail);
    return presentPasskey(row);
  });

/**
 * Takes a passkey away; other sessions that were begun with it end, and the operator is told by mail.
 * @throws {AppError} as {@link requireFresh}, passkey.notFound, operator.lastWayIn
 */
export async function removePasskey(
  deps: OperatorDeps,
  operator: OperatorScope,
  id: string,
  proof: OperatorProof,
  origin: Origin,
): Promise<void> {
  const { operatorId, sessionId } = operator;
  // Before a code is spent: one that is gone, or somebody else's.
  const mine = await listPasskeys(deps.db, of, operatorId);
  if (!mine.some((passkey) => passkey.id === id)) throw new AppError('passkey.notFound');
  await requireFresh(deps, operator, proof);
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    const own = await lockOwn(tx, operator);
    const isLast = (await listPasskeys(tx, of, operatorId)).length === 1;
    if (own.otp_secret === null && isLast) throw new AppError('operator.lastWayIn');
    const removed = await deletePasskey(tx, of, operatorId, id);
    if (removed === undefined) throw new AppError('passkey.notFound');
    await queries.endSessionsBegunWith(tx, { operatorId, sessionId, passkeyId: id, now });
    const detail = { passkey: id, 'before.name': removed.name, host: removed.rp_id };
    await recordOwn(tx, rowOf(operator), 'operator.passkeyRemoved', origin, now, detail);
    const change = `The passkey “${removed.name}” was removed. It opens nothing any more.`;
    await enqueueChangedMail(tx, operatorId, change, now);
  });
}

/** What a passkey is asked to sign for a sign-in at this host. */
export const passkeyChallenge = async (deps: OperatorDeps, host: string): Promise<PasskeyChallenge> =>
  askForSignature(deps, await siteAt(deps, host));
