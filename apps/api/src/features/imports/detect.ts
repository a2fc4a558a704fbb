import { asteriskColumns } from './asterisk.ts';
import { type CsvRow, readCsv } from './csv.ts';
import { markOf } from './encoding.ts';

/** What a file is, by its content; its name says nothing. */
export type Format =
  | { readonly format: 'ubl' }
  | { readonly format: 'asterisk' }
  | { readonly format: 'unknown'; readonly reason: string };

/** How much of a file is looked at. */
export const headLength = 65_536;

/**
 * Tells which format a file has.
 * @param head its first {@link headLength} bytes, or all of it where it is shorter
 * @param isWhole whether `head` is the whole file
 */
export async function detectFormat(head: Uint8Array, isWhole: boolean): Promise<Format> {
  if (head.length === 0) return { format: 'unknown', reason: 'the file is empty' };
  const mark = markOf(head);
  const start = new TextDecoder(mark ?? 'utf-8').decode(head);
  if (/^\s*</.test(start)) return { format: 'ubl' };
  if (start.startsWith('%PDF-')) return unknown('a PDF; import the XML invoice that belongs to it');
  if (start.startsWith('PK\u0003\u0004')) return unknown('an archive; unpack it first');
  if (start.startsWith('\u001f')) return unknown('compressed; unpack it first');
  const rows = await firstRows(start, isWhole);
  const isCalls = rows.some((row) => 'fields' in row && isCallRow(row.fields));
  if (mark !== null && mark !== 'utf-8') {
    return unknown(
      isCalls ? 'call records in UTF-16; convert the file to UTF-8' : 'text in UTF-16, in no known format',
    );
  }
  if (isCalls) return { format: 'asterisk' };
  if (start.includes('\0')) return unknown('binary data (or text in UTF-16), in no known format');
  return unknown(`neither a UBL invoice nor call records of an Asterisk exchange${columnsSeen(rows)}`);
}

const unknown = (reason: string): Format => ({ format: 'unknown', reason });

/** Eighteen columns, or a record that misses them by little and is otherwise one: enough to say what it should be. */
function isCallRow(fields: readonly string[]): boolean {
  if (fields.length === asteriskColumns) return true;
  return (fields.length === 16 || fields.length === 17) && isTime(fields[9]) && isTime(fields[11]);
}

const isTime = (text: string | undefined): boolean => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text ?? '');

async function firstRows(text: string, isWhole: boolean): Promise<readonly CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const batch of readCsv(oneText(text))) rows.push(...batch);
  // The head may end inside a record.
  return isWhole ? rows : rows.slice(0, -1);
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}

function columnsSeen(rows: readonly CsvRow[]): string {
  for (const row of rows) {
    if (!('fields' in row)) continue;
    const count = row.fields.length;
    return count > 1 ? ` (line ${row.line} has ${count} columns, a call record has ${asteriskColumns})` : '';
  }
  return '';
}
