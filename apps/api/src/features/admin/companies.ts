import { newId } from '@counterfoil/domain/text/ids.ts';
import { companyKey } from '@counterfoil/domain/text/sso-error.ts';
import { type Db, isUniqueViolation, type Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Secrets } from '../../secrets.ts';
import { isSpeakable } from '../../tls.ts';
import { checkedName, requireReseller } from './checks.ts';
import { AdminRefused } from './refused.ts';

/** What is left out stays as it is; lists take the place of those before. */
export interface CompanyChange {
  readonly resellerId: number;
  readonly name: string;
  readonly issuer?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly domains?: readonly string[] | undefined;
  readonly customerIds?: readonly string[] | undefined;
  readonly requiresSso?: boolean | undefined;
  readonly isActive?: boolean | undefined;
}

interface CompanyRow {
  id: string;
  reseller_id: number;
  name: string;
  issuer: string | null;
  client_id: string | null;
  client_secret: Buffer | null;
  requires_sso: boolean;
  is_active: boolean;
}

/**
 * Makes a company known, or changes it. Without a provider it is one that has no single sign-on.
 * @throws {AdminRefused} for what does not belong together, or would let nobody sign in
 */
export async function setCompany(
  tx: Tx,
  secrets: Secrets,
  change: CompanyChange,
  now: Date,
): Promise<{ id: string; isNew: boolean }> {
  await requireReseller(tx, change.resellerId);
  const known = await lockCompany(tx, change.name);
  if (known !== undefined && known.reseller_id !== change.resellerId) {
    throw new AdminRefused(`'${known.name}' is a company of reseller ${known.reseller_id}`);
  }
  const id = known?.id ?? newId(now.getTime());
  const name = checkedName('name of the company', change.name);
  const { issuer, clientId, clientSecret } = registrationAfter(known, change, (secret) =>
    secrets.seal(secret, id),
  );
  const requires = change.requiresSso ?? known?.requires_sso ?? false;
  if (requires && issuer === null)
    throw new AdminRefused('what is required must exist: give --issuer and --client-id');
  const isActive = change.isActive ?? known?.is_active ?? true;
  await tx.execute(sql`
    insert into company (id, reseller_id, name, name_key, issuer, client_id, client_secret, requires_sso, is_active, created_at)
    values (${id}, ${change.resellerId}, ${name}, ${companyKey(name)}, ${issuer}, ${clientId}, ${clientSecret},
            ${requires}, ${isActive}, ${now})
    on conflict (id) do update set
      name = excluded.name, issuer = excluded.issuer, client_id = excluded.client_id,
      client_secret = excluded.client_secret, requires_sso = excluded.requires_sso, is_active = excluded.is_active`);
  if (change.domains !== undefined) await replaceDomains(tx, id, change.domains);
  if (change.customerIds !== undefined) await replaceCustomers(tx, id, change.resellerId, change.customerIds);
  await refuseUseless(tx, id, { hasSso: issuer !== null, requires });
  return { id, isNew: known === undefined };
}

function registrationAfter(
  known: CompanyRow | undefined,
  change: CompanyChange,
  seal: (secret: string) => Buffer,
) {
  const issuer = change.issuer === undefined ? (known?.issuer ?? null) : checkedIssuer(change.issuer);
  const given = change.clientId === undefined ? undefined : checkedName('client id', change.clientId);
  const secret =
    change.clientSecret === undefined ? undefined : checkedName('client secret', change.clientSecret);
  if (issuer === null) {
    if (given === undefined && secret === undefined) return { issuer, clientId: null, clientSecret: null };
    throw new AdminRefused('a client belongs to a provider: give --issuer');
  }
  // What was agreed with one provider is nothing to another.
  const kept = known?.issuer === issuer ? known : undefined;
  const clientId = given ?? kept?.client_id ?? null;
  if (clientId === null)
    throw new AdminRefused('give the --client-id that the provider knows this portal by');
  const isSameClient = clientId === kept?.client_id;
  const clientSecret = secret === undefined ? (isSameClient ? kept.client_secret : null) : seal(secret);
  return { issuer, clientId, clientSecret };
}

const DISCOVERY = /\/\.well-known\/openid-configuration$/;

/** An issuer as it is kept. @throws {AdminRefused} for one that cannot be spoken to safely */
export function checkedIssuer(text: string): string {
  const issuer = text.trim().replace(DISCOVERY, '');
  const url = URL.parse(issuer);
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new AdminRefused(`'${text}' is no issuer such as https://login.example.com`);
  }
  if (!isSpeakable(url))
    throw new AdminRefused('an issuer begins with https:// (http:// on this machine only)');
  return issuer;
}

const domainPattern = /^[^\s@.,;:/]+(\.[^\s@.,;:/]+)+$/;

async function replaceDomains(tx: Tx, companyId: string, domains: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from company_domain where company_id = ${companyId}`);
  for (const text of new Set(domains.map((domain) => domain.trim().replace(/^@/, '').toLowerCase()))) {
    if (!domainPattern.test(text)) throw new AdminRefused(`'${text}' is no domain such as example.com`);
    try {
      await tx.execute(sql`insert into company_domain (domain, company_id) values (${text}, ${companyId})`);
    } catch (error) {
      if (isUniqueViolation(error)) throw new AdminRefused(`the domain ${text} is that of another company`);
      throw error;
    }
  }
}

async function replaceCustomers(
  tx: Tx,
  companyId: string,
  resellerId: number,
  customerIds: readonly string[],
): Promise<void> {
  await tx.execute(sql`delete from company_customer where company_id = ${companyId}`);
  for (const customerId of new Set(customerIds)) {
    const row = await tx.maybeOne(sql`
      select 1 from reseller_customer where customer_id = ${customerId} and reseller_id = ${resellerId}`);
    if (row === undefined) throw new AdminRefused(`reseller ${resellerId} has no customer ${customerId}`);
    await tx.execute(sql`
      insert into company_customer (company_id, customer_id) values (${companyId}, ${customerId})`);
  }
}

async function refuseUseless(
  tx: Tx,
  companyId: string,
  { hasSso, requires }: { readonly hasSso: boolean; readonly requires: boolean },
): Promise<void> {
  const { customers, domains } = await tx.one<{ customers: boolean; domains: boolean }>(sql`
    select exists (select 1 from company_customer where company_id = ${companyId}) as customers,
           exists (select 1 from company_domain where company_id = ${companyId}) as domains`);
  if (hasSso && !customers) {
    throw new AdminRefused('nobody could sign in: give each --customer whose users belong to the company');
  }
  if (requires && !domains) {
    throw new AdminRefused('--require needs each --domain whose addresses must sign in through the company');
  }
}

/**
 * Takes single sign-on away from a company, and forgets the company unless its name is kept, which is then answered
 * as that of one without single sign-on.
 * @throws {AdminRefused} when there is no such company
 */
export async function removeCompany(tx: Tx, name: string, keepsName: boolean): Promise<CompanyRow> {
  const known = await requireCompany(tx, name);
  await (keepsName
    ? tx.execute(sql`
        update company set issuer = null, client_id = null, client_secret = null, requires_sso = false
         where id = ${known.id}`)
    : tx.execute(sql`delete from company where id = ${known.id}`));
  return known;
}

const lockCompany = (tx: Tx, name: string) =>
  tx.maybeOne<CompanyRow>(sql`
    select id, reseller_id, name, issuer, client_id, client_secret, requires_sso, is_active from company
     where name_key = ${companyKey(name)} for no key update`);

/** @throws {AdminRefused} when there is no such company */
export async function requireCompany(tx: Tx, name: string): Promise<CompanyRow> {
  const row = await lockCompany(tx, name);
  if (row === undefined) throw new AdminRefused(`there is no company '${name}'`);
  return row;
}

/** Companies of one reseller or of all, without secrets. */
export const listCompanies = (db: Db, resellerId?: number) =>
  db.many<{
    id: string;
    reseller_id: number;
    name: string;
    issuer: string | null;
    client_id: string | null;
    has_secret: boolean;
    requires_sso: boolean;
    is_active: boolean;
    domains: string[];
    customer_ids: string[];
  }>(sql`
    select id, reseller_id, name, issuer, client_id, client_secret is not null as has_secret, requires_sso, is_active,
           array(select domain from company_domain where company_id = c.id order by domain) as domains,
           array(select customer_id::text from company_customer where company_id = c.id order by customer_id)
             as customer_ids
      from company c
     where ${resellerId ?? null}::int is null or reseller_id = ${resellerId ?? null}
     order by reseller_id, name_key`);

/** Host names of a reseller's portals, the main one of each brand first. */
export const portalHosts = async (db: Db, resellerId: number): Promise<string[]> =>
  (
    await db.many<{ host: string }>(sql`
      select h.host from brand_host h join brand b on b.id = h.brand_id
       where b.reseller_id = ${resellerId} order by b.id, h.is_main desc, h.host`)
  ).map(({ host }) => host);

/** Active users of a company's customers, and those of them who see others too with an address of no domain of it. */
export const companyPeople = (db: Db, companyId: string) =>
  db.one<{ people: number; shut_out: string[] }>(sql`
    with person as (
      select u.email,
             exists (select 1 from membership m where m.user_id = u.id and m.customer_id not in
                       (select customer_id from company_customer where company_id = c.id))
             and not exists (select 1 from company_domain d
                              where d.company_id = c.id and d.domain = split_part(u.email, '@', 2)) as is_shut_out
        from company c join app_user u on u.reseller_id = c.reseller_id and u.is_active
       where c.id = ${companyId}
         and exists (select 1 from membership m join company_customer cc using (customer_id)
                      where m.user_id = u.id and cc.company_id = c.id))
    select count(*) filter (where not is_shut_out)::int as people,
           coalesce(array_agg(email order by email) filter (where is_shut_out), '{}') as shut_out from person`);
