import { hexCode } from './core.ts';
import type { Cluster, Face } from './face.ts';
import type { Weight } from './families.ts';
import type { GlyphData } from './truetype.ts';

/** Glyphs of one weight beyond the core font, from whatever faces, numbered in the order of their first use. */
export class ExtraFont {
  readonly weight: Weight;
  readonly glyphs: (Cluster & { readonly face: Face })[] = [];
  private readonly codes = new Map<string, string>();

  constructor(weight: Weight) {
    this.weight = weight;
  }

  /**
   * Code of a glyph. The text is part of the key, so that copied text is right even where two characters look
   * the same, and a character without a glyph is still copied as itself.
   */
  code(face: Face, cluster: Cluster): string {
    const { components, advance, text } = cluster;
    const parts = components.map(({ gid, dx, dy }) => `${gid},${dx},${dy}`).join(' ');
    const key = `${face.id}/${parts}/${advance}/${text}`;
    const known = this.codes.get(key);
    if (known !== undefined) return known;
    this.glyphs.push({ ...cluster, face });
    const code = hexCode(this.glyphs.length);
    this.codes.set(key, code);
    return code;
  }

  /** A glyph that stands alone. */
  singleCode(face: Face, gid: number, advance: number, text: string): string {
    return this.code(face, { components: [{ gid, dx: 0, dy: 0 }], advance, text });
  }

  /** Outlines in the order of the codes, without the leading missing glyph. */
  glyphData(): readonly GlyphData[] {
    return this.glyphs.map(({ face, components, advance }) => face.clusterData(components, advance));
  }

  /** Equal for equal fonts. */
  get key(): string {
    return [this.weight, ...this.codes.keys()].join('\n');
  }
}

/** The fonts of one document: the two core fonts and what it needs beside them. */
export class DocumentFonts {
  private readonly extras = { 400: new ExtraFont(400), 600: new ExtraFont(600) };

  extra(weight: Weight): ExtraFont {
    return this.extras[weight];
  }
}
