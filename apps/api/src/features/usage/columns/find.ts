import { binaryRows } from '../../../db/copy/copy-binary.ts';
import type { Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import type { UsageFilter } from '../filter.ts';
import type { UsageMonth } from '../pages/state.ts';
import { type KeptMonth, type NumberPlaces, placesOfNumbers } from './numbers.ts';

/** Records of a month that stand together in its columns: all, those of an agreement or of a line. */
export interface Slice {
  readonly month: UsageMonth;
  /** From the first record of the month, included, so many. */
  readonly first: number;
  readonly n: number;
  /** Records of the whole month. */
  readonly ofMonth: number;
  readonly recordTypes: readonly string[];
  readonly lines?: SliceLines;
  /** Which places in the order of numbers the filter leaves. */
  readonly numbers?: NumberPlaces;
}

/** The lines of a slice one after the other: ids, 16 bytes each, and how many records each has. */
interface SliceLines {
  readonly ids: Buffer;
  readonly records: Buffer;
}

export interface FoundColumns {
  readonly slices: readonly Slice[];
  /** Months whose columns are not there, or not of now. */
  readonly rest: readonly UsageMonth[];
}

/** A filter that leaves fewer of so many records is quicker read from them. */
const WORTH_READING = 200;

/** What a filter is, and in which months. */
interface FindTarget {
  readonly filter: UsageFilter;
  readonly months: readonly UsageMonth[];
}

/**
 * Where the records of a filter lie in the columns of their months.
 * @returns undefined where records are better read themselves: there are no columns, or few records to read
 */
export async function findColumns(
  db: Db,
  scope: CustomerScope,
  { filter, months }: FindTarget,
  withLines: boolean,
): Promise<FoundColumns | undefined> {
  const kept = await listMonths(db, scope, months, filter.number !== undefined);
  if (kept.length === 0) return undefined;
  const byMonth = new Map(kept.map((one) => [one.month, one]));
  const present = months.filter(({ month }) => byMonth.has(month));
  const numbers = await placesOfNumbers(db, scope, filter.number, present, byMonth);
  const needsLines = withLines || filter.serviceItemId !== undefined;
  const lines = needsLines ? await readLines(db, scope, present) : undefined;
  if (needsLines && lines === undefined) return undefined;
  const slices = present.flatMap((month) => {
    const one = byMonth.get(month.month);
    if (one === undefined) return [];
    const ofMonth = slicesOf(one, filter, lines?.get(month.month));
    const places = numbers?.get(month.month);
    const more = { month, recordTypes: one.record_types, ofMonth: one.n, ...(places && { numbers: places }) };
    return ofMonth.map((slice) => ({ ...slice, ...more }));
  });
  const toRead = slices.reduce((sum, { n }) => sum + n, 0);
  const ofNumber = slices.reduce((sum, { n, numbers: of }) => sum + Math.min(n, of?.n ?? n), 0);
  const all = kept.reduce((sum, { n }) => sum + n, 0);
  if (toRead * WORTH_READING < all || ofNumber * WORTH_READING < toRead) return undefined;
  return { slices, rest: months.filter(({ month }) => !byMonth.has(month)) };
}

/** The columns of these months that are of their present version. */
const present = (scope: CustomerScope, months: readonly UsageMonth[]) => sql`
  usage_columns c
  join unnest(${months.map(({ month }) => month)}::date[], ${months.map(({ version }) => String(version))}::bigint[])
       as m (month, version) on c.month = m.month and c.version = m.version
 where c.customer_id = ${scope.customerId}`;

const listMonths = (db: Db, scope: CustomerScope, months: readonly UsageMonth[], withNumbers: boolean) =>
  db.many<KeptMonth>(sql`
    select c.month, c.n, c.agreements::text[], c.agreement_lines, c.agreement_records, c.record_types::text[],
           ${withNumbers ? sql`c.numbers, c.numbers_before` : sql`null as numbers, null as numbers_before`}
      from ${present(scope, months)}`);

/** These months as literals, for COPY. */
export const literalMonths = (
  months: readonly { readonly month: UsageMonth }[],
  columns: (at: number) => Sql,
) =>
  sql`(values ${sql.join(
    months.map(
      ({ month }, at) =>
        sql`(${sql.lit(at)}, date ${sql.lit(month.month)}, ${sql.lit(String(month.version))}::bigint, ${columns(at)})`,
    ),
  )})`;

/** @returns undefined when a month has changed meanwhile */
async function readLines(
  db: Db,
  scope: CustomerScope,
  months: readonly UsageMonth[],
): Promise<ReadonlyMap<string, SliceLines> | undefined> {
  const rows = await binaryRows(
    db,
    sql`select m.at, c.lines, c.line_records
          from ${literalMonths(
            months.map((month) => ({ month })),
            () => sql.lit(0),
          )} as m (at, month, version, none)
          join usage_columns c on c.customer_id = ${sql.lit(scope.customerId)}::uuid and c.month = m.month
               and c.version = m.version`,
  );
  const found = new Map<string, SliceLines>();
  for (const [at, ids, records] of rows) {
    const month = months[at?.readInt32BE() ?? -1];
    if (month !== undefined && ids && records) found.set(month.month, { ids, records });
  }
  return found.size === months.length ? found : undefined;
}

interface Part {
  readonly first: number;
  readonly n: number;
  readonly lines?: SliceLines;
}

/** Of a month, what agreement and line leave. */
function slicesOf(
  month: KeptMonth,
  { agreementId, serviceItemId }: UsageFilter,
  lines: SliceLines | undefined,
): Part[] {
  const part = agreementId === undefined ? wholeOf(month, lines) : ofAgreement(month, agreementId, lines);
  if (part === undefined || part.n === 0) return [];
  if (serviceItemId === undefined || part.lines === undefined) return [part];
  return ofLine(part.first, part.lines, serviceItemId);
}

const wholeOf = ({ n }: KeptMonth, lines: SliceLines | undefined): Part => ({
  first: 0,
  n,
  ...(lines && { lines }),
});

function ofAgreement(month: KeptMonth, id: string, lines: SliceLines | undefined): Part | undefined {
  const at = month.agreements.indexOf(id);
  if (at === -1) return undefined;
  const before = (counts: readonly number[]) => counts.slice(0, at).reduce((sum, n) => sum + n, 0);
  const firstLine = before(month.agreement_lines);
  const endLine = firstLine + (month.agreement_lines[at] ?? 0);
  return {
    first: before(month.agreement_records),
    n: month.agreement_records[at] ?? 0,
    ...(lines && {
      lines: {
        ids: lines.ids.subarray(16 * firstLine, 16 * endLine),
        records: lines.records.subarray(4 * firstLine, 4 * endLine),
      },
    }),
  };
}

/** A line stands once in each of its agreements. */
function ofLine(start: number, { ids, records }: SliceLines, line: string): Part[] {
  const wanted = Buffer.from(line.replaceAll('-', ''), 'hex');
  const parts: Part[] = [];
  let first = start;
  for (let at = 0; at < records.length / 4; at += 1) {
    const n = records.readInt32BE(4 * at);
    if (ids.compare(wanted, 0, 16, 16 * at, 16 * at + 16) === 0)
      parts.push({
        first,
        n,
        lines: {
          ids: ids.subarray(16 * at, 16 * at + 16),
          records: records.subarray(4 * at, 4 * at + 4),
        },
      });
    first += n;
  }
  return parts;
}
