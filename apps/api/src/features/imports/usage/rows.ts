import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import { columnsOf, positionsOf } from '../mappings/columns.ts';
import { type CsvRow, readCsv } from '../text/csv.ts';
import { decodeLines } from '../text/encoding.ts';
import { readNdjson } from '../text/ndjson.ts';
import { type ReadRow, rowReader } from '../text/row-reader.ts';
import type { RejectedLine, RejectedRow, UsageRow } from './row.ts';

/** The file is not what the mapping says; the message is for the person who brought it. Nothing was taken. */
export class MappingMismatch extends Error {
  override readonly name = 'MappingMismatch';
  /** Line of the file the message is about. */
  readonly line: number | null;

  constructor(message: string, line: number | null) {
    super(message);
    this.line = line;
  }
}

export interface UsageBatch {
  readonly records: readonly UsageRow[];
  readonly rejected: readonly (RejectedLine | RejectedRow)[];
  /** What the file's own header calls its columns; null where it has none that counts. */
  readonly columns: readonly string[] | null;
  /** The file ended inside the line that stands last: its last value may be cut. */
  readonly isOpen: boolean;
}

/** What no text of a usable line contains. */
const doubtful = /[\0\uFFFD\uD800-\uDFFF]/;

/**
 * Reads the records of a file by a mapping, in memory that does not grow with the file.
 * @param bytes the file, in pieces of any size
 * @returns records and rejected lines in file order, in batches
 * @throws {MappingMismatch} when the mapping names a column that the file does not have
 */
export async function* readUsage(
  bytes: AsyncIterable<Uint8Array>,
  mapping: UsageMapping,
): AsyncGenerator<UsageBatch> {
  let isDoubtful = false;
  const text = watched(decodeLines(bytes, mapping.encoding), (piece) => {
    // A record may begin in one piece and end in the next.
    isDoubtful = isDoubtful || doubtful.test(piece);
  });
  const head = mapping.format === 'csv' ? new CsvHead(mapping) : null;
  const reader = head === null ? ndjsonReader(mapping) : null;
  const rows =
    head === null
      ? readNdjson(text, columnsOf(mapping))
      : readCsv(text, { delimiter: mapping.csv.delimiter, blanks: mapping.csv.trim });
  for await (const batch of rows) {
    const records: UsageRow[] = [];
    const rejected: (RejectedLine | RejectedRow)[] = [];
    let isOpen = false;
    for (const row of batch) {
      const read = reader ?? head?.readerFor(row);
      if (read === null || read === undefined) continue;
      const record = read(row, isDoubtful);
      if (record === null) continue;
      if ('reason' in record) rejected.push(record);
      else {
        records.push(record);
        isOpen = 'isOpen' in row;
      }
    }
    yield { records, rejected, isOpen, columns: head?.columns ?? null };
  }
  if (head?.isMissing === true)
    throw new MappingMismatch('the file has no line that names its columns', null);
}

async function* watched(source: AsyncIterable<string>, see: (piece: string) => void): AsyncGenerator<string> {
  for await (const piece of source) {
    see(piece);
    yield piece;
  }
}

function ndjsonReader(mapping: UsageMapping): ReadRow {
  const names = columnsOf(mapping);
  return rowReader(mapping, new Map(names.map((name, at) => [name, at] as const)), null);
}

/** Finds the line that names the columns and passes over what follows it; the rest are records. */
class CsvHead {
  readonly #mapping: UsageMapping;
  #reader: ReadRow | null = null;
  /** As the file names them. */
  columns: readonly string[] | null = null;
  #skip = 0;
  #isFirst = true;

  constructor(mapping: UsageMapping) {
    this.#mapping = mapping;
    const { header, columns } = mapping.csv;
    if (header !== 'names' && columns !== undefined) this.#name(columns, null);
  }

  /** True at the end of a file in which nothing named the columns. */
  get isMissing(): boolean {
    return this.#reader === null;
  }

  /** The reader of this row, or null where it is no record. */
  readerFor(row: CsvRow): ReadRow | null {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (this.#reader === null) {
      if ('fault' in row)
        throw new MappingMismatch(`the line that should name the columns: ${row.fault}`, row.line);
      const names = row.fields.map((name) => name.trim());
      this.#name(names, row.line);
      this.columns = names;
      this.#skip = this.#mapping.csv.skipLines;
      return null;
    }
    if (isFirst && this.#isHeader(row)) {
      this.#skip = this.#mapping.csv.skipLines;
      return null;
    }
    if (this.#skip > 0) {
      this.#skip -= 1;
      return null;
    }
    return this.#reader;
  }

  #isHeader(row: CsvRow): boolean {
    const { header, columns = [] } = this.#mapping.csv;
    if (header !== 'optional' || !('fields' in row)) return false;
    return row.fields.every((field, at) => field.trim().toLowerCase() === columns[at]?.toLowerCase());
  }

  #name(names: readonly string[], line: number | null): void {
    const positions = positionsOf(this.#mapping, names, line);
    if (typeof positions === 'string') throw new MappingMismatch(positions, line);
    this.#reader = rowReader(this.#mapping, positions, names.length);
  }
}
