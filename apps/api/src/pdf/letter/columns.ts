import type { SetText, TextStyle } from '../text/set-text.ts';
import type { TableBlock, TableColumn, TableRow } from './letter.ts';
import type { Sheet } from './sheet.ts';
import { boldFigures, figures, text } from './theme.ts';

/** A column where it stands on the page, points. */
export interface PlacedColumn extends TableColumn {
  readonly left: number;
  readonly width: number;
}

/** A cell's lines, and where they begin or, of a figure, end. */
export interface PlacedCell {
  readonly lines: readonly SetText[];
  readonly left: number;
  readonly right: number;
  readonly isFigure: boolean;
  readonly isMuted: boolean;
}

export const cellSize = 9;
export const totalSize = 11;
const headSize = 7;
const gap = 12;
/** A figure this wide is no figure; it wraps. */
const widestFigure = 120;
const narrowestText = 40;
/** Texts of fewer rows are still known when they are drawn: measuring them costs next to nothing. */
const MANY_ROWS = 200;

export const sizeOf = (kind: TableRow['kind']): number => (kind === 'total' ? totalSize : cellSize);

/** Figures of equal width in words, too: kerning would push the point of '7.25%' below the seven. */
const styleOf = (kind: TableRow['kind']): TextStyle => (kind === 'line' ? figures : boldFigures);

/** Figure columns are as wide as their widest figure; one column of words takes what is left over. */
export function placeColumns(
  sheet: Sheet,
  { columns, rows }: Pick<TableBlock, 'columns' | 'rows'>,
  [left, right]: readonly [left: number, right: number],
): readonly PlacedColumn[] {
  const isWords = (column: TableColumn): boolean => column.isFigure !== true;
  const chosen = columns.findIndex(({ grows }) => grows === true);
  const growing = chosen >= 0 ? chosen : columns.findLastIndex(isWords);
  const room = right - left - gap * (columns.length - 1);
  const wanted = columns.map((column, at) =>
    at === growing && isWords(column) ? Number.POSITIVE_INFINITY : widthOf(sheet, columns, rows, at),
  );
  const sum = (of: (column: TableColumn) => boolean): number =>
    columns.reduce((all, column, at) => all + (of(column) ? (wanted[at] ?? 0) : 0), 0);
  const words = () => columns.flatMap((column, at) => (isWords(column) ? [wanted[at] ?? 0] : []));
  const figureRoom = room - sum((column) => !isWords(column));
  let widest = widestOf(words(), figureRoom);
  // Where all others have what they want, the growing one takes the rest, whatever it wants: thousands of texts need no measuring.
  const hasRest = columns.every(
    (column, at) => at === growing || !isWords(column) || (wanted[at] ?? 0) <= widest,
  );
  if (growing >= 0 && !hasRest) {
    wanted[growing] = widthOf(sheet, columns, rows, growing);
    widest = widestOf(words(), figureRoom);
  }
  const spare = room - sum(() => true);
  let x = left;
  return columns.map((column, at) => {
    const own = wanted[at] ?? 0;
    const most = isWords(column) ? Math.min(own, widest) : own;
    const width = spare >= 0 ? own + (at === growing ? spare : 0) : most;
    const placed = { ...column, left: x, width };
    x += width + gap;
    return placed;
  });
}

/** Width that a column's label and cells want, points. */
function widthOf(
  sheet: Sheet,
  columns: readonly TableColumn[],
  rows: readonly TableRow[],
  at: number,
): number {
  const points = (line: SetText, size: number): number => (line.width * size) / 1000;
  const { label, isFigure = false } = columns[at] ?? { label: '' };
  const measured = new Set<string>();
  let widest = points(sheet.set.line(label, text), headSize);
  for (const row of rows) {
    const cell = row.cells[at] ?? '';
    const runsOn = !isFigure && (row.cells[at + 1] ?? 'x') === '';
    if (cell === '' || runsOn) continue;
    if (rows.length > MANY_ROWS) {
      // Digits are of equal width: what differs in them alone is measured once.
      const shape = `${row.kind}${cell.replace(/\d/g, '0')}`;
      if (measured.has(shape)) continue;
      measured.add(shape);
    }
    widest = Math.max(widest, points(sheet.set.line(cell, styleOf(row.kind)), sizeOf(row.kind)));
  }
  return isFigure ? Math.min(widest, widestFigure) : Math.max(widest, narrowestText);
}

/** How wide a column of words may be so that all of them fit: only those that are wider give way. */
function widestOf(wanted: readonly number[], room: number): number {
  let left = room;
  const sorted = wanted.toSorted((a, b) => a - b);
  for (const [at, width] of sorted.entries()) {
    const share = left / (sorted.length - at);
    if (width > share) return Math.max(narrowestText, share);
    left -= width;
  }
  return Number.POSITIVE_INFINITY;
}

/** The cells of a row, wrapped; a text runs on over the empty cells to its right. */
export function placeCells(
  sheet: Sheet,
  columns: readonly PlacedColumn[],
  row: TableRow,
): readonly PlacedCell[] {
  const size = sizeOf(row.kind);
  return columns.map((column, at) => {
    const { isFigure = false, isMuted = false, left, width } = column;
    const cell = row.cells[at] ?? '';
    const style = styleOf(row.kind);
    const next = columns.findIndex((_, other) => other > at && (row.cells[other] ?? '') !== '');
    const end = rightEdge(sheet, columns, row, next);
    const right = isFigure ? left + width : Math.max(left + width, end);
    const lines = cell === '' ? [] : sheet.set.wrap(cell, style, ((right - left) * 1000) / size + 0.5);
    return { lines, left, right, isFigure, isMuted };
  });
}

/** Where a text that runs on has to end: before the next column that has something to say in this row. */
function rightEdge(sheet: Sheet, columns: readonly PlacedColumn[], row: TableRow, next: number): number {
  const last = columns.at(-1);
  const column = columns[next];
  if (column === undefined) return last === undefined ? 0 : last.left + last.width;
  if (column.isFigure !== true) return column.left - gap;
  const line = sheet.set.line(row.cells[next] ?? '', styleOf(row.kind));
  const width = Math.min(column.width, (line.width * sizeOf(row.kind)) / 1000);
  return column.left + column.width - width - gap;
}
