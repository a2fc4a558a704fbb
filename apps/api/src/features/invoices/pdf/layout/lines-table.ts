import { type StructElement, scopeColumn, scopeRow } from '../../../../pdf/writer/structure.ts';
import { type Column, layOutLines, type Row } from './columns.ts';
import type { Sheet } from './sheet.ts';
import { bold, page, size, text } from './theme.ts';

const headHeight = 22;
const leading = 11.4;
/** Height of a row beyond its text: a short invoice breathes, a long one is dense. */
const roomy = 9.1;
const dense = 4.2;

/**
 * The lines of the invoice. The head is repeated on every page; a row stays whole unless it is taller than a page.
 * @param after height of what must stand on the same page as the last row
 */
export function drawLinesTable(sheet: Sheet, after: number): void {
  const { columns, rows } = layOutLines(sheet);
  const table = sheet.tree.root.add('Table');
  if (sheet.room < headHeight + 3 * leading) sheet.newPage();
  drawHead(sheet, columns, table);
  if (rows.length === 0) {
    drawNothing(sheet, table, columns.length);
    return;
  }
  const heightOf = (row: Row, padding: number): number => row.lineCount * leading + padding;
  const total = rows.reduce((height, row) => height + heightOf(row, roomy), 0);
  const padding = total + after <= sheet.room ? roomy : dense;
  const whole = page.bottom - page.top - headHeight;
  const breakPage = (): void => {
    sheet.newPage();
    drawHead(sheet, columns, undefined);
  };
  rows.forEach((row, index) => {
    const height = heightOf(row, padding);
    const needed = index === rows.length - 1 ? height + after : height;
    if (needed > sheet.room && needed <= whole) breakPage();
    else if (height > sheet.room && height <= whole) breakPage();
    drawRow(sheet, { columns, row, padding, element: table.add('TR') }, breakPage);
  });
}

function drawHead(sheet: Sheet, columns: readonly Column[], table: StructElement | undefined): void {
  const { canvas, colours } = sheet;
  const { y } = sheet;
  const baseLine = y + 14.2;
  canvas.artifact('Layout', () => {
    canvas.rectangle(page.left, y, page.right - page.left, headHeight, colours.ground);
    canvas.line(page.left, y + headHeight, page.right, 0.75, colours.lineStrong);
  });
  const drawLabel = (column: Column): void => {
    const label = sheet.set.line(column.label, bold);
    if (column.isFigure) canvas.textRight(label, [column.edge, baseLine], size.small, colours.ink);
    else canvas.text(label, [column.edge, baseLine], size.small, colours.ink);
  };
  const row = table?.add('TR');
  if (row) for (const column of columns) canvas.tagged(row.add('TH', scopeColumn), () => drawLabel(column));
  else canvas.artifact('Pagination', () => columns.forEach(drawLabel));
  sheet.y = y + headHeight;
}

/** Lines of a row from the first up to but not including the second. */
type Span = readonly [from: number, to: number];

interface RowDrawing {
  readonly columns: readonly Column[];
  readonly row: Row;
  readonly padding: number;
  readonly element: StructElement;
}

function drawRow(sheet: Sheet, { columns, row, padding, element }: RowDrawing, breakPage: () => void): void {
  const cells = columns.map((column) =>
    column.key === 'product' ? element.add('TH', scopeRow) : element.add('TD'),
  );
  let from = 0;
  while (from < row.lineCount) {
    const fitting = Math.max(1, Math.floor((sheet.room - padding) / leading));
    const to = Math.min(row.lineCount, from + fitting);
    const top = sheet.y + padding / 2 + 8.5;
    columns.forEach((column, index) => {
      const lines = row.cells[column.key].slice(from, to).filter((line) => line.pieces.length > 0);
      const cell = cells[index];
      if (cell && lines.length > 0)
        sheet.canvas.tagged(cell, () => drawCell(sheet, column, row, [from, to], top));
    });
    sheet.y += (to - from) * leading + padding;
    const { canvas, colours, y } = sheet;
    canvas.artifact('Layout', () => canvas.line(page.left, y, page.right, 0.5, colours.line));
    from = to;
    if (from < row.lineCount) breakPage();
  }
}

function drawCell(sheet: Sheet, column: Column, row: Row, [from, to]: Span, top: number): void {
  const { canvas, colours } = sheet;
  const colour = column.key === 'details' ? colours.inkMuted : colours.ink;
  const edge = column.key === 'price' ? column.edge - row.priceShift : column.edge;
  const lines = row.cells[column.key];
  for (let index = from; index < Math.min(to, lines.length); index++) {
    const line = lines[index];
    if (!line) continue;
    const y = top + (index - from) * leading;
    const isFollowed = index < lines.length - 1;
    if (column.isFigure) canvas.textRight(line, [edge, y], size.cell, colour, isFollowed);
    else canvas.text(line, [edge, y], size.cell, colour, isFollowed);
  }
}

function drawNothing(sheet: Sheet, table: StructElement, columnCount: number): void {
  const { canvas, colours, labels } = sheet;
  const y = sheet.y;
  const cell = table.add('TR').add('TD', `/A<</O/Table/ColSpan ${columnCount}>>`);
  const look = { style: text, size: size.cell, leading, colour: colours.inkMuted };
  canvas.tagged(cell, () =>
    sheet.lines(sheet.wrap(labels.noLines, look, 400), [page.left + 8, y + 16], look),
  );
  canvas.artifact('Layout', () => canvas.line(page.left, y + 26, page.right, 0.5, colours.line));
  sheet.y = y + 26;
}
