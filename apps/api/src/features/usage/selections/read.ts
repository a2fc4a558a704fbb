import type { Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import { dayCondition, isOneOf, type UsageFilter, usageCondition } from '../filter.ts';

/** What comes after all that begins with a text. */
const LAST = sql.lit('\u{10FFFF}');

/** Which sums answer for a filter, and which records are left to read: numbers from one, included, to another. */
export interface KeptSums {
  readonly ids: readonly string[];
  readonly rest: readonly { readonly from: Sql; readonly until: Sql }[];
}

/**
 * The selections that make up a filter by line, or by number without line and agreement. What they leave is some thousand records.
 * Selections are never given up, so that what was found here still holds in a later statement.
 * @returns undefined when its records are to be read
 */
export async function keptSums(
  db: Db,
  scope: CustomerScope,
  { serviceItemId, agreementId, number, hasThird }: UsageFilter,
): Promise<KeptSums | undefined> {
  if (hasThird !== undefined) return undefined;
  if (number === undefined) {
    if (serviceItemId === undefined) return undefined;
    const line = await db.maybeOne<{ id: string }>(sql`
      select id from usage_selection where customer_id = ${scope.customerId} and service_item_id = ${serviceItemId}`);
    return line && { ids: [line.id], rest: [] };
  }
  if (serviceItemId !== undefined || agreementId !== undefined) return undefined;
  const found = await db.many<{ id: string; number: string }>(sql`
    select id, number from usage_selection
     where customer_id = ${scope.customerId} and number >= ${number} and number < ${number} || ${LAST}
     order by number`);
  if (found.length === 0) return undefined;
  // In this order what begins with another follows it.
  const widest: { readonly id: string; readonly number: string }[] = [];
  for (const one of found) {
    const last = widest.at(-1);
    if (last === undefined || !one.number.startsWith(last.number)) widest.push(one);
  }
  return { ids: widest.map(({ id }) => id), rest: between(number, widest) };
}

/** What begins with a text and lies before, between and after others that do. */
function between(number: string, within: readonly { readonly number: string }[]): KeptSums['rest'] {
  const [first] = within;
  if (first?.number === number) return [];
  const after = (text: string) => sql`(${text}::text || ${LAST})`;
  const starts = [sql`${number}::text`, ...within.map((one) => after(one.number))];
  const ends = [...within.map((one) => sql`${one.number}::text`), after(number)];
  return starts.flatMap((from, at) => {
    const until = ends[at];
    return until === undefined ? [] : [{ from, until }];
  });
}

/**
 * Rows with `day`, `record_type_id` and `n`, and with `units` and `price` where these are asked for: together the
 * filter's records.
 */
export function keptRows(
  scope: CustomerScope,
  filter: UsageFilter,
  { ids, rest }: KeptSums,
  hasSums = false,
): Sql {
  const { agreementId, recordTypeIds, number: _, ...others } = filter;
  const parts = [
    sql`c.customer_id = ${scope.customerId} and c.selection_id = any(${[...ids]}::uuid[]) and ${dayCondition(filter)}`,
    ...(recordTypeIds === undefined ? [] : [isOneOf(sql`c.record_type_id`, recordTypeIds)]),
    ...(agreementId === undefined ? [] : [sql`c.agreement_id = ${agreementId}`]),
  ];
  const columns = hasSums ? sql`day, record_type_id, n, units, price` : sql`day, record_type_id, n`;
  const cells = sql`select ${columns} from usage_selection_day c where ${sql.join(parts, sql` and `)}`;
  if (rest.length === 0) return cells;
  // Range by range, each by the index of numbers.
  const where = usageCondition(scope, { ...others, ...(recordTypeIds && { recordTypeIds }) });
  return sql`
    ${cells} union all
    select ${columns}
      from (values ${sql.join(rest.map(({ from, until }) => sql`(${from}, ${until})`))}) as r (from_number, until_number)
     cross join lateral (
       select (u.started_at at time zone 'UTC')::date as day, u.record_type_id, count(*)::int as n
              ${hasSums ? sql`, sum(u.units) as units, sum(u.price) as price` : sql``}
         from usage_record u
        where ${where} and u.service_item2 >= r.from_number collate "C" and u.service_item2 < r.until_number collate "C"
        group by 1, 2) c`;
}
