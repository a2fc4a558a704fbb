import type { Databases } from '../../deps.ts';
import { hasCitus } from '../catalogue.ts';
import { type Database, type Db, sqlState, type Tx, whyUnavailable } from '../database.ts';
import { limitLockWaits } from '../lock-waits.ts';
import { MIGRATION_LOCK } from '../migrate.ts';
import { sql } from '../sql.ts';
import { tableClasses } from '../table-classes.ts';
import { CUSTOMER_ROLE, CUSTOMER_SETTING, roleFor } from './role.ts';

const POLICY = 'rows_of_customer';
/** Compared with each row. Without a customer it is null, and no row is like null. */
const customer = `nullif(current_setting('${CUSTOMER_SETTING}', true), '')::uuid`;

/** Tables that a customer's work has nothing to do with: of operators and programs, and of the installation itself. */
const NOT_FOR_CUSTOMERS = /^(operator|api_key|key_check$|schema_migration$)/;

/** Whether the database keeps to the customer what is done for one, or in plain words why not. */
export type RowSecurity = { readonly is: 'on' } | { readonly is: 'off'; readonly why: string };

interface Role {
  readonly is: boolean;
  readonly isOurs: boolean;
  /** May look into the schema: not everywhere may everybody. */
  readonly mayEnter: boolean;
  readonly user: string;
}

/** From PostgreSQL 16 on a member may be one that only hands the membership on. */
const mayAct = sql`case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end`;

const readRole = (db: Db): Promise<Role> =>
  db.one(sql<Role>`
    select r.oid is not null as is, current_user::text as user,
           coalesce(pg_has_role(current_user, r.oid, ${mayAct}), false) as "isOurs",
           coalesce(has_schema_privilege(r.oid, 'public', 'usage'), false) as "mayEnter"
      from (select 1) one left join pg_roles r on r.rolname = ${CUSTOMER_ROLE}`);

const distributed = Object.entries(tableClasses).flatMap(([name, kind]) =>
  kind === 'distributed' ? [name] : [],
);
const RIGHTS = ['select', 'insert', 'update', 'delete'];
const hasRights = sql.raw(
  RIGHTS.map((right) => `has_table_privilege('${CUSTOMER_ROLE}', c.oid, '${right}')`).join(' and '),
);

/** Tables of which something is missing: the right to use them, a policy, or that it is asked. The role has to be there. */
const readLacking = (db: Db): Promise<readonly Lacking[]> =>
  db.many(sql<Lacking>`
    select c.relname::text as name, c.relname = any(${distributed}::text[]) as "isOfCustomers"
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relname = any(${Object.keys(tableClasses)}::text[])
       and (c.relname !~ ${NOT_FOR_CUSTOMERS.source} and not (${hasRights})
            or c.relname = any(${distributed}::text[])
               and not (c.relrowsecurity
                        and exists (select from pg_policy p where p.polrelid = c.oid and p.polname = ${POLICY})))
     order by c.relname`);

interface Lacking {
  readonly name: string;
  readonly isOfCustomers: boolean;
}

/** A table that others hold is not waited for, since all that ask for it meanwhile wait too: the next start does it. */
const LOCK_WITHIN = '2s';

/** One process at a time: PostgreSQL refuses two that grant on one thing at once. */
const alone = <T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.many(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    return work(tx);
  });

/** Each table in a transaction of its own, so that none is held while another is waited for. */
const secure = (db: Database, { name, isOfCustomers }: Lacking): Promise<void> =>
  alone(db, async (tx) => {
    await limitLockWaits(tx, LOCK_WITHIN);
    await tx.execute(sql`grant ${sql.raw(RIGHTS.join(', '))} on ${sql.id(name)} to ${sql.id(CUSTOMER_ROLE)}`);
    if (!isOfCustomers) return;
    await tx.execute(sql`drop policy if exists ${sql.id(POLICY)} on ${sql.id(name)}`);
    await tx.execute(sql`
      create policy ${sql.id(POLICY)} on ${sql.id(name)} using (customer_id = ${sql.raw(customer)})`);
    await tx.execute(sql`alter table ${sql.id(name)} enable row level security`);
  });

/** @throws where this role of the database may not */
async function ensureRole(db: Database): Promise<void> {
  const role = await readRole(db);
  if (!role.is) {
    // Of two that start together the second finds it there.
    await db.execute(sql`create role ${sql.id(CUSTOMER_ROLE)} nologin`).catch((error: unknown) => {
      if (!['42710', '23505'].includes(sqlState(error)?.code ?? '')) throw error;
    });
  }
  await alone(db, async (tx) => {
    const made = await readRole(tx);
    if (!made.isOurs) await tx.execute(sql`grant ${sql.id(CUSTOMER_ROLE)} to ${sql.id(role.user)}`);
    if (!made.mayEnter) await tx.execute(sql`grant usage on schema public to ${sql.id(CUSTOMER_ROLE)}`);
  });
}

/** Reads as the role, for a customer that nobody is. @throws where that does not work, whatever the catalogue says */
const tryOut = (db: Database): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.many(sql.raw(roleFor('00000000-0000-0000-0000-000000000000', 'commit')));
    for (const table of distributed) await tx.many(sql`select from ${sql.id(table)} limit 0`);
  });

const SPREAD: RowSecurity = { is: 'off', why: 'the database is, or may be, spread over several machines' };

/** How it stands, with nothing changed. */
export async function readRowSecurity(db: Db): Promise<RowSecurity> {
  if (await hasCitus(db)) return SPREAD;
  const role = await readRole(db);
  if (!role.is) return { is: 'off', why: `there is no role ${CUSTOMER_ROLE}` };
  if (!role.isOurs) return { is: 'off', why: `${role.user} may not act as the role ${CUSTOMER_ROLE}` };
  if (!role.mayEnter) return { is: 'off', why: `${CUSTOMER_ROLE} may not use the schema` };
  const lacking = await readLacking(db);
  if (lacking.length === 0) return { is: 'on' };
  return { is: 'off', why: `tables are not ready for it: ${lacking.map(({ name }) => name).join(', ')}` };
}

/**
 * Has the database keep to a customer what is done for one: makes the role, its rights, and a policy on each table of customers' rows, as far
 * as they are missing, and tells the pools to use them. To be run after the migrations. The owner of the tables, as which everything else is
 * done, is not concerned.
 * @throws {DatabaseUnavailable}
 */
export async function setUpRowSecurity({ web, exports, jobs }: Databases): Promise<RowSecurity> {
  if (await hasCitus(web)) return SPREAD;
  try {
    await ensureRole(web);
    for (const table of await readLacking(web)) await secure(web, table);
    await tryOut(web);
    for (const db of [web, exports, jobs]) db.keepToCustomers();
    return { is: 'on' };
  } catch (error) {
    if (sqlState(error)?.code === '42501')
      return {
        is: 'off',
        why: `the role of DATABASE_URL may not make the role ${CUSTOMER_ROLE} or may not act as it`,
      };
    if (whyUnavailable(error) !== undefined && sqlState(error) !== undefined)
      return { is: 'off', why: 'a table was held by others; the next start tries again' };
    throw error;
  }
}
