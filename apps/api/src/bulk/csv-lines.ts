import { errors } from '@counterfoil/contract/errors.ts';
import * as z from 'zod/mini';
import { type CsvOptions, type CsvRow, readCsv } from '../features/imports/text/csv.ts';
import { NO_TEXT, textOf } from '../files/lines.ts';
import { refuseUnstorableText } from '../http/guards/text-guard.ts';
import type { GivenLine } from './bulk.ts';

const MOST_PLACES = 10_000;

/**
 * Turns CSV into the lines of a bulk file. The first record names the members: `label`, `address.city`, `lines.0.amount`. An empty
 * cell is left out; several values of one cell stand apart by `|`. Each line is at the number at which its record begins.
 * @param schemaOf of a line; what it wants to be a number, a truth or a list becomes one
 */
export async function* linesOfCsv(
  content: AsyncIterable<Uint8Array>,
  schemaOf: (given: unknown) => z.ZodMiniType,
): AsyncGenerator<readonly GivenLine[]> {
  let names: readonly string[] | undefined;
  for await (const rows of readCsv(...(await withDelimiter(textOf(content))))) {
    const lines: GivenLine[] = [];
    for (const row of rows)
      if (names === undefined) names = namesOf(row);
      else lines.push(lineOf(names, row, schemaOf));
    yield lines;
  }
}

/** What stands most often in the first line tells fields apart. */
async function withDelimiter(
  source: AsyncIterable<string>,
): Promise<[source: AsyncIterable<string>, options: CsvOptions]> {
  const pieces = source[Symbol.asyncIterator]();
  let head = '';
  while (!head.includes('\n')) {
    const { value, done } = await pieces.next();
    if (done === true) break;
    head += value;
  }
  const [first = ''] = head.replace(/^\uFEFF/, '').split('\n', 1);
  const count = (delimiter: string): number => first.split(delimiter).length;
  const delimiters = [',', ';', '\t'] as const;
  const delimiter = delimiters.reduce((most, one) => (count(one) > count(most) ? one : most), ',');
  async function* whole(): AsyncGenerator<string> {
    yield head.replace(/^\uFEFF/, '');
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  return [whole(), { delimiter }];
}

function namesOf(row: CsvRow): readonly string[] {
  if ('fault' in row) return [];
  return row.fields.map((name) => name.trim());
}

function lineOf(
  names: readonly string[],
  row: CsvRow,
  schemaOf: (given: unknown) => z.ZodMiniType,
): GivenLine {
  const { line } = row;
  const malformed = {
    line,
    length: 0,
    refusal: { code: 'request.malformed', message: errors['request.malformed'].text },
  };
  if (
    'fault' in row ||
    row.fields.length !== names.length ||
    row.fields.some((field) => field.includes(NO_TEXT))
  )
    return malformed;
  const { fields } = row;
  const value: Members = {};
  for (const [at, name] of names.entries())
    if (fields[at] !== '' && fields[at] !== undefined && !put(value, name.split('.'), fields[at]))
      return malformed;
  if (!isStorable(value)) return malformed;
  const read = z.safeParse(schemaOf(value), value);
  for (const issue of read.error?.issues ?? [])
    if (issue.code === 'invalid_type') convert(value, issue.path, issue.expected);
  return { line, length: fields.reduce((length, field) => length + field.length, 0), value };
}

function isStorable(value: Members): boolean {
  try {
    refuseUnstorableText(value);
    return true;
  } catch {
    return false;
  }
}

type Member = string | number | boolean | Members | Member[];
interface Members {
  [name: string]: Member;
}

/** @returns false for a name that is no member's, such as `lines.x` beside `lines.0` */
function put(into: Members, path: readonly string[], value: string): boolean {
  const [name = '', ...rest] = path;
  if (name === '' || name === '__proto__') return false;
  if (rest.length === 0) {
    into[name] = value;
    return true;
  }
  const place = /^\d{1,4}$/.test(rest[0] ?? '');
  into[name] ??= place ? [] : {};
  const inner = into[name];
  if (typeof inner !== 'object' || Array.isArray(inner) !== place || Number(rest[0]) > MOST_PLACES)
    return false;
  return put(inner as Members, rest, value);
}

/** Makes of a text what is expected in its place, where it is one. */
function convert(given: Members, path: readonly PropertyKey[], expected: string): void {
  const names = path.map(String);
  const last = names.pop() ?? '';
  let inner: Member | undefined = given;
  for (const name of names) inner = typeof inner === 'object' ? (inner as Members)[name] : undefined;
  if (typeof inner !== 'object') return;
  const members = inner as Members;
  const text = members[last];
  if (typeof text !== 'string') return;
  if (expected === 'array') members[last] = text.split('|').map((part) => part.trim());
  if (expected === 'boolean' && /^(true|false)$/i.test(text)) members[last] = text.toLowerCase() === 'true';
  if ((expected === 'number' || expected === 'int') && /^-?\d+(\.\d+)?$/.test(text))
    members[last] = Number(text);
}
