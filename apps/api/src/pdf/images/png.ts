import { inflateSync } from 'node:zlib';
import { ByteReader } from '../fonts/byte-reader.ts';
import { compress } from '../writer/pdf-file.ts';
import { type Artwork, mostPixels } from './artwork.ts';
import { unfilter } from './png-filter.ts';

interface Header {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly colourType: number;
}

interface Chunks {
  readonly header: Header;
  readonly palette: Uint8Array;
  readonly transparency: Uint8Array;
  readonly data: Uint8Array;
}

/** Samples per pixel by colour type: grey, colour, palette, grey with alpha, colour with alpha. */
const samplesOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Reads a PNG (Portable Network Graphics, third edition) of any colour type into 8-bit colour and, where it is
 * not opaque, a mask.
 * @throws {Error} when it is damaged, interlaced or too large
 */
export function readPng(file: Uint8Array): Artwork {
  const { header, palette, transparency, data } = readChunks(file);
  const { width, height, bits, colourType } = header;
  const samples = samplesOf[colourType];
  if (samples === undefined) throw new Error('PNG of an unknown colour type');
  const rowLength = Math.ceil((width * samples * bits) / 8);
  const raw = inflateSync(data, { maxOutputLength: (rowLength + 1) * height + 1 });
  const rows = unfilter(raw, rowLength, height, Math.max(1, (samples * bits) >> 3));
  const rgb = new Uint8Array(width * height * 3);
  const alpha = new Uint8Array(width * height).fill(255);
  const most = 2 ** bits - 1;
  const sample = (row: number, index: number): number => {
    if (bits >= 8) return rows[row * rowLength + (index * bits) / 8] ?? 0;
    const at = index * bits;
    return ((rows[row * rowLength + (at >> 3)] ?? 0) >> (8 - bits - (at & 7))) & most;
  };
  const keyed = transparentKey(colourType, transparency, bits);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const first = sample(y, x * samples);
      if (colourType === 3) {
        for (let c = 0; c < 3; c++) rgb[at * 3 + c] = palette[first * 3 + c] ?? 0;
        alpha[at] = transparency[first] ?? 255;
        continue;
      }
      const isGrey = colourType === 0 || colourType === 4;
      const scale = bits < 8 ? 255 / most : 1;
      const values = [0, 1, 2].map((c) => (isGrey ? first : sample(y, x * samples + c)));
      for (let c = 0; c < 3; c++) rgb[at * 3 + c] = Math.round((values[c] ?? 0) * scale);
      if (colourType >= 4) alpha[at] = sample(y, x * samples + samples - 1);
      else if (keyed && values.every((value, c) => value === keyed[isGrey ? 0 : c])) alpha[at] = 0;
    }
  }
  return toArtwork(width, height, rgb, alpha);
}

/** The one colour that is transparent (chunk tRNS), as samples of this picture's depth. */
function transparentKey(colourType: number, chunk: Uint8Array, bits: number): readonly number[] | undefined {
  if (chunk.length === 0 || colourType > 2) return undefined;
  const at = bits === 16 ? 0 : 1;
  return Array.from({ length: chunk.length >> 1 }, (_, index) => chunk[index * 2 + at] ?? 0);
}

function toArtwork(width: number, height: number, rgb: Uint8Array, alpha: Uint8Array): Artwork {
  const size = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/Filter/FlateDecode`;
  const colour = compress(rgb, 9);
  const mask = alpha.every((value) => value === 255) ? undefined : compress(alpha, 9);
  return {
    ratio: width / height,
    write: (file) => {
      const soft = mask ? `/SMask ${file.stream(`${size}/ColorSpace/DeviceGray`, mask)} 0 R` : '';
      return file.stream(`${size}/ColorSpace/DeviceRGB${soft}`, colour);
    },
  };
}

function readChunks(file: Uint8Array): Chunks {
  const reader = new ByteReader(file);
  if (reader.u32() !== 0x89504e47 || reader.u32() !== 0x0d0a1a0a) throw new Error('not a PNG');
  let header: Header | undefined;
  let palette = new Uint8Array();
  let transparency = new Uint8Array();
  const data: Uint8Array[] = [];
  for (;;) {
    const length = reader.u32();
    const type = Buffer.from(reader.take(4)).toString('latin1');
    const chunk = reader.take(length);
    reader.u32();
    if (type === 'IHDR') header = readHeader(chunk);
    else if (type === 'PLTE') palette = Uint8Array.from(chunk);
    else if (type === 'tRNS') transparency = Uint8Array.from(chunk);
    else if (type === 'IDAT') data.push(chunk);
    else if (type === 'IEND') break;
  }
  if (!header) throw new Error('PNG without a header');
  return { header, palette, transparency, data: Buffer.concat(data) };
}

function readHeader(chunk: Uint8Array): Header {
  const reader = new ByteReader(chunk);
  const [width, height] = [reader.u32(), reader.u32()];
  const [bits, colourType] = [reader.u8(), reader.u8()];
  reader.u16();
  if (reader.u8() !== 0) throw new Error('interlaced PNG');
  if (width === 0 || height === 0 || width * height > mostPixels)
    throw new Error('PNG of an unsupported size');
  if (![1, 2, 4, 8, 16].includes(bits)) throw new Error('PNG of an unknown depth');
  return { width, height, bits, colourType };
}
