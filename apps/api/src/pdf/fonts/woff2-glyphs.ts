import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { encodeSimpleGlyph } from './outline.ts';

const moreComponents = 0x20;
const hasInstructions = 0x100;

/**
 * Undoes the 'glyf' transform of WOFF2 (specification, section 5.1): seven separate streams become one 'glyf'
 * table and its offsets ('loca', long format). Hinting instructions are dropped: paper does not need them.
 */
export function restoreGlyphs(data: Uint8Array): { readonly glyf: Uint8Array; readonly loca: Uint8Array } {
  const header = new ByteReader(data, 4);
  const count = header.u16();
  header.pos = 8;
  const lengths = Array.from({ length: 7 }, () => header.u32());
  const [contours, points, flags, coordinates, composites, boxes, instructions] = lengths.map(
    (length) => new ByteReader(header.take(length)),
  );
  if (!(contours && points && flags && coordinates && composites && boxes && instructions)) {
    throw new Error('WOFF2 outlines are incomplete');
  }
  const boxBitmap = boxes.take(((count + 31) >> 5) << 2);
  const glyf = new ByteWriter(data.length * 2);
  const loca = new ByteWriter(4 * (count + 1));
  for (let gid = 0; gid < count; gid++) {
    loca.u32(glyf.length);
    const contourCount = contours.i16();
    const hasBox = ((boxBitmap[gid >> 3] ?? 0) & (128 >> (gid & 7))) !== 0;
    if (contourCount > 0) {
      const ends = Array.from({ length: contourCount }, () => read255(points));
      const outline = ends.map((length) => Array.from({ length }, () => ({ x: 0, y: 0, onCurve: true })));
      readPoints(outline, flags, coordinates);
      instructions.take(read255(coordinates));
      if (hasBox) boxes.take(8);
      glyf.bytes(encodeSimpleGlyph(outline));
    } else if (contourCount < 0) {
      glyf.i16(-1);
      glyf.bytes(boxes.take(8));
      const { bytes, instructed } = readComposite(composites);
      if (instructed) instructions.take(read255(coordinates));
      glyf.bytes(bytes);
    }
    glyf.align4();
  }
  loca.u32(glyf.length);
  return { glyf: glyf.done(), loca: loca.done() };
}

function read255(reader: ByteReader): number {
  const code = reader.u8();
  if (code === 253) return reader.u16();
  if (code === 254) return reader.u8() + 506;
  if (code === 255) return reader.u8() + 253;
  return code;
}

const signed = (positive: number, value: number): number => (positive & 1 ? value : -value);

/** Coordinate triplets, WOFF2 specification 5.2: one flag byte says how many bytes hold the two differences. */
function readPoints(
  outline: { x: number; y: number; onCurve: boolean }[][],
  flags: ByteReader,
  bytes: ByteReader,
): void {
  let x = 0;
  let y = 0;
  for (const contour of outline) {
    for (const point of contour) {
      const byte = flags.u8();
      const flag = byte & 127;
      if (flag < 10) {
        y += signed(flag, ((flag & 14) << 7) + bytes.u8());
      } else if (flag < 20) {
        x += signed(flag, (((flag - 10) & 14) << 7) + bytes.u8());
      } else if (flag < 84) {
        const low = flag - 20;
        const packed = bytes.u8();
        x += signed(flag, 1 + (low & 0x30) + (packed >> 4));
        y += signed(flag >> 1, 1 + ((low & 0x0c) << 2) + (packed & 15));
      } else if (flag < 120) {
        const low = flag - 84;
        x += signed(flag, 1 + (Math.floor(low / 12) << 8) + bytes.u8());
        y += signed(flag >> 1, 1 + (((low % 12) >> 2) << 8) + bytes.u8());
      } else if (flag < 124) {
        const first = bytes.u8();
        const second = bytes.u8();
        x += signed(flag, (first << 4) + (second >> 4));
        y += signed(flag >> 1, ((second & 15) << 8) + bytes.u8());
      } else {
        x += signed(flag, bytes.u16());
        y += signed(flag >> 1, bytes.u16());
      }
      point.x = x;
      point.y = y;
      point.onCurve = byte < 128;
    }
  }
}

/** Copies one composite glyph and clears the bit that announces instructions. */
function readComposite(reader: ByteReader): { readonly bytes: Uint8Array; readonly instructed: boolean } {
  const start = reader.pos;
  let instructed = false;
  let flags = moreComponents;
  const flagPositions: number[] = [];
  while (flags & moreComponents) {
    flagPositions.push(reader.pos - start);
    flags = reader.u16();
    instructed ||= (flags & hasInstructions) !== 0;
    const argumentBytes = flags & 1 ? 4 : 2;
    const scaleBytes = flags & 8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0;
    reader.take(2 + argumentBytes + scaleBytes);
  }
  const bytes = reader.bytes.slice(start, reader.pos);
  for (const at of flagPositions) bytes[at] = (bytes[at] ?? 0) & ~(hasInstructions >> 8);
  return { bytes, instructed };
}
