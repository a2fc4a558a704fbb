import type { TextStyle } from '../text/set-text.ts';
import { type StructElement, scopeColumn } from '../writer/structure.ts';
import { labels } from './labels.ts';
import type { RecordCells, RecordPart, RecordsBlock } from './letter.ts';
import type { BlockStyle, Sheet } from './sheet.ts';
import { drawHeading } from './table.ts';
import { drawText } from './texts.ts';
import { bold, boldFigures, colours, figures, text, U } from './theme.ts';

const gutter = 2 * U;
const size = 7.5;
/** A number's head stays with so many records, its subtotal too. */
const together = 3;
const headRows = 2;
/** Left edge of the called number, right edges of quantity and price, as shares of a column's width. */
const places = [0, 0.35, 0.82, 1] as const;

type NumberHead = Extract<RecordPart, { readonly kind: 'number' }>;

/** The number whose records are being drawn. */
interface OpenNumber {
  readonly of: NumberHead;
  readonly table: StructElement;
  drawn: number;
}

/** Usage records by number, each with its subtotal, in two columns of a page; written as they come. */
export class RecordColumns {
  private readonly sheet: Sheet;
  private readonly width: number;
  private top: number;
  /** Where the fuller column of this page ends. */
  private deepest: number;
  private column = 0;
  /** Rows that are still to be drawn, heads of continued numbers not counted. */
  private left: number;
  private bottom: number;
  private open: OpenNumber | undefined;

  /** Begins on a new page, with the heading. */
  constructor(sheet: Sheet, block: RecordsBlock) {
    sheet.newPage();
    drawHeading(sheet, block.heading);
    drawText(sheet, { kind: 'text', text: block.note, isMuted: true });
    sheet.y += U;
    this.sheet = sheet;
    this.width = (sheet.paper.right - sheet.paper.left - gutter) / 2;
    this.left = block.records + block.numbers * (headRows + 2);
    this.top = sheet.y;
    this.deepest = sheet.y;
    this.bottom = this.columnBottom();
  }

  add(part: RecordPart): void {
    if (part.kind === 'number') this.begin(part);
    else if (part.kind === 'rows') for (const row of part.rows) this.record(row);
    else this.total(part.total);
  }

  private begin(of: NumberHead): void {
    const table = this.sheet.tree.root.add('Table');
    this.open = { of, table, drawn: 0 };
    this.head(of, table, Math.min(of.count, together) + headRows);
  }

  private record(row: RecordCells): void {
    const { open, sheet } = this;
    if (open === undefined) return;
    const { count } = open.of;
    const rest = count - open.drawn;
    // The last records take the subtotal with them.
    const needed = rest === Math.min(together, count) ? rest + 1 : rest < together ? 0 : 1;
    if (open.drawn > 0 && this.rowsLeft() < needed) {
      this.nextColumn();
      this.head(open.of, undefined, 0);
    }
    open.drawn += 1;
    const element = open.table.add('TR');
    this.row(row, element, false);
    sheet.tree.flush(element, open.table);
  }

  private total([count, quantity, price]: readonly [string, string, string]): void {
    const { open, sheet } = this;
    if (open === undefined) return;
    this.row([count, '', quantity, price], open.table.add('TR'), true);
    sheet.tree.flush(open.table, sheet.tree.root);
    sheet.y += U;
    this.left -= 1;
    this.open = undefined;
  }

  /** Goes on below the fuller column. */
  end(): void {
    this.sheet.y = Math.max(this.deepest, this.sheet.y);
    if (this.sheet.room < U) this.sheet.newPage();
  }

  private get x(): number {
    return this.sheet.paper.left + this.column * (this.width + gutter);
  }

  private rowsLeft(): number {
    return Math.floor((this.bottom - this.sheet.y) / U + 0.01);
  }

  /** Columns of a page are full; on the last page both are of about equal height. */
  private columnBottom(): number {
    const { sheet } = this;
    const room = Math.floor((sheet.bottom - this.top) / U + 0.01);
    const half = Math.ceil((this.left + headRows) / 2) + together;
    return this.left + headRows * 2 <= room * 2 && half < room ? this.top + half * U : sheet.bottom;
  }

  private nextColumn(): void {
    const { sheet } = this;
    this.deepest = Math.max(this.deepest, sheet.y);
    if (this.column === 0) {
      this.column = 1;
      sheet.y = this.top;
      // What is left must go somewhere: the second column may always be full.
      this.bottom = sheet.bottom;
      return;
    }
    sheet.newPage();
    this.column = 0;
    this.top = sheet.y;
    this.deepest = sheet.y;
    this.bottom = this.columnBottom();
  }

  /** @param table undefined where it goes on in another column */
  private head({ number, description }: NumberHead, table: StructElement | undefined, needed: number): void {
    if (this.rowsLeft() < needed) this.nextColumn();
    const { sheet, x, width } = this;
    const { canvas, y } = sheet;
    const title: BlockStyle = { style: bold, size: 9, leading: U, colour: colours.ink };
    const small: BlockStyle = { style: text, size, leading: U, colour: colours.muted };
    const name = sheet.cut(number, title, width * 0.7);
    const nameWidth = (name.width * title.size) / 1000;
    const remark = sheet.cut(table ? description : labels.continued, small, width - nameWidth - 5);
    const drawName = (): void => {
      canvas.text(name, [x, y + 9], title.size, title.colour, true);
      canvas.text(remark, [x + nameWidth + 5, y + 9], size, colours.muted);
    };
    const drawLabels = (at: number): void =>
      this.cell(labels.records[at] ?? '', at, y + U + 8.4, { style: text, fontSize: 6.5 }, 40);
    if (table) {
      sheet.bookmark(number, 1);
      canvas.tagged(table.add('Caption'), drawName);
      const row = table.add('TR');
      for (const at of places.keys()) canvas.tagged(row.add('TH', scopeColumn), () => drawLabels(at));
      this.left -= headRows;
    } else {
      canvas.artifact('Pagination', () => {
        drawName();
        for (const at of places.keys()) drawLabels(at);
      });
    }
    canvas.artifact('Layout', () => canvas.line(x, y + headRows * U - 0.4, x + width, 0.75, colours.ink));
    sheet.y = y + headRows * U;
  }

  private row(cells: readonly string[], element: StructElement, isSum: boolean): void {
    const { sheet } = this;
    const { canvas, y } = sheet;
    if (isSum)
      canvas.artifact('Layout', () => canvas.line(this.x, y + 0.1, this.x + this.width, 0.75, colours.ink));
    const look = { style: isSum ? boldFigures : figures, fontSize: size };
    const quantity = { ...look, size, leading: U, colour: colours.ink };
    const beside = (sheet.cut(cells[2] ?? '', quantity, this.width * 0.3).width * size) / 1000;
    for (const [at, cell] of cells.entries()) {
      const own = element.add('TD');
      if (cell !== '') canvas.tagged(own, () => this.cell(cell, at, y + 8.7, look, beside));
    }
    sheet.y = y + U;
    this.left -= 1;
  }

  /** @param beside width of what stands at the right end of this cell's room, points */
  private cell(
    cell: string,
    at: number,
    baseLine: number,
    { style, fontSize }: { readonly style: TextStyle; readonly fontSize: number },
    beside: number,
  ): void {
    const { sheet, x, width } = this;
    const colour = fontSize === size ? colours.ink : colours.muted;
    const look = { style, size: fontSize, leading: U, colour };
    const edge = x + width * (places[at] ?? 0);
    if (at < 2) {
      const room = at === 0 ? width * places[1] : width * (places[2] - places[1]) - beside - 4;
      sheet.canvas.text(sheet.cut(cell, look, room), [edge, baseLine], fontSize, colour);
      return;
    }
    const room = at === 2 ? width * (places[2] - places[1]) * 0.6 : width * (places[3] - places[2]) - 3;
    const line = sheet.cut(cell, look, room);
    sheet.canvas.textRight(line, [edge, baseLine], fontSize, colour);
  }
}
