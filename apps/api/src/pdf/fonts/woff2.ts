import { brotliDecompressSync } from 'node:zlib';
import { ByteReader } from './byte-reader.ts';
import { assembleSfnt, type FontTable } from './sfnt.ts';
import { restoreGlyphs } from './woff2-glyphs.ts';

/** Table tags by number, in the order of the WOFF2 specification, section 4.1. */
const knownTags = (
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH ' +
  'PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc ' +
  'bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
).match(/.{4}(?: |$)/g);

interface Entry {
  readonly tag: string;
  readonly transformed: boolean;
  /** Bytes in the decompressed block. */
  readonly length: number;
}

/**
 * Unpacks a WOFF2 web font into the plain TrueType file that a layout engine reads.
 * Source: WOFF File Format 2.0 (W3C), sections 4 and 5. Collections and transformed 'hmtx' tables, which the
 * fonts of this project do not have, are refused.
 * @throws {Error} when the file is not such a font
 */
export function decodeWoff2(file: Uint8Array): Uint8Array {
  const reader = new ByteReader(file);
  if (reader.u32() !== 0x774f4632) throw new Error('not a WOFF2 file');
  if (reader.u32() === 0x74746366) throw new Error('WOFF2 collections are not supported');
  reader.pos = 12;
  const count = reader.u16();
  reader.pos = 20;
  const compressedLength = reader.u32();
  reader.pos = 48;
  const entries = Array.from({ length: count }, () => readEntry(reader));
  const block = brotliDecompressSync(reader.take(compressedLength));
  const tables = new Map<string, Uint8Array>();
  let offset = 0;
  for (const entry of entries) {
    tables.set(entry.tag, block.subarray(offset, offset + entry.length));
    offset += entry.length;
  }
  if (entries.some((entry) => entry.tag === 'glyf' && entry.transformed)) {
    const glyphs = restoreGlyphs(tables.get('glyf') ?? new Uint8Array());
    tables.set('glyf', glyphs.glyf);
    tables.set('loca', glyphs.loca);
    setLocaFormat(tables, glyphs.loca);
  }
  return assembleSfnt([...tables].map(([tag, data]): FontTable => ({ tag, data })));
}

function readEntry(reader: ByteReader): Entry {
  const flags = reader.u8();
  const tag =
    (flags & 63) === 63
      ? Buffer.from(reader.take(4)).toString('latin1')
      : (knownTags?.[flags & 63] ?? '').slice(0, 4);
  const version = flags >> 6;
  const isOutline = tag === 'glyf' || tag === 'loca';
  const transformed = isOutline ? version !== 3 : version !== 0;
  const length = readBase128(reader);
  if (transformed && !isOutline) throw new Error(`WOFF2 table ${tag} is transformed in an unknown way`);
  return { tag, transformed, length: transformed ? readBase128(reader) : length };
}

/** Variable-length number of WOFF2: seven bits a byte, most significant first. */
function readBase128(reader: ByteReader): number {
  let value = 0;
  for (let i = 0; i < 5; i++) {
    const byte = reader.u8();
    value = value * 128 + (byte & 127);
    if (byte < 128) return value;
  }
  throw new Error('WOFF2 number is too long');
}

/** Restored offsets are always long ones, which 'head' must say. */
function setLocaFormat(tables: Map<string, Uint8Array>, loca: Uint8Array): void {
  const head = Uint8Array.from(tables.get('head') ?? []);
  if (head.length < 54 || loca.length === 0) throw new Error('WOFF2 font without head or outlines');
  new DataView(head.buffer).setInt16(50, 1);
  tables.set('head', head);
}
