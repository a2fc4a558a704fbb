import { errors } from '@counterfoil/contract/errors.ts';
import type { MfaMethod } from '@counterfoil/contract/people/auth.ts';
import {
  MFA_CHALLENGE_SECONDS,
  MFA_CHALLENGE_TRIES,
  MFA_GRANT,
} from '@counterfoil/contract/people/second-factor.ts';
import { newToken } from '@counterfoil/domain/text/ids.ts';
import { sha256 } from '../../secrets.ts';
import { findUser, type UserRow } from '../auth/queries.ts';
import {
  type AuthDeps,
  type Grants,
  INCOMPLETE,
  type Origin,
  openSession,
  refused,
  type SignInChecks,
  type TokenResult,
} from '../auth/service.ts';
import { type FactorAnswer, type Proof, verifyFactor } from './proof.ts';
import * as queries from './queries.ts';

export { newOtpSecret, otpUri, stepOfCode } from './otp.ts';

const TOKEN_BYTES = 32;
const ASK = 'Please enter the code of your authenticator app';
const ASK_FOR_PASSKEY = 'Please sign in with your passkey';
const OVER = refused('invalid_grant', 'This sign-in took too long or too many tries. Please sign in again');

/**
 * What a user may finish a sign-in by password with; nothing: the password is enough. A passkey alone asks for more
 * only where the brand does, because whoever loses it has no recovery codes.
 */
export function methodsOf(state: queries.FactorStateRow): MfaMethod[] {
  const isOn = state.confirmed_at !== null;
  if (!isOn && !(state.is_required && state.has_passkey)) return [];
  return [
    ...(isOn ? (['totp'] as const) : []),
    ...(isOn && state.codes_left > 0 ? (['recovery'] as const) : []),
    ...(state.has_passkey ? (['passkey'] as const) : []),
  ];
}

/** After the right password: `mfa_required` for whoever has a second factor (decisions 2). */
export const askForSecondFactor =
  (deps: AuthDeps): SignInChecks['after'][number] =>
  async (user) => {
    // Looked up with the user; that it is still so is seen to when the session is made.
    if (!user.has_factor) return undefined;
    const state = await queries.findState(deps.db, user.id);
    const methods = state === undefined ? [] : methodsOf(state);
    if (methods.length === 0) return undefined;
    const text = methods.includes('totp') ? ASK : ASK_FOR_PASSKEY;
    return mfaRequired(await beginChallenge(deps, user), methods, text);
  };

/** The grant that finishes such a sign-in. */
export const secondFactorGrants = (deps: AuthDeps): Grants => ({
  async [MFA_GRANT]({ mfa_token: token, otp, recovery_code: recoveryCode }, origin) {
    if (!token || (!otp && !recoveryCode)) return INCOMPLETE;
    return finishSignIn(deps, token, recoveryCode ? { recoveryCode } : { otp }, origin);
  },
});

async function beginChallenge(deps: AuthDeps, user: UserRow): Promise<string> {
  const now = deps.clock.now();
  const token = newToken(TOKEN_BYTES);
  await deps.db.transaction((tx) =>
    queries.insertChallenge(tx, {
      hash: sha256(token),
      userId: user.id,
      passwordHash: passwordBinding(user),
      now,
      expiresAt: new Date(now.getTime() + MFA_CHALLENGE_SECONDS * 1000),
    }),
  );
  return token;
}

/** A password that changes meanwhile ends the sign-in that was begun with the old one. */
const passwordBinding = (user: UserRow): Buffer => sha256(user.password_hash ?? '');

/** Right answer and session in one transaction: of many answers at once at most one opens a session. */
async function finishSignIn(
  deps: AuthDeps,
  token: string,
  factorAnswer: FactorAnswer,
  origin: Origin,
): Promise<TokenResult> {
  const hash = sha256(token);
  const now = deps.clock.now();
  const begun = await queries.findChallenge(deps.db, hash, now, MFA_CHALLENGE_TRIES);
  const user = begun === undefined ? undefined : await findUser(deps.db, begun.user_id);
  if (user === undefined || begun?.password_hash.equals(passwordBinding(user)) !== true) return OVER;
  let refusal: TokenResult = OVER;
  const factor = factorAnswer.recoveryCode === undefined ? 'totp' : 'recovery';
  const answer = await openSession(deps, {
    user,
    origin,
    method: 'password',
    detail: { factor },
    async stands(tx) {
      const challenge = await queries.lockChallenge(tx, hash, user.password_hash, now, MFA_CHALLENGE_TRIES);
      if (challenge === undefined) return false;
      const proof = await verifyFactor(tx, deps.secrets, user.id, factorAnswer, now);
      if (proof.is === 'right') {
        await queries.finishChallenge(tx, hash, now);
        return true;
      }
      if (proof.is === 'wrong') await queries.countTry(tx, hash);
      const isLast = proof.is === 'wrong' && challenge.tries + 1 >= MFA_CHALLENGE_TRIES;
      const state = isLast ? undefined : await queries.findState(tx, user.id);
      if (state !== undefined) refusal = tryAgain(token, methodsOf(state), proof);
      return false;
    },
  });
  return answer === undefined ? refusal : { ok: true, answer };
}

function tryAgain(
  token: string,
  methods: readonly MfaMethod[],
  proof: Exclude<Proof, { is: 'right' }>,
): TokenResult {
  if (proof.is === 'wrong') return mfaRequired(token, methods, errors[wrongCodes[proof.by]].text);
  return {
    ...mfaRequired(token, methods, waitText(proof.seconds)),
    status: 429,
    headers: { 'retry-after': `${proof.seconds}` },
  };
}

/** How a wrong answer is refused. */
export const wrongCodes = {
  totp: 'secondFactor.wrongCode',
  recovery: 'secondFactor.wrongRecoveryCode',
} as const;

/** For codes of the app only: recovery codes go on working. */
export function waitText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const time = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `Too many wrong codes. Please wait ${time}, or use a recovery code`;
}

const mfaRequired = (token: string, methods: readonly MfaMethod[], text: string) =>
  ({
    ok: false,
    error: { error: 'mfa_required', error_description: text, mfa_token: token, mfa_methods: [...methods] },
  }) satisfies TokenResult;
