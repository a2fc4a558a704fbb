import { create, type Font } from 'fontkit';
import { clusterTexts } from '../text/cluster-text.ts';
import { type FamilyId, loadInter, loadSlice, sliceFor, type Weight } from './families.ts';
import { Lru } from './lru.ts';
import { contoursOf, encodeSimpleGlyph } from './outline.ts';
import { type GlyphData, unitsPerEm } from './truetype.ts';

/** A glyph of a cluster, moved from the cluster's origin by thousandths of the em. */
export interface Component {
  readonly gid: number;
  readonly dx: number;
  readonly dy: number;
}

/** A letter with everything that sits on it. It becomes one glyph of the PDF, so that its text stays in one piece. */
export interface Cluster {
  readonly components: readonly Component[];
  /** Thousandths of the em. */
  readonly advance: number;
  /** The characters it stands for, in the order of the glyphs on the line: from right to left in Hebrew. */
  readonly text: string;
}

/** One font file at one weight. Glyph numbers are the file's own. */
export class Face {
  readonly id: string;
  private readonly font: Font;
  private readonly perMille: number;
  private readonly glyphs = new Map<number, GlyphData>();

  constructor(id: string, font: Font) {
    this.id = id;
    this.font = font;
    this.perMille = 1000 / font.unitsPerEm;
  }

  /** Glyph of a character, 0 where the font has none. */
  glyphOf(codePoint: number): number {
    return this.font.hasGlyphForCodePoint(codePoint) ? this.font.glyphForCodePoint(codePoint).id : 0;
  }

  /** Glyph of a figure in which all figures are equally wide. */
  tabularGlyphOf(codePoint: number): number {
    const run = this.font.layout(String.fromCodePoint(codePoint), { tnum: true, calt: false });
    return run.glyphs[0]?.id ?? 0;
  }

  /** Advance in thousandths of the em, a whole number, as the PDF states it. */
  advanceOf(gid: number): number {
    return Math.round(this.font.getGlyph(gid).advanceWidth * this.perMille);
  }

  /** Distance between two characters' glyphs beyond their advances, thousandths of the em; negative is closer. */
  kerning(left: number, right: number): number {
    const features = { kern: true, calt: false, liga: false, ccmp: false };
    const run = this.font.layout(String.fromCodePoint(left, right), features);
    const first = run.glyphs[0];
    const position = run.positions[0];
    if (run.glyphs.length !== 2 || !first || !position) return 0;
    return Math.round((position.xAdvance - first.advanceWidth) * this.perMille);
  }

  /** Shapes a run of one script and direction (joined letters, marks); clusters come from left to right. */
  shape(text: string, isRightToLeft: boolean): readonly Cluster[] {
    const direction = isRightToLeft ? 'rtl' : 'ltr';
    const run = this.font.layout(text, { calt: false }, undefined, undefined, direction);
    let pen = 0;
    const placed = run.glyphs.map((glyph, index) => {
      const position = run.positions[index];
      const advance = position?.xAdvance ?? glyph.advanceWidth;
      const x = pen + (position?.xOffset ?? 0);
      const item = { glyph, origin: pen, x, y: position?.yOffset ?? 0, advance };
      pen += advance;
      return item;
    });
    if (isRightToLeft) placed.reverse();
    const clusters: { base: (typeof placed)[number]; members: typeof placed }[] = [];
    for (const item of placed) {
      const last = clusters.at(-1);
      if (last && item.advance === 0) last.members.push(item);
      else clusters.push({ base: item, members: [item] });
    }
    const texts = clusterTexts(text, clusters.length);
    const shaped = clusters.map(({ base, members }, index) => ({
      components: members.map(({ glyph, x, y }) => ({
        gid: glyph.id,
        dx: Math.round((x - base.origin) * this.perMille),
        dy: Math.round(y * this.perMille),
      })),
      advance: Math.round(base.advance * this.perMille),
      text: isRightToLeft ? [...(texts[index] ?? '')].reverse().join('') : (texts[index] ?? ''),
    }));
    return isRightToLeft ? shaped.reverse() : shaped;
  }

  /** Outline and advance of a glyph in the common em of the PDF's fonts. */
  glyphData(gid: number): GlyphData {
    const known = this.glyphs.get(gid);
    if (known) return known;
    const data = this.clusterData([{ gid, dx: 0, dy: 0 }], this.advanceOf(gid));
    this.glyphs.set(gid, data);
    return data;
  }

  /** The same for glyphs put together. @param advance in thousandths of the em */
  clusterData(components: readonly Component[], advance: number): GlyphData {
    const scale = unitsPerEm / this.font.unitsPerEm;
    const perUnit = unitsPerEm / 1000;
    const contours = components.flatMap(({ gid, dx, dy }) =>
      contoursOf(this.font.getGlyph(gid).path.commands, scale, [dx * perUnit, dy * perUnit]),
    );
    return { outline: encodeSimpleGlyph(contours).slice(), advance: Math.round(advance * perUnit) };
  }
}

/** Opens a TrueType file; `wght` sets a variable one to a weight. */
function openFace(id: string, bytes: Uint8Array, wght?: Weight): Face {
  const font = create(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!('layout' in font)) throw new Error(`${id} is a collection, not a font`);
  return new Face(id, wght === undefined ? font : font.getVariation({ wght }));
}

const inter = new Map<Weight, Face>();

/** Inter at a weight; opened once and kept, every invoice needs it. */
export function interFace(weight: Weight): Face {
  const known = inter.get(weight);
  if (known) return known;
  const face = openFace(`inter-${weight}`, loadInter(weight));
  inter.set(weight, face);
  return face;
}

/** Each is 100 to 300 kB; a document of many Chinese characters touches perhaps twenty. */
const openSlices = new Lru<string, Face>(48);

/**
 * First face among `families` that has a glyph for the character.
 * @param families in the order of preference
 */
export function faceFor(codePoint: number, weight: Weight, families: readonly FamilyId[]): Face | undefined {
  for (const family of families) {
    const key = sliceFor(family, codePoint);
    if (key === undefined) continue;
    const id = `${family}-${key}-${weight}`;
    const face = openSlices.getOrMake(id, () => {
      const { bytes, variable } = loadSlice(family, key, weight);
      return openFace(id, bytes, variable ? weight : undefined);
    });
    if (face.glyphOf(codePoint) !== 0) return face;
  }
  return undefined;
}
