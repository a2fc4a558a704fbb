import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { OperatorRow } from './queries.ts';

export interface SsoRow {
  id: string;
  reseller_id: number | null;
  name: string;
  issuer: string;
  client_id: string;
  client_secret: Buffer | null;
  is_demanded: boolean;
  updated_at: Date;
}

const columns = sql`
  s.id, s.reseller_id, s.name, s.issuer, s.client_id, s.client_secret, s.is_demanded, s.updated_at`;

/** Settings of a reseller, or of the installation (null). */
export const findSso = (db: Db, resellerId: number | null) =>
  db.maybeOne<SsoRow>(sql`
    select ${columns} from operator_sso s where s.reseller_id is not distinct from ${resellerId}::int`);

/** Those that people find by a name. */
export const findSsoByName = (db: Db, nameKey: string) =>
  db.maybeOne<SsoRow>(sql`select ${columns} from operator_sso s where s.name_key = ${nameKey}`);

/** Those that an operator signs in by: of their reseller, else of the installation. */
export const findSsoOf = (db: Db, { reseller_id: resellerId }: Pick<OperatorRow, 'reseller_id'>) =>
  db.maybeOne<SsoRow>(sql`
    select ${columns} from operator_sso s
     where s.reseller_id = ${resellerId}::int or s.reseller_id is null order by s.reseller_id nulls last limit 1`);

/** Whether single sign-on is demanded of an operator; never of an owner of the installation, who could not mend it. */
export const isSsoDemanded = async (
  db: Db,
  { reseller_id: resellerId, role }: Pick<OperatorRow, 'reseller_id' | 'role'>,
): Promise<boolean> =>
  !(role === 'owner' && resellerId === null) &&
  (await db.maybeOne(sql`
    select 1 from operator_sso
     where is_demanded and (reseller_id = ${resellerId}::int or reseller_id is null) limit 1`)) !== undefined;

/** With how many have signed in by each. @param resellerId undefined: of all */
export const listSso = (db: Db, resellerId: number | undefined) =>
  db.many<SsoRow & { people: number }>(sql`
    select ${columns}, (select count(*)::int from operator o where o.sso_issuer = s.issuer
                           and (s.reseller_id is null or o.reseller_id = s.reseller_id)) as people
      from operator_sso s
     where ${resellerId ?? null}::int is null or s.reseller_id = ${resellerId ?? null}
     order by s.reseller_id nulls first`);

export const lockSso = (tx: Tx, resellerId: number | null) =>
  tx.maybeOne<SsoRow>(sql`
    select ${columns} from operator_sso s where s.reseller_id is not distinct from ${resellerId}::int for update`);

/** @throws {DatabaseError} unique violation: the name is another's */
export const putSso = (
  tx: Tx,
  row: Omit<SsoRow, 'updated_at'> & { readonly nameKey: string; readonly now: Date },
) =>
  tx.execute(sql`
    insert into operator_sso
      (id, reseller_id, name, name_key, issuer, client_id, client_secret, is_demanded, created_at, updated_at)
    values (${row.id}, ${row.reseller_id}, ${row.name}, ${row.nameKey}, ${row.issuer}, ${row.client_id},
            ${row.client_secret}, ${row.is_demanded}, ${row.now}, ${row.now})
    on conflict (id) do update
       set name = excluded.name, name_key = excluded.name_key, issuer = excluded.issuer,
           client_id = excluded.client_id, client_secret = excluded.client_secret,
           is_demanded = excluded.is_demanded, updated_at = excluded.updated_at`);

export const deleteSso = (tx: Tx, id: string) => tx.execute(sql`delete from operator_sso where id = ${id}`);

/** Ends sessions that were not begun by single sign-on, of whom it is demanded, but for one. @returns how many */
export const endOtherSessions = (
  tx: Tx,
  {
    resellerId,
    kept,
    now,
  }: { readonly resellerId: number | null; readonly kept: string | null; readonly now: Date },
) =>
  tx.execute(sql`
    update operator_session s set ended_at = ${now}, end_reason = 'changed'
      from operator o
     where o.id = s.operator_id and s.ended_at is null and s.method <> 'sso' and s.id is distinct from ${kept}::uuid
       and not (o.role = 'owner' and o.reseller_id is null)
       and (${resellerId}::int is null or o.reseller_id = ${resellerId}::int)`);

/** @throws {DatabaseError} unique violation: the provider's person is another operator already */
export const bindSso = (tx: Tx, id: string, issuer: string, subject: string) =>
  tx.execute(sql`update operator set sso_issuer = ${issuer}, sso_subject = ${subject} where id = ${id}`);

export const unbindSso = (tx: Tx, id: string) =>
  tx.execute(sql`update operator set sso_issuer = null, sso_subject = null where id = ${id}`);

export interface NewAttempt {
  readonly stateHash: Buffer;
  readonly ssoId: string;
  readonly cookieHash: Buffer;
  readonly nonce: string;
  readonly verifierSealed: Buffer;
  readonly origin: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

export const insertAttempt = (tx: Tx, row: NewAttempt) =>
  tx.execute(sql`
    insert into operator_sso_attempt
      (state_hash, operator_sso_id, cookie_hash, nonce, verifier_sealed, origin, created_at, expires_at)
    values (${row.stateHash}, ${row.ssoId}, ${row.cookieHash}, ${row.nonce}, ${row.verifierSealed}, ${row.origin},
            ${row.now}, ${row.expiresAt})`);

/** Forgets some of what ended before a moment: anybody may begin a sign-in, so what is left over must not pile up. */
export const forgetAttempts = (tx: Tx, before: Date) =>
  tx.execute(sql`
    delete from operator_sso_attempt where state_hash in (
      select state_hash from operator_sso_attempt where expires_at < ${before} limit 100 for update skip locked)`);

/** Uses a visit up, for the browser that began it; of many returns at once one gets it. */
export const spendAttempt = (tx: Tx, stateHash: Buffer, cookieHash: Buffer, now: Date) =>
  tx.maybeOne<SsoRow & { nonce: string; verifier_sealed: Buffer; origin: string }>(sql`
    update operator_sso_attempt a set used_at = ${now}
      from operator_sso s
     where a.state_hash = ${stateHash} and a.cookie_hash = ${cookieHash}
       and a.used_at is null and a.expires_at > ${now} and s.id = a.operator_sso_id
    returning ${columns}, a.nonce, a.verifier_sealed, a.origin`);

/** What the sign-in page offers. */
export const findWays = (db: Db) =>
  db.one<{ of_installation: boolean; by_name: boolean }>(sql`
    select exists (select from operator_sso where reseller_id is null) as of_installation,
           exists (select from operator_sso where reseller_id is not null) as by_name`);
