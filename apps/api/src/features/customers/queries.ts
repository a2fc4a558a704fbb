import type { Db, Tx } from '../../db/database.ts';
import { lockByCustomer } from '../../db/lock-rows.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { StoredAddress } from '../../letters/sender.ts';

export interface CustomerRow {
  customer_id: string;
  reseller_id: number;
  brand_id: number | null;
  external_ref: string | null;
  label: string;
  email: string | null;
  address: StoredAddress;
  country: string | null;
  created_at: Date;
  disabled_at: Date | null;
  version: number;
}

const columns = sql`c.customer_id, c.reseller_id, c.brand_id, c.external_ref, c.label, c.email, c.address, c.country,
  c.created_at, c.disabled_at, c.version`;

const ofReseller = (resellerId: number | undefined): Sql =>
  sql`(${resellerId ?? null}::int is null or c.reseller_id = ${resellerId ?? null})`;

/** @param resellerId whose it has to be; undefined: anybody's */
export const findCustomer = (db: Db, resellerId: number | undefined, customerId: string) =>
  db.maybeOne<CustomerRow>(sql`
    select ${columns} from customer c where c.customer_id = ${customerId} and ${ofReseller(resellerId)}`);

/** The same, locked until the transaction ends. */
export const lockCustomer = (tx: Tx, resellerId: number | undefined, customerId: string) =>
  tx.maybeOne<CustomerRow>(sql`
    select ${columns} from customer c where c.customer_id = ${customerId} and ${ofReseller(resellerId)}
       for no key update`);

/** Those of these customers that are a reseller's, locked in the order of their ids. */
export async function lockCustomers(
  tx: Tx,
  resellerId: number,
  customerIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await lockByCustomer(
    tx,
    customerIds,
    (these) => sql<{ customer_id: string }>`
      select c.customer_id from customer c
       where c.customer_id = ${these} and c.reseller_id = ${resellerId} order by c.customer_id for no key update`,
  );
  return new Set(rows.map((row) => row.customer_id));
}

/** Customers by the provider's own references, locked in the order of their ids. */
export async function lockCustomersByReference(
  tx: Tx,
  resellerId: number,
  references: readonly string[],
): Promise<(CustomerRow & { reference: string })[]> {
  const named = await namedByReference(tx, resellerId, references);
  const rows = await lockByCustomer(
    tx,
    named.map((row) => row.customer_id),
    (these) => sql<CustomerRow>`
      select ${columns} from customer c where c.customer_id = ${these} order by c.customer_id for no key update`,
  );
  const known = new Map(rows.map((row) => [row.customer_id, row]));
  return named.flatMap(({ customer_id: id, reference }) => {
    const row = known.get(id);
    return row === undefined ? [] : [{ ...row, reference }];
  });
}

export async function findCustomerByReference(
  db: Db,
  resellerId: number,
  reference: string,
): Promise<CustomerRow | undefined> {
  const [named] = await namedByReference(db, resellerId, [reference]);
  return named && findCustomer(db, resellerId, named.customer_id);
}

const namedByReference = (db: Db, resellerId: number, references: readonly string[]) =>
  db.many<{ customer_id: string; reference: string }>(sql`
    select customer_id, value as reference from customer_identity
     where reseller_id = ${resellerId} and kind = 'externalRef' and value = any(${[...references]}::text[])`);

export interface CustomerFilter {
  /** Undefined: of all resellers. */
  readonly resellerId: number | undefined;
  readonly reference?: string | undefined;
  /** In small letters. */
  readonly email?: string | undefined;
  /** How its name begins. */
  readonly label?: string | undefined;
  readonly status?: 'active' | 'disabled' | undefined;
  /** The id after which the page begins. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** In the order in which they were made, with how many users each has. */
export async function listCustomers(
  db: Db,
  of: CustomerFilter,
): Promise<(CustomerRow & { users: number })[]> {
  const rows = await db.many<CustomerRow>(sql`
    select ${columns}
      from reseller_customer r join customer c on c.customer_id = r.customer_id
     where (${of.resellerId ?? null}::int is null or r.reseller_id = ${of.resellerId ?? null})
       and ${of.after === undefined ? sql`true` : sql`r.customer_id > ${of.after}`}
       and ${of.reference === undefined ? sql`true` : byReference(of.resellerId, of.reference)}
       and ${of.email === undefined ? sql`true` : sql`lower(c.email) = ${of.email}`}
       and ${of.label === undefined ? sql`true` : sql`lower(r.label) like ${beginning(of.label)}`}
       and ${of.status === undefined ? sql`true` : sql`(c.disabled_at is null) = ${of.status === 'active'}`}
     order by r.customer_id limit ${of.limit}`);
  const counted = await db.many<{ customer_id: string; n: number }>(sql`
    select customer_id, count(*)::int as n from membership
     where customer_id = any(${rows.map((row) => row.customer_id)}::uuid[]) group by customer_id`);
  const users = new Map(counted.map((row) => [row.customer_id, row.n]));
  return rows.map((row) => ({ ...row, users: users.get(row.customer_id) ?? 0 }));
}

const byReference = (resellerId: number | undefined, reference: string): Sql => sql`
  (r.reseller_id, r.customer_id) in (
    select i.reseller_id, i.customer_id from customer_identity i
     where (${resellerId ?? null}::int is null or i.reseller_id = ${resellerId ?? null})
       and i.kind = 'externalRef' and i.value = ${reference})`;

const beginning = (text: string): string => `${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;

/** Which of the brands that are named the reseller has. */
export async function brandsOf(db: Db, resellerId: number): Promise<ReadonlySet<number>> {
  const rows = await db.many<{ id: number }>(sql`select id from brand where reseller_id = ${resellerId}`);
  return new Set(rows.map(({ id }) => id));
}

export interface CustomerUserRow {
  id: string;
  reseller_id: number;
  email: string;
  display_name: string;
  is_active: boolean;
  has_password: boolean;
  is_member: boolean;
}

const accountColumns = sql`
  u.id, u.reseller_id, u.email, u.display_name, u.is_active, u.password_hash is not null as has_password`;

const userColumns = (customerId: string): Sql => sql`
  ${accountColumns},
  exists (select from membership m where m.user_id = u.id and m.customer_id = ${customerId}) as is_member`;

/** Who may sign in for a customer, by address. */
export const listCustomerUsers = (db: Db, customerId: string) =>
  db.many<CustomerUserRow>(sql`
    select ${userColumns(customerId)} from membership own join app_user u on u.id = own.user_id
     where own.customer_id = ${customerId} order by u.email limit 10000`);

/** Whoever has these addresses, of any reseller, locked in their order. */
export const lockUsersByEmail = (tx: Tx, emails: readonly string[]) =>
  tx.many<Omit<CustomerUserRow, 'is_member'>>(sql`
    select ${accountColumns} from app_user u where u.email = any(${[...emails]}::text[])
     order by u.email for no key update of u`);

/** Whoever has an address, of any reseller, locked. */
export const lockUserByEmail = (tx: Tx, customerId: string, email: string) =>
  tx.maybeOne<CustomerUserRow>(sql`
    select ${userColumns(customerId)} from app_user u where u.email = ${email} for no key update of u`);
