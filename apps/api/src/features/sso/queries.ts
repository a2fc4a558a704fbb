import type { Db, Tx } from '../../db/database.ts';
import { sql, sqlOnce } from '../../db/sql.ts';

export interface CompanyRow {
  id: string;
  reseller_id: number;
  name: string;
  issuer: string | null;
  client_id: string | null;
  client_secret: Buffer | null;
}

/** A company that is not blocked, by the key of its name. */
export const findCompany = (db: Db, nameKey: string) =>
  db.maybeOne<CompanyRow>(sql`
    select id, reseller_id, name, issuer, client_id, client_secret from company
     where name_key = ${nameKey} and is_active`);

/** The name of the company that requires single sign-on of addresses in this domain. */
export const findRequiringCompany = (db: Db, domain: string) =>
  db.maybeOne<{ name: string }>(sqlOnce`
    select c.name from company_domain d join company c on c.id = d.company_id
     where d.domain = ${domain} and c.requires_sso and c.is_active and c.issuer is not null`);

export interface NewAttempt {
  readonly stateHash: Buffer;
  readonly companyId: string;
  readonly cookieHash: Buffer;
  readonly nonce: string;
  readonly verifierSealed: Buffer;
  readonly origin: string;
  readonly r: string | null;
  readonly now: Date;
  readonly expiresAt: Date;
}

export const insertAttempt = (tx: Tx, attempt: NewAttempt) =>
  tx.execute(sql`
    insert into sso_attempt (state_hash, company_id, cookie_hash, nonce, verifier_sealed, origin, r, created_at, expires_at)
    values (${attempt.stateHash}, ${attempt.companyId}, ${attempt.cookieHash}, ${attempt.nonce},
            ${attempt.verifierSealed}, ${attempt.origin}, ${attempt.r}, ${attempt.now}, ${attempt.expiresAt})`);

/** Forgets some of what ended before a moment: anybody may begin a sign-in, so what is left over must not pile up. */
export const forgetEnded = async (tx: Tx, before: Date): Promise<void> => {
  await tx.execute(sql`
    delete from sso_attempt where state_hash in (
      select state_hash from sso_attempt where expires_at < ${before} limit 100 for update skip locked)`);
  await tx.execute(sql`
    delete from sso_code where hash in (
      select hash from sso_code where expires_at < ${before} limit 100 for update skip locked)`);
};

export interface AttemptRow extends CompanyRow {
  nonce: string;
  verifier_sealed: Buffer;
  origin: string;
  r: string | null;
}

/** Uses a visit up, for the browser that began it; of many returns at once one gets it. */
export const spendAttempt = (tx: Tx, stateHash: Buffer, cookieHash: Buffer, now: Date) =>
  tx.maybeOne<AttemptRow>(sql`
    update sso_attempt a set used_at = ${now}
      from company c
     where a.state_hash = ${stateHash} and a.cookie_hash = ${cookieHash}
       and a.used_at is null and a.expires_at > ${now} and c.id = a.company_id and c.is_active
    returning c.id, c.reseller_id, c.name, c.issuer, c.client_id, c.client_secret,
              a.nonce, a.verifier_sealed, a.origin, a.r`);

/** Why a visit cannot be used up; undefined when there never was one. */
export const findAttempt = (db: Db, stateHash: Buffer) =>
  db.maybeOne<{
    company: string;
    reseller_id: number;
    cookie_hash: Buffer;
    used_at: Date | null;
    expires_at: Date;
  }>(sql`
    select c.name as company, c.reseller_id, a.cookie_hash, a.used_at, a.expires_at
      from sso_attempt a join company c on c.id = a.company_id where a.state_hash = ${stateHash}`);

/**
 * How a user stands to a company: whether they see one of its customers, whether they see others besides, and
 * whether their address is in one of its domains.
 */
export const findStanding = (db: Db, companyId: string, userId: string, domain: string) =>
  db.one<{ belongs: boolean; sees_others: boolean; in_domain: boolean }>(sql`
    select count(cc.customer_id) > 0 as belongs,
           count(*) filter (where m.customer_id is not null and cc.customer_id is null) > 0 as sees_others,
           exists (select 1 from company_domain where company_id = ${companyId} and domain = ${domain}) as in_domain
      from (select m.customer_id from membership m
              join app_user u on u.id = m.user_id
              join company c on c.id = ${companyId} and c.reseller_id = u.reseller_id
             where m.user_id = ${userId}) m
      left join company_customer cc on cc.customer_id = m.customer_id and cc.company_id = ${companyId}`);

export interface NewCode {
  readonly hash: Buffer;
  readonly userId: string;
  readonly companyId: string;
  readonly cookieHash: Buffer;
  readonly redirectUri: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

export const insertCode = (tx: Tx, code: NewCode) =>
  tx.execute(sql`
    insert into sso_code (hash, user_id, company_id, cookie_hash, redirect_uri, created_at, expires_at)
    values (${code.hash}, ${code.userId}, ${code.companyId}, ${code.cookieHash}, ${code.redirectUri},
            ${code.now}, ${code.expiresAt})`);

export interface CodeUse {
  readonly hash: Buffer;
  readonly cookieHash: Buffer;
  readonly redirectUri: string;
  readonly now: Date;
}

const isGood = ({ hash, cookieHash, redirectUri, now }: CodeUse) => sql`
  hash = ${hash} and cookie_hash = ${cookieHash} and redirect_uri = ${redirectUri}
  and used_at is null and expires_at > ${now}`;

/** Whose code it is, while it is good in this browser. */
export const findGoodCode = (db: Db, use: CodeUse) =>
  db.maybeOne<{ user_id: string; company_id: string; company: string }>(sql`
    select s.user_id, s.company_id, c.name as company from sso_code s join company c on c.id = s.company_id and c.is_active
     where ${isGood(use)}`);

/** Uses a code up; of many uses at once one succeeds. @returns 1, or 0 when another use came first */
export const spendCode = (tx: Tx, use: CodeUse) =>
  tx.execute(sql`update sso_code set used_at = ${use.now} where ${isGood(use)}`);
