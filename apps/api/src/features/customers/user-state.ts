import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import type { Tx } from '../../db/database.ts';
import type { Secrets } from '../../secrets.ts';
import { setUserActive } from '../admin/service.ts';
import { enqueueResetMail } from '../auth/service.ts';
import type { CustomerUserRow } from './queries.ts';
import { recorder, requireMember, type UserAt } from './users.ts';

/**
 * Shuts a user of a customer out, whichever customers they have, or lets one in again; where it is so already nothing
 * is recorded.
 * @throws {AppError} customer.notFound, customer.noUser
 */
export async function setCustomerUserActive(
  tx: Tx,
  at: UserAt,
  isActive: boolean,
  by: ActedBy,
  now: Date,
): Promise<CustomerUserRow> {
  const user = await requireMember(tx, at);
  if (user.is_active === isActive) return user;
  const { sessionsEnded } = await setUserActive(tx, at.email, isActive, now);
  const [before, after] = isActive ? ['disabled', 'active'] : ['active', 'disabled'];
  await recorder(
    tx,
    at,
    by,
    now,
  )(isActive ? 'user.enabled' : 'user.disabled', user.id, {
    'before.status': before ?? '',
    'after.status': after ?? '',
    sessionsEnded: String(sessionsEnded),
  });
  return { ...user, is_active: isActive };
}

/**
 * Mails a user of a customer the link to choose a new password.
 * @throws {AppError} customer.notFound, customer.noUser; customer.userNoReset for one without a password or shut out
 */
export async function mailPasswordReset(
  tx: Tx,
  secrets: Secrets,
  at: UserAt,
  by: ActedBy,
  now: Date,
): Promise<CustomerUserRow> {
  const user = await requireMember(tx, at);
  if (!user.has_password || !user.is_active) throw new AppError('customer.userNoReset');
  await enqueueResetMail(tx, secrets, at.email, now);
  await recorder(tx, at, by, now)('user.resetMailed', user.id);
  return user;
}
