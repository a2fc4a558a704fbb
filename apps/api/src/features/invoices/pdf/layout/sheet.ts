import type { SetText, TextStyle } from '../../../../pdf/text/set-text.ts';
import type { TextSetter } from '../../../../pdf/text/text-setter.ts';
import { Canvas, type Place } from '../../../../pdf/writer/canvas.ts';
import type { StructElement, StructTree } from '../../../../pdf/writer/structure.ts';
import type { BrandColours, InvoiceDocument } from '../document.ts';
import type { InvoiceLabels } from '../labels.ts';
import { page } from './theme.ts';

/** How a block of text looks. */
export interface BlockStyle {
  readonly style: TextStyle;
  readonly size: number;
  readonly leading: number;
  readonly colour: string;
}

/** The pages of one document while they are being filled from top to bottom. */
export class Sheet {
  readonly doc: InvoiceDocument;
  readonly labels: InvoiceLabels;
  readonly colours: BrandColours;
  readonly set: TextSetter;
  readonly tree: StructTree;
  readonly pages: Canvas[] = [];
  canvas: Canvas;
  /** Where the next thing begins, in points from the top. */
  y = 0;

  constructor(
    doc: InvoiceDocument,
    parts: {
      readonly labels: InvoiceLabels;
      readonly colours: BrandColours;
      readonly set: TextSetter;
      readonly tree: StructTree;
    },
  ) {
    this.doc = doc;
    this.labels = parts.labels;
    this.colours = parts.colours;
    this.set = parts.set;
    this.tree = parts.tree;
    this.canvas = this.newPage();
  }

  newPage(): Canvas {
    this.canvas = new Canvas(this.pages.length, this.tree);
    this.pages.push(this.canvas);
    this.y = page.top;
    return this.canvas;
  }

  get room(): number {
    return page.bottom - this.y;
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
}
