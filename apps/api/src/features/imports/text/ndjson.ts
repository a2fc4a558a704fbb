import { type Line, linesOf } from '../../../files/lines.ts';
import type { CsvRow } from './csv.ts';

/** Longest line taken, in characters. */
const maxLineLength = 65_536;
/** A number that a float would not keep as it is written. */
const longNumber = /[:,[\s]-?\d*(?:\d{16}|\.\d{16})|\d[eE]/;

/**
 * Reads newline-delimited JSON, one object a line, into the values at these paths (`a.b` is member b of member a). A
 * number keeps the digits it is written with; what is not there, or null, is the empty text.
 * @param source the decoded text in pieces of any size
 * @param paths the members that are wanted, in the order the values are given
 * @returns records and faults in file order, in batches, one batch for each piece; empty lines are left out. The last
 *   value of a record, beside those asked for, is its whole line.
 */
export async function* readNdjson(
  source: AsyncIterable<string>,
  paths: readonly string[],
): AsyncGenerator<readonly CsvRow[]> {
  const ways = paths.map((path) => path.split('.'));
  for await (const lines of linesOf(source, maxLineLength)) yield lines.map((line) => rowOf(line, ways));
}

function rowOf({ number: line, text, isEnd }: Line, ways: readonly (readonly string[])[]): CsvRow {
  if (text === undefined) return { line, fault: `the line is longer than ${maxLineLength} characters` };
  const parsed = parseObject(text);
  if (typeof parsed === 'object') return { line, fields: [...ways.map((way) => valueAt(parsed, way)), text] };
  return { line, fault: isEnd ? `${parsed}; the file seems cut off` : parsed };
}

/** @returns the object, or why there is none */
function parseObject(text: string): Readonly<Record<string, unknown>> | string {
  let value: unknown;
  try {
    value = longNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    return 'the line is not JSON';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'the line is no JSON object';
  return value as Readonly<Record<string, unknown>>;
}

function keepDigits(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? plainNumber(context?.source ?? String(value)) : value;
}

/** '1.5e-3' as '0.0015'; no number of a record needs more than thirty digits. */
function plainNumber(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,2})$/.exec(text);
  if (match === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent] = match;
  const point = whole.length + Number(exponent);
  const digits = (whole + fraction).padStart(whole.length + fraction.length - Math.min(point - 1, 0), '0');
  const at = Math.max(point, 1);
  const padded = digits.padEnd(at, '0');
  return `${sign}${padded.slice(0, at)}${padded.length > at ? `.${padded.slice(at)}` : ''}`;
}

function valueAt(record: Readonly<Record<string, unknown>>, way: readonly string[]): string {
  let value: unknown = record;
  for (const name of way) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return '';
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  if (typeof value === 'string') return value;
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value);
}

/** The first line's members, to recognise where a file comes from. @returns undefined when it is no JSON object */
export function membersOf(line: string): readonly string[] | undefined {
  const parsed = parseObject(line.trim());
  return typeof parsed === 'string' ? undefined : Object.keys(parsed);
}
