import { type CsvValue, csvDecimal, csvRow } from '@counterfoil/domain/text/csv.ts';
import type { Cell, ColumnKind, ReportRow } from '../definition.ts';
import { momentText, type ReportHead } from './format.ts';

const PIECE = 64 * 1024;

/** RFC 4180 in UTF-8: a line of labels, then the rows. Days are ISO 8601, so that they sort and every program reads them. */
export async function* writeCsv(head: ReportHead, rows: AsyncIterable<ReportRow>): AsyncIterable<Uint8Array> {
  const { columns } = head;
  let text = (head.byteOrderMark ? '\ufeff' : '') + csvRow(columns.map(({ label }) => label));
  for await (const row of rows) {
    text += csvRow(columns.map(({ kind }, index) => csvValue(kind, row[index] ?? null)));
    if (text.length >= PIECE) {
      yield Buffer.from(text);
      text = '';
    }
  }
  yield Buffer.from(text);
}

function csvValue(kind: ColumnKind, cell: Cell): CsvValue {
  if (cell instanceof Date) return momentText(cell);
  const isFigure = kind === 'number' || kind === 'money';
  return isFigure && typeof cell === 'string' ? csvDecimal(cell) : cell;
}
