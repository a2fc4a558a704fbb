import { ByteWriter } from './byte-writer.ts';
import { assembleSfnt } from './sfnt.ts';

/** A glyph ready for a font file: its 'glyf' bytes and its advance, both in units of {@link unitsPerEm}. */
export interface GlyphData {
  readonly outline: Uint8Array;
  readonly advance: number;
}

/** All fonts written here share one em, whatever font their glyphs come from. */
export const unitsPerEm = 2048;

export const ascent = 1984;
export const descent = -494;
export const capHeight = 1490;

/**
 * A TrueType file with just these glyphs, in this order; the first is '.notdef'. It holds what PDF needs for a
 * CID font (ISO 32000-1, 9.9): no character map and no names, since the PDF maps codes to glyphs itself.
 */
export function buildTrueType(glyphs: readonly GlyphData[]): Uint8Array {
  const glyf = new ByteWriter(4096);
  const loca = new ByteWriter(4 * glyphs.length + 4);
  const hmtx = new ByteWriter(4 * glyphs.length);
  for (const glyph of glyphs) {
    loca.u32(glyf.length);
    glyf.bytes(glyph.outline);
    glyf.align4();
    hmtx.u16(glyph.advance);
    hmtx.bytes(glyph.outline.length > 4 ? glyph.outline.subarray(2, 4) : new Uint8Array(2));
  }
  loca.u32(glyf.length);
  if (glyf.length === 0) glyf.u32(0);
  return assembleSfnt([
    { tag: 'glyf', data: glyf.done() },
    { tag: 'loca', data: loca.done() },
    { tag: 'hmtx', data: hmtx.done() },
    { tag: 'head', data: headTable() },
    { tag: 'hhea', data: hheaTable(glyphs) },
    { tag: 'maxp', data: maxpTable(glyphs) },
  ]);
}

function headTable(): Uint8Array {
  const head = new ByteWriter(54);
  for (const value of [0x00010000, 0x00010000, 0, 0x5f0f3cf5]) head.u32(value);
  head.u16(3);
  head.u16(unitsPerEm);
  for (let i = 0; i < 4; i++) head.u32(0);
  for (const value of [-unitsPerEm, descent, 2 * unitsPerEm, ascent]) head.i16(value);
  for (const value of [0, 8, 2, 1, 0]) head.i16(value);
  return head.done();
}

function hheaTable(glyphs: readonly GlyphData[]): Uint8Array {
  const hhea = new ByteWriter(36);
  hhea.u32(0x00010000);
  for (const value of [ascent, descent, 0]) hhea.i16(value);
  hhea.u16(glyphs.reduce((widest, glyph) => Math.max(widest, glyph.advance), 0));
  for (const value of [0, 0, unitsPerEm, 1, 0, 0, 0, 0, 0, 0, 0]) hhea.i16(value);
  hhea.u16(glyphs.length);
  return hhea.done();
}

function maxpTable(glyphs: readonly GlyphData[]): Uint8Array {
  let points = 0;
  let contours = 0;
  for (const { outline } of glyphs) {
    if (outline.length < 10) continue;
    const view = new DataView(outline.buffer, outline.byteOffset, outline.byteLength);
    const count = view.getInt16(0);
    contours = Math.max(contours, count);
    points = Math.max(points, view.getUint16(8 + 2 * count) + 1);
  }
  const maxp = new ByteWriter(32);
  maxp.u32(0x00010000);
  for (const value of [glyphs.length, points, contours, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]) maxp.u16(value);
  return maxp.done();
}
