import { readFile } from 'node:fs/promises';
import { maxDocumentBytes } from '../invoices/document-bound.ts';
import type { StatementReading, Unreadable } from './reading.ts';
import {
  columnsOf,
  readyStatementMapping,
  readyStatementMappings,
  type StatementMapping,
  statementMapping,
} from './statement-mapping.ts';

/** How a camt.053 is known among formats of imports. */
export const CAMT = 'camt.053';

/** How a statement is read: as camt.053, or as CSV by a mapping. */
export type StatementFormat = typeof CAMT | StatementMapping;

/** As imports name it; what is read by a mapping of somebody's own is a bank statement. */
export function nameOfStatement(format: StatementFormat): string {
  if (format === CAMT) return CAMT;
  return readyStatementMapping(format.name)?.name ?? readyStatementMappings[0]?.name ?? '';
}

/** The format of a name. */
export const statementFormat = (name: string | null): StatementFormat | undefined =>
  name === CAMT ? CAMT : name === null ? undefined : readyStatementMapping(name);

/**
 * A mapping of statements that somebody has asked for: a ready one, or a JSON file whose `kind` is `bankStatement`.
 * @returns undefined where the name or file is of another kind; a sentence where it is wrong
 */
export async function statementMappingNamed(name: string): Promise<StatementMapping | string | undefined> {
  const ready = readyStatementMapping(name);
  if (ready !== undefined) return ready;
  let value: unknown;
  try {
    value = JSON.parse(await readFile(name, 'utf8'));
  } catch {
    // Whoever reads mappings of other kinds says what is wrong with it.
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('kind' in value) || value.kind !== 'bankStatement')
    return undefined;
  const read = statementMapping.safeParse(value);
  if (read.success) return read.data;
  const faults = read.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
  return `${name} is no mapping of a bank statement: ${faults.join('; ')}`;
}

/** Lines of a CSV that are searched for its header. */
const MOST_BEFORE_HEADER = 30;

/**
 * Which statement a file is, by its beginning; undefined where it is none that is known. Messages of banks that are not read are
 * among them, so that they are refused for what they are.
 */
export function detectStatement(start: string): StatementFormat | undefined {
  if (/^\s*</.test(start))
    return /["']urn:iso:std:iso:20022:tech:xsd:camt\.05[234]\./.test(start) ? CAMT : undefined;
  const lines = start.split('\n', MOST_BEFORE_HEADER).filter((line) => line.length < 5_000);
  return readyStatementMappings.find((mapping) =>
    lines.some((line) => {
      const header = line.split(mapping.delimiter).map((name) => name.trim().replaceAll(/^"|"$/g, ''));
      return !('missing' in columnsOf(mapping, header));
    }),
  );
}

/** Reads a statement. Never throws on its content. @param content the file in pieces of any size */
export async function readStatement(
  format: StatementFormat,
  content: AsyncIterable<Uint8Array>,
): Promise<StatementReading | Unreadable> {
  if (format !== CAMT) {
    const { readStatementCsv } = await import('./statement-csv.ts');
    return readStatementCsv(content, format);
  }
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    if (size > maxDocumentBytes)
      return { line: 1, reason: `larger than ${maxDocumentBytes / 1024 / 1024} MiB` };
    pieces.push(piece);
  }
  // The XML library is loaded with the first document, not with every process.
  const { readCamt } = await import('./camt.ts');
  return readCamt(Buffer.concat(pieces));
}
