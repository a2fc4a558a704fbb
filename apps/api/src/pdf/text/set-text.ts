import type { Weight } from '../fonts/families.ts';

export interface TextStyle {
  readonly weight: Weight;
  /** Figures of equal width, for anything that is read down a column. */
  readonly tabular: boolean;
}

/** Glyphs of one font. */
export interface Piece {
  readonly font: 'core' | 'extra';
  /** Operand of the PDF operator TJ: codes and corrections in thousandths of the em. */
  readonly show: string;
}

/** One line of text, shaped, in the order it is drawn (left to right). */
export interface SetText {
  readonly weight: Weight;
  readonly pieces: readonly Piece[];
  /** Thousandths of the em. */
  readonly width: number;
  /** The line was cut where no space is: what follows on the next line belongs to the same word. */
  readonly isCut?: boolean;
}

/** Collects glyphs into pieces. */
export class PieceBuilder {
  readonly pieces: Piece[] = [];
  width = 0;
  private font: Piece['font'] = 'core';
  private show = '';
  private isOpen = false;

  /** @param shift moves this and the following glyphs to the right, thousandths of the em */
  glyph(font: Piece['font'], code: string, advance: number, shift: number): void {
    if (font !== this.font) this.flush();
    this.font = font;
    if (shift !== 0) {
      if (this.isOpen) this.show += '>';
      this.isOpen = false;
      this.show += `${-shift} `;
      this.width += shift;
    }
    if (!this.isOpen) this.show += '<';
    this.isOpen = true;
    this.show += code;
    this.width += advance;
  }

  done(): readonly Piece[] {
    this.flush();
    return this.pieces;
  }

  private flush(): void {
    if (this.isOpen) this.show += '>';
    if (this.show !== '') this.pieces.push({ font: this.font, show: this.show });
    this.show = '';
    this.isOpen = false;
  }
}
