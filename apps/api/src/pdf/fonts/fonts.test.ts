import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import { describe, expect, it } from 'vitest';
import { coreFont } from './core.ts';
import { faceFor, interFace } from './face.ts';
import { sliceFor } from './families.ts';
import { Lru } from './lru.ts';
import { contoursOf, encodeSimpleGlyph } from './outline.ts';
import { buildTrueType, unitsPerEm } from './truetype.ts';
import { decodeWoff2 } from './woff2.ts';

const require = createRequire(import.meta.url);

function open(bytes: Uint8Array): Font {
  const font = create(Buffer.from(bytes));
  if (!('layout' in font)) throw new Error('not a single font');
  return font;
}

describe('WOFF2', () => {
  it.each([
    '@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic-400-normal.woff2',
    '@fontsource/noto-sans-hebrew/files/noto-sans-hebrew-hebrew-600-normal.woff2',
    '@fontsource-variable/noto-sans-sc/files/noto-sans-sc-119-wght-normal.woff2',
    '@fontsource-variable/noto-sans-kr/files/noto-sans-kr-119-wght-normal.woff2',
  ])('%s has the outlines and advances that another reader finds in it', (path) => {
    const file = readFileSync(require.resolve(path));
    const ours = open(decodeWoff2(file));
    const theirs = open(file);
    expect(ours.numGlyphs).toBe(theirs.numGlyphs);
    for (let gid = 0; gid < ours.numGlyphs; gid++) {
      expect(ours.getGlyph(gid).path.toSVG(), `glyph ${gid}`).toBe(theirs.getGlyph(gid).path.toSVG());
      expect(ours.getGlyph(gid).advanceWidth).toBe(theirs.getGlyph(gid).advanceWidth);
    }
  });

  it.each([
    ['empty', new Uint8Array()],
    ['another kind', new TextEncoder().encode('not a font at all, but long enough to be read as a header')],
  ])('refuses a file that is %s', (_kind, bytes) => {
    expect(() => decodeWoff2(bytes)).toThrow();
  });
});

describe('faces', () => {
  it.each([
    ['字', ['sc', 'jp'], 'sc'],
    ['字', ['jp', 'sc'], 'jp'],
    ['込', ['jp', 'sc'], 'jp'],
    ['한', ['sc', 'kr'], 'kr'],
    ['ش', ['arabic'], 'arabic'],
    ['ש', ['hebrew'], 'hebrew'],
  ] as const)('%s among %j comes from %s', (char, families, expected) => {
    const face = faceFor(char.codePointAt(0) ?? 0, 400, families);
    expect(face?.id.split('-')[0]).toBe(expected);
  });

  it('knows what no font has', () => {
    expect(faceFor(0x1f389, 400, ['arabic', 'hebrew', 'jp', 'kr'])).toBeUndefined();
    expect(sliceFor('hebrew', 0x41)).toBeUndefined();
  });

  it('draws a heavier weight of a variable font with other outlines', () => {
    const outline = (weight: 400 | 600): Uint8Array => {
      const face = faceFor(0x5b57, weight, ['sc']);
      return face ? face.glyphData(face.glyphOf(0x5b57)).outline : new Uint8Array();
    };
    expect(outline(400).length).toBeGreaterThan(50);
    expect(Buffer.compare(outline(400), outline(600))).not.toBe(0);
  });

  it('puts points and letter into one cluster with the text of both', () => {
    const face = faceFor(0x5e9, 400, ['hebrew']);
    const clusters = face?.shape('שָׁם', true) ?? [];
    expect(clusters.map((cluster) => [...cluster.text].reverse().join(''))).toEqual(['ם', 'שָׁ']);
    expect(clusters[1]?.components.length).toBeGreaterThan(1);
  });
});

describe('written fonts', () => {
  it('hold the glyphs they were given: readable by a layout engine, same advances, same shapes', () => {
    const core = coreFont(400);
    const face = interFace(400);
    const font = open(buildTrueType(core.glyphs.map((glyph) => face.glyphData(glyph.gid))));
    expect(font.numGlyphs).toBe(core.glyphs.length);
    expect(font.unitsPerEm).toBe(unitsPerEm);
    for (const [code, glyph] of core.glyphs.entries()) {
      const original = face.glyphData(glyph.gid);
      const again = font.getGlyph(code);
      expect(again.advanceWidth).toBe(original.advance);
      expect(Buffer.from(encodeSimpleGlyph(contoursOf(again.path.commands, 1)))).toEqual(
        Buffer.from(original.outline),
      );
    }
  });

  it('keep figures of equal width apart from the others', () => {
    const { proportional, tabular } = coreFont(600);
    expect(proportional.get(49)?.advance).not.toBe(proportional.get(48)?.advance);
    expect(tabular.get(49)?.advance).toBe(tabular.get(48)?.advance);
    expect(tabular.get(65)).toEqual(proportional.get(65));
  });
});

describe('least recently used', () => {
  it('forgets what was not asked for longest', () => {
    const lru = new Lru<string, { readonly made: number }>(2);
    let made = 0;
    const get = (key: string): number => lru.getOrMake(key, () => ({ made: ++made })).made;
    expect([get('a'), get('b'), get('a'), get('c'), get('a'), get('b')]).toEqual([1, 2, 1, 3, 1, 4]);
  });
});
