import { type CsvValue, csvRow } from '@counterfoil/domain/text/csv.ts';
import { safeFileName } from '@counterfoil/domain/text/file-name.ts';
import type { ReceivedFile } from '../api/calls.ts';
import { saveFile } from './save-file.ts';

/** A table as cells. */
interface CsvTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly CsvValue[])[];
}

/**
 * Saves rows that are on the page as CSV (RFC 4180, UTF-8). Text that a spreadsheet would run as a formula is
 * neutralised; numbers stay numbers.
 * @param byteOrderMark the user's choice, which `CsvButton` gives
 */
export function saveCsv(name: string, { head, rows }: CsvTable, byteOrderMark: boolean): void {
  const text = (byteOrderMark ? '\uFEFF' : '') + [head, ...rows].map(csvRow).join('');
  const blob = new Blob([text], { type: 'text/csv;charset=utf-8' });
  saveFile({ blob, fileName: undefined }, safeFileName(name));
}

/** A file that the server made without a byte order mark, with one where the user wants it. */
export const withMark = (file: ReceivedFile, byteOrderMark: boolean): ReceivedFile =>
  byteOrderMark ? { ...file, blob: new Blob(['\uFEFF', file.blob], { type: file.blob.type }) } : file;
