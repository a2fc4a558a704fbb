import { newId } from '@counterfoil/domain/text/ids.ts';
import { type Db, isUniqueViolation, type Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { checkedEmail, checkedName, requireReseller } from './checks.ts';
import { AdminRefused } from './refused.ts';

export interface NewUser {
  /** Absent: a new one. */
  readonly id?: string | undefined;
  readonly resellerId: number;
  readonly email: string;
  readonly displayName: string;
  /** PHC string; null: cannot sign in with a password. */
  readonly passwordHash: string | null;
  /** When a password that was made for the user runs out; absent for one that somebody chose. */
  readonly passwordExpiresAt?: Date | undefined;
  readonly customerIds: readonly string[];
}

/** Makes a user. @returns the id @throws {AdminRefused} for a taken address or customers of another reseller */
export async function addUser(tx: Tx, wanted: NewUser, now: Date): Promise<string> {
  await requireReseller(tx, wanted.resellerId);
  const email = checkedEmail(wanted.email);
  const displayName = checkedName('name', wanted.displayName);
  const id = wanted.id ?? newId(now.getTime());
  try {
    await tx.execute(sql`
      insert into app_user (id, reseller_id, email, display_name, password_hash, password_expires_at, created_at)
      values (${id}, ${wanted.resellerId}, ${email}, ${displayName}, ${wanted.passwordHash},
              ${wanted.passwordExpiresAt ?? null}, ${now})`);
  } catch (error) {
    if (isUniqueViolation(error)) throw new AdminRefused(`there is a user ${email} already`);
    throw error;
  }
  for (const customerId of wanted.customerIds) await addMembership(tx, id, wanted.resellerId, customerId);
  return id;
}

/** Lets a user see a customer. The same again changes nothing. @returns whether it did */
export async function addMember(tx: Tx, email: string, customerId: string): Promise<boolean> {
  const user = await requireUser(tx, email);
  return addMembership(tx, user.id, user.reseller_id, customerId);
}

/** A user no longer sees a customer, from the next request on. */
export async function removeMember(tx: Tx, email: string, customerId: string): Promise<void> {
  const user = await requireUser(tx, email);
  const gone = await tx.execute(sql`
    delete from membership where user_id = ${user.id} and customer_id = ${customerId}`);
  if (gone === 0) throw new AdminRefused(`${user.email} does not belong to customer ${customerId}`);
}

/** Shuts a user out, at once, or lets them in again. */
export async function setUserActive(
  tx: Tx,
  email: string,
  isActive: boolean,
  now: Date,
): Promise<{ sessionsEnded: number }> {
  const user = await requireUser(tx, email);
  await tx.execute(sql`update app_user set is_active = ${isActive} where id = ${user.id}`);
  return { sessionsEnded: isActive ? 0 : await endSessions(tx, user.id, now) };
}

interface FoundUser {
  id: string;
  reseller_id: number;
  email: string;
}

async function requireUser(tx: Tx, email: string): Promise<FoundUser> {
  const address = checkedEmail(email);
  const row = await tx.maybeOne<FoundUser>(
    sql`select id, reseller_id, email from app_user where email = ${address} for no key update`,
  );
  if (row === undefined) throw new AdminRefused(`there is no user ${address}`);
  return row;
}

/** A user who may sign in. @throws {AdminRefused} for an unknown address or one that is shut out */
export async function requireActiveUser(tx: Tx, email: string): Promise<FoundUser> {
  const user = await requireUser(tx, email);
  const row = await tx.maybeOne(sql`select 1 from app_user where id = ${user.id} and is_active`);
  if (row === undefined) throw new AdminRefused(`${user.email} is shut out`);
  return user;
}

async function addMembership(
  tx: Tx,
  userId: string,
  resellerId: number,
  customerId: string,
): Promise<boolean> {
  const row = await tx.maybeOne(sql`
    select 1 from reseller_customer where customer_id = ${customerId} and reseller_id = ${resellerId}`);
  if (row === undefined) throw new AdminRefused(`reseller ${resellerId} has no customer ${customerId}`);
  const added = await tx.execute(sql`
    insert into membership (user_id, customer_id) values (${userId}, ${customerId}) on conflict do nothing`);
  return added === 1;
}

const endSessions = (tx: Tx, userId: string, now: Date) =>
  tx.execute(sql`
    update user_session set ended_at = ${now}, end_reason = 'removed'
     where user_id = ${userId} and ended_at is null`);

/** Users of one reseller or of all, by address. */
export const listUsers = (db: Db, resellerId: number | undefined, limit: number) =>
  db.many<{
    id: string;
    reseller_id: number;
    email: string;
    display_name: string;
    is_active: boolean;
    has_password: boolean;
    password_expires_at: Date | null;
    customer_ids: string[];
  }>(sql`
    select u.id, u.reseller_id, u.email, u.display_name, u.is_active, u.password_hash is not null as has_password,
           u.password_expires_at,
           array(select m.customer_id::text from membership m where m.user_id = u.id order by m.customer_id) as customer_ids
      from app_user u
     where ${resellerId ?? null}::int is null or u.reseller_id = ${resellerId ?? null}
     order by u.reseller_id, u.email limit ${limit}`);
