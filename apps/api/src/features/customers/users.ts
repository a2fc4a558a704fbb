import type { CustomerUserValues } from '@counterfoil/contract/operator/admin-customers.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { type AuditAction, recordAudit } from '../../audit/record.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { addUser } from '../admin/service.ts';
import { enqueueRegistrationMail } from '../auth/service.ts';
import { type CustomerUserRow, lockCustomer, lockUserByEmail } from './queries.ts';

/** A person at a customer of a reseller, by their address in small letters. */
export interface UserAt {
  readonly resellerId: number;
  readonly customerId: string;
  readonly email: string;
}

/**
 * Lets a person sign in for a customer. Somebody new is made a user, without a password, and invited where that is asked
 * for; a user of the reseller gets the name that is given. The same again changes nothing and mails nothing.
 * @throws {AppError} customer.notFound; customer.userTaken for the address of a user of another reseller
 */
export async function putCustomerUser(
  tx: Tx,
  at: UserAt,
  { displayName, invite }: CustomerUserValues,
  by: ActedBy,
  now: Date,
): Promise<{ readonly user: CustomerUserRow; readonly isNew: boolean }> {
  const { resellerId, customerId, email } = at;
  if ((await lockCustomer(tx, resellerId, customerId)) === undefined) throw new AppError('customer.notFound');
  // Of two who are first at the same time the second finds the user of the first.
  await tx.one(sql`select pg_advisory_xact_lock(hashtextextended(${`user ${email}`}, 0))`);
  const before = await lockUserByEmail(tx, customerId, email);
  if (before !== undefined && before.reseller_id !== resellerId) throw new AppError('customer.userTaken');
  const record = recorder(tx, at, by, now);
  if (before === undefined) {
    const id = await addUser(
      tx,
      { resellerId, email, displayName, passwordHash: null, customerIds: [customerId] },
      now,
    );
    if (invite) await enqueueRegistrationMail(tx, id);
    await record('user.added', id, { invited: invite, customers: customerId });
    return { user: await userAt(tx, at), isNew: true };
  }
  if (before.display_name !== displayName) {
    await tx.execute(sql`update app_user set display_name = ${displayName} where id = ${before.id}`);
    await record('user.changed', before.id, {
      'before.displayName': before.display_name,
      'after.displayName': displayName,
    });
  }
  if (!before.is_member) {
    await tx.execute(sql`insert into membership (user_id, customer_id) values (${before.id}, ${customerId})`);
    await record('user.memberAdded', before.id);
  }
  return { user: await userAt(tx, at), isNew: false };
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

async function userAt(tx: Tx, { customerId, email }: UserAt): Promise<CustomerUserRow> {
  const user = await lockUserByEmail(tx, customerId, email);
  if (user === undefined) throw new Error('the user is gone');
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
