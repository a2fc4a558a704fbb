import {
  ENROLMENT_SECONDS,
  type Enrolment,
  type EnrolmentStart,
  type FactorRemoval,
  FRESH_SIGN_IN_SECONDS,
  type RecoveryCodes,
  type RecoveryCodesRequest,
  type SecondFactorState,
} from '@counterfoil/contract/people/second-factor.ts';
import { AppError } from '../../app-error.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Tx } from '../../db/database.ts';
import { findUser, firstBrand, lockUser, passwordStands, type UserRow } from '../auth/queries.ts';
import { type AuthDeps, type Origin, verifyPassword } from '../auth/service.ts';
import { findBrand } from '../brand/queries.ts';
import { enqueueSecondFactorMail } from './mail-queue.ts';
import type { SecondFactorEvent } from './mails.ts';
import { newOtpSecret, otpUri, stepOfCode } from './otp.ts';
import { type FactorAnswer, recoveryHash, secretContext, verifyFactor } from './proof.ts';
import * as queries from './queries.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { methodsOf, waitText, wrongCodes } from './service.ts';

/** Who changes their own second factor, and from where. */
export interface Person {
  readonly userId: string;
  readonly sessionId: string;
  readonly origin: Origin;
}

/** What the Security page shows. */
export async function secondFactorState(
  deps: AuthDeps,
  person: Pick<Person, 'userId' | 'sessionId'>,
): Promise<SecondFactorState> {
  const state = await requireState(deps, person);
  return {
    isOn: state.confirmed_at !== null,
    since: state.confirmed_at?.toISOString() ?? null,
    recoveryCodesLeft: state.codes_left,
    isRequired: state.is_required,
    hasPassword: state.has_password,
    needsPassword: !isFresh(state, deps.clock.now()),
    methods: methodsOf(state),
  };
}

/**
 * Begins to set up an authenticator app. Where one is in use it stays so until the new one is confirmed.
 * @throws {AppError} password.wrongCurrent, secondFactor.noPassword, or as {@link requireProof}
 */
export async function startEnrolment(
  deps: AuthDeps,
  person: Person,
  body: EnrolmentStart,
): Promise<Enrolment> {
  const state = await requireState(deps, person);
  if (!state.has_password) throw new AppError('secondFactor.noPassword');
  const user =
    body.password === undefined && isFresh(state, deps.clock.now())
      ? await requireUser(deps, person.userId)
      : await verifyPassword(deps, person.userId, body.password ?? '');
  const secret = newOtpSecret();
  await change(deps, user, async (tx, now) => {
    if (state.confirmed_at !== null) await requireProof(deps, tx, user.id, body, now);
    await queries.savePending(tx, user.id, deps.secrets.seal(secret, secretContext(user.id)), now);
  });
  return { secret, uri: otpUri(secret, await issuerOf(deps, user), user.email) };
}

/**
 * The app shows the right code: it counts from now on, and the person’s other sessions end.
 * @returns new recovery codes, which nobody can read again
 * @throws {AppError} secondFactor.notStarted, secondFactor.wrongCode
 */
export async function confirmEnrolment(deps: AuthDeps, person: Person, otp: string): Promise<RecoveryCodes> {
  const user = await requireUser(deps, person.userId);
  return change(deps, user, async (tx, now) => {
    const factor = await queries.lockFactor(tx, user.id);
    const isOpen = now.getTime() - (factor?.pending_at?.getTime() ?? 0) <= ENROLMENT_SECONDS * 1000;
    if (factor?.pending_secret == null || !isOpen) throw new AppError('secondFactor.notStarted');
    const step = stepOfCode(deps.secrets.open(factor.pending_secret, secretContext(user.id)), otp, now);
    if (step === undefined) throw new AppError('secondFactor.wrongCode');
    await queries.confirmPending(tx, user.id, step, now);
    const codes = await makeRecoveryCodes(deps, tx, user.id, now);
    await queries.endSessionsButOne(tx, user.id, person.sessionId, now);
    await tell(tx, user, factor.secret === null ? 'on' : 'replaced', now, person);
    return codes;
  });
}

/**
 * New recovery codes; the old ones stop working.
 * @throws {AppError} secondFactor.isOff, secondFactor.codeMissing, password.wrongCurrent, or as {@link requireProof}
 */
export async function renewRecoveryCodes(
  deps: AuthDeps,
  person: Person,
  body: RecoveryCodesRequest,
): Promise<RecoveryCodes> {
  const state = await requireState(deps, person);
  if (state.confirmed_at === null) throw new AppError('secondFactor.isOff');
  const user =
    body.password === undefined
      ? await requireUser(deps, person.userId)
      : await verifyPassword(deps, person.userId, body.password);
  return change(deps, user, async (tx, now) => {
    if (body.password === undefined) await requireProof(deps, tx, user.id, { otp: body.otp }, now);
    const codes = await makeRecoveryCodes(deps, tx, user.id, now);
    await tell(tx, user, 'newCodes', now, person);
    return codes;
  });
}

/**
 * Turns the second factor off; the person’s other sessions end.
 * @throws {AppError} secondFactor.isOff, secondFactor.keep, password.wrongCurrent, or as {@link requireProof}
 */
export async function removeFactor(deps: AuthDeps, person: Person, body: FactorRemoval): Promise<void> {
  const state = await requireState(deps, person);
  if (state.confirmed_at === null) throw new AppError('secondFactor.isOff');
  if (state.is_required) throw new AppError('secondFactor.keep');
  const user = await verifyPassword(deps, person.userId, body.password);
  await change(deps, user, async (tx, now) => {
    await requireProof(deps, tx, user.id, body, now);
    await queries.deleteFactor(tx, user.id);
    await queries.endSessionsButOne(tx, user.id, person.sessionId, now);
    await tell(tx, user, 'off', now, person);
  });
}

/**
 * What a provider does for a person who lost phone and recovery codes: the password alone is enough again, and every
 * session ends.
 * @returns false when there was no second factor
 */
export async function removeFactorFor(tx: Tx, userId: string, now: Date): Promise<boolean> {
  await lockUser(tx, userId);
  if ((await queries.deleteFactor(tx, userId)) === 0) return false;
  await queries.endSessionsButOne(tx, userId, null, now);
  await enqueueSecondFactorMail(tx, userId, 'removed', now);
  return true;
}

/** The factor was not proven; the count of wrong codes is kept. */
class WrongProof extends AppError {}

/** Changes a user's factor in one order with everything else that changes their way in. */
async function change<T>(deps: AuthDeps, user: UserRow, work: (tx: Tx, now: Date) => Promise<T>): Promise<T> {
  const now = deps.clock.now();
  const done = await deps.db.transaction(async (tx) => {
    await lockUser(tx, user.id);
    if (!(await passwordStands(tx, user.id, user.password_hash))) throw new AppError('password.wrongCurrent');
    return work(tx, now).catch((error: unknown) => {
      if (error instanceof WrongProof) return error;
      throw error;
    });
  });
  if (done instanceof WrongProof) throw done;
  return done;
}

/**
 * Before anything else is written.
 * @throws {AppError} secondFactor.codeMissing, secondFactor.wrongCode, secondFactor.wrongRecoveryCode, rate.limited
 */
async function requireProof(
  deps: AuthDeps,
  tx: Tx,
  userId: string,
  { otp, recoveryCode }: FactorAnswer,
  now: Date,
): Promise<void> {
  if (otp === undefined && recoveryCode === undefined) throw new AppError('secondFactor.codeMissing');
  const proof = await verifyFactor(tx, deps.secrets, userId, { otp, recoveryCode }, now);
  if (proof.is === 'wait') {
    const headers = { 'retry-after': `${proof.seconds}` };
    throw new WrongProof('rate.limited', { text: waitText(proof.seconds), headers });
  }
  if (proof.is === 'wrong') throw new WrongProof(wrongCodes[proof.by]);
}

async function makeRecoveryCodes(deps: AuthDeps, tx: Tx, userId: string, now: Date): Promise<RecoveryCodes> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => recoveryHash(deps.secrets, userId, code));
  await queries.replaceRecoveryCodes(tx, userId, hashes, now);
  return { codes };
}

/** Mail and audit trail. */
async function tell(
  tx: Tx,
  user: UserRow,
  event: Exclude<SecondFactorEvent, 'removed' | 'recoveryUsed'>,
  now: Date,
  { sessionId, origin }: Person,
): Promise<void> {
  await enqueueSecondFactorMail(tx, user.id, event, now);
  await recordAudit(tx, {
    action: `secondFactor.${event}`,
    at: now,
    resellerId: user.reseller_id,
    userId: user.id,
    userEmail: user.email,
    sessionId,
    address: origin.address,
    requestId: origin.requestId,
  });
}

async function requireState(
  deps: AuthDeps,
  { userId, sessionId }: Pick<Person, 'userId' | 'sessionId'>,
): Promise<queries.FactorStateRow> {
  const state = await queries.findState(deps.db, userId, sessionId);
  if (state === undefined) throw new AppError('session.ended');
  return state;
}

/** Whoever has just signed in need not type the password again. */
const isFresh = ({ signed_in_at: at }: queries.FactorStateRow, now: Date): boolean =>
  at !== null && now.getTime() - at.getTime() <= FRESH_SIGN_IN_SECONDS * 1000;

async function requireUser(deps: AuthDeps, userId: string): Promise<UserRow> {
  const user = await findUser(deps.db, userId);
  if (user === undefined) throw new AppError('session.ended');
  return user;
}

/** Whose code it is, above the digits in the app. */
async function issuerOf(deps: AuthDeps, user: UserRow): Promise<string> {
  const { brand_id } = await firstBrand(deps.db, user.id, user.reseller_id);
  return (await findBrand(deps.db, brand_id))?.company_name ?? user.reseller_name;
}
