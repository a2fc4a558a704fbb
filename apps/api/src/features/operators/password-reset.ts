import {
  OPERATOR_PASSWORD_MIN_LENGTH,
  type OperatorReset,
} from '@counterfoil/contract/operator/access/operators.ts';
import { AppError } from '../../app-error.ts';
import type { Origin } from '../../http/requests/origin.ts';
import { sha256 } from '../../secrets.ts';
import { hashPassword, refuseWeakPassword } from '../auth/service.ts';
import { endSessionsOfOperator } from '../login-as/service.ts';
import { enqueueChangedMail } from './mail-queue.ts';
import * as queries from './queries.ts';
import { mayEnter, type OperatorDeps, recordOwn } from './session.ts';

/** The words of the mail that follows a new password. */
const CHANGED = 'The password of your account was changed. You have been signed out everywhere.';

/**
 * Sets a password by a mailed link, once; every session ends, and nobody is signed in: that asks for the code of the app
 * as ever. A password that is refused leaves the link good.
 * @throws {AppError} operator.resetOver, password.tooShort, password.tooLong, password.tooCommon
 */
export async function resetPassword(
  deps: Pick<OperatorDeps, 'db' | 'clock' | 'isDemo'>,
  { token, password }: OperatorReset,
  origin: Origin,
): Promise<void> {
  const now = deps.clock.now();
  const hash = sha256(token);
  const found = await queries.findReset(deps.db, hash, now);
  if (found === undefined || !mayEnter(deps, found)) throw new AppError('operator.resetOver');
  const { id, email, display_name: name } = found;
  await refuseWeakPassword(password, OPERATOR_PASSWORD_MIN_LENGTH, [email, email.split('@')[0] ?? '', name]);
  const passwordHash = await hashPassword(password);
  await deps.db.transaction(async (tx) => {
    const operator = await queries.lockOperatorById(tx, id);
    if (operator === undefined || operator.disabled_at !== null || operator.password_hash === null)
      throw new AppError('operator.resetOver');
    if ((await queries.spendReset(tx, hash, now)) === 0) throw new AppError('operator.resetOver');
    await queries.setPassword(tx, id, passwordHash);
    const ended = await queries.endSessions(tx, id, 'password', now);
    await endSessionsOfOperator(tx, id, now);
    await recordOwn(tx, operator, 'operator.passwordReset', origin, now, { sessionsEnded: String(ended) });
    await enqueueChangedMail(tx, id, CHANGED, now);
  });
}
