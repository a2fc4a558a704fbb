import type { DocumentFonts } from '../fonts/document-fonts.ts';
import { levelsOf } from './bidi.ts';
import { breakPositions, cutPositions } from './breaks.ts';
import { cleanLine, cleanParagraphs } from './clean.ts';
import { setComplexText } from './complex-text.ts';
import { setPlainText } from './plain-text.ts';
import { hasRightToLeft } from './scripts.ts';
import type { SetText, TextStyle } from './set-text.ts';

/**
 * Lines that need no font but the core one, by style and text: products, labels and quantities come again and
 * again, in one invoice and in the next. Emptied when full.
 */
const keptLines = new Map<string, SetText>();
const mostKeptLines = 4000;
const longestKeptLine = 80;

type SetRange = (start: number, end: number) => SetText;

/** Sets the texts of one document, with its fonts and in its language. */
export class TextSetter {
  readonly fonts: DocumentFonts;
  private readonly language: string;

  constructor(fonts: DocumentFonts, language: string) {
    this.fonts = fonts;
    this.language = language;
  }

  /** A text on one line, however long. */
  line(text: string, style: TextStyle): SetText {
    return this.setLine(cleanLine(text), style);
  }

  /**
   * A text in lines of at most `width` thousandths of the em. Words longer than a line are cut.
   * @returns at least one line, which may be empty
   */
  wrap(text: string, style: TextStyle, width: number): readonly SetText[] {
    return cleanParagraphs(text).flatMap((paragraph) => this.wrapParagraph(paragraph, style, width));
  }

  private wrapParagraph(paragraph: string, style: TextStyle, width: number): readonly SetText[] {
    const whole = this.setLine(paragraph, style);
    if (whole.width <= width) return [whole];
    const setRange = this.rangeSetter(paragraph, style);
    const lines: SetText[] = [];
    let start = 0;
    let end = 0;
    let used = 0;
    const finish = (to: number): void => {
      const trimmed = paragraph.slice(start, to).trimEnd().length;
      const isCut = start + trimmed === to && to < paragraph.length;
      if (trimmed > 0) lines.push({ ...setRange(start, start + trimmed), isCut });
      start = to;
      used = 0;
    };
    for (const position of breakPositions(paragraph)) {
      const word = setRange(end, position).width;
      const trailing =
        paragraph.slice(end, position).length - paragraph.slice(end, position).trimEnd().length;
      const visible = trailing === 0 ? word : setRange(end, position - trailing).width;
      if (used + visible > width && used > 0) finish(end);
      if (visible > width) {
        for (const cut of cutPositions(paragraph, end, position)) {
          const part = setRange(end, cut).width;
          if (used + part > width && used > 0) finish(end);
          used += part;
          end = cut;
        }
      } else {
        used += word;
        end = position;
      }
    }
    finish(paragraph.length);
    return lines;
  }

  private setLine(line: string, style: TextStyle): SetText {
    const key = `${style.weight}${style.tabular ? 't' : 'p'}${line}`;
    const kept = keptLines.get(key);
    if (kept) return kept;
    const text = setPlainText(line, style, this.fonts) ?? this.rangeSetter(line, style)(0, line.length);
    if (line.length <= longestKeptLine && text.pieces.every((piece) => piece.font === 'core')) {
      if (keptLines.size >= mostKeptLines) keptLines.clear();
      keptLines.set(key, text);
    }
    return text;
  }

  /** Sets parts of a paragraph, whose directions are worked out once. */
  private rangeSetter(paragraph: string, style: TextStyle): SetRange {
    const levels = hasRightToLeft(paragraph) ? levelsOf(paragraph) : undefined;
    const options = { weight: style.weight, language: this.language };
    return (start, end) =>
      (levels ? undefined : setPlainText(paragraph.slice(start, end), style, this.fonts)) ??
      setComplexText(paragraph, levels, [start, end], options, this.fonts);
  }
}
