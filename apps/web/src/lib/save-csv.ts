import { type CsvValue, csvRow } from '@counterfoil/domain/csv.ts';
import { safeFileName } from '@counterfoil/domain/file-name.ts';
import { saveFile } from './save-file.ts';

/**
 * Saves rows that are on the page as CSV (RFC 4180, UTF-8 with the mark by which spreadsheets know it). Text that a
 * spreadsheet would run as a formula is neutralised; numbers stay numbers.
 */
export function saveCsv(name: string, head: readonly string[], rows: readonly (readonly CsvValue[])[]): void {
  const text = `\uFEFF${[head, ...rows].map(csvRow).join('')}`;
  const blob = new Blob([text], { type: 'text/csv;charset=utf-8' });
  saveFile({ blob, fileName: undefined }, safeFileName(name));
}
