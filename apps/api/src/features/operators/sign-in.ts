import type { OperatorSignIn } from '@counterfoil/contract/operator/access/operators.ts';
import { AppError } from '../../app-error.ts';
import { networkOf } from '../../http/requests/address.ts';
import type { Origin } from '../../http/requests/origin.ts';
import { countsByAddress } from '../../limits/by-address.ts';
import { type Count, tooMany } from '../../limits/limiter.ts';
import { operatorLimits, refusalNotes } from '../../limits/limits.ts';
import { passwordFits } from '../auth/service.ts';
import { stepOfCode } from '../second-factor/service.ts';
import * as queries from './queries.ts';
import {
  mayEnter,
  type OperatorDeps,
  openSession,
  recordRefusal,
  type SignedIn,
  secretContext,
} from './session.ts';
import { isSsoDemanded } from './sso-queries.ts';

/** How long a place counts as the operator's own after their last visit. */
const OWN_PLACE_MS = 90 * 24 * 60 * 60_000;

/**
 * Signs an operator in by password and code of the authenticator app. An unknown address, a wrong password and a wrong
 * code are answered alike and use up the same tries.
 * @throws {AppError} operator.refused, operator.ssoDemanded, rate.limited, server.busy
 */
export async function signIn(deps: OperatorDeps, given: OperatorSignIn, origin: Origin): Promise<SignedIn> {
  const email = given.email.toLowerCase();
  const now = deps.clock.now();
  const network = networkOf(origin.address);
  const since = new Date(now.getTime() - OWN_PLACE_MS);
  const known = await queries.findSigningIn(deps.db, email, network, since);
  const found = known !== undefined && mayEnter(deps, known) ? known : undefined;
  const counts: Count[] = [
    ...countsByAddress(operatorLimits.address, origin.address),
    found?.from_own_place === true
      ? { limit: operatorLimits.ownPlace, of: [email, network] }
      : { limit: operatorLimits.account, of: [email] },
  ];
  const taken = await deps.limiter.take(counts);
  if (!taken.ok) {
    const notes = taken.full.map(
      ({ limit, of }): Count => ({ limit: refusalNotes, of: [limit.name, ...of] }),
    );
    if ((await deps.limiter.take(notes)).ok) await recordRefusal(deps, found, email, origin, 'tooManyTries');
    throw tooMany(taken.retryAfterMs);
  }
  const fits = await passwordFits(found?.password_hash ?? null, given.password).catch(
    async (error: unknown) => {
      await deps.limiter.release(counts);
      throw error;
    },
  );
  const token =
    found !== undefined && fits ? await openByCode(deps, found, given.code, origin, now) : undefined;
  if (found === undefined || token === undefined) {
    const reason = found === undefined ? 'unknown' : fits ? 'wrongCode' : 'wrongPassword';
    await recordRefusal(deps, found, email, origin, reason);
    throw new AppError('operator.refused');
  }
  await deps.limiter.release(counts);
  if (token === SSO_DEMANDED) throw new AppError('operator.ssoDemanded');
  return { operator: found, token };
}

const SSO_DEMANDED = Symbol('single sign-on is demanded');

/** @returns undefined for a wrong code, one that was used, and where the way in has changed meanwhile */
const openByCode = (
  deps: OperatorDeps,
  { id, password_hash: proven }: queries.OperatorRow,
  code: string,
  origin: Origin,
  now: Date,
): Promise<string | typeof SSO_DEMANDED | undefined> =>
  deps.db.transaction(async (tx) => {
    const operator = await queries.lockOperatorById(tx, id);
    if (operator === undefined || operator.disabled_at !== null || operator.password_hash !== proven)
      return undefined;
    if (operator.otp_secret === null) return undefined;
    const step = stepOfCode(deps.secrets.open(operator.otp_secret, secretContext(id)), code, now);
    if (step === undefined || (operator.last_step !== null && BigInt(step) <= operator.last_step))
      return undefined;
    await queries.takeStep(tx, id, step);
    // Told only to who has proven both: it says that the account is there.
    if (await isSsoDemanded(tx, operator)) return SSO_DEMANDED;
    return openSession(tx, operator, origin, now);
  });
