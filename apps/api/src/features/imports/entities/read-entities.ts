import { errors } from '@counterfoil/contract/errors.ts';
import type { EntityMapping } from '@counterfoil/contract/operator/imports/entity-import.ts';
import type { GivenLine } from '../../../bulk/bulk.ts';
import { faultOfText } from '../mappings/column-faults.ts';
import { type CsvRow, readCsv } from '../text/csv.ts';
import { decodeLines } from '../text/encoding.ts';
import { readNdjson } from '../text/ndjson.ts';
import { CellFault, readCell } from './cells.ts';
import { completeInvoice } from './complete-invoice.ts';
import type { DescribedColumn, DescribedKind } from './described.ts';

/** The file lacks what its mapping names; `message` says what. */
export class ColumnsMissing extends Error {
  override readonly name = 'ColumnsMissing';
}

/** Rows of one thing: more of them are no invoice that the bulk call takes. */
const MOST_ROWS = 5_000;

type Value = Record<string, unknown>;

/** A row with the key that it has, where that can be read. */
type ReadRow = GivenLine & { readonly key?: string | undefined };

/** A column with where its cells stand. */
interface Placed {
  readonly column: DescribedColumn;
  /** Undefined: the same value for all. */
  readonly at: number | undefined;
  readonly same: string;
}

/**
 * Reads a file of rows into the lines of a bulk call, in memory that does not grow with the file.
 * @param bytes the file, in pieces of any size
 * @returns lines in file order; one that cannot be read says why
 * @throws {ColumnsMissing} when the file lacks a column that the mapping names
 */
export async function* readEntities(
  bytes: AsyncIterable<Uint8Array>,
  kind: DescribedKind,
  mapping: EntityMapping,
): AsyncGenerator<readonly GivenLine[]> {
  const reader = new EntityReader(kind, mapping);
  for await (const rows of rowsOf(bytes, kind, mapping)) {
    const lines: GivenLine[] = [];
    for (const row of rows) reader.take(row, lines);
    if (lines.length > 0) yield lines;
  }
  const last = reader.end();
  if (last !== undefined) yield [last];
}

/** A CSV file begins with a row of its own: the names. Of NDJSON that row is made. */
async function* rowsOf(
  bytes: AsyncIterable<Uint8Array>,
  kind: DescribedKind,
  mapping: EntityMapping,
): AsyncGenerator<readonly CsvRow[]> {
  const text = withoutMark(decodeLines(bytes, mapping.encoding));
  if (mapping.format === 'csv') {
    yield* readCsv(text, { delimiter: mapping.delimiter, blanks: true });
    return;
  }
  const paths = kind.columns.flatMap(({ name }) => {
    const source = mapping.columns[name];
    return source !== undefined && 'column' in source ? [source.column] : [];
  });
  yield [{ line: 0, fields: paths }];
  // The whole line stands last.
  for await (const rows of readNdjson(text, paths))
    yield rows.map((row) => ('fields' in row ? { line: row.line, fields: row.fields.slice(0, -1) } : row));
}

async function* withoutMark(text: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const piece of text) {
    yield isFirst ? piece.replace(/^\uFEFF/, '') : piece;
    if (piece !== '') isFirst = false;
  }
}

class EntityReader {
  readonly #kind: DescribedKind;
  readonly #mapping: EntityMapping;
  #placed: readonly Placed[] | undefined;
  #width = 0;
  /** The rows of one key, as long as they go on. */
  #open: OpenGroup | undefined;
  /** Why it is not known whether the next one is whole. */
  #doubt: string | undefined;
  /** Keys that came before, as hashes. */
  readonly #seen = new Set<number>();

  constructor(kind: DescribedKind, mapping: EntityMapping) {
    this.#kind = kind;
    this.#mapping = mapping;
  }

  take(row: CsvRow, lines: GivenLine[]): void {
    if (this.#placed === undefined) {
      this.#placed = this.#place(row);
      return;
    }
    const read = this.#read(row, this.#placed);
    const { rows } = this.#kind;
    if (rows === undefined) lines.push(read);
    else this.#group(read, rows, lines);
  }

  /** A row that cannot be read spoils what it belongs to: nobody would miss a line of an invoice. */
  #group(read: ReadRow, rows: 'lines' | 'products', lines: GivenLine[]): void {
    const open = this.#open;
    const fault = 'refusal' in read ? read.refusal.message : undefined;
    const value = 'value' in read ? (read.value as Value) : {};
    if (read.key === undefined) {
      if (open === undefined) lines.push(read);
      else open.fault ??= fault;
      this.#doubt = `line ${read.line}, which may belong to it, cannot be read: ${fault ?? ''}`;
      return;
    }
    if (open?.key === read.key) {
      open.fault ??= fault;
      open.add(value, read);
      return;
    }
    if (open !== undefined) lines.push(this.#close(open));
    this.#open = new OpenGroup(read.key, rows, read, value);
    this.#open.fault = fault ?? this.#doubt;
    this.#doubt = undefined;
  }

  /** The last one, where rows belong together. */
  end(): GivenLine | undefined {
    const group = this.#open;
    this.#open = undefined;
    return group && this.#close(group);
  }

  #close(group: OpenGroup): GivenLine {
    const hash = hashOf(group.key);
    const { line, length, value } = group;
    if (this.#seen.has(hash))
      group.fault ??= `rows of ${group.key} stand apart in the file; sort it by ${this.#kind.key}`;
    this.#seen.add(hash);
    if (group.fault !== undefined) return { line, length, refusal: refusal(group.fault) };
    if (group.rows === 'lines') completeInvoice(value);
    return { line, length, value };
  }

  #place(header: CsvRow): readonly Placed[] {
    if ('fault' in header)
      throw new ColumnsMissing(`line ${header.line} should name the columns: ${header.fault}`);
    const names = header.fields.map((name) => name.trim());
    this.#width = names.length;
    const missing: string[] = [];
    const placed = this.#kind.columns.flatMap((column): Placed[] => {
      const source = this.#mapping.columns[column.name];
      if (source === undefined) return [];
      if ('value' in source) return [{ column, at: undefined, same: source.value }];
      const at = names.indexOf(source.column);
      if (at < 0) missing.push(source.column);
      return [{ column, at, same: '' }];
    });
    if (missing.length > 0)
      throw new ColumnsMissing(`line ${header.line} names no column '${missing.join("', '")}'`);
    return placed;
  }

  #read(row: CsvRow, placed: readonly Placed[]): ReadRow {
    const { line } = row;
    if ('fault' in row) return { line, length: 0, refusal: refusal(row.fault) };
    const { fields } = row;
    const length = fields.reduce((sum, field) => sum + field.length, 0);
    const refused = (reason: string): GivenLine => ({ line, length, refusal: refusal(reason) });
    if (fields.length !== this.#width)
      return refused(
        `${fields.length} columns instead of ${this.#width}${row.isOpen === true && fields.length < this.#width ? '; the file seems cut off' : ''}`,
      );
    const bad = fields.findIndex((field) => faultOfText(field) !== null);
    if (bad >= 0) return refused(`column ${bad + 1}: ${faultOfText(fields[bad] ?? '') ?? ''}`);
    const value: Value = { ...this.#kind.fixed };
    const textOf = ({ at, same }: Placed) => (at === undefined ? same : (fields[at] ?? '')).trim();
    const keyed = placed.find(({ column }) => column.name === this.#kind.key);
    const key = keyed && (textOf(keyed) || undefined);
    for (const one of placed) {
      const { column } = one;
      const cell = textOf(one);
      if (cell === '') continue;
      try {
        put(value, column.name.split('.'), readCell(column, cell, this.#mapping), this.#kind.rows);
      } catch (error) {
        if (error instanceof CellFault) return { ...refused(`${column.name}: ${error.message}`), key };
        throw error;
      }
    }
    return { line, length, value, key };
  }
}

const refusal = (message: string) => ({
  code: 'request.malformed' as const,
  message: message || errors['request.malformed'].text,
});

/** Puts a cell into its place; that of a row's own member into the only one of the list. */
function put(
  into: Value,
  [name = '', ...rest]: readonly string[],
  cell: unknown,
  rows: string | undefined,
): void {
  if (rest.length === 0) {
    into[name] = cell;
    return;
  }
  if (name === rows) {
    into[name] ??= [{}];
    const [row] = into[name] as Value[];
    if (row !== undefined) put(row, rest, cell, undefined);
    return;
  }
  into[name] ??= {};
  put(into[name] as Value, rest, cell, undefined);
}

class OpenGroup {
  readonly key: string;
  readonly rows: 'lines' | 'products';
  readonly line: number;
  readonly value: Value;
  length: number;
  fault: string | undefined;

  constructor(key: string, rows: 'lines' | 'products', { line, length }: GivenLine, value: Value) {
    this.key = key;
    this.rows = rows;
    this.line = line;
    this.value = value;
    this.length = length;
  }

  /** Adds a further row. What it says of the whole has to be what the first one says, or nothing. */
  add(value: Value, { line, length }: GivenLine): void {
    this.value[this.rows] ??= [];
    const own = this.value[this.rows] as unknown[];
    if (own.length >= MOST_ROWS) {
      this.fault ??= `has more than ${MOST_ROWS} rows`;
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      if (name === this.rows) continue;
      const known = this.value[name];
      if (known === undefined) this.value[name] = member;
      else if (JSON.stringify(known) !== JSON.stringify(member))
        this.fault ??= `${name} is another in line ${line} than in line ${this.line}`;
    }
    own.push(...((value[this.rows] ?? []) as unknown[]));
    this.length += length;
  }
}

/** A number that tells keys apart: that two of a million meet is one in a thousand. */
function hashOf(key: string): number {
  let [one, other] = [0x811c9dc5, 0x1b873593];
  for (let at = 0; at < key.length; at += 1) {
    one = Math.imul(one ^ key.charCodeAt(at), 0x01000193);
    other = Math.imul(other ^ key.charCodeAt(at), 0x5bd1e995);
  }
  return (one >>> 6) * 2 ** 26 + (other >>> 6);
}
