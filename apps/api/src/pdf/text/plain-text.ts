import { coreFont } from '../fonts/core.ts';
import type { DocumentFonts } from '../fonts/document-fonts.ts';
import { interFace } from '../fonts/face.ts';
import { interKerning } from './kerning.ts';
import { PieceBuilder, type SetText, type TextStyle } from './set-text.ts';

const isFigure = (code: number): boolean => code >= 48 && code <= 57;

/**
 * Letters and signs that are set one after another from left to right: Latin, Greek, Cyrillic, punctuation,
 * currency and arrows. No combining marks, no other script.
 */
const isPlain = (code: number): boolean =>
  code < 0x300 || (code >= 0x370 && code < 0x530 && !(code >= 0x483 && code <= 0x489)) || isPlainSign(code);

const isPlainSign = (code: number): boolean =>
  (code >= 0x1e00 &&
    code < 0x2300 &&
    !(code >= 0x200b && code <= 0x200f) &&
    !(code >= 0x20d0 && code < 0x2100)) ||
  code === 0x25a1;

/**
 * Sets text of the everyday kind: the fast path of nearly all invoices.
 * @param text cleaned, on one line
 * @returns undefined when the text needs more (another script, marks, a glyph that Inter lacks)
 */
export function setPlainText(text: string, style: TextStyle, fonts: DocumentFonts): SetText | undefined {
  const { weight, tabular } = style;
  const core = coreFont(weight);
  const glyphs = tabular ? core.tabular : core.proportional;
  const out = new PieceBuilder();
  let previous = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isRigid = tabular && (isFigure(code) || isFigure(previous));
    const shift = previous === 0 || isRigid ? 0 : interKerning(weight, previous, code);
    const glyph = glyphs.get(code);
    if (glyph) {
      out.glyph('core', glyph.code, glyph.advance, shift);
    } else {
      const face = interFace(weight);
      const gid = isPlain(code) ? face.glyphOf(code) : 0;
      if (gid === 0) return undefined;
      const advance = face.advanceOf(gid);
      out.glyph('extra', fonts.extra(weight).singleCode(face, gid, advance, text.charAt(i)), advance, shift);
    }
    previous = code;
  }
  return { weight, pieces: out.done(), width: out.width };
}
