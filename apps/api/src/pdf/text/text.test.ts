import bidiFactory, { type Bidi } from 'bidi-js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DocumentFonts } from '../fonts/document-fonts.ts';
import { levelsOf, visualRuns } from './bidi.ts';
import { breakPositions } from './breaks.ts';
import { cleanLine, cleanParagraphs, maxTextLength } from './clean.ts';
import { clusterTexts } from './cluster-text.ts';
import { TextSetter } from './text-setter.ts';

const style = { weight: 400, tabular: false } as const;
const bidi = (bidiFactory as unknown as () => Bidi)();

describe('cleaning', () => {
  it.each([
    ['a\u0000b', 'ab'],
    ['a\u202eb\u202c', 'ab'],
    ['a\tb', 'a b'],
    ['a\r\nb\n\nc', 'a b c'],
    ['e\u0301', 'é'],
    ['x\ud800', 'x\ufffd'],
    ['\ufeffx\u00ad', 'x'],
  ])('%j becomes %j', (text, expected) => {
    expect(cleanLine(text)).toBe(expected);
  });

  it('keeps paragraphs and cuts what is too long', () => {
    expect(cleanParagraphs('a\nb')).toEqual(['a', 'b']);
    expect(cleanLine('x'.repeat(maxTextLength + 1))).toBe(`${'x'.repeat(maxTextLength)}…`);
  });
});

describe('breaks', () => {
  const parts = (text: string): string[] => {
    let from = 0;
    return breakPositions(text).map((to) => {
      const part = text.slice(from, to);
      from = to;
      return part;
    });
  };

  it.each([
    ['one two', ['one ', 'two']],
    ['pre-paid 500/200 -12.31', ['pre-', 'paid ', '500/', '200 ', '-12.31']],
    ['東京、大阪', ['東', '京、', '大', '阪']],
    ['（株）x', ['（株）', 'x']],
    ['', ['']],
  ])('%s', (text, expected) => {
    expect(parts(text)).toEqual(expected);
  });
});

describe('wrapping', () => {
  it('keeps every line within the width, and loses nothing but spaces', () => {
    const words = fc.array(
      fc.string({ unit: fc.constantFrom(...'abcdeflWiM éß东שש'), minLength: 1, maxLength: 30 }),
      {
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(words, fc.integer({ min: 3000, max: 20_000 }), (list, width) => {
        const fonts = new DocumentFonts();
        const lines = new TextSetter(fonts, 'en').wrap(list.join(' '), style, width);
        for (const line of lines) expect(line.width).toBeLessThanOrEqual(width + 60);
        const glyphs = lines.flatMap((line) =>
          line.pieces.flatMap((piece) => piece.show.match(/[0-9a-f]{4}(?=[^<]*>)/g) ?? []),
        );
        const letters = [...list.join('')].filter((char) => char !== ' ').length;
        expect(glyphs.length).toBeGreaterThanOrEqual(letters);
      }),
      { numRuns: 200, seed: 7 },
    );
  });

  it('sets figures at equal width where asked', () => {
    const set = new TextSetter(new DocumentFonts(), 'en');
    const widths = [...'0123456789'].map((figure) => set.line(figure, { weight: 600, tabular: true }).width);
    expect(new Set(widths).size).toBe(1);
    expect(set.line('1171', { weight: 400, tabular: true }).width).toBe(
      4 * set.line('8', { weight: 400, tabular: true }).width,
    );
  });
});

describe('directions', () => {
  it('orders runs as the reference order of characters says', () => {
    const chars = fc.string({ unit: fc.constantFrom(...'ab 12,.()שלגعر'), minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(chars, (text) => {
        const levels = bidi.getEmbeddingLevels(text);
        const runs = visualRuns(levelsOf(text), 0, text.length);
        const ours = runs.flatMap((run) => {
          const indices = Array.from({ length: run.end - run.start }, (_, index) => run.start + index);
          return run.isRightToLeft ? indices.reverse() : indices;
        });
        // The reference also moves trailing spaces to the paragraph's end, which lines here never have.
        fc.pre(text === text.trimEnd());
        expect(ours).toEqual(bidi.getReorderedIndices(text, levels));
      }),
      { numRuns: 300, seed: 11 },
    );
  });
});

describe('texts of clusters', () => {
  it.each([
    ['שלום', 4, ['ש', 'ל', 'ו', 'ם']],
    ['שָׁלוֹם', 4, ['שָׁ', 'ל', 'וֹ', 'ם']],
    ['سلام', 3, ['س', 'لا', 'م']],
    ['سلام', 4, ['س', 'ل', 'ا', 'م']],
    ['abc', 1, ['abc']],
  ])('%s in %i clusters', (text, count, expected) => {
    expect(clusterTexts(text, count)).toEqual(expected);
  });
});
