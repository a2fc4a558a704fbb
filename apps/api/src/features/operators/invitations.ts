import {
  OPERATOR_INVITATION_SECONDS,
  OPERATOR_PASSWORD_MIN_LENGTH,
  type OperatorAcceptance,
  type OperatorInvitation,
} from '@counterfoil/contract/operator/access/operators.ts';
import { newToken } from '@counterfoil/domain/text/ids.ts';
import { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/database.ts';
import type { Origin } from '../../http/requests/origin.ts';
import { type Secrets, sha256 } from '../../secrets.ts';
import { hashPassword, refuseWeakPassword } from '../auth/service.ts';
import { newOtpSecret, otpUri, stepOfCode } from '../second-factor/service.ts';
import * as queries from './queries.ts';
import {
  mayEnter,
  type OperatorDeps,
  openSession,
  recordOwn,
  type SignedIn,
  secretContext,
} from './session.ts';
import { isSsoDemanded } from './sso-queries.ts';

const TOKEN_BYTES = 32;
/** What the authenticator app shows above the digits. */
const ISSUER = 'Counterfoil console';

/**
 * Makes the link by which an operator chooses a password and sets up the authenticator app; an earlier one ends.
 * @param isMailed a job puts one in its place whose link goes out by mail
 * @returns 256 bits in base64url, of which only the hash is kept, and until when they work
 */
export async function issueInvitation(
  tx: Tx,
  secrets: Secrets,
  operatorId: string,
  now: Date,
  isMailed = false,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = newToken(TOKEN_BYTES);
  const expiresAt = new Date(now.getTime() + OPERATOR_INVITATION_SECONDS * 1000);
  await queries.insertInvitation(tx, {
    hash: sha256(token),
    operator_id: operatorId,
    otp_secret: secrets.seal(newOtpSecret(), secretContext(operatorId)),
    is_mailed: isMailed,
    now,
    expiresAt,
  });
  return { token, expiresAt };
}

/**
 * Makes the link of an invitation that is to be mailed.
 * @returns undefined where it was followed, withdrawn or has run out, and for one who is shut out
 */
export async function remakeInvitation(
  tx: Tx,
  secrets: Secrets,
  operatorId: string,
  now: Date,
): Promise<{ readonly operator: queries.OperatorRow; readonly token: string } | undefined> {
  const operator = await queries.lockOperatorById(tx, operatorId);
  if (operator === undefined || operator.disabled_at !== null) return undefined;
  if (!(await queries.hasMailedInvitation(tx, operatorId, now))) return undefined;
  return { operator, token: (await issueInvitation(tx, secrets, operatorId, now, true)).token };
}

/** The page that an invitation leads to. */
export const invitationUrl = (publicUrl: URL, token: string): string =>
  new URL(`/admin/invitation/${token}`, publicUrl).href;

type Deps = Pick<OperatorDeps, 'db' | 'clock' | 'secrets' | 'isDemo'>;

/** @throws {AppError} operator.invitationOver for one that is unknown, followed, replaced or too old */
async function requireInvitation(deps: Deps, token: string) {
  const found = await queries.findInvitation(deps.db, sha256(token), deps.clock.now());
  if (found === undefined || !mayEnter(deps, found)) throw new AppError('operator.invitationOver');
  return { ...found, secret: deps.secrets.open(found.otp_secret, secretContext(found.operator_id)) };
}

/** What the page of an invitation shows; asked again it is the same. @throws {AppError} operator.invitationOver */
export async function showInvitation(deps: Deps, token: string): Promise<OperatorInvitation> {
  const { email, display_name: displayName, secret } = await requireInvitation(deps, token);
  return {
    email,
    displayName,
    passwordMinLength: OPERATOR_PASSWORD_MIN_LENGTH,
    secret,
    uri: otpUri(secret, ISSUER, email),
  };
}

/**
 * Sets password and authenticator app by an invitation, once, and signs the operator in.
 * @throws {AppError} operator.invitationOver, secondFactor.wrongCode, password.tooShort, password.tooLong,
 *   password.tooCommon; an invitation that was refused so may be followed again;
 *   operator.ssoDemanded where both are set up and the sign-in is by single sign-on
 */
export async function acceptInvitation(
  deps: Deps,
  { token, password, code }: OperatorAcceptance,
  origin: Origin,
): Promise<SignedIn> {
  const invited = await requireInvitation(deps, token);
  const { email, display_name: name, operator_id: id } = invited;
  await refuseWeakPassword(password, OPERATOR_PASSWORD_MIN_LENGTH, [email, email.split('@')[0] ?? '', name]);
  const now = deps.clock.now();
  const step = stepOfCode(invited.secret, code, now);
  if (step === undefined) throw new AppError('secondFactor.wrongCode');
  const passwordHash = await hashPassword(password);
  const signedIn = await deps.db.transaction(async (tx) => {
    const operator = await queries.lockOperatorById(tx, id);
    if (operator === undefined || operator.disabled_at !== null)
      throw new AppError('operator.invitationOver');
    if ((await queries.spendInvitation(tx, sha256(token), now)) === 0)
      throw new AppError('operator.invitationOver');
    await queries.setWayIn(tx, id, { passwordHash, otpSecret: invited.otp_secret, step });
    await recordOwn(tx, operator, 'operator.joined', origin, now);
    // Password and app are there for what asks for a code; to sign in takes the provider.
    if (await isSsoDemanded(tx, operator)) return undefined;
    return { operator, token: await openSession(tx, operator, origin, now) };
  });
  if (signedIn === undefined) throw new AppError('operator.ssoDemanded');
  return signedIn;
}
