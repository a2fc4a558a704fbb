import { texts } from '@counterfoil/contract/auth.ts';
import { passwordFits } from './passwords.ts';
import * as queries from './queries.ts';
import { type AuthDeps, type Origin, openSession, refused, type TokenResult } from './session-service.ts';

/** What other features have to say about a sign-in by password. */
export interface SignInChecks {
  /** Before anything is looked at, whether or not there is such a user. @returns a refusal, or nothing to go on */
  readonly before: readonly ((username: string, origin: Origin) => Promise<TokenResult | undefined>)[];
  /** After user and password were found right: asks for more. @returns a refusal that says what, or nothing to go on */
  readonly after: readonly ((user: queries.UserRow, origin: Origin) => Promise<TokenResult | undefined>)[];
}

export const noChecks: SignInChecks = { before: [], after: [] };

/** Password grant. Unknown user, wrong password and a user without one take the same time and get the same words. */
export async function signIn(
  deps: AuthDeps,
  username: string,
  password: string,
  origin: Origin,
  checks: SignInChecks = noChecks,
): Promise<TokenResult> {
  for (const check of checks.before) {
    const refusal = await check(username.trim(), origin);
    if (refusal !== undefined) return refusal;
  }
  const user = await queries.findUserByEmail(deps.db, username.trim());
  const fits = await passwordFits(user?.password_hash ?? null, password);
  if (user === undefined || !fits) return refused('invalid_grant', texts.wrongPassword);
  for (const check of checks.after) {
    const refusal = await check(user, origin);
    if (refusal !== undefined) return refusal;
  }
  const stands: NonNullable<Parameters<typeof openSession>[1]['stands']> = (tx) =>
    queries.passwordStands(tx, user.id, user.password_hash);
  const answer = await openSession(deps, { user, method: 'password', origin, stands });
  return answer === undefined ? refused('invalid_grant', texts.wrongPassword) : { ok: true, answer };
}
