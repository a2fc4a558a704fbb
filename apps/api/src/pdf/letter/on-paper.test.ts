import jsQR from 'jsqr';
import { describe, expect, it } from 'vitest';
import { type ReadPage, readPdf } from '../read-pdf.ts';
import type { Letter, Paper } from './letter.ts';
import { renderLetter } from './render-letter.ts';
import { sampleLetter } from './sample-letter.ts';

const mm = (points: number): number => (points * 25.4) / 72;

const names = {
  Latin: { name: 'Harbour & Finch Logistics Pty Ltd', line: 'Accounts Payable' },
  Arabic: { name: 'شركة مرفأ النورس للخدمات اللوجستية', line: 'عناية ليلى الحداد' },
  Japanese: { name: '株式会社青山ロジスティクス', line: '経理部 御中' },
  'very long': {
    name: 'The Amalgamated Society of Lighthouse Keepers and Harbour Pilots '.repeat(3).trim(),
    line: 'Office',
  },
} as const;

const sizes: Readonly<Record<Paper, readonly [width: number, height: number, window: number, fold: number]>> =
  {
    a4: [210, 297, 20, 105],
    usLetter: [215.9, 279.4, 25.4, 93.1],
  };

/** An invoice to pay, a statement of two pages, a receipt: what they have in common is measured. */
const letters: Readonly<Record<string, (paper: Paper) => Letter>> = {
  invoice: (paper) => ({ ...sampleLetter(8), paper }),
  statement: (paper) => ({ ...sampleLetter(60), paper, title: 'Statement of account' }),
  receipt: (paper) => {
    const { slip: _slip, ...letter } = sampleLetter(2);
    return {
      ...letter,
      paper,
      title: 'Receipt R-1',
      headline: { ...letter.headline, caption: 'Paid', standing: 'settled' },
    };
  },
};

const cases = Object.keys(letters).flatMap((letter) =>
  (['a4', 'usLetter'] as const).flatMap((paper) =>
    (['Latin', 'Arabic', 'Japanese', 'very long'] as const).map((script) => ({ letter, paper, script })),
  ),
);

/** What a camera sees of the code: eight dots a module, with a white margin. */
function photograph({ squares }: ReadPage): { readonly dots: Uint8ClampedArray; readonly size: number } {
  const step = Math.min(...squares.map(([, , , height]) => height));
  const [left, top] = [Math.min(...squares.map(([x]) => x)), Math.min(...squares.map(([, y]) => y))];
  const modules = Math.round((Math.max(...squares.map(([x, , width]) => x + width)) - left) / step);
  const size = (modules + 8) * 8;
  const dots = new Uint8ClampedArray(size * size * 4).fill(255);
  for (const [x, y, width] of squares) {
    const [column, row] = [Math.round((x - left) / step) + 4, Math.round((y - top) / step) + 4];
    for (let dx = 0; dx < Math.round(width / step) * 8; dx++)
      for (let dy = 0; dy < 8; dy++)
        dots.fill(
          0,
          ((row * 8 + dy) * size + column * 8 + dx) * 4,
          ((row * 8 + dy) * size + column * 8 + dx) * 4 + 3,
        );
  }
  return { dots, size };
}

describe('a letter on paper', () => {
  it.each(cases)('$letter, $paper, $script: size, window, title, slip', async ({ letter, paper, script }) => {
    const { name, line } = names[script];
    const made = letters[letter]?.(paper) ?? sampleLetter(1);
    const pdf = await readPdf(renderLetter({ ...made, recipient: { name, lines: [line, 'Dubai', 'AE'] } }));
    const [width, height, window] = sizes[paper];
    for (const page of pdf.pages) {
      expect([mm(page.width), mm(page.height)].map((side) => Math.round(side * 10) / 10)).toEqual([
        width,
        height,
      ]);
      // Nothing within 4 mm of the edge, nothing beyond it.
      for (const { x, y } of page.pieces) {
        expect(mm(x)).toBeGreaterThan(4);
        expect(mm(x)).toBeLessThan(width - 4);
        expect(mm(y)).toBeGreaterThan(4);
        expect(mm(y)).toBeLessThan(height - 4);
      }
    }
    const [first] = pdf.pages;
    const pieces = first?.pieces ?? [];
    const inWindow = pieces.filter(({ x, y }) => x < 300 && mm(y) > 63.5 && mm(y) < 88.9);
    expect(inWindow.map(({ text }) => text).join(' ')).toContain('Dubai');
    const dubai = inWindow.find(({ text }) => text === 'Dubai');
    expect(mm(dubai?.x ?? 0)).toBeCloseTo(window, 1);
    expect(inWindow[0]?.y).toBeLessThan((64 * 72) / 25.4 + 12);
    const text = pdf.pages[0]?.text.replace(/\s+/g, ' ') ?? '';
    for (const part of [name, line]) expect(text).toContain(part);
    const title = pieces.find(({ text: of }) => made.title.startsWith(of.trim()) && of.trim() !== '');
    expect(mm(title?.y ?? 0)).toBeGreaterThan(88.9);
    const slip = pieces.find(({ text: of }) => of === 'Payment slip');
    expect(slip === undefined).toBe(made.slip === undefined);
    if (slip !== undefined) expect(mm((first?.height ?? 0) - slip.y)).toBeLessThan(67.7);
  });

  it.each(['a4', 'usLetter'] as const)('has a code on %s that leads to its pay link', async (paper) => {
    for (const payLink of [
      'https://billing.northline.example/pay/7Jq2mXo4Tn8rKcVw',
      `http://x.example/pay/${'a'.repeat(200)}`,
    ]) {
      const letter = sampleLetter(3);
      const { slip } = letter;
      const pdf = await readPdf(
        renderLetter({ ...letter, paper, ...(slip ? { slip: { ...slip, payLink } } : {}) }),
      );
      const [page] = pdf.pages;
      if (page === undefined) throw new Error('no page');
      const { dots, size } = photograph(page);
      expect(jsQR.default(dots, size, size)?.data).toBe(payLink);
      const side =
        Math.max(...page.squares.map(([x, , width]) => x + width)) -
        Math.min(...page.squares.map(([x]) => x));
      expect(mm(side)).toBeCloseTo(33.9, 0);
    }
  });
});
