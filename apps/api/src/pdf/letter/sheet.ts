import { cleanLine } from '../text/clean.ts';
import type { SetText, TextStyle } from '../text/set-text.ts';
import type { TextSetter } from '../text/text-setter.ts';
import type { Bookmark } from '../writer/bookmarks.ts';
import { Canvas, type Place } from '../writer/canvas.ts';
import type { PdfFile, Ref } from '../writer/pdf-file.ts';
import { type StructElement, StructTree } from '../writer/structure.ts';
import type { FileStart } from './file-start.ts';
import type { Letter } from './letter.ts';
import { bodyRows, type PaperSize, papers, rows, U } from './theme.ts';

/** How a block of text looks. */
export interface BlockStyle {
  readonly style: TextStyle;
  readonly size: number;
  readonly leading: number;
  readonly colour: string;
}

/** The pages of one letter while they are being filled from top to bottom. */
export class Sheet {
  readonly letter: Letter;
  readonly paper: PaperSize;
  readonly set: TextSetter;
  readonly file: PdfFile;
  readonly coreFonts: FileStart['coreFonts'];
  readonly pageRefs: Ref[] = [];
  readonly tree: StructTree;
  /** What each page shows; of a finished page its foot and runner alone, which are drawn last. */
  readonly pages: Canvas[] = [];
  /** Written contents of finished pages. */
  readonly contents = new Map<number, Ref>();
  readonly bookmarks: Bookmark[] = [];
  /** Called when a page was written. */
  onPage: (() => void) | undefined;
  canvas: Canvas;
  /** Where the next thing begins, in points from the top. */
  y: number = rows.body * U;
  /** Nothing but the foot stands below. */
  bottom: number;

  constructor(letter: Letter, set: TextSetter, { file, coreFonts }: FileStart) {
    this.letter = letter;
    this.file = file;
    this.coreFonts = coreFonts;
    this.tree = new StructTree(file, this.pageRefs);
    this.paper = papers[letter.paper];
    this.set = set;
    this.canvas = this.addPage();
    this.bottom = (rows.body + bodyRows(letter.paper, letter.slip !== undefined)) * U;
  }

  private addPage(): Canvas {
    this.canvas = this.blank(this.pages.length);
    this.pages.push(this.canvas);
    this.pageRefs.push(this.file.reserve());
    return this.canvas;
  }

  /** Lets a reader jump to what is drawn next. */
  bookmark(title: string, level: Bookmark['level'] = 0): void {
    this.bookmarks.push({ title: cleanLine(title), level, page: this.canvas.page, y: this.y });
  }

  private blank(page: number): Canvas {
    return new Canvas(page, this.tree, this.paper.height);
  }

  /** A full page is written at once. The first one stays open for its slip. */
  newPage(): void {
    const { page } = this.canvas;
    if (page > 0) {
      this.contents.set(page, this.file.compressed('', this.canvas.done()));
      this.tree.finishPage(page);
      this.pages[page] = this.blank(page);
      this.onPage?.();
    }
    this.addPage();
    this.y = rows.following * U;
    this.bottom = this.y + this.wholePage;
  }

  /** Height of a following page's content. */
  get wholePage(): number {
    return Math.floor(this.paper.height / U + 0.01 - 2 * rows.following) * U;
  }

  get room(): number {
    return this.bottom - this.y;
  }

  /** Wraps to a width in points; more than `most` lines end in an ellipsis. */
  wrap(
    text: string,
    { style, size }: BlockStyle,
    width: number,
    most = Number.POSITIVE_INFINITY,
  ): readonly SetText[] {
    const lines = this.set.wrap(text, style, (width * 1000) / size);
    return lines.length <= most ? lines : [...lines.slice(0, most - 1), this.set.line('…', style)];
  }

  /** One line that is cut at its end, with an ellipsis, where it is wider than `width` points. */
  cut(text: string, { style, size }: BlockStyle, width: number): SetText {
    const points = (line: SetText): number => (line.width * size) / 1000;
    const whole = this.set.line(text, style);
    if (points(whole) <= width) return whole;
    const letters = [...cleanLine(text)];
    for (let length = Math.floor((letters.length * width) / points(whole)) + 2; length > 0; length--) {
      const line = this.set.line(`${letters.slice(0, length).join('').trimEnd()}…`, style);
      if (points(line) <= width) return line;
    }
    return this.set.line('…', style);
  }

  /**
   * Draws lines below each other, the first base line at `y`.
   * @param isFollowed more text of the same element follows
   * @returns the base line after the last
   */
  lines(
    lines: readonly SetText[],
    [x, y]: Place,
    { size, leading, colour }: BlockStyle,
    isFollowed = false,
  ): number {
    for (const [index, line] of lines.entries()) {
      this.canvas.text(line, [x, y + index * leading], size, colour, isFollowed || index < lines.length - 1);
    }
    return y + lines.length * leading;
  }

  /** A paragraph as an element of its own. @returns the base line after the last */
  paragraph(parent: StructElement, lines: readonly SetText[], place: Place, look: BlockStyle): number {
    if (lines.every((line) => line.pieces.length === 0)) return place[1];
    this.canvas.tagged(parent.add('P'), () => this.lines(lines, place, look));
    return place[1] + lines.length * look.leading;
  }

  /** A label with its value at the right edge of `width`, as one paragraph. @returns how many rows it took */
  fact(
    parent: StructElement,
    { label, value }: { readonly label: string; readonly value: string },
    [x, y]: Place,
    width: number,
    { look, valueStyle }: { readonly look: BlockStyle; readonly valueStyle: BlockStyle },
  ): number {
    const values = this.wrap(value, valueStyle, width * 0.72, 3);
    const widest = Math.max(0, ...values.map((line) => line.width)) * (valueStyle.size / 1000);
    const names = this.wrap(label, look, Math.max(40, width - widest - 8), 2);
    this.canvas.tagged(parent.add('P'), () => {
      this.lines(names, [x, y], look, true);
      for (const [index, line] of values.entries())
        this.canvas.textRight(
          line,
          [x + width, y + index * valueStyle.leading],
          valueStyle.size,
          valueStyle.colour,
          index < values.length - 1,
        );
    });
    return Math.max(names.length, values.length);
  }
}
