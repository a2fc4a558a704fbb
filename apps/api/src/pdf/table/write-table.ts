import type { SetText } from '../text/set-text.ts';
import { scopeColumn } from '../writer/structure.ts';
import { countName, TableBook } from './table-book.ts';
import {
  boldWords,
  cellText,
  layOutColumns,
  type PlacedColumn,
  printedMoment,
  sheet,
  type TableColumns,
  words,
} from './table-columns.ts';
import type { TableHead, TableRow } from './table-document.ts';

/** Fixed, because they have to be read in print too. */
const ink = '#0f2129';
const muted = '#5b6769';
const line = '#dfe5ea';
const strong = '#868f97';
const ground = '#eef3f6';

/** Rows looked at for how wide columns are. */
const SAMPLE = 200;
/** A row is at most so many lines high; more is cut with an ellipsis. */
const LINES_MOST = 24;
const FOOT_SIZE = 7.5;
const padding = 4;

/** A landscape table as a tagged PDF: the head of the table on every page, pages numbered. */
export async function* writeTable(head: TableHead, rows: AsyncIterable<TableRow>): AsyncIterable<Uint8Array> {
  const book = new TableBook();
  const page = new TablePages(book, head);
  for await (const row of rows) {
    page.add(row);
    yield* book.file.take();
  }
  page.end();
  yield book.finish({
    title: `${head.title} – ${head.company}`,
    author: head.company,
    at: head.madeAt,
    footSize: FOOT_SIZE,
    footColour: muted,
  });
}

/** Fills pages with the rows of a table. */
class TablePages {
  private readonly book: TableBook;
  private readonly head: TableHead;
  private sample: TableRow[] | undefined = [];
  private layout: TableColumns | undefined;
  private y: number = sheet.top;

  constructor(book: TableBook, head: TableHead) {
    this.book = book;
    this.head = head;
    this.drawTitle();
    this.drawFoot();
  }

  add(row: TableRow): void {
    if (this.sample === undefined) this.drawRow(row);
    else if (this.sample.push(row) === SAMPLE) this.begin();
  }

  end(): void {
    if (this.sample !== undefined) {
      if (this.sample.length > 0) this.begin();
      else this.paragraph('There is nothing to show for this choice.', 9, ink);
    }
    this.book.finishPage();
  }

  /** Draws the rows that were held back until the widths of the columns were known. */
  private begin(): void {
    const sample = this.sample ?? [];
    this.sample = undefined;
    this.layout = layOutColumns(this.book.set, this.head.columns, sample);
    this.drawHead(true);
    for (const row of sample) this.drawRow(row);
  }

  private paragraph(text: string, size: number, colour: string): void {
    const { book } = this;
    for (const one of book.set.wrap(text, words, ((sheet.right - sheet.left) * 1000) / size)) {
      book.canvas.tagged(book.element('P', 'document'), () =>
        book.canvas.text(one, [sheet.left, this.y], size, colour),
      );
      this.y += size * 1.45;
    }
  }

  private drawTitle(): void {
    const { book, head } = this;
    const title = book.set.line(head.title, boldWords);
    book.canvas.tagged(book.element('H1', 'document'), () =>
      book.canvas.text(title, [sheet.left, this.y], 16, ink),
    );
    this.y += 17;
    this.paragraph(`${head.company} · ${head.customer}`, 9, ink);
    for (const [label, value] of head.asked) this.paragraph(`${label}: ${value}`, 8.5, muted);
    this.paragraph(`Generated: ${printedMoment(head.madeAt)} UTC`, 8.5, muted);
    this.y += 6;
  }

  /** Number of the page, and how many there are: a drawing that is made when they are counted. */
  private drawFoot(): void {
    const { book, head } = this;
    const y = sheet.height - 22;
    const left = book.set.line(`${head.company} · ${head.title}`, words);
    const number = book.set.line(`Page ${book.pageNumber} of `, words);
    const countAt = sheet.right - 20;
    book.canvas.artifact('Pagination', () => {
      book.canvas.text(left, [sheet.left, y], FOOT_SIZE, muted);
      book.canvas.textRight(number, [countAt, y], FOOT_SIZE, muted);
      book.canvas.image(countName, countAt, y - 1, 1, 1);
    });
  }

  private newPage(): void {
    this.book.finishPage();
    this.book.newPage();
    this.y = sheet.top - 22;
    this.drawFoot();
    this.drawHead(false);
  }

  /** @param isFirst only the first is part of the text; the others repeat it */
  private drawHead(isFirst: boolean): void {
    const { book, layout } = this;
    if (layout === undefined) return;
    const { columns, size, leading } = layout;
    const top = this.y;
    const height = Math.max(...columns.map(({ label }) => label.length)) * leading + 2 * padding;
    book.canvas.artifact('Layout', () => {
      book.canvas.rectangle(sheet.left - 4, top, sheet.right - sheet.left + 8, height, ground);
      book.canvas.line(sheet.left - 4, top + height, sheet.right + 4, 0.75, strong);
    });
    const draw = (column: PlacedColumn) => this.drawLines(column, column.label, top, size, leading);
    if (isFirst) {
      const row = book.element('TR', 'table');
      for (const column of columns) book.canvas.tagged(row.add('TH', scopeColumn), () => draw(column));
    } else {
      book.canvas.artifact('Pagination', () => columns.forEach(draw));
    }
    this.y = top + height;
  }

  private drawRow(row: TableRow): void {
    const { book, layout } = this;
    if (layout === undefined) return;
    const { columns, size, leading } = layout;
    const cells = columns.map((column, index) => {
      const text = cellText(column.kind, row[index] ?? null);
      const lines = book.set.wrap(text, column.style, ((column.right - column.left) * 1000) / size);
      return lines.length <= LINES_MOST
        ? lines
        : [...lines.slice(0, LINES_MOST - 1), book.set.line('…', column.style)];
    });
    const height = Math.max(...cells.map((lines) => lines.length)) * leading + padding;
    if (this.y + height > sheet.bottom) this.newPage();
    const top = this.y;
    const element = book.element('TR', 'table');
    for (const [index, column] of columns.entries()) {
      const lines = cells[index] ?? [];
      const cell = element.add('TD');
      if (lines.every(({ pieces }) => pieces.length === 0)) continue;
      book.canvas.tagged(cell, () => this.drawLines(column, lines, top - padding / 2, size, leading));
    }
    book.canvas.artifact('Layout', () =>
      book.canvas.line(sheet.left - 4, top + height, sheet.right + 4, 0.4, line),
    );
    this.y = top + height;
  }

  private drawLines(
    column: PlacedColumn,
    lines: readonly SetText[],
    top: number,
    size: number,
    leading: number,
  ): void {
    const { canvas } = this.book;
    for (const [index, one] of lines.entries()) {
      const y = top + padding + index * leading + size * 0.93;
      const isFollowed = index < lines.length - 1;
      if (column.isFigure) canvas.textRight(one, [column.right, y], size, ink, isFollowed);
      else canvas.text(one, [column.left, y], size, ink, isFollowed);
    }
  }
}
