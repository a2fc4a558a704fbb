import type { DocumentFormat } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import { readyMappings } from '../mappings/ready.ts';
import { detectStatement, type StatementFormat } from '../statements/read-statement.ts';
import { type CsvRow, readCsv } from './csv.ts';
import { markOf } from './encoding.ts';
import { membersOf } from './ndjson.ts';

/** What a file is, by its content; its name says nothing. */
export type Format =
  | { readonly format: DocumentFormat }
  | { readonly format: 'statement'; readonly statement: StatementFormat }
  | { readonly format: 'usage'; readonly mapping: UsageMapping }
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
  const statement = detectStatement(start);
  if (statement !== undefined) return { format: 'statement', statement };
  const document = documentFormatOf(start);
  if (document !== undefined) return { format: document };
  const reason = otherThanText(head, start);
  if (reason !== null) return unknown(reason);
  if (start.startsWith('{')) {
    const members = membersOf(start.slice(0, start.indexOf('\n') < 0 ? undefined : start.indexOf('\n')));
    const found =
      members === undefined ? undefined : readyMappings.find(({ looksLike }) => looksLike(members));
    return found === undefined
      ? unknown(`${notKnown}; say which mapping it has (--mapping)`)
      : { format: 'usage', mapping: { ...found.mapping, format: 'ndjson' } };
  }
  const rows = await firstRows(start, isWhole);
  for (const { mapping, looksLike } of readyMappings) {
    if (rows.some((row) => 'fields' in row && looksLike(row.fields))) return { format: 'usage', mapping };
  }
  if (start.includes('\0'))
    return unknown('binary data (or text in UTF-16 without its mark), in no known format');
  return unknown(`${notKnown}${columnsSeen(rows)}; say which mapping it has (--mapping)`);
}

const notKnown = 'neither an e-invoice (UBL, CII, Factur-X) nor call records of a known kind';

/** An invoice as XML, or a PDF that may carry one. @param start the first characters of a file */
function documentFormatOf(start: string): DocumentFormat | undefined {
  if (start.startsWith('%PDF-')) return 'facturx';
  if (!/^\s*</.test(start)) return undefined;
  return /<(?:[\w.-]+:)?CrossIndustryInvoice[\s>]/.test(start) ? 'cii' : 'ubl';
}

/** As {@link documentFormatOf}, of bytes; a file of another kind is none. */
export const documentFormatIn = (head: Uint8Array): DocumentFormat | undefined =>
  documentFormatOf(new TextDecoder(markOf(head) ?? 'utf-8').decode(head));

const unknown = (reason: string): Format => ({ format: 'unknown', reason });

/** What a file is that holds no text, or null. Compressed text begins with a byte that no text begins with. */
export function otherThanText(head: Uint8Array, start: string): string | null {
  if (start.startsWith('%PDF-')) return 'a PDF';
  if (start.startsWith('PK\u0003\u0004')) return 'an archive; unpack it first';
  return head[0] === 0x1f ? 'compressed; unpack it first' : null;
}

async function firstRows(text: string, isWhole: boolean): Promise<readonly CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const batch of readCsv(oneText(text), { blanks: true })) rows.push(...batch);
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
    return count > 1 ? ` (line ${row.line} has ${count} columns)` : '';
  }
  return '';
}
