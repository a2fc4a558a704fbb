import { type AuditEvent, auditLine } from '../../audit/record.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Sql, sql, sqlOnce } from '../../db/sql.ts';
import { networkOf } from '../../http/requests/address.ts';

export interface UserRow {
  id: string;
  reseller_id: number;
  email: string;
  display_name: string;
  password_hash: string | null;
  /** When a password that a command made runs out; null for one that somebody chose. */
  password_expires_at: Date | null;
  reseller_name: string;
  /** Of a demo world: see `mayEnter`. */
  is_demo: boolean;
}

const userColumns = sql`u.id, u.reseller_id, u.email, u.display_name, u.password_hash, u.password_expires_at,
  r.name as reseller_name, r.is_demo`;

/** Whoever signs in, and whether from where they have been: by a session, or by setting a password by a mailed link. */
export interface SigningIn extends UserRow {
  from_own_place: boolean;
  /** Has an authenticator app or a passkey: the password may not be enough. */
  has_factor: boolean;
}

const hasFactor = sql<boolean>`(
  exists (select 1 from second_factor f where f.user_id = u.id and f.secret is not null)
  or exists (select 1 from passkey p where p.user_id = u.id))`;

/** An active user by e-mail, whatever its case. @param since older visits do not make a place the user's own */
export const findSigningIn = (db: Db, email: string, network: string, since: Date) =>
  db.maybeOne<SigningIn>(sqlOnce`
    select ${userColumns},
           exists (select 1 from user_session s
                    where s.user_id = u.id and s.network = ${network} and s.last_used_at > ${since}
                      and s.actor is null)
           or exists (select 1 from one_time_token t
                       where t.user_id = u.id and t.used_from = ${network} and t.used_at > ${since}) as from_own_place,
           ${hasFactor} as has_factor
      from app_user u join reseller r on r.id = u.reseller_id
     where u.email = ${email.toLowerCase()} and u.is_active`);

/** The id of an active user by e-mail, whatever its case. */
export const findActiveId = (db: Db, email: string) =>
  db.maybeOne<{ id: string }>(
    sql`select id from app_user where email = ${email.toLowerCase()} and is_active`,
  );

/** An active user by e-mail, whatever its case. */
export const findUserByEmail = (db: Db, email: string) =>
  db.maybeOne<UserRow>(sql`
    select ${userColumns} from app_user u join reseller r on r.id = u.reseller_id
     where u.email = ${email.toLowerCase()} and u.is_active`);

/** Any user by e-mail, also one who is shut out; locked, in one order with everything else that changes their way in. */
export const lockAnyUser = (tx: Tx, email: string) =>
  tx.maybeOne<UserRow>(sql`
    select ${userColumns} from app_user u join reseller r on r.id = u.reseller_id
     where u.email = ${email.trim().toLowerCase()} for no key update of u`);

export const findUser = (db: Db, id: string) =>
  db.maybeOne<UserRow>(sqlOnce`
    select ${userColumns} from app_user u join reseller r on r.id = u.reseller_id
     where u.id = ${id} and u.is_active`);

export interface SessionRow {
  session_id: string;
  user_id: string;
  reseller_id: number;
  email: string;
  display_name: string;
  actor: string | null;
  look_only: boolean;
  is_demo: boolean;
  /** The session was begun with a password that a command made, which runs out then. */
  password_expires_at: Date | null;
  /** The brand of one of the user's customers asks for a second factor that the user does not have. */
  needs_factor: boolean;
  /** The customer that was asked for, where it is the user's. */
  customer_id: string | null;
  /** This customer's brand has switched off all the areas in question; never where there are none. */
  is_area_off: boolean;
}

/** Which of the user's customers a request is about: one by its id, the first by label, or none. */
export type WantedCustomer = { readonly id: string } | 'first' | 'none';

/** The customers that a user may act for: those of the membership that are the reseller's and not disabled. */
const actsFor = sql`
  membership m
  join reseller_customer rc on rc.customer_id = m.customer_id and rc.reseller_id = u.reseller_id
       and rc.disabled_at is null`;

/** Customers found by membership, never by walking through all of the reseller's in their order: most users have one. */
const ownBy = (memberships: Sql) =>
  sql`(select rc.customer_id, rc.label, rc.brand_id from ${memberships} offset 0)`;

/** More memberships than these are not all read to find the first of them. */
const FEW_CUSTOMERS = 200;
/** So many of the reseller's customers are looked at to find one of a user who has many. */
const LOOKED_AT = 2_000;

/**
 * The first customer by label. Of a user with many it is looked for among the reseller's first; where it is not found
 * there, and of any other user, all are read.
 */
const firstCustomer = sql`
  coalesce(
    case when exists (select 1 from membership m where m.user_id = u.id offset ${sql.lit(FEW_CUSTOMERS)})
         then (select near.customer_id
                 from (select rc.customer_id, rc.disabled_at from reseller_customer rc
                        where rc.reseller_id = u.reseller_id
                        order by rc.label, rc.customer_id limit ${sql.lit(LOOKED_AT)}) near
                where near.disabled_at is null
                  and (select true from membership m where m.user_id = u.id and m.customer_id = near.customer_id)
                limit 1) end,
    (select own.customer_id from ${ownBy(sql`${actsFor} where m.user_id = u.id`)} own
      order by own.label, own.customer_id limit 1))`;

const customerId = (wanted: WantedCustomer) => {
  if (wanted === 'none') return sql`null::uuid`;
  return wanted === 'first'
    ? firstCustomer
    : sql`(select rc.customer_id from ${actsFor} where m.user_id = u.id and m.customer_id = ${wanted.id}::uuid)`;
};

const ownBrandId = sql`(select min(own.id) from brand own where own.reseller_id = u.reseller_id)`;
const asksForFactor = sql`b.settings @> '{"requireSecondFactor": true}'`;

/** All the user's customers are looked at only where a brand that they could have asks for a factor that is not there. */
const needsFactor = sql`
  case when s.method <> 'password' then false
       when not exists (select 1 from brand b where (b.reseller_id = u.reseller_id or b.id = 0) and ${asksForFactor}) then false
       when ${hasFactor} then false
       else exists (select 1 from (select 1) one
                      left join (${actsFor}) on m.user_id = u.id
                      join brand b on b.id = coalesce(rc.brand_id, ${ownBrandId}, 0)
                     where ${asksForFactor}) end`;

/**
 * A living session with its user and one customer; it takes as long for a user of thousands of customers as for one.
 * @param areas names of brand settings that switch areas on
 */
export const readSession = (
  db: Db,
  sessionId: string,
  now: Date,
  { wanted, areas }: { readonly wanted: WantedCustomer; readonly areas: readonly string[] },
) =>
  db.maybeOne<SessionRow>(sqlOnce`
    select s.id as session_id, s.user_id, s.actor, s.look_only, u.reseller_id, u.email, u.display_name, r.is_demo,
           c.customer_id,
           case when s.method = 'password' then u.password_expires_at end as password_expires_at,
           ${needsFactor} as needs_factor,
           coalesce((select bool_and(b.settings @> jsonb_build_object(area, false))
                       from unnest(${[...areas]}::text[]) area), false) as is_area_off
      from user_session s
      join app_user u on u.id = s.user_id and u.is_active
      join reseller r on r.id = u.reseller_id
     cross join lateral (select ${customerId(wanted)} as customer_id offset 0) c
      left join reseller_customer chosen on chosen.reseller_id = u.reseller_id and chosen.customer_id = c.customer_id
      left join brand b on b.id = coalesce(chosen.brand_id, ${ownBrandId}, 0)
     where s.id = ${sessionId} and s.ended_at is null and s.expires_at > ${now}`);

export interface OwnCustomerRow {
  customer_id: string;
  label: string;
  brand_id: number;
}

/** All customers that a user may act for, by label. */
export const listOwnCustomers = (db: Db, userId: string) =>
  db.many<OwnCustomerRow>(sqlOnce`
    select rc.customer_id, rc.label, coalesce(rc.brand_id, ${ownBrandId}, 0) as brand_id
      from app_user u cross join lateral ${ownBy(sql`${actsFor} where m.user_id = u.id`)} rc
     where u.id = ${userId} order by rc.label, rc.customer_id`);

const firstBrandId = (userId: string, resellerId: number) => sql`
  coalesce(
    (select own.brand_id from ${ownBy(sql`membership m
       join reseller_customer rc on rc.customer_id = m.customer_id and rc.reseller_id = ${resellerId}
      where m.user_id = ${userId}`)} own order by own.label, own.customer_id limit 1),
    (select id from brand where reseller_id = ${resellerId} order by id limit 1), 0)`;

/** The brand a user meets first: that of the first customer by label, else the reseller's first, else 0. */
export const firstBrand = (db: Db, userId: string, resellerId: number) =>
  db.one<{ brand_id: number }>(sqlOnce`select ${firstBrandId(userId, resellerId)} as brand_id`);

/**
 * Whether the password is still the one that was checked; a change under way is waited for, and one that comes
 * later ends the session made in this transaction.
 */
export const passwordStands = async (tx: Tx, userId: string, passwordHash: string | null): Promise<boolean> =>
  (await tx.maybeOne(sqlOnce`
    select 1 from app_user where id = ${userId} and is_active and password_hash = ${passwordHash} for no key update`)) !==
  undefined;

export interface NewSession {
  readonly id: string;
  readonly user: Pick<UserRow, 'id' | 'reseller_id'>;
  readonly now: Date;
  readonly expiresAt: Date;
  readonly origin: { readonly address: string; readonly agent: string };
  readonly method: string;
  readonly actor: string | null;
  readonly endsAt: Date | null;
  readonly lookOnly: boolean;
  /** The operator who looks; null: anybody else. */
  readonly operatorId: string | null;
  /** By which the person signed in; removing it ends the session. */
  readonly passkeyId: string | null;
  readonly refreshHash: Buffer;
  /** The hash of the password that was checked, which must still be the user's; null: none was. */
  readonly passwordHash: string | null;
  /** No factor was asked for because there was none, which must still be so. */
  readonly withoutFactor: boolean;
  readonly audit: AuditEvent;
}

/**
 * Makes a session with its first refresh token and its line of the audit trail, in one statement: each more is a way
 * to the database and back, and sign-ins come in storms. A change of the password under way is waited for, and one
 * that comes later ends the session. Locked as for an update: two that lock a user to share it at once, Citus ends as a deadlock.
 * @returns the brand a user meets first; undefined when the user may not sign in any more, or not with that password
 */
export const insertSession = (db: Db, session: NewSession) =>
  db.maybeOne<{ brand_id: number }>(sqlOnce`
    with standing as (
      select u.id from app_user u
       where u.id = ${session.user.id} and u.is_active
         and (${session.passwordHash}::text is null or u.password_hash = ${session.passwordHash}::text)
         and not (${session.withoutFactor}::boolean and ${hasFactor})
         for no key update
    ), session as (
      insert into user_session
        (id, user_id, created_at, last_used_at, expires_at, address, network, agent, method, actor, ends_at,
         look_only, passkey_id, operator_id)
      select ${session.id}::uuid, id, ${session.now}::timestamptz, ${session.now}::timestamptz,
             ${session.expiresAt}::timestamptz, ${session.origin.address}::text,
             ${networkOf(session.origin.address)}::text, ${session.origin.agent}::text, ${session.method}::text,
             ${session.actor}::text, ${session.endsAt}::timestamptz, ${session.lookOnly}::boolean, ${session.passkeyId}::uuid,
             ${session.operatorId}::uuid
        from standing
      returning id
    ), token as (
      insert into refresh_token (hash, session_id, issued_at, expires_at)
      select ${session.refreshHash}::bytea, id, ${session.now}::timestamptz, ${session.expiresAt}::timestamptz
        from session
    ), trail as (${auditLine(session.audit, sql`from session`)})
    select ${firstBrandId(session.user.id, session.user.reseller_id)} as brand_id from session`);

export const touchSession = (tx: Tx, sessionId: string, now: Date, expiresAt: Date) =>
  tx.execute(sqlOnce`
    update user_session set last_used_at = ${now}, expires_at = ${expiresAt} where id = ${sessionId}`);

/** Ends a session at once. @returns 1, or 0 when it had ended before */
export const endSession = (tx: Tx, sessionId: string, reason: 'logout' | 'reuse' | 'expired', now: Date) =>
  tx.execute(sql`
    update user_session set ended_at = ${now}, end_reason = ${reason}
     where id = ${sessionId} and ended_at is null`);

/** Whose session it is, for the audit trail. */
export const personOfSession = (db: Db, sessionId: string) =>
  db.one<{ user_id: string; email: string; reseller_id: number; actor: string | null }>(sql`
    select s.user_id, u.email, u.reseller_id, s.actor
      from user_session s join app_user u on u.id = s.user_id where s.id = ${sessionId}`);

export interface RefreshRow {
  session_id: string;
  user_id: string;
  actor: string | null;
  /** Of the session. */
  created_at: Date;
  ends_at: Date | null;
  issued_at: Date;
  expires_at: Date;
  spent_at: Date | null;
  successor_sealed: Buffer | null;
  ended_at: Date | null;
}

/** A refresh token's row, locked: two uses at the same time are put in order here. */
export const lockRefreshToken = (tx: Tx, hash: Buffer) =>
  tx.maybeOne<RefreshRow>(sqlOnce`
    select t.session_id, s.user_id, s.actor, s.created_at, s.ends_at, t.issued_at, t.expires_at, t.spent_at, t.successor_sealed, s.ended_at
      from refresh_token t join user_session s on s.id = t.session_id
     where t.hash = ${hash} for update`);

export const insertRefreshToken = (tx: Tx, hash: Buffer, sessionId: string, now: Date, expiresAt: Date) =>
  tx.execute(sqlOnce`
    insert into refresh_token (hash, session_id, issued_at, expires_at)
    values (${hash}, ${sessionId}, ${now}, ${expiresAt})`);

export const spendRefreshToken = (tx: Tx, hash: Buffer, successorSealed: Buffer, now: Date) =>
  tx.execute(sqlOnce`
    update refresh_token set spent_at = ${now}, successor_sealed = ${successorSealed} where hash = ${hash}`);

/** Once the retry time is over a successor need not be readable any more. */
export const forgetOldSuccessors = (tx: Tx, sessionId: string, before: Date) =>
  tx.execute(sqlOnce`
    update refresh_token set successor_sealed = null
     where session_id = ${sessionId} and spent_at < ${before} and successor_sealed is not null`);

/** Puts everything that changes a user's way in into one order. @returns undefined for a user shut out */
export const lockUser = (tx: Tx, userId: string) =>
  tx.maybeOne<{ id: string }>(sql`
    select id from app_user where id = ${userId} and is_active for no key update`);
