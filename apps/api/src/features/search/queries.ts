import type { Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** What is looked for: whose, and how it begins. */
export interface Search {
  readonly resellerId: number;
  /** As it was typed. */
  readonly text: string;
  readonly limit: number;
}

/** A pattern for `like`, in small letters. */
const beginning = (text: string): string => `${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;

/**
 * Rows whose expression begins so, in the order of the index of that expression, so that no more are read than are shown
 * however many begin so.
 */
const begins = (expression: Sql, { text, limit }: Search): Sql => sql`
  ${expression} like ${beginning(text)} order by ${expression} using ~<~ limit ${limit}`;

export interface FoundCustomer {
  customer_id: string;
  external_ref: string | null;
  label: string;
  email: string | null;
  disabled_at: Date | null;
  matched: string;
}

const customersOf = (found: Sql) => sql<FoundCustomer>`
  select c.customer_id, c.external_ref, c.label, c.email, c.disabled_at, f.matched
    from (${found}) f join customer c on c.customer_id = f.customer_id`;

/** Customers whose name begins so. */
export const findByLabel = (db: Db, search: Search) =>
  db.many(
    customersOf(sql`
      select customer_id, label as matched from reseller_customer
       where reseller_id = ${search.resellerId} and ${begins(sql`lower(label)`, search)}`),
  );

/** Customers of whose name words begin so, all that were typed. @param words letters and digits only, at least one */
export const findByWords = (db: Db, { resellerId, limit }: Search, words: readonly string[]) =>
  db.many(
    customersOf(sql`
      select customer_id, label as matched from reseller_customer
       where reseller_id = ${resellerId}
         and to_tsvector('simple', label) @@ to_tsquery('simple', ${words.map((word) => `${word}:*`).join(' & ')})
       limit ${limit}`),
  );

/** Customers whose e-mail address begins so. */
export const findByEmail = (db: Db, search: Search) =>
  db.many(
    customersOf(sql`
      select customer_id, email as matched from customer
       where reseller_id = ${search.resellerId} and email is not null and ${begins(sql`lower(email)`, search)}`),
  );

/** Customers that are known by something that begins so: a reference, an account code, an address of imports. */
export const findByIdentity = (db: Db, search: Search) =>
  db.many(
    customersOf(sql`
      select customer_id, value as matched from customer_identity
       where reseller_id = ${search.resellerId} and ${begins(sql`lower(value)`, search)}`),
  );

export interface FoundUser {
  id: string;
  email: string;
  display_name: string;
  is_active: boolean;
  customer_ids: string[];
}

const usersWho = (search: Search, expression: Sql) => sql<FoundUser>`
  select u.id, u.email, u.display_name, u.is_active,
         array(select m.customer_id from membership m where m.user_id = u.id order by m.customer_id limit 10) as customer_ids
    from (select * from app_user where reseller_id = ${search.resellerId} and ${begins(expression, search)}) u`;

/** Users whose e-mail address begins so. */
export const findUsersByEmail = (db: Db, search: Search) => db.many(usersWho(search, sql`email`));

/** Users whose name begins so. */
export const findUsersByName = (db: Db, search: Search) =>
  db.many(usersWho(search, sql`lower(display_name)`));

export interface FoundInvoice {
  id: string;
  number: string;
  kind: 'invoice' | 'creditNote';
  status: number;
  customer_id: string;
  customer: string;
  issued_on: string;
  payable_minor: bigint;
  currency: string;
}

/** Invoices and credit notes whose number begins so. */
export const findInvoices = (db: Db, search: Search) =>
  db.many<FoundInvoice>(sql`
    select i.id, i.number, i.kind, i.status, i.customer_id, c.label as customer, i.issued_on, i.payable_minor, i.currency
      from (select * from invoice where reseller_id = ${search.resellerId} and ${begins(sql`lower(number)`, search)}) i
      join customer c on c.customer_id = i.customer_id`);

export interface FoundItem {
  id: string;
  number: string;
  name: string;
  customer_id: string;
  customer: string;
}

/** Service items of which a number begins so. */
export const findServiceItems = (db: Db, search: Search) =>
  db.many<FoundItem>(sql`
    select s.id, n.number, s.name, s.customer_id, c.label as customer
      from (select * from service_item_number
             where reseller_id = ${search.resellerId} and ${begins(sql`lower(number)`, search)}) n
      join service_item s on s.customer_id = n.customer_id and s.id = n.service_item_id
      join customer c on c.customer_id = n.customer_id`);
