import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import type { RetryRow } from './queries.ts';
import type { RetriedRow } from './rows.ts';

/** A file that holds rows of the quarantine as they stood in theirs. */
export interface RetryFile {
  /** How it is read. */
  readonly mapping: UsageMapping;
  readonly content: Buffer;
  /** Which row begins on which line. */
  readonly lines: readonly RetriedRow[];
}

/** @param columns what the header of their file called its columns; null: it had none that counts */
export function retryFile(
  mapping: UsageMapping,
  columns: readonly string[] | null,
  rows: readonly RetryRow[],
): RetryFile {
  const { csv, format } = mapping;
  const names = columns === null ? csv.columns : [...columns];
  const lines: RetriedRow[] = [];
  let [text, line] = ['', 1];
  for (const { id, record, ordinal } of rows) {
    const stored = record.toString();
    const row = `${format === 'csv' ? csvRow(JSON.parse(stored), csv.delimiter) : stored}\n`;
    lines.push({ line, entryId: id, ordinal });
    line += row.split('\n').length - 1;
    text += row;
  }
  return {
    mapping: { ...mapping, encoding: 'utf-8', csv: { ...csv, header: 'none', columns: names, skipLines: 0 } },
    content: Buffer.from(text),
    lines,
  };
}

const csvRow = (fields: readonly string[], delimiter: string): string =>
  fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(delimiter);
