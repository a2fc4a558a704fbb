import type { ListWindow } from '@counterfoil/contract/paging.ts';
import { currencyCodes, currencyExponent } from '@counterfoil/domain/money/currency.ts';
import type { Db } from './database.ts';
import { type Sql, sql } from './sql.ts';

/** Something that rows stand in the order of; null stands last rising and first falling. */
export interface SortKey {
  readonly by: Sql;
  readonly isDescending?: boolean;
}

/** A list that is read by the page. */
export interface PagedList {
  /** `from … where …`: all rows of the list; of several, no row is in two. Each is counted and cut by its own indexes. */
  readonly parts: readonly [Sql, ...Sql[]];
  /** They are found by a search or a filter that no index knows. */
  readonly isNarrow: boolean;
  /** How many rows the list has, where that is kept; else they are counted. */
  readonly total?: Sql<number>;
  /** The id of a row in these. */
  readonly id: Sql;
  /** The last key is no other row's. */
  readonly order: readonly [SortKey, ...SortKey[]];
  /** What is answered of a row, and where that is found: `from page p join …`, by `p.id`. */
  readonly columns: Sql;
  readonly join: Sql;
}

/**
 * A page of a list and how many rows the list has, of one moment. Keys are sorted first and the rows of the page fetched last, so
 * that what stands before a page costs no more than its keys.
 */
export async function readPage<Row>(
  db: Db,
  list: PagedList,
  { limit, offset }: ListWindow,
): Promise<{ readonly rows: Row[]; readonly total: number }> {
  const names = list.order.map((_, place) => sql.raw(`key_${place}`));
  const directed = (by: Sql, place: number) => (list.order[place]?.isDescending ? sql`${by} desc` : by);
  const order = sql.join(list.order.map((key, place) => directed(key.by, place)));
  const keys = sql.join(list.order.map((key, place) => sql`${key.by} as ${names[place]}`));
  const named = sql.join(names.map((name, place) => directed(name, place)));
  const cut = sql`limit ${limit} offset ${offset}`;
  const together = (parts: readonly Sql[]) => sql.join(parts, sql` union all `);
  // What a search finds is looked for once, and is short; all of a list is counted and cut by its indexes.
  const narrow = () => sql`
    found as materialized (${together(list.parts.map((from) => sql`select ${list.id} as id, ${keys} ${from}`))}),
         page as materialized (select * from found order by ${named} ${cut}),
         total as (select count(*)::int as n from found)`;
  const [only, ...more] = list.parts;
  // Of each part what could stand on the page.
  const begun = list.parts.map(
    (from) => sql`(select ${list.id} as id, ${keys} ${from} order by ${order} limit ${limit + offset})`,
  );
  const cutPage =
    more.length === 0
      ? sql`select ${list.id} as id, ${keys} ${only} order by ${order} ${cut}`
      : sql`select * from (${together(begun)}) begun order by ${named} ${cut}`;
  const counted = sql`(select sum(n)::int from (${together(list.parts.map((from) => sql`select count(*) as n ${from}`))}) counted)`;
  const wide = () => sql`
    page as materialized (${cutPage}),
         total as (select ${list.total ?? counted} as n)`;
  const rows = await db.many<Row & { page_total: number; page_id: string | null }>(sql`
    with ${list.isNarrow ? narrow() : wide()}
    select total.n as page_total, shown.*
      from total left join (select p.id as page_id, ${sql.join(names.map((name) => sql`p.${name}`))}, ${list.columns}
             ${list.join}) shown on true
     order by ${sql.join(names.map((name, place) => directed(sql`shown.${name}`, place)))}`);
  return { rows: rows.filter(({ page_id }) => page_id !== null), total: rows[0]?.page_total ?? 0 };
}

/**
 * A row of a customer by its id, to be joined to a few rows. It is asked for as the first from that id on, which only the primary
 * key can answer. Asked for by the id alone, any index that begins with the customer looks as cheap as long as the planner knows only
 * customers with few rows, and all rows of a large one are read for each.
 */
export const rowById = (table: string, customerId: string, id: Sql): Sql => sql`lateral (
    select * from (select * from ${sql.id(table)} where customer_id = ${customerId} and id >= ${id} order by id limit 1) at_or_after
     where at_or_after.id = ${id})`;

/** Text as people order it: digits by their value, case aside; as `compareText` of the domain does. */
export const asOrdered = (text: Sql): Sql => sql`(${text}) collate people`;

const FACTORS = [0, 3].map((decimals) => {
  const codes = currencyCodes.filter((code) => currencyExponent(code) === decimals);
  return {
    codes: sql.raw(codes.map((code) => `'${code}'`).join(', ')),
    factor: sql.raw(`${10 ** decimals}`),
  };
});

/** Minor units as the number that people read, so that amounts of several currencies are compared by their figures. */
export const asNumber = (minor: Sql, currency: Sql): Sql =>
  sql`(${minor})::float8 / case ${sql.join(
    FACTORS.map(({ codes, factor }) => sql`when ${currency} in (${codes}) then ${factor}`),
    sql` `,
  )} else 100 end`;

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** Whether a text holds another, whatever its case and in whichever way its letters are encoded. */
export function holds(text: Sql, wanted: string): Sql {
  // Plain letters are found without a look at those of other languages, many times as fast.
  return isPlain(wanted)
    ? sql`position(${wanted.toLowerCase()} in lower((${text}) collate "C")) > 0`
    : sql`position(${wanted.normalize('NFC').toLowerCase()} in lower(normalize(${text}, NFC) collate people)) > 0`;
}
