import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { type AuditAction, recordAudit } from '../../audit/record.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { enqueueRegistrationMail } from '../auth/service.ts';
import { type CustomerUserRow, lockCustomer, lockUserByEmail } from './queries.ts';

/** A person at a customer of a reseller, by their address in small letters. */
export interface UserAt {
  readonly resellerId: number;
  readonly customerId: string;
  readonly email: string;
}

/**
 * Mails a user of a customer the link to finish the registration; an earlier link stops working.
 * @throws {AppError} customer.notFound, customer.noUser; customer.userNoInvitation for one who has a password or is shut out
 */
export async function inviteCustomerUser(
  tx: Tx,
  at: UserAt,
  by: ActedBy,
  now: Date,
): Promise<CustomerUserRow> {
  const user = await requireMember(tx, at);
  if (user.has_password || !user.is_active) throw new AppError('customer.userNoInvitation');
  await enqueueRegistrationMail(tx, user.id);
  await recorder(tx, at, by, now)('user.invited', user.id);
  return user;
}

/**
 * A person no longer signs in for a customer, from the next request on. The user stays.
 * @throws {AppError} customer.notFound, customer.noUser
 */
export async function removeCustomerUser(tx: Tx, at: UserAt, by: ActedBy, now: Date): Promise<void> {
  const user = await requireMember(tx, at);
  await tx.execute(sql`delete from membership where user_id = ${user.id} and customer_id = ${at.customerId}`);
  await recorder(tx, at, by, now)('user.memberRemoved', user.id);
}

/** @throws {AppError} customer.notFound, customer.noUser also for a user of another reseller */
export async function requireMember(tx: Tx, at: UserAt): Promise<CustomerUserRow> {
  if ((await lockCustomer(tx, at.resellerId, at.customerId)) === undefined)
    throw new AppError('customer.notFound');
  const user = await lockUserByEmail(tx, at.customerId, at.email);
  if (user === undefined || !user.is_member || user.reseller_id !== at.resellerId)
    throw new AppError('customer.noUser');
  return user;
}

/** Writes lines of the audit trail about a user at a customer. */
export const recorder =
  (tx: Tx, { resellerId, customerId, email: userEmail }: UserAt, by: ActedBy, at: Date) =>
  (
    action: AuditAction,
    userId: string,
    detail: Readonly<Record<string, string | boolean>> = {},
  ): Promise<void> =>
    recordAudit(tx, { action, at, resellerId, customerId, userId, userEmail, ...by, detail });
