import { type StructElement, scopeColumn, scopeRow } from '../writer/structure.ts';
import { cellSize, type PlacedCell, type PlacedColumn, placeCells, placeColumns, sizeOf } from './columns.ts';
import { labels } from './labels.ts';
import type { TableBlock, TableRow } from './letter.ts';
import type { Sheet } from './sheet.ts';
import { bold, boldFigures, colours, figures, rows as startRows, text, U } from './theme.ts';

const headSize = 7;
const remarkSize = 7;
/** Head and first rows that stand together. */
const leastRows = 3;

interface SetRow {
  readonly row: TableRow;
  readonly cells: readonly PlacedCell[];
  readonly lineCount: number;
  readonly height: number;
}

/**
 * A table on the grid. Its head is repeated on every page; a row stays whole unless it is taller than a page, the
 * heading of a group stays with its first row, and the last rows stay together.
 * @param right its right edge
 */
export function drawTable(sheet: Sheet, block: TableBlock, right: number): void {
  new TableDrawing(sheet, block, right, block.rows.length).add(block.rows);
}

/** The same, drawn as its rows come: a row once those are known that may have to stand with it. */
export class TableDrawing {
  private readonly sheet: Sheet;
  private readonly block: TableBlock;
  private readonly rows: ComingRows;
  private readonly count: number;
  private readonly keptFrom: number;
  /** A row is drawn when so many are known from it on. */
  private readonly ahead: number;
  private readonly page: TablePage;
  private readonly balanced: number;
  private table: StructElement | undefined;
  private next = 0;
  /** Carried forward where the page ends here. */
  private balance: string | undefined;

  /**
   * @param block its rows say how wide the columns are
   * @param count of the rows that will be added
   */
  constructor(sheet: Sheet, block: TableBlock, right: number, count: number) {
    const columns = placeColumns(sheet, block, [sheet.paper.left, right]);
    this.sheet = sheet;
    this.block = block;
    this.rows = new ComingRows(sheet, columns);
    this.count = count;
    this.keptFrom = count - block.keep;
    this.ahead = Math.max(leastRows, block.keep);
    this.page = new TablePage(sheet, columns, block.isRuled === true);
    this.balanced = block.rows.some(({ balance }) => balance !== undefined) ? U : 0;
    if (count === 0) this.table = this.open();
  }

  get isDone(): boolean {
    return this.next === this.count;
  }

  /** @throws {Error} for more rows than were to come */
  add(rows: readonly TableRow[]): void {
    this.rows.add(rows);
    const { known } = this.rows;
    if (known > this.count) throw new Error(`${known} rows of ${this.count}`);
    while (this.next < this.count && known >= Math.min(this.count, this.next + this.ahead)) {
      this.table ??= this.open();
      this.draw(this.next, this.table);
      this.next += 1;
    }
  }

  private open(): StructElement {
    const { sheet, block, rows, keptFrom, count } = this;
    const opening = (block.heading === undefined ? 1 : 3) * U;
    const first = Math.min(rows.height(0, keptFrom > 0 ? leastRows : count), 12 * U) + opening;
    const isFresh = sheet.pages.length === 1 && sheet.y <= startRows.body * U;
    if (block.startsPage === true || (first > sheet.room && !isFresh)) sheet.newPage();
    if (block.heading !== undefined) drawHeading(sheet, block.heading);
    const table = sheet.tree.root.add('Table');
    this.page.head(table);
    return table;
  }

  private draw(index: number, table: StructElement): void {
    const { sheet, rows, page, keptFrom, count } = this;
    const row = rows.take(index);
    const kept = index === keptFrom && index > 0 ? row.height + rows.height(index + 1, count) : 0;
    const group = row.row.kind === 'group' ? row.height + rows.height(index + 1, index + 2) : row.height;
    const together = Math.max(kept, group);
    const least = index < count - 1 && index < keptFrom ? row.height + this.balanced : row.height;
    const needed = Math.max(least, together <= sheet.wholePage - 3 * U ? together : 0);
    const isLongerThanPage = needed > sheet.wholePage - 3 * U;
    if (needed > sheet.room && !isLongerThanPage) page.turn(this.balance);
    const element = table.add('TR');
    page.row(row, element);
    sheet.tree.flush(element, table);
    this.balance = row.row.balance;
  }
}

/** The rows of a table, set when they are needed: of thousands only those are in memory that stand together. */
class ComingRows {
  private readonly sheet: Sheet;
  private readonly columns: readonly PlacedColumn[];
  private rows: readonly TableRow[] = [];
  /** Rows before these. */
  private before = 0;
  private taken = 0;
  private readonly set = new Map<number, SetRow>();

  constructor(sheet: Sheet, columns: readonly PlacedColumn[]) {
    this.sheet = sheet;
    this.columns = columns;
  }

  /** How many rows have come. */
  get known(): number {
    return this.before + this.rows.length;
  }

  add(rows: readonly TableRow[]): void {
    this.rows = [...this.rows.slice(this.taken - this.before), ...rows];
    this.before = this.taken;
  }

  /** Height of the rows from one to before another, as far as there are such; they are still to come. */
  height(from: number, to: number): number {
    let height = 0;
    for (let index = from; index < Math.min(to, this.known); index += 1) height += this.at(index).height;
    return height;
  }

  /** A row whose turn has come; it is not asked for again. */
  take(index: number): SetRow {
    const row = this.at(index);
    this.set.delete(index);
    this.taken = index + 1;
    return row;
  }

  private at(index: number): SetRow {
    const known = this.set.get(index);
    const row = this.rows[index - this.before];
    if (known !== undefined || row === undefined) return known as SetRow;
    const set = setRow(this.sheet, this.columns, row);
    this.set.set(index, set);
    return set;
  }
}

function setRow(sheet: Sheet, columns: readonly PlacedColumn[], row: TableRow): SetRow {
  const cells = placeCells(sheet, columns, row);
  const lineCount = cells.reduce((most, { lines }) => Math.max(most, lines.length), 1);
  return { row, cells, lineCount, height: (row.kind === 'total' ? lineCount + 1 : lineCount) * U };
}

/** A heading between the blocks of a letter. */
export function drawHeading(sheet: Sheet, heading: string): void {
  const { canvas, paper, tree } = sheet;
  const look = { style: bold, size: 10.5, leading: U, colour: colours.ink };
  const line = sheet.cut(heading, look, paper.right - paper.left);
  const baseLine = sheet.y + 10;
  sheet.bookmark(heading);
  canvas.tagged(tree.root.add('H2'), () => sheet.lines([line], [paper.left, baseLine], look));
  sheet.y += 1.5 * U;
}

/** Draws the rows of one table, page by page. */
class TablePage {
  private readonly sheet: Sheet;
  private readonly columns: readonly PlacedColumn[];
  private readonly isRuled: boolean;
  private readonly left: number;
  private readonly right: number;

  constructor(sheet: Sheet, columns: readonly PlacedColumn[], isRuled: boolean) {
    this.sheet = sheet;
    this.columns = columns;
    this.isRuled = isRuled;
    const last = columns.at(-1);
    this.left = columns[0]?.left ?? 0;
    this.right = last === undefined ? 0 : last.left + last.width;
  }

  /** @param table undefined for a head that repeats the first */
  head(table: StructElement | undefined): void {
    const { sheet, left, right } = this;
    const { canvas, y } = sheet;
    const draw = (column: PlacedColumn): void => {
      const label = sheet.set.line(column.label, text);
      const at = y + 8.4;
      if (column.isFigure === true)
        canvas.textRight(label, [column.left + column.width, at], headSize, colours.muted);
      else canvas.text(label, [column.left, at], headSize, colours.muted);
    };
    const row = table?.add('TR');
    if (row) {
      for (const column of this.columns) canvas.tagged(row.add('TH', scopeColumn), () => draw(column));
    } else canvas.artifact('Pagination', () => this.columns.forEach(draw));
    canvas.artifact('Layout', () => canvas.line(left, y + U - 0.4, right, 0.75, colours.ink));
    sheet.y = y + U;
  }

  /** Goes on on the next page, with what is carried forward where the rows have a balance. */
  turn(balance: string | undefined): void {
    const { sheet } = this;
    if (balance !== undefined) this.balance(labels.carried(sheet.pages.length + 1), balance);
    sheet.newPage();
    this.head(undefined);
    if (balance !== undefined) this.balance(labels.brought(sheet.pages.length - 1), balance);
  }

  private balance(label: string, balance: string): void {
    const { sheet, left, right } = this;
    const { canvas, y } = sheet;
    canvas.artifact('Pagination', () => {
      canvas.text(sheet.set.line(label, bold), [left, y + 9], cellSize, colours.ink);
      canvas.textRight(sheet.set.line(balance, boldFigures), [right, y + 9], cellSize, colours.ink);
    });
    sheet.y += U;
  }

  row({ row, cells, lineCount }: SetRow, element: StructElement): void {
    const { sheet } = this;
    const elements = cells.map((_, at) => (at === 0 ? element.add('TH', scopeRow) : element.add('TD')));
    let from = 0;
    while (from < lineCount) {
      const to = Math.min(lineCount, from + Math.max(1, Math.floor(sheet.room / U)));
      const top = sheet.y;
      const height = (to - from + (row.kind === 'total' ? 1 : 0)) * U;
      this.rules(row.kind, top, height);
      for (const [at, cell] of cells.entries()) {
        const own = elements[at];
        if (own === undefined || cell.lines.slice(from, to).every(({ pieces }) => pieces.length === 0))
          continue;
        sheet.canvas.tagged(own, () => this.cell(cell, row, [from, to], top, at === 0));
      }
      sheet.y = top + height;
      from = to;
      if (from < lineCount) this.turn(undefined);
    }
  }

  private rules(kind: TableRow['kind'], top: number, height: number): void {
    const { sheet, left, right } = this;
    const { canvas } = sheet;
    if (kind === 'line' && !this.isRuled) return;
    if (kind === 'group') return;
    canvas.artifact('Layout', () => {
      if (kind === 'line') canvas.line(left, top + height - 0.2, right, 0.4, colours.fine);
      else if (kind === 'sum') canvas.line(left, top + 0.1, right, 0.75, colours.ink);
      else for (const y of [top + 0.5, top + height - 1]) canvas.line(left, y, right, 1.5, colours.ink);
    });
  }

  private cell(
    cell: PlacedCell,
    row: TableRow,
    [from, to]: readonly [from: number, to: number],
    top: number,
    isFirst: boolean,
  ): void {
    const { sheet } = this;
    const { canvas } = sheet;
    const size = sizeOf(row.kind);
    const colour = cell.isMuted && row.kind === 'line' ? colours.muted : colours.ink;
    const baseLine = top + (row.kind === 'total' ? 16.2 : 9.1);
    const remark = isFirst && from === 0 && row.remark !== undefined ? row.remark : '';
    for (let index = from; index < Math.min(to, cell.lines.length); index++) {
      const line = cell.lines[index];
      if (!line) continue;
      const y = baseLine + (index - from) * U;
      const isFollowed = index < cell.lines.length - 1 || remark !== '';
      if (cell.isFigure) canvas.textRight(line, [cell.right, y], size, colour, isFollowed);
      else canvas.text(line, [cell.left, y], size, colour, isFollowed);
    }
    const [line] = cell.lines;
    if (remark === '' || line === undefined) return;
    const x = cell.left + (line.width * size) / 1000 + 4;
    const room = { style: figures, size: remarkSize, leading: U, colour: colours.muted };
    canvas.text(
      sheet.cut(remark, room, Math.max(0, cell.right - x)),
      [x, baseLine],
      remarkSize,
      colours.muted,
    );
  }
}
