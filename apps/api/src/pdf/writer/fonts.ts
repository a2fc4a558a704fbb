import { coreFont, hexCode } from '../fonts/core.ts';
import type { ExtraFont } from '../fonts/document-fonts.ts';
import { interFace } from '../fonts/face.ts';
import type { Weight } from '../fonts/families.ts';
import { Lru } from '../fonts/lru.ts';
import { ascent, buildTrueType, capHeight, descent, unitsPerEm } from '../fonts/truetype.ts';
import { compress, type PdfFile, type Ref } from './pdf-file.ts';
import { num, utf16Hex } from './syntax.ts';

/** A font subset in the form a file takes it, ready for any number of documents. */
interface FontParts {
  readonly name: string;
  /** Advances from code 1 on, thousandths of the em. */
  readonly widths: string;
  readonly file: Uint8Array;
  readonly fileLength: number;
  readonly toUnicode: Uint8Array;
  readonly weight: Weight;
}

const coreParts = new Map<Weight, FontParts>();
const extraParts = new Lru<string, FontParts>(64);

/** Adds Inter's everyday characters. @returns the font object */
export function writeCoreFont(file: PdfFile, weight: Weight): Ref {
  let parts = coreParts.get(weight);
  if (!parts) {
    const face = interFace(weight);
    const { glyphs } = coreFont(weight);
    const outlines = glyphs.map((glyph) => face.glyphData(glyph.gid));
    const advances = glyphs.map((glyph) => face.advanceOf(glyph.gid));
    const texts = glyphs.map((glyph) => glyph.text);
    parts = makeParts(
      `CFCORE+Inter-${weightName(weight)}`,
      weight,
      buildTrueType(outlines),
      advances,
      texts,
      9,
    );
    coreParts.set(weight, parts);
  }
  return writeFont(file, parts);
}

/** Adds the glyphs that one document needs besides. @returns the font object, or undefined when there are none */
export function writeExtraFont(file: PdfFile, extra: ExtraFont): Ref | undefined {
  if (extra.glyphs.length === 0) return undefined;
  const { weight } = extra;
  const parts = extraParts.getOrMake(extra.key, () => {
    const missing = interFace(weight).glyphData(0);
    const advances = [0, ...extra.glyphs.map((glyph) => glyph.advance)];
    const texts = ['', ...extra.glyphs.map((glyph) => glyph.text)];
    const font = buildTrueType([missing, ...extra.glyphData()]);
    return makeParts(`CFMORE+Fallback-${weightName(weight)}`, weight, font, advances, texts, 6);
  });
  return writeFont(file, parts);
}

const weightName = (weight: Weight): string => (weight === 400 ? 'Regular' : 'SemiBold');

function makeParts(
  name: string,
  weight: Weight,
  font: Uint8Array,
  advances: readonly number[],
  texts: readonly string[],
  level: number,
): FontParts {
  return {
    name,
    weight,
    widths: advances.slice(1).join(' '),
    file: compress(font, level),
    fileLength: font.length,
    toUnicode: compress(toUnicodeMap(texts), level),
  };
}

/** Type 0 font over a TrueType CID font (ISO 32000-1, 9.7): a code is the glyph's number in the subset. */
function writeFont(file: PdfFile, parts: FontParts): Ref {
  const fontFile = file.stream(`/Filter/FlateDecode/Length1 ${parts.fileLength}`, parts.file);
  const toUnicode = file.stream('/Filter/FlateDecode', parts.toUnicode);
  const perMille = (value: number): string => num(Math.round((value * 1000) / unitsPerEm));
  const descriptor = file.object(
    `<</Type/FontDescriptor/FontName/${parts.name}/Flags 4/FontBBox[-1000 ${perMille(descent)} 2000 ` +
      `${perMille(ascent)}]/ItalicAngle 0/Ascent ${perMille(ascent)}/Descent ${perMille(descent)}` +
      `/CapHeight ${perMille(capHeight)}/StemV ${parts.weight === 400 ? 80 : 120}/FontFile2 ${fontFile} 0 R>>`,
  );
  const descendant = file.object(
    `<</Type/Font/Subtype/CIDFontType2/BaseFont/${parts.name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)` +
      `/Supplement 0>>/FontDescriptor ${descriptor} 0 R/W[1[${parts.widths}]]/CIDToGIDMap/Identity>>`,
  );
  return file.object(
    `<</Type/Font/Subtype/Type0/BaseFont/${parts.name}/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]` +
      `/ToUnicode ${toUnicode} 0 R>>`,
  );
}

/** Character map from codes to text, at most 100 entries a block (9.10.3). */
function toUnicodeMap(texts: readonly string[]): string {
  const entries = texts.flatMap((text, code) =>
    text === '' ? [] : [`<${hexCode(code)}><${utf16Hex(text)}>`],
  );
  let blocks = '';
  for (let from = 0; from < entries.length; from += 100) {
    const block = entries.slice(from, from + 100);
    blocks += `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar\n`;
  }
  return (
    '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo <</Registry (Adobe) ' +
    '/Ordering (UCS) /Supplement 0>> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n' +
    `1 begincodespacerange\n<0000><ffff>\nendcodespacerange\n${blocks}endcmap\n` +
    'CMapName currentdict /CMap defineresource pop\nend\nend\n'
  );
}
