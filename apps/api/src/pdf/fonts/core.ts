import { interFace } from './face.ts';
import type { Weight } from './families.ts';

/**
 * The characters of nearly every invoice. Their subset of Inter is made and compressed once per process and
 * put into each document as it stands; all other glyphs go into a small font made for the document.
 */
const coreText =
  ' !"#$%&\'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~' +
  '\u00a0£¥€–—−‘’“”…·×';

/** Code of the space, the first character of the core font. */
export const spaceCode = '0001';

/** Code of a glyph in the core font, as four hexadecimal digits, and its advance in thousandths of the em. */
export interface CoreGlyph {
  readonly code: string;
  readonly advance: number;
}

export interface CoreFont {
  readonly weight: Weight;
  /** By UTF-16 code unit. */
  readonly proportional: ReadonlyMap<number, CoreGlyph>;
  /** The figures at equal width. */
  readonly tabular: ReadonlyMap<number, CoreGlyph>;
  /** Inter's glyph and the text of each code, from code 0 (missing glyph) on. */
  readonly glyphs: readonly { readonly gid: number; readonly text: string }[];
}

const fonts = new Map<Weight, CoreFont>();

export function coreFont(weight: Weight): CoreFont {
  const known = fonts.get(weight);
  if (known) return known;
  const face = interFace(weight);
  const glyphs = [{ gid: 0, text: '' }];
  const add = (gid: number, text: string): CoreGlyph => {
    glyphs.push({ gid, text });
    return { code: hexCode(glyphs.length - 1), advance: face.advanceOf(gid) };
  };
  const proportional = new Map<number, CoreGlyph>();
  for (const char of coreText) {
    const code = char.charCodeAt(0);
    proportional.set(code, add(face.glyphOf(code), char));
  }
  const tabular = new Map(proportional);
  for (const char of '0123456789') {
    const code = char.charCodeAt(0);
    tabular.set(code, add(face.tabularGlyphOf(code), char));
  }
  const font = { weight, proportional, tabular, glyphs };
  fonts.set(weight, font);
  return font;
}

/** A two-byte code as PDF hexadecimal digits. */
export const hexCode = (code: number): string => code.toString(16).padStart(4, '0');
