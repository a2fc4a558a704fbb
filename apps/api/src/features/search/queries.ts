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
  disabled_at: string | null;
  matched: string;
}

const customersOf = (found: Sql) => sql<FoundCustomer>`
  select c.customer_id, c.external_ref, c.label, c.email, c.disabled_at, f.matched
    from (${found}) f join customer c on c.customer_id = f.customer_id`;

/** Customers whose name begins so. */
const byLabel = (search: Search) =>
  customersOf(sql`
    select customer_id, label as matched from reseller_customer
     where reseller_id = ${search.resellerId} and ${begins(sql`lower(label)`, search)}`);

/** Of the customers that were made first, and of those that were made last: of what very many have, some are among these. */
const LOOKED_THROUGH = 500;
/** A word that so many times as many have is left to be looked at on the rows that the index finds by the others. */
const MUCH_COMMONER = 4;

/**
 * Customers of whose name words begin so, all that were typed. What very many have is found among the first and the last ones. Else
 * the index is asked, which collects all that have a word before it puts words beside each other: so for the rarest words only.
 * @param words letters and digits only; without any, nothing is found
 */
const byWords = ({ resellerId, limit }: Search, words: readonly string[]) => {
  const patterns = words.map((word) => `${word}:*`);
  const all = sql`to_tsquery('simple', ${patterns.join(' & ')})`;
  const some = (order: Sql) => sql`
    (select customer_id, label from reseller_customer where reseller_id = ${resellerId}
      order by customer_id ${order} limit ${LOOKED_THROUGH})`;
  return customersOf(sql`
    with looked_through as materialized (
      select customer_id, label, to_tsvector('simple', label) as words
        from (${some(sql`asc`)} union ${some(sql`desc`)}) r),
    common as materialized (
      select customer_id, label from looked_through where words @@ ${all} limit ${limit}),
    word as materialized (
      select pattern, (select count(*) from looked_through where words @@ query) as times
        from (select pattern, to_tsquery('simple', pattern) as query from unnest(${patterns}::text[]) pattern offset 0) p
       where (select count(*) from common) < ${limit} and (select count(*) from looked_through) = ${2 * LOOKED_THROUGH}),
    rarest as materialized (
      select string_agg(pattern, ' & ') as patterns from word
       where times <= (select ${MUCH_COMMONER} * min(times) + 1 from word))
    select customer_id, label as matched from common
     union all
    (select customer_id, label
       -- 'offset 0': the index is asked for no more than this.
       from (select customer_id, label from reseller_customer
              where (select patterns from rarest) is not null and array[reseller_id] @> array[${resellerId}::int]
                and to_tsvector('simple', label) @@ to_tsquery('simple', (select patterns from rarest)) offset 0) r
      where to_tsvector('simple', label) @@ ${all} limit ${limit})`);
};

/** Customers whose e-mail address begins so. */
const byEmail = (search: Search) =>
  customersOf(sql`
    select customer_id, email as matched from customer
     where reseller_id = ${search.resellerId} and email is not null and ${begins(sql`lower(email)`, search)}`);

/** Customers that are known by something that begins so: a reference, an account code, an address of imports. */
const byIdentity = (search: Search) =>
  customersOf(sql`
    select customer_id, value as matched from customer_identity
     where reseller_id = ${search.resellerId} and ${begins(sql`lower(value)`, search)}`);

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

export interface FoundInvoice {
  id: string;
  number: string;
  kind: 'invoice' | 'creditNote';
  status: number;
  customer_id: string;
  customer: string;
  issued_on: string;
  /** Minor units, as JSON carries them. */
  payable_minor: string;
  currency: string;
}

/** Invoices and credit notes whose number begins so. */
const invoicesOf = (search: Search) => sql<FoundInvoice>`
  select i.id, i.number, i.kind, i.status, i.customer_id, c.label as customer, i.issued_on,
         i.payable_minor::text as payable_minor, i.currency
    from (select * from invoice where reseller_id = ${search.resellerId} and ${begins(sql`lower(number)`, search)}) i
    join customer c on c.customer_id = i.customer_id`;

export interface FoundItem {
  id: string;
  number: string;
  name: string;
  customer_id: string;
  customer: string;
}

/** Service items of which a number begins so. */
const itemsOf = (search: Search) => sql<FoundItem>`
  select s.id, n.number, s.name, s.customer_id, c.label as customer
    from (select * from service_item_number
           where reseller_id = ${search.resellerId} and ${begins(sql`lower(number)`, search)}) n
    join service_item s on s.customer_id = n.customer_id and s.id = n.service_item_id
    join customer c on c.customer_id = n.customer_id`;

/** All that is found, each in the order of its index. */
export interface Found {
  readonly byLabel: readonly FoundCustomer[];
  readonly byIdentity: readonly FoundCustomer[];
  readonly byEmail: readonly FoundCustomer[];
  readonly byWords: readonly FoundCustomer[];
  readonly usersByEmail: readonly FoundUser[];
  readonly usersByName: readonly FoundUser[];
  readonly invoices: readonly FoundInvoice[];
  readonly items: readonly FoundItem[];
}

/**
 * Looks for everything in one statement: eight at once would take half of the connections for one search.
 * @param words letters and digits only
 */
export async function findAll(db: Db, search: Search, words: readonly string[]): Promise<Found> {
  const found = await db.one<Found>(sql`
    select ${listOf(byLabel(search))} as "byLabel", ${listOf(byIdentity(search))} as "byIdentity",
           ${listOf(byEmail(search))} as "byEmail",
           ${words.length === 0 ? sql`'[]'::json` : listOf(byWords(search, words))} as "byWords",
           ${listOf(usersWho(search, sql`email`))} as "usersByEmail",
           ${listOf(usersWho(search, sql`lower(display_name)`))} as "usersByName",
           ${listOf(invoicesOf(search))} as invoices, ${listOf(itemsOf(search))} as items`);
  const matched = (row: FoundCustomer) => row.matched;
  return {
    byLabel: inOrder(found.byLabel, matched),
    byIdentity: inOrder(found.byIdentity, matched),
    byEmail: inOrder(found.byEmail, matched),
    byWords: inOrder(found.byWords, matched),
    usersByEmail: inOrder(found.usersByEmail, (row) => row.email),
    usersByName: inOrder(found.usersByName, (row) => row.display_name),
    invoices: inOrder(found.invoices, (row) => row.number),
    items: inOrder(found.items, (row) => row.number),
  };
}

/** As the index has them: a join after it may bring rows in another order, and Citus does. */
function inOrder<Row>(rows: readonly Row[], of: (row: Row) => string): readonly Row[] {
  const bytes = (row: Row) => Buffer.from(of(row).toLowerCase());
  return rows.toSorted((a, b) => Buffer.compare(bytes(a), bytes(b)));
}

const listOf = (rows: Sql): Sql => sql`(select coalesce(json_agg(found), '[]') from (${rows}) found)`;
