import { AppError } from '../../app-error.ts';
import type { Db } from '../../db/database.ts';
import type { OperatorScope } from '../../http/requests/scope.ts';
import { operatorLimits } from '../../limits/limits.ts';
import { stepOfCode } from '../second-factor/service.ts';
import * as queries from './queries.ts';
import { type OperatorDeps, secretContext } from './session.ts';

/** Whether something of a reseller, or of the installation (null), is an owner's to see and to change. */
export const isOwners = ({ resellerId }: Pick<OperatorScope, 'resellerId'>, of: number | null): boolean =>
  resellerId === null || resellerId === of;

/**
 * An owner gives away for whom they act themselves: what they are bound to, or all of it.
 * @throws {AppError} reseller.notFound for another's reseller, for the installation, and for one that does not exist
 */
export async function requireGivable(db: Db, owner: OperatorScope, to: number | null): Promise<void> {
  if (!isOwners(owner, to)) throw new AppError('reseller.notFound');
  if (to !== null && !(await queries.isReseller(db, to))) throw new AppError('reseller.notFound');
}

/**
 * The newest code of the operator's authenticator app, once: what lets programs or people in asks for it, for a session
 * may have been left open. Wrong ones use up the tries that signing in has.
 * @throws {AppError} secondFactor.wrongCode, rate.limited
 */
export async function requireCode(
  { db, clock, secrets, limiter }: Pick<OperatorDeps, 'db' | 'clock' | 'secrets' | 'limiter'>,
  { operatorId, email }: OperatorScope,
  code: string,
): Promise<void> {
  const counts = [{ limit: operatorLimits.account, of: [email] }];
  await limiter.require(counts);
  const fits = await db.transaction(async (tx) => {
    const operator = await queries.lockOperatorById(tx, operatorId);
    if (operator === undefined || operator.disabled_at !== null || operator.otp_secret === null) return false;
    const secret = secrets.open(operator.otp_secret, secretContext(operatorId));
    const step = stepOfCode(secret, code, clock.now());
    if (step === undefined || (operator.last_step !== null && BigInt(step) <= operator.last_step))
      return false;
    await queries.takeStep(tx, operatorId, step);
    return true;
  });
  if (!fits) throw new AppError('secondFactor.wrongCode');
  await limiter.release(counts);
}
