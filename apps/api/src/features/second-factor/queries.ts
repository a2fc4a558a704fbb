import type { Db, Tx } from '../../db/database.ts';
import { sql, sqlOnce } from '../../db/sql.ts';

export interface FactorStateRow {
  confirmed_at: Date | null;
  codes_left: number;
  has_password: boolean;
  /** When the session was opened. */
  signed_in_at: Date | null;
  is_required: boolean;
  has_passkey: boolean;
}

/** What stands between a user's password and the portal; undefined for an unknown user. */
export const findState = (db: Db, userId: string, sessionId: string | null = null) =>
  db.maybeOne<FactorStateRow>(sqlOnce`
    select f.confirmed_at, u.password_hash is not null as has_password,
           (select s.created_at from user_session s where s.id = ${sessionId}::uuid) as signed_in_at,
           exists (select 1 from passkey p where p.user_id = u.id) as has_passkey,
           (select count(*)::int from recovery_code c where c.user_id = u.id and c.used_at is null) as codes_left,
           exists (select 1 from (select 1) one
                     left join membership m on m.user_id = u.id
                     left join reseller_customer rc on rc.customer_id = m.customer_id and rc.reseller_id = u.reseller_id
                     join brand b on b.id = coalesce(rc.brand_id,
                       (select min(own.id) from brand own where own.reseller_id = u.reseller_id), 0)
                    where b.settings @> '{"requireSecondFactor": true}') as is_required
      from app_user u left join second_factor f on f.user_id = u.id
     where u.id = ${userId}`);

export interface FactorRow {
  secret: Buffer | null;
  pending_secret: Buffer | null;
  pending_at: Date | null;
  last_step: bigint | null;
  wrong_codes: number;
  wrong_since: Date | null;
}

/** A user's factor, locked: two uses of one code are put in order here. */
export const lockFactor = (tx: Tx, userId: string) =>
  tx.maybeOne<FactorRow>(sql`
    select secret, pending_secret, pending_at, last_step, wrong_codes, wrong_since
      from second_factor where user_id = ${userId} for update`);

export const savePending = (tx: Tx, userId: string, sealed: Buffer, now: Date) =>
  tx.execute(sql`
    insert into second_factor (user_id, created_at, pending_secret, pending_at)
    values (${userId}, ${now}, ${sealed}, ${now})
    on conflict (user_id) do update set pending_secret = excluded.pending_secret, pending_at = excluded.pending_at`);

/** The secret that was being set up becomes the one that counts. */
export const confirmPending = (tx: Tx, userId: string, step: number, now: Date) =>
  tx.execute(sql`
    update second_factor
       set secret = pending_secret, confirmed_at = ${now}, pending_secret = null, pending_at = null,
           last_step = ${step}, wrong_codes = 0, wrong_since = null
     where user_id = ${userId}`);

/** @returns 1, or 0 when there was none that counted */
export const deleteFactor = async (tx: Tx, userId: string): Promise<number> => {
  await tx.execute(sql`delete from recovery_code where user_id = ${userId}`);
  await tx.execute(sql`delete from mfa_challenge where user_id = ${userId}`);
  const row = await tx.maybeOne<{ was_on: boolean }>(sql`
    delete from second_factor where user_id = ${userId} returning secret is not null as was_on`);
  return row?.was_on === true ? 1 : 0;
};

export const takeStep = (tx: Tx, userId: string, step: number) =>
  tx.execute(sql`update second_factor set last_step = ${step} where user_id = ${userId}`);

export const countWrongCode = (tx: Tx, userId: string, count: number, since: Date) =>
  tx.execute(sql`
    update second_factor set wrong_codes = ${count}, wrong_since = ${since} where user_id = ${userId}`);

/** New codes in place of all earlier ones. */
export async function replaceRecoveryCodes(
  tx: Tx,
  userId: string,
  hashes: readonly Buffer[],
  now: Date,
): Promise<void> {
  await tx.execute(sql`delete from recovery_code where user_id = ${userId}`);
  await tx.execute(sql`
    insert into recovery_code (user_id, hash, created_at)
    select ${userId}, hash, ${now} from unnest(${hashes}::bytea[]) as hash`);
}

/** Uses a recovery code up. @returns how many are left; undefined when it is none, or was used before */
export async function spendRecoveryCode(
  tx: Tx,
  userId: string,
  hash: Buffer,
  now: Date,
): Promise<number | undefined> {
  const spent = await tx.execute(sql`
    update recovery_code set used_at = ${now} where user_id = ${userId} and hash = ${hash} and used_at is null`);
  if (spent === 0) return undefined;
  const { left } = await tx.one<{ left: number }>(sql`
    select count(*)::int as left from recovery_code where user_id = ${userId} and used_at is null`);
  return left;
}

/** Ends a user's sessions because a factor came or went, but for one. @returns how many */
export const endSessionsButOne = (tx: Tx, userId: string, kept: string | null, now: Date) =>
  tx.execute(sql`
    update user_session set ended_at = ${now}, end_reason = 'factor'
     where user_id = ${userId} and ended_at is null and id is distinct from ${kept}::uuid`);

export interface NewChallenge {
  readonly hash: Buffer;
  readonly userId: string;
  readonly passwordHash: Buffer;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** A begun sign-in. Those of the user that are over go with it. */
export async function insertChallenge(tx: Tx, challenge: NewChallenge): Promise<void> {
  await tx.execute(sql`
    delete from mfa_challenge where user_id = ${challenge.userId} and expires_at <= ${challenge.now}`);
  await tx.execute(sql`
    insert into mfa_challenge (hash, user_id, password_hash, created_at, expires_at)
    values (${challenge.hash}, ${challenge.userId}, ${challenge.passwordHash}, ${challenge.now},
            ${challenge.expiresAt})`);
}

export interface ChallengeRow {
  user_id: string;
  password_hash: Buffer;
  tries: number;
}

const openChallenge = (hash: Buffer, now: Date, mostTries: number) => sql<ChallengeRow>`
  select c.user_id, c.password_hash, c.tries from mfa_challenge c join app_user u on u.id = c.user_id
   where c.hash = ${hash} and c.used_at is null and c.expires_at > ${now} and c.tries < ${mostTries}`;

/** A begun sign-in that may still be finished. */
export const findChallenge = (db: Db, hash: Buffer, now: Date, mostTries: number) =>
  db.maybeOne(openChallenge(hash, now, mostTries));

/**
 * The same, locked: it is finished once, and with the password that was checked. A change of the password under way is waited for.
 * One statement, the user first, and as for an update: two that lock a user to share it at once, Citus ends as a deadlock.
 */
export const lockChallenge = (
  tx: Tx,
  hash: Buffer,
  passwordHash: string | null,
  now: Date,
  mostTries: number,
) =>
  tx.maybeOne(sql<ChallengeRow>`
    ${openChallenge(hash, now, mostTries)} and u.is_active and u.password_hash = ${passwordHash}
      for no key update of u for update of c`);

export const countTry = (tx: Tx, hash: Buffer) =>
  tx.execute(sql`update mfa_challenge set tries = tries + 1 where hash = ${hash}`);

export const finishChallenge = (tx: Tx, hash: Buffer, now: Date) =>
  tx.execute(sql`update mfa_challenge set used_at = ${now} where hash = ${hash}`);
