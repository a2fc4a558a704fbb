import { texts } from '@counterfoil/contract/people/auth.ts';
import { networkOf } from '../../http/requests/address.ts';
import type { Limiter } from '../../limits/limiter.ts';
import { mayEnter } from './may-enter.ts';
import { isPasswordOver, passwordFits } from './passwords/passwords.ts';
import * as queries from './queries.ts';
import { type AuthDeps, type Origin, openSession, refused, type TokenResult } from './session.ts';
import { takePasswordTry } from './tries.ts';

export interface SignInDeps extends AuthDeps {
  readonly limiter: Limiter;
}

/** How long a place counts as the user's own after their last visit. */
const OWN_PLACE_MS = 90 * 24 * 60 * 60_000;

/** What other features have to say about a sign-in by password. */
export interface SignInChecks {
  /** Before anything is looked at, whether or not there is such a user. @returns a refusal, or nothing to go on */
  readonly before: readonly ((username: string, origin: Origin) => Promise<TokenResult | undefined>)[];
  /** After user and password were found right: asks for more. @returns a refusal that says what, or nothing to go on */
  readonly after: readonly ((user: queries.SigningIn, origin: Origin) => Promise<TokenResult | undefined>)[];
}

export const noChecks: SignInChecks = { before: [], after: [] };

/**
 * Password grant. Unknown user, wrong password, one that has run out and a user without one take the same time, get the
 * same words and use up the same tries.
 * @throws {AppError} rate.limited, server.busy
 */
export async function signIn(
  deps: SignInDeps,
  username: string,
  password: string,
  origin: Origin,
  checks: SignInChecks = noChecks,
): Promise<TokenResult> {
  for (const check of checks.before) {
    const refusal = await check(username.trim(), origin);
    if (refusal !== undefined) return refusal;
  }
  const user = await checkPassword(deps, username.trim(), password, origin);
  if (user === undefined) return refused('invalid_grant', texts.wrongPassword);
  for (const check of checks.after) {
    const refusal = await check(user, origin);
    if (refusal !== undefined) return refusal;
  }
  const answer = await openSession(deps, {
    user,
    method: 'password',
    origin,
    passwordHash: user.password_hash,
    withoutFactor: !user.has_factor,
  });
  return answer === undefined ? refused('invalid_grant', texts.wrongPassword) : { ok: true, answer };
}

/** The user whose password this is. */
async function checkPassword(
  deps: SignInDeps,
  username: string,
  password: string,
  origin: Origin,
): Promise<queries.SigningIn | undefined> {
  const since = new Date(deps.clock.now().getTime() - OWN_PLACE_MS);
  const found = await queries.findSigningIn(deps.db, username, networkOf(origin.address), since);
  // Like an unknown one, before anything tells whether the password was right.
  const user = found !== undefined && mayEnter(deps, found) ? found : undefined;
  const passwordTry = await takePasswordTry(deps, { username, user, origin });
  const fits = await passwordFits(user?.password_hash ?? null, password).catch(async (error: unknown) => {
    await passwordTry.release();
    throw error;
  });
  const isOver = user !== undefined && isPasswordOver(user, deps.clock.now());
  if (user !== undefined && fits && !isOver) {
    await passwordTry.release();
    return user;
  }
  await passwordTry.noteRefusal(fits ? 'expiredPassword' : undefined);
  return undefined;
}
