import { WRONG_CODES, WRONG_CODES_SECONDS } from '@counterfoil/contract/people/second-factor.ts';
import type { Tx } from '../../db/database.ts';
import type { Secrets } from '../../secrets.ts';
import { enqueueSecondFactorMail } from './mail-queue.ts';
import { stepOfCode } from './otp.ts';
import * as queries from './queries.ts';
import { plainRecoveryCode } from './recovery-codes.ts';

/** A code of the app, or a recovery code; the recovery code counts where both are given. */
export interface FactorAnswer {
  readonly otp?: string | undefined;
  readonly recoveryCode?: string | undefined;
}

/** What an answer was worth. `wait`: too many wrong codes; the app's codes count again after so many seconds. */
export type Proof =
  | { readonly is: 'right'; readonly by: 'totp' | 'recovery' }
  | { readonly is: 'wrong'; readonly by: 'totp' | 'recovery' }
  | { readonly is: 'wait'; readonly seconds: number };

/** Binds the sealed secret to its user. */
export const secretContext = (userId: string): string => `second-factor:${userId}`;

/** What is kept of a recovery code; without the key a stolen table cannot be searched. */
export const recoveryHash = (secrets: Secrets, userId: string, code: string): Buffer =>
  secrets.digest(plainRecoveryCode(code), `recovery-code:${userId}`);

/**
 * Takes an answer, in the transaction of what it allows. A right one is used up; a wrong one is counted, so the
 * transaction must be committed either way.
 */
export async function verifyFactor(
  tx: Tx,
  secrets: Secrets,
  userId: string,
  answer: FactorAnswer,
  now: Date,
): Promise<Proof> {
  const factor = await queries.lockFactor(tx, userId);
  const by = answer.recoveryCode === undefined ? 'totp' : 'recovery';
  if (factor?.secret == null) return { is: 'wrong', by };
  if (answer.recoveryCode !== undefined) {
    // 60 bits cannot be guessed, so nobody else's wrong codes keep the person with the sheet out.
    const hash = recoveryHash(secrets, userId, answer.recoveryCode);
    const left = await queries.spendRecoveryCode(tx, userId, hash, now);
    if (left === undefined) return { is: 'wrong', by };
    await enqueueSecondFactorMail(tx, userId, 'recoveryUsed', now, left);
    return { is: 'right', by };
  }
  const wrong = recentWrongCodes(factor, now);
  if (wrong.count >= WRONG_CODES) {
    const endsAt = wrong.since.getTime() + WRONG_CODES_SECONDS * 1000;
    return { is: 'wait', seconds: Math.ceil((endsAt - now.getTime()) / 1000) };
  }
  const step = stepOfCode(secrets.open(factor.secret, secretContext(userId)), answer.otp ?? '', now);
  if (step === undefined || (factor.last_step !== null && BigInt(step) <= factor.last_step)) {
    await queries.countWrongCode(tx, userId, wrong.count + 1, wrong.since);
    return { is: 'wrong', by };
  }
  await queries.takeStep(tx, userId, step);
  return { is: 'right', by };
}

function recentWrongCodes(factor: queries.FactorRow, now: Date): { count: number; since: Date } {
  const { wrong_since: since, wrong_codes: count } = factor;
  const isRecent = since !== null && now.getTime() - since.getTime() < WRONG_CODES_SECONDS * 1000;
  return isRecent ? { count, since } : { count: 0, since: now };
}
