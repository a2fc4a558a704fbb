import type { DocumentFonts } from '../fonts/document-fonts.ts';
import { type Face, faceFor, interFace } from '../fonts/face.ts';
import type { Weight } from '../fonts/families.ts';
import { mirrored, visualRuns } from './bidi.ts';
import { interKerning } from './kerning.ts';
import { familiesFor, isInvisible, isMark } from './scripts.ts';
import { PieceBuilder, type SetText } from './set-text.ts';

/** Drawn for a character that no font has: a box, visible, and copied as the character itself. */
const missingSign = 0x25a1;

/** Neighbouring characters set in one face. */
interface Segment {
  readonly face: Face;
  text: string;
  needsShaping: boolean;
  readonly isMissing: boolean;
}

/**
 * Sets text of any script: directions are ordered, each character gets a font that has it, Arabic letters are
 * joined and marks placed.
 * @param paragraph cleaned text of which a line is set
 * @param levels    its embedding levels, or undefined when everything runs from left to right
 */
export function setComplexText(
  paragraph: string,
  levels: Uint8Array | undefined,
  [start, end]: readonly [start: number, end: number],
  { weight, language }: { readonly weight: Weight; readonly language: string },
  fonts: DocumentFonts,
): SetText {
  const out = new PieceBuilder();
  const families = familiesFor(paragraph, language);
  const runs = levels ? visualRuns(levels, start, end) : [{ start, end, isRightToLeft: false }];
  for (const run of runs) {
    const segments = segmentsOf(paragraph.slice(run.start, run.end), (codePoint) =>
      interFace(weight).glyphOf(codePoint) === 0 ? faceFor(codePoint, weight, families) : interFace(weight),
    );
    if (run.isRightToLeft) segments.reverse();
    for (const segment of segments) addSegment(out, segment, run.isRightToLeft, weight, fonts);
  }
  return { weight, pieces: out.done(), width: out.width };

  function segmentsOf(run: string, faceOf: (codePoint: number) => Face | undefined): Segment[] {
    const segments: Segment[] = [];
    for (const char of run) {
      const codePoint = char.codePointAt(0) ?? 0;
      const last = segments.at(-1);
      const joins = isMark(char) || isInvisible(char);
      if (joins && last && !last.isMissing && last.face.glyphOf(codePoint) !== 0) {
        last.text += char;
        last.needsShaping = true;
        continue;
      }
      if (isInvisible(char)) continue;
      const face = faceOf(codePoint);
      const isMissing = face === undefined;
      const used = face ?? interFace(weight);
      if (last && last.face === used && last.isMissing === isMissing) last.text += char;
      else segments.push({ face: used, text: char, needsShaping: joins && !isMissing, isMissing });
    }
    return segments;
  }
}

function addSegment(
  out: PieceBuilder,
  segment: Segment,
  isRightToLeft: boolean,
  weight: Weight,
  fonts: DocumentFonts,
): void {
  const extra = fonts.extra(weight);
  const { face } = segment;
  const isInter = face === interFace(weight);
  if (segment.needsShaping || (isRightToLeft && !isInter)) {
    for (const cluster of face.shape(segment.text, isRightToLeft)) {
      out.glyph('extra', extra.code(face, cluster), cluster.advance, 0);
    }
    return;
  }
  const chars = [...segment.text];
  if (isRightToLeft) chars.reverse();
  let previous = 0;
  for (const char of chars) {
    const shown = isRightToLeft ? mirrored(char) : char;
    const codePoint = segment.isMissing ? missingSign : (shown.codePointAt(0) ?? 0);
    const gid = face.glyphOf(codePoint);
    const advance = face.advanceOf(gid);
    const shift = isInter && previous !== 0 ? interKerning(weight, previous, codePoint) : 0;
    out.glyph('extra', extra.singleCode(face, gid, advance, char), advance, shift);
    previous = codePoint;
  }
}
