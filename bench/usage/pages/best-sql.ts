import { PAGE_SIZE, type PageCase } from './cases.ts';
import { conditions, lit, type Scope, shownColumns, sortOf, uuids } from './conditions.ts';
import type { ShownRow } from './present.ts';

/** A row with its position, as `plainPage` gives it. */
export interface KeyRow extends ShownRow {
  /** As the database has it: finer than a Date. */
  readonly started_at_text: string;
  readonly service_item_id: string;
}

/**
 * The best anyone could write for this page who knows the tables and where the page lies: two statements sent as one,
 * the total and a hundred rows between two known keys of an index. The total is a sum of days; with a filter even that
 * is known from before, as somebody who turns pages would carry it along.
 */
export function bestPage(page: PageCase, scope: Scope, keys: readonly KeyRow[], total: number): string {
  const isFiltered = Object.keys(page.filter).length > 0;
  const count = isFiltered
    ? `select ${total} as n`
    : `select sum(n)::int as n from usage_day
        where customer_id = ${lit(scope.customerId)} and day between '${page.dateFrom}' and '${page.dateTo}'`;
  return `${count};${bestRows(page, scope, keys)}`;
}

/**
 * What is joined to a hundred rows, looked up row by row: left to itself, the planner reads all lines of the customer
 * into a hash table first.
 */
const lookedUp = (customerId: string): string => `
  cross join lateral (
    select name, description, site, cost_centre from service_item
     where customer_id = ${lit(customerId)} and id = u.service_item_id limit 1) si
  cross join lateral (select description, unit from record_type where id = u.record_type_id limit 1) r
  left join lateral (
    select invoice_line_id from usage_billed
     where customer_id = ${lit(customerId)} and started_at = u.started_at and id = u.id limit 1) b on true
  left join lateral (
    select i.id, i.number
      from invoice_line l join invoice i on i.customer_id = l.customer_id and i.id = l.invoice_id
     where l.customer_id = ${lit(customerId)} and l.id = b.invoice_line_id limit 1) i on true`;

const columns = `u.started_at, u.id, u.service_item_id, u.record_type_id, u.service_item2, u.service_item3, u.units,
  u.price, u.has_price`;

function bestRows(page: PageCase, scope: Scope, keys: readonly KeyRow[]): string {
  const { groupBy, value } = sortOf(page);
  const [first] = keys;
  const last = keys.at(-1);
  if (first === undefined || last === undefined) return 'select where false';
  const direction = page.isDescending ? 'desc' : 'asc';
  const by = [...(value === undefined ? [] : [`u.${value}`]), 'u.started_at', 'u.id'];
  const keyOf = (row: KeyRow) =>
    [...(value === undefined ? [] : [row[value]]), row.started_at_text, row.id].map(lit).join(', ');
  const order = by.map((column) => `${column} ${direction}`).join(', ');
  const where = conditions(page, scope);
  if (groupBy !== undefined) return groupedRows(page, scope, keys, groupBy);
  // One knows where the page ends as well: nothing behind it is read when it is short.
  const ends = page.isDescending ? [last, first] : [first, last];
  where.push(`(${by.join(', ')}) between (${ends.map(keyOf).join(') and (')})`);
  if (value === undefined) {
    where.push(`u.started_at between ${ends.map((row) => lit(row.started_at_text)).join(' and ')}`);
  }
  return `select ${shownColumns}
    from (select ${columns} from usage_record u where ${where.join(' and ')} order by ${order} limit ${PAGE_SIZE}) u
    ${lookedUp(scope.customerId)} order by ${order}`;
}

function isOfType({ services }: Scope, description: string): string {
  const types = services
    .flatMap((service) => service.types)
    .filter((type) => type.description === description);
  return `u.record_type_id = any(${uuids(types.map(({ id }) => id))})`;
}

/** One knows in which lines or types the page lies, and where in the first of them it begins. */
function groupedRows(
  page: PageCase,
  scope: Scope,
  keys: readonly KeyRow[],
  groupBy: 'service_item_id' | 'record_type',
): string {
  const direction = page.isDescending ? 'desc' : 'asc';
  const order = `u.started_at ${direction}, u.id ${direction}`;
  const groups = [...new Set(keys.map((key) => key[groupBy]))];
  const parts = groups.map((group, n) => {
    const ofGroup = keys.filter((key) => key[groupBy] === group);
    const [first, last] = [ofGroup[0], ofGroup.at(-1)];
    if (first === undefined || last === undefined) throw new Error('a group without rows');
    const compare = page.isDescending ? '<=' : '>=';
    const times = [first.started_at_text, last.started_at_text].map(lit);
    const where = [
      ...conditions(page, scope),
      groupBy === 'service_item_id' ? `u.service_item_id = ${lit(group)}` : isOfType(scope, group),
      `(u.started_at, u.id) ${compare} (${lit(first.started_at_text)}, ${lit(first.id)})`,
      `u.started_at between ${(page.isDescending ? times.reverse() : times).join(' and ')}`,
    ];
    return `(select ${n} as ord, ${columns} from usage_record u where ${where.join(' and ')}
      order by ${order} limit ${ofGroup.length})`;
  });
  return `select ${shownColumns} from (${parts.join(' union all ')}) u ${lookedUp(scope.customerId)}
    order by u.ord, ${order}`;
}
