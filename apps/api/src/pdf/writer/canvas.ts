import { spaceCode } from '../fonts/core.ts';
import type { SetText } from '../text/set-text.ts';
import type { Marks, StructElement } from './structure.ts';
import { colourOperands, num } from './syntax.ts';

/** In points from the upper left corner. */
export type Place = readonly [x: number, y: number];

/** A link on a page, in points from the upper left corner. */
export interface PageLink {
  readonly element: StructElement;
  readonly box: readonly [x: number, y: number, width: number, height: number];
  readonly address: string;
  readonly label: string;
}

/**
 * Draws on one page. Coordinates are in points from the upper left corner; text stands on its base line.
 * Everything drawn is either content of a structure element or an artifact (decoration, repeated headings).
 */
export class Canvas {
  readonly page: number;
  readonly links: PageLink[] = [];
  private readonly tree: Marks;
  private readonly height: number;
  private content = '';
  private font = '';
  private fill = '';
  private stroke = '';

  /** @param height of the page, points */
  constructor(page: number, tree: Marks, height: number) {
    this.page = page;
    this.tree = tree;
    this.height = height;
  }

  /** Marks what `draw` draws as content of an element. */
  tagged(element: StructElement, draw: () => void): void {
    this.content += `/${element.tag}<</MCID ${this.tree.mark(element, this.page)}>>BDC\n`;
    draw();
    this.content += 'EMC\n';
  }

  /** Marks what `draw` draws as no part of the text. */
  artifact(kind: 'Layout' | 'Pagination', draw: () => void): void {
    this.content += `/Artifact<</Type/${kind}>>BDC\n`;
    draw();
    this.content += 'EMC\n';
  }

  /**
   * @param isFollowed more of the same element follows: a space that nobody sees keeps the words apart for those
   *                   who listen or copy
   */
  text(text: SetText, [x, y]: Place, size: number, colour: string, isFollowed = false): void {
    if (text.pieces.length === 0) return;
    this.setFill(colour);
    this.content += `BT\n${num(x)} ${num(this.height - y)} Td\n`;
    for (const piece of text.pieces) this.show(fontName(piece.font, text.weight), size, piece.show);
    if (isFollowed && text.isCut !== true) this.show(fontName('core', text.weight), size, `<${spaceCode}>`);
    this.content += 'ET\n';
  }

  private show(name: string, size: number, codes: string): void {
    const font = `/${name} ${num(size)} Tf\n`;
    this.content += font === this.font ? `[${codes}]TJ\n` : `${font}[${codes}]TJ\n`;
    this.font = font;
  }

  /** Text that ends at `right`. */
  textRight(text: SetText, [right, y]: Place, size: number, colour: string, isFollowed = false): void {
    this.text(text, [right - (text.width * size) / 1000, y], size, colour, isFollowed);
  }

  line(x1: number, y: number, x2: number, width: number, colour: string): void {
    this.setStroke(colour);
    const at = num(this.height - y);
    this.content += `${num(width)} w ${num(x1)} ${at} m ${num(x2)} ${at} l S\n`;
  }

  rectangle(x: number, y: number, width: number, height: number, colour: string): void {
    this.setFill(colour);
    this.content += `${num(x)} ${num(this.height - y - height)} ${num(width)} ${num(height)} re f\n`;
  }

  /** Many rectangles as one shape, so that no hair line shows between those that touch. */
  rectangles(
    boxes: readonly (readonly [x: number, y: number, width: number, height: number])[],
    colour: string,
  ): void {
    this.setFill(colour);
    for (const [x, y, width, height] of boxes)
      this.content += `${num(x)} ${num(this.height - y - height)} ${num(width)} ${num(height)} re\n`;
    this.content += 'f\n';
  }

  /** Strokes from point to point; with `dash` in dashes of that length. */
  path(points: readonly Place[], width: number, colour: string, dash = 0): void {
    this.setStroke(colour);
    const steps = points.map(
      ([x, y], index) => `${num(x)} ${num(this.height - y)} ${index === 0 ? 'm' : 'l'}`,
    );
    const stroked = `${num(width)} w ${steps.join(' ')} S\n`;
    this.content += dash === 0 ? stroked : `q [${num(dash)} ${num(dash)}] 0 d ${stroked}Q\n`;
  }

  /** A rectangle with round corners, filled or (with `lineWidth`) outlined. */
  rounded(
    [x, y, width, height]: readonly [x: number, y: number, width: number, height: number],
    radius: number,
    colour: string,
    lineWidth?: number,
  ): void {
    if (lineWidth === undefined) this.setFill(colour);
    else this.setStroke(colour);
    const left = x;
    const right = x + width;
    const top = this.height - y;
    const bottom = top - height;
    const k = radius * 0.5523;
    const r = radius;
    const curve = (...points: number[]): string => `${points.map(num).join(' ')} c\n`;
    this.content +=
      `${num(left + r)} ${num(top)} m ${num(right - r)} ${num(top)} l\n` +
      curve(right - r + k, top, right, top - r + k, right, top - r) +
      `${num(right)} ${num(bottom + r)} l\n` +
      curve(right, bottom + r - k, right - r + k, bottom, right - r, bottom) +
      `${num(left + r)} ${num(bottom)} l\n` +
      curve(left + r - k, bottom, left, bottom + r - k, left, bottom + r) +
      `${num(left)} ${num(top - r)} l\n` +
      curve(left, top - r + k, left + r - k, top, left + r, top) +
      (lineWidth === undefined ? 'h f\n' : `h ${num(lineWidth)} w S\n`);
  }

  /** Draws a named external object (a logo) of unit size into a box. */
  image(name: string, x: number, y: number, width: number, height: number): void {
    const place = `${num(width)} 0 0 ${num(height)} ${num(x)} ${num(this.height - y - height)}`;
    this.content += `q ${place} cm /${name} Do Q\n`;
  }

  /** The page's content stream. */
  done(): string {
    return this.content;
  }

  private setFill(colour: string): void {
    if (colour !== this.fill) this.content += `${colourOperands(colour)} rg\n`;
    this.fill = colour;
  }

  private setStroke(colour: string): void {
    if (colour !== this.stroke) this.content += `${colourOperands(colour)} RG\n`;
    this.stroke = colour;
  }
}

/** Name of a font in every page's resources. */
export const fontName = (kind: 'core' | 'extra', weight: 400 | 600): string =>
  `${kind === 'core' ? 'C' : 'E'}${weight === 400 ? 'R' : 'B'}`;
