import type { Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import { rangeOf, type UsageMonth } from '../pages/state.ts';

/** What is read of a month's columns first: whose records lie where. */
export interface KeptMonth {
  readonly month: string;
  readonly n: number;
  readonly agreements: readonly string[];
  readonly agreement_lines: readonly number[];
  readonly agreement_records: readonly number[];
  readonly record_types: readonly string[];
  readonly numbers: readonly string[] | null;
  readonly numbers_before: readonly number[] | null;
}

/** Places in the order of a month's numbers, from the first, included, to the last, not included. */
export interface NumberPlaces {
  readonly from: number;
  readonly until: number;
  /** How many that are. */
  readonly n: number;
}

/** What comes after all that begins with a text. */
const LAST = '\u{10FFFF}';

/**
 * Which places in the order of numbers those have that begin with a text, month by month: from the nearest number that is
 * kept, and a count of what lies between.
 * @returns undefined without a number
 */
export async function placesOfNumbers(
  db: Db,
  scope: CustomerScope,
  number: string | undefined,
  months: readonly UsageMonth[],
  kept: ReadonlyMap<string, KeptMonth>,
): Promise<ReadonlyMap<string, NumberPlaces> | undefined> {
  if (number === undefined) return undefined;
  const ends = months.flatMap((month) => {
    const one = kept.get(month.month);
    return one === undefined ? [] : [number, number + LAST].map((text) => ({ month, ...nearest(one, text) }));
  });
  const open = ends.flatMap(({ month, text, known }) =>
    known === undefined ? [] : [{ month, text, known }],
  );
  const counts = open.length === 0 ? [] : await countBetween(db, scope, open);
  let at = 0;
  const places = ends.map(({ known, before }) => before - (known === undefined ? 0 : (counts[at++] ?? 0)));
  return new Map(
    months.map(({ month }, index) => {
      const [from = 0, until = 0] = places.slice(2 * index, 2 * index + 2);
      return [month, { from, until, n: until - from }];
    }),
  );
}

interface Nearest {
  readonly text: string;
  /** How many of the month are less than what `known` says. */
  readonly before: number;
  /** The first number kept that is not less; null: there is none. Undefined: it is the text itself, or nothing lies between. */
  readonly known: string | null | undefined;
}

function nearest({ n, numbers, numbers_before: before }: KeptMonth, text: string): Nearest {
  const bytes = Buffer.from(text);
  const list = numbers ?? [];
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    // As the database orders them.
    if (Buffer.compare(Buffer.from(list[middle] ?? ''), bytes) < 0) low = middle + 1;
    else high = middle;
  }
  const known = list[low];
  if (known === undefined) return { text, before: n, known: n === 0 ? undefined : null };
  return { text, before: before?.[low] ?? 0, known: low === 0 || known === text ? undefined : known };
}

/** How many records of a month have a number from a text to a known one. */
async function countBetween(
  db: Db,
  scope: CustomerScope,
  open: readonly { readonly month: UsageMonth; readonly text: string; readonly known: string | null }[],
): Promise<readonly number[]> {
  const counted = open.map(({ month, text, known }): Sql => {
    const { from, until } = rangeOf(month.month);
    return sql`(select count(*)::int from usage_record u
       where u.customer_id = ${scope.customerId} and u.started_at >= ${from} and u.started_at < ${until}
         and u.service_item2 >= ${text} ${known === null ? sql`` : sql`and u.service_item2 < ${known}`})`;
  });
  const { counts } = await db.one<{ counts: number[] }>(sql`select array[${sql.join(counted)}] as counts`);
  return counts;
}
