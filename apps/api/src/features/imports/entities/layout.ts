import type { EntityMapping } from '@counterfoil/contract/operator/imports/entity-import.ts';
import { type CsvRow, readCsv } from '../text/csv.ts';
import { markOf } from '../text/encoding.ts';
import { membersOf } from '../text/ndjson.ts';

/** How a file is written, as far as its beginning tells. */
export type Layout = Pick<EntityMapping, 'format' | 'encoding' | 'delimiter'>;

/** The beginning of a file. */
export interface Head {
  readonly layout: Layout;
  /** What its first line calls the columns; members of an NDJSON line, those inside others by their path. */
  readonly header: readonly string[];
  /** Rows after it, as far as they can be read. */
  readonly rows: readonly (readonly string[])[];
}

const delimiters = [',', ';', '\t', '|'] as const;
const MOST_ROWS = 500;

/**
 * Looks at the beginning of a file of rows.
 * @param bytes its first bytes
 * @param isWhole whether they are all of it
 * @param known what is known of it already
 * @returns undefined where it has no first line that names columns
 */
export async function headOf(
  bytes: Uint8Array,
  isWhole: boolean,
  known: Partial<Layout> = {},
): Promise<Head | undefined> {
  const encoding = known.encoding ?? encodingOf(bytes, isWhole);
  const text = new TextDecoder(markOf(bytes) ?? decoders[encoding]).decode(bytes).replace(/^\uFEFF/, '');
  // Binary, or UTF-16 without its mark.
  if ((text.split('\n', 1)[0] ?? '').includes('\0')) return undefined;
  if (known.format !== 'csv' && /^\s*\{/.test(text)) return ndjsonHead(text, encoding, isWhole);
  const delimiter = known.delimiter ?? delimiterOf(text);
  const rows: CsvRow[] = [];
  for await (const batch of readCsv(oneText(text), { delimiter, blanks: true })) rows.push(...batch);
  // The beginning may end inside a record.
  const whole = isWhole ? rows : rows.slice(0, -1);
  const [first, ...others] = whole;
  if (first === undefined || 'fault' in first || first.fields.length < 2) return undefined;
  return {
    layout: { format: 'csv', encoding, delimiter },
    header: first.fields.map((name) => name.trim()),
    rows: others.flatMap((row) => ('fields' in row ? [row.fields] : [])).slice(0, MOST_ROWS),
  };
}

const decoders = { 'utf-8': 'utf-8', 'utf-16': 'utf-16le', 'latin-1': 'windows-1252' } as const;

/** Text that is no UTF-8 is taken for what Windows writes in Western Europe. */
function encodingOf(bytes: Uint8Array, isWhole: boolean): EntityMapping['encoding'] {
  const mark = markOf(bytes);
  if (mark !== null) return mark === 'utf-8' ? 'utf-8' : 'utf-16';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
    return 'utf-8';
  } catch {
    return 'latin-1';
  }
}

/** What stands most often in the first line, outside quotes. */
function delimiterOf(text: string): EntityMapping['delimiter'] {
  const [line = ''] = text.split(/\r?\n/, 1);
  const bare = line.replace(/"(?:[^"]|"")*"/g, '');
  const count = (delimiter: string): number => bare.split(delimiter).length;
  return delimiters.reduce(
    (most, one) => (count(one) > count(most) ? one : most),
    ',' as (typeof delimiters)[number],
  );
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}

function ndjsonHead(text: string, encoding: EntityMapping['encoding'], isWhole: boolean): Head | undefined {
  const lines = text.split('\n');
  const whole = (isWhole ? lines : lines.slice(0, -1)).filter((line) => line.trim() !== '');
  const records = whole.slice(0, MOST_ROWS).flatMap((line) => {
    if (membersOf(line) === undefined) return [];
    return [flat(JSON.parse(line) as object)];
  });
  if (records.length === 0) return undefined;
  const header = [...new Set(records.flatMap((record) => [...record.keys()]))];
  return {
    layout: { format: 'ndjson', encoding, delimiter: ',' },
    header,
    rows: records.map((record) => header.map((name) => record.get(name) ?? '')),
  };
}

/** Members that are no objects, by their paths. */
function flat(value: object, path = ''): Map<string, string> {
  const members = new Map<string, string>();
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'object' && member !== null && !Array.isArray(member))
      for (const [inside, one] of flat(member as object, `${path}${name}.`)) members.set(inside, one);
    else
      members.set(
        `${path}${name}`,
        Array.isArray(member)
          ? member.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one))).join('|')
          : String(member ?? ''),
      );
  }
  return members;
}
