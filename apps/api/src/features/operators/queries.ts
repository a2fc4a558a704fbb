import type { OperatorRole } from '@counterfoil/contract/operator/access/operators.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Sql, sql, sqlOnce } from '../../db/sql.ts';
import type { MailState } from '../../mail/kept.ts';

export interface OperatorRow {
  id: string;
  reseller_id: number | null;
  email: string;
  display_name: string;
  role: OperatorRole;
  password_hash: string | null;
  otp_secret: Buffer | null;
  last_step: bigint | null;
  created_at: Date;
  disabled_at: Date | null;
  /** Whom a provider of single sign-on knows them as; null before the first sign-in by it. */
  sso_issuer: string | null;
  sso_subject: string | null;
  /** Of a reseller of a demo world. */
  is_demo: boolean;
}

const columns = sql`
  o.id, o.reseller_id, o.email, o.display_name, o.role, o.password_hash, o.otp_secret, o.last_step, o.created_at,
  o.disabled_at, o.sso_issuer, o.sso_subject, coalesce(r.is_demo, false) as is_demo`;
const from = sql`from operator o left join reseller r on r.id = o.reseller_id`;

const lockedWhere = (condition: Sql): Sql<OperatorRow> =>
  sql<OperatorRow>`select ${columns} ${from} where ${condition} for update of o`;

/** An operator by e-mail address, locked: changes of one operator come one after the other. */
export const lockOperator = (tx: Tx, email: string) =>
  tx.maybeOne(lockedWhere(sql`o.email = ${email.trim().toLowerCase()}`));

/** The same by id. */
export const lockOperatorById = (tx: Tx, id: string) => tx.maybeOne(lockedWhere(sql`o.id = ${id}`));

/** An operator who is not shut out. */
export const findOperator = (db: Db, id: string) =>
  db.maybeOne<OperatorRow>(sql`select ${columns} ${from} where o.id = ${id} and o.disabled_at is null`);

/** Who may ask for a new password: whoever has one and is not shut out. */
export const findResettableId = (db: Db, email: string) =>
  db.maybeOne<{ id: string }>(sql`
    select id from operator
     where email = ${email.toLowerCase()} and disabled_at is null and password_hash is not null`);

/**
 * Who signs in, and whether from where they have been.
 * @param since older visits do not make a place their own
 */
export const findSigningIn = (db: Db, email: string, network: string, since: Date) =>
  db.maybeOne<OperatorRow & { from_own_place: boolean }>(sql`
    select ${columns},
           exists (select from operator_session s
                    where s.operator_id = o.id and s.network = ${network} and s.last_used_at > ${since}) as from_own_place
      ${from} where o.email = ${email.toLowerCase()} and o.disabled_at is null`);

export interface ListedOperator extends OperatorRow {
  last_used_at: Date | null;
  /** Of the invitation that is open. */
  invited_until: Date | null;
  is_mailed: boolean | null;
  /** Of its mail, once it was tried. */
  mail_state: MailState | null;
  mail_problem: string | null;
}

/** How an operator stands: `noWayIn` where the invitation has run out or was withdrawn. */
export function stateOf(
  { disabled_at, password_hash, sso_subject, invited_until }: ListedOperator,
  now: Date,
): 'active' | 'invited' | 'noWayIn' | 'disabled' {
  if (disabled_at !== null) return 'disabled';
  if (password_hash !== null || sso_subject !== null) return 'active';
  return invited_until === null || invited_until <= now ? 'noWayIn' : 'invited';
}

/** Operators by address. @param resellerId undefined: all, those of the installation included */
export const listOperators = (db: Db, resellerId: number | undefined) =>
  db.many<ListedOperator>(sql`
    select ${columns},
           (select max(s.last_used_at) from operator_session s where s.operator_id = o.id) as last_used_at,
           i.expires_at as invited_until, i.is_mailed, m.state as mail_state, m.reason as mail_problem
      ${from}
      left join lateral (
        select expires_at, created_at, is_mailed from operator_invitation
         where operator_id = o.id and ended_at is null order by created_at desc limit 1) i on true
      -- The job that mails an invitation makes it anew, so what is older was about another one.
      left join lateral (
        select state, tries -> -1 ->> 'reason' as reason from mail
         where operator_id = o.id and kind = 'operatorInvitation' and updated_at >= i.created_at
         order by id desc limit 1) m on i.is_mailed
     where ${resellerId ?? null}::int is null or o.reseller_id = ${resellerId ?? null}
     order by o.email`);

export const insertOperator = (
  tx: Tx,
  row: Pick<OperatorRow, 'id' | 'reseller_id' | 'email' | 'display_name' | 'role' | 'created_at'>,
) =>
  tx.execute(sql`
    insert into operator (id, reseller_id, email, display_name, role, created_at)
    values (${row.id}, ${row.reseller_id}, ${row.email}, ${row.display_name}, ${row.role}, ${row.created_at})
    on conflict (email) do nothing`);

export const updateOperator = (
  tx: Tx,
  row: Pick<OperatorRow, 'id' | 'reseller_id' | 'display_name' | 'role' | 'disabled_at'>,
) =>
  tx.execute(sql`
    update operator
       set reseller_id = ${row.reseller_id}, display_name = ${row.display_name}, role = ${row.role},
           disabled_at = ${row.disabled_at}
     where id = ${row.id}`);

/** What an operator signs in with; null takes both away. */
export const setWayIn = (
  tx: Tx,
  id: string,
  way: { readonly passwordHash: string; readonly otpSecret: Buffer; readonly step: number } | null,
) =>
  tx.execute(sql`
    update operator
       set password_hash = ${way?.passwordHash ?? null}, otp_secret = ${way?.otpSecret ?? null}::bytea,
           last_step = ${way?.step ?? null}
     where id = ${id}`);

export const setPassword = (tx: Tx, id: string, passwordHash: string) =>
  tx.execute(sql`update operator set password_hash = ${passwordHash} where id = ${id}`);

/** With all that is theirs; what they did stays in the audit trail. */
export const deleteOperator = (tx: Tx, id: string) => tx.execute(sql`delete from operator where id = ${id}`);

export const takeStep = (tx: Tx, id: string, step: number) =>
  tx.execute(sql`update operator set last_step = ${step} where id = ${id}`);

export interface InvitationRow {
  operator_id: string;
  otp_secret: Buffer;
  /** It goes by mail; else the link is handed over by who made it. */
  is_mailed: boolean;
}

/** An earlier invitation of the operator ends. */
export async function insertInvitation(
  tx: Tx,
  row: InvitationRow & { readonly hash: Buffer; readonly now: Date; readonly expiresAt: Date },
): Promise<void> {
  await endInvitations(tx, row.operator_id, row.now);
  await tx.execute(sql`
    insert into operator_invitation (hash, operator_id, otp_secret, is_mailed, created_at, expires_at)
    values (${row.hash}, ${row.operator_id}, ${row.otp_secret}, ${row.is_mailed}, ${row.now}, ${row.expiresAt})`);
}

export const endInvitations = (tx: Tx, operatorId: string, now: Date) =>
  tx.execute(sql`
    update operator_invitation set ended_at = ${now} where operator_id = ${operatorId} and ended_at is null`);

/** Whether a mailed invitation of the operator is open. */
export const hasMailedInvitation = async (tx: Tx, operatorId: string, now: Date): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select 1 from operator_invitation
     where operator_id = ${operatorId} and is_mailed and ended_at is null and expires_at > ${now} limit 1`)) !==
  undefined;

/** An invitation that may be followed now. */
export const findInvitation = (db: Db, hash: Buffer, now: Date) =>
  db.maybeOne<Omit<InvitationRow, 'is_mailed'> & Pick<OperatorRow, 'email' | 'display_name' | 'is_demo'>>(sql`
    select i.operator_id, i.otp_secret, o.email, o.display_name, coalesce(r.is_demo, false) as is_demo
      from operator_invitation i join operator o on o.id = i.operator_id left join reseller r on r.id = o.reseller_id
     where i.hash = ${hash} and i.ended_at is null and i.expires_at > ${now} and o.disabled_at is null`);

/** Uses an invitation up. @returns 1, or 0 when somebody was faster */
export const spendInvitation = (tx: Tx, hash: Buffer, now: Date) =>
  tx.execute(sql`
    update operator_invitation set ended_at = ${now}
     where hash = ${hash} and ended_at is null and expires_at > ${now}`);

export const insertReset = (
  tx: Tx,
  row: { readonly hash: Buffer; readonly operatorId: string; readonly now: Date; readonly expiresAt: Date },
) =>
  tx.execute(sql`
    insert into operator_reset (hash, operator_id, created_at, expires_at)
    values (${row.hash}, ${row.operatorId}, ${row.now}, ${row.expiresAt})`);

export const endResets = (tx: Tx, operatorId: string, now: Date) =>
  tx.execute(sql`
    update operator_reset set ended_at = ${now} where operator_id = ${operatorId} and ended_at is null`);

/** Whose reset link it is, while it is good. */
export const findReset = (db: Db, hash: Buffer, now: Date) =>
  db.maybeOne<OperatorRow>(sql`
    select ${columns} ${from} join operator_reset t on t.operator_id = o.id
     where t.hash = ${hash} and t.ended_at is null and t.expires_at > ${now} and o.disabled_at is null`);

/** Uses a reset link up. @returns 1, or 0 when another use came first */
export const spendReset = (tx: Tx, hash: Buffer, now: Date) =>
  tx.execute(sql`
    update operator_reset set ended_at = ${now} where hash = ${hash} and ended_at is null and expires_at > ${now}`);

export interface SessionRow extends OperatorRow {
  session_id: string;
  signed_in_at: Date;
  last_used_at: Date;
}

/** The session of a cookie, with its operator as they are now. */
export const findSession = (db: Db, hash: Buffer, now: Date) =>
  db.maybeOne<SessionRow>(sqlOnce`
    select ${columns}, s.id as session_id, s.created_at as signed_in_at, s.last_used_at
      from operator_session s join operator o on o.id = s.operator_id left join reseller r on r.id = o.reseller_id
     where s.hash = ${hash} and s.ended_at is null and s.expires_at > ${now} and o.disabled_at is null`);

export type SignInMethod = 'password' | 'passkey' | 'sso';

export interface NewSession {
  readonly id: string;
  readonly hash: Buffer;
  readonly operatorId: string;
  readonly now: Date;
  readonly expiresAt: Date;
  readonly address: string;
  readonly network: string;
  readonly agent: string;
  readonly method: SignInMethod;
  readonly passkeyId: string | null;
}

export const insertSession = (tx: Tx, row: NewSession) =>
  tx.execute(sql`
    insert into operator_session
      (id, hash, operator_id, created_at, last_used_at, expires_at, address, network, agent, method, passkey_id)
    values (${row.id}, ${row.hash}, ${row.operatorId}, ${row.now}, ${row.now}, ${row.expiresAt}, ${row.address},
            ${row.network}, ${row.agent}, ${row.method}, ${row.passkeyId})`);

export const touchSession = (tx: Tx, id: string, now: Date, expiresAt: Date) =>
  tx.execute(sql`
    update operator_session set last_used_at = ${now}, expires_at = ${expiresAt} where id = ${id}`);

export type SessionEnd = 'logout' | 'elsewhere' | 'disabled' | 'reset' | 'changed' | 'password' | 'passkey';

/** Ends one session of an operator. @returns 1, or 0 where there is none of theirs that lives */
export const endSession = (tx: Tx, operatorId: string, id: string, reason: SessionEnd, now: Date) =>
  tx.execute(sql`
    update operator_session set ended_at = ${now}, end_reason = ${reason}
     where id = ${id} and operator_id = ${operatorId} and ended_at is null and expires_at > ${now}`);

/** Ends the sessions of an operator. @returns how many */
export const endSessions = (tx: Tx, operatorId: string, reason: SessionEnd, now: Date) =>
  tx.execute(sql`
    update operator_session set ended_at = ${now}, end_reason = ${reason}
     where operator_id = ${operatorId} and ended_at is null`);

/** When the operator of a session signed in, and whether they have an authenticator app. */
export const findOwnSession = (db: Db, operatorId: string, id: string) =>
  db.maybeOne<{ created_at: Date; has_app: boolean }>(sql`
    select s.created_at, o.otp_secret is not null as has_app
      from operator_session s join operator o on o.id = s.operator_id
     where s.id = ${id} and s.operator_id = ${operatorId}`);

/** Ends an operator's sessions that were begun with a passkey, but for the one asked from. @returns how many */
export const endSessionsBegunWith = (
  tx: Tx,
  own: {
    readonly operatorId: string;
    readonly sessionId: string;
    readonly passkeyId: string;
    readonly now: Date;
  },
) =>
  tx.execute(sql`
    update operator_session set ended_at = ${own.now}, end_reason = 'passkey'
     where operator_id = ${own.operatorId} and id <> ${own.sessionId} and passkey_id = ${own.passkeyId}
       and ended_at is null`);

/** The counter of a passkey, which is locked until the session is made; undefined where it is gone. */
export async function lockPasskey(tx: Tx, id: string): Promise<number | undefined> {
  const row = await tx.maybeOne<{ counter: bigint }>(sql`
    select counter from operator_passkey where id = ${id} for update`);
  return row === undefined ? undefined : Number(row.counter);
}

export const deletePasskeys = (tx: Tx, operatorId: string) =>
  tx.execute(sql`delete from operator_passkey where operator_id = ${operatorId}`);

interface PlaceRow {
  id: string;
  created_at: Date;
  last_used_at: Date;
  address: string;
  agent: string;
  method: SignInMethod;
}

export const listSessions = (db: Db, operatorId: string, now: Date) =>
  db.many<PlaceRow>(sql`
    select id, created_at, last_used_at, address, agent, method from operator_session
     where operator_id = ${operatorId} and ended_at is null and expires_at > ${now}
     order by last_used_at desc, id`);

export const isReseller = async (db: Db, id: number): Promise<boolean> =>
  (await db.maybeOne(sql`select 1 from reseller where id = ${id}`)) !== undefined;

/** For whom an operator may act, by name. @param own null: all of them */
export const resellersOf = (db: Db, own: number | null, isDemo: boolean) =>
  db.many<{ id: number; name: string }>(sql`
    select id, name from reseller
     where (${own}::int is null or id = ${own}) and (${isDemo} or not is_demo) order by name, id`);

/** Owners of a reseller and of the installation who can sign in. */
export const findOwners = (db: Db, resellerId: number) =>
  db.many<{ id: string }>(sql`
    select id from operator
     where role = 'owner' and disabled_at is null and (reseller_id = ${resellerId} or reseller_id is null)
       and (password_hash is not null or sso_subject is not null) order by id`);
