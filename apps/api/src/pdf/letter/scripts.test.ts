import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPdf } from '../read-pdf.ts';
import type { Letter, RecordPart } from './letter.ts';
import { renderLetter } from './render-letter.ts';
import { sampleLetter } from './sample-letter.ts';

const flat = (text: string): string => text.replace(/\s+/g, ' ');
const withName = (name: string): Letter => ({
  ...sampleLetter(2),
  recipient: { name, lines: [name] },
  blocks: [
    {
      kind: 'table',
      keep: 0,
      columns: [{ label: name }, { label: 'Amount', isFigure: true }],
      rows: [{ kind: 'line', cells: [name, '$1.00'], remark: name }],
    },
    { kind: 'text', text: name },
  ],
});

describe('scripts', () => {
  it.each([
    ['Latin with accents', 'Zürich Émile Łódź Dvořák Þór naïve Đặng'],
    ['Greek', 'Ζωγράφου Αθήνα'],
    ['Cyrillic', 'Москва Київ'],
    ['Arabic', 'شركة الأفق للاتصالات'],
    ['Persian', 'شرکت مخابرات پارس'],
    ['Hebrew', 'חברת תקשורת ישראל'],
    ['Hebrew with points', 'שָׁלוֹם'],
    ['Chinese', '北京市朝阳区建国路八十八号'],
    ['traditional Chinese', '臺灣電信股份有限公司'],
    ['Japanese', '東京通信サービス株式会社'],
    ['Korean', '서울특별시 강남구'],
    ['signs', '€ £ ¥ ₹ ₽ – — … • “x” ’'],
    ['a sign without a glyph', 'x🎉x'],
  ])('sets %s so that it can be read back', async (_script, name) => {
    const pdf = await readPdf(renderLetter(withName(name)));
    expect(flat(pdf.text)).toContain(name.normalize('NFC'));
  });

  it('orders mixed directions as the bidirectional algorithm does', async () => {
    const pdf = await readPdf(renderLetter(withName('شركة (الشرق) Ltd 2026')));
    expect(flat(pdf.text)).toContain('شركة (الشرق) Ltd 2026');
  });

  it('wraps a name of 200 characters and cuts a word that is longer than a line', async () => {
    const words = 'Very long name '.repeat(13).trim();
    const pdf = await readPdf(renderLetter(withName(words)));
    expect(flat(pdf.text)).toContain(words);
    const endless = await readPdf(renderLetter(withName('M'.repeat(200))));
    expect(endless.text.replace(/\s/g, '')).toContain('M'.repeat(200));
  });

  it('breaks ideographs between any two, but not before closing punctuation', async () => {
    const name = '東京通信サービス、'.repeat(12);
    const pdf = await readPdf(renderLetter(withName(name)));
    expect(pdf.text.replace(/\s/g, '')).toContain(name);
    expect(pdf.text).not.toMatch(/\n、/);
  });

  it('removes control characters and direction overrides', async () => {
    const pdf = await readPdf(renderLetter(withName('Ac\u0000me\u0007 \u202eLtd\u202c\u200f\tx\ud800')));
    expect(flat(pdf.text)).toContain('Acme Ltd x');
  });
});

describe('hostile input', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(...'ab (\\)<>/%שלال字\u0301\u200d\u0000\n \ud83c🎉'), maxLength: 200 }),
    fc.constantFrom('', ' ', 'x'.repeat(5000), '\\', '(((', ')', '>>endobj', '\u202e'),
  );
  const kinds = fc.constantFrom('line', 'group', 'sum', 'total');
  const document = fc
    .record({
      number: text,
      name: text,
      address: text,
      other: text,
      lines: fc.array(fc.tuple(kinds, text, text, text), { maxLength: 6 }),
    })
    .map(({ number, name, address, lines, other }) => {
      const sample = sampleLetter(1);
      const label = { label: name, value: address };
      const records = lines.map(([, ...cells]) => [...cells, other] as const);
      const letter: Letter = {
        ...sample,
        title: number,
        runner: other,
        language: other,
        issuedAt: other,
        paper: other.length % 2 === 0 ? 'a4' : 'usLetter',
        sender: { ...sample.sender, name, accent: other, address: [address], contact: [other], foot: name },
        recipient: { name, lines: [address, other] },
        headline: { caption: name, amount: other, note: address, standing: 'settled' },
        facts: [label, { label: other, value: name }],
        notices: [name, other],
        blocks: [
          {
            kind: 'table',
            heading: name,
            keep: 2,
            isRuled: true,
            columns: [{ label: name }, { label: other }, { label: address, isFigure: true }],
            rows: lines.map(([kind, ...cells]) => ({ kind, cells, remark: other, balance: name })),
          },
          { kind: 'text', text: address },
          { kind: 'columns', columns: [{ title: name, lines: [other] }] },
          {
            kind: 'records',
            heading: other,
            note: name,
            numbers: 1,
            records: records.length,
          },
        ],
        aside: {
          title: name,
          lines: [other],
          bars: { title: other, remark: name, bars: [{ label: name, value: other, share: other.length }] },
        },
        slip: {
          amount: label,
          facts: [label],
          linkLabel: other,
          ways: [{ title: name, isLink: true, lines: [other, address] }],
          payLink: `https://x.example/${encodeURIComponent(other.toWellFormed())}`,
        },
      };
      const parts: RecordPart[] = [
        { kind: 'number', number, description: name, count: records.length },
        { kind: 'rows', rows: records },
        { kind: 'total', total: [name, other, address] },
      ];
      return { letter, parts };
    });

  it('never stops a letter: any text gives a file that opens', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(document, async ({ letter, parts }) => {
        const pdf = await readPdf(renderLetter(letter, parts));
        expect(pdf.isMarked).toBe(true);
        expect(pdf.hasActions).toBe(false);
      }),
      { numRuns: 60, seed: 20_261_121 },
    );
  });
});
