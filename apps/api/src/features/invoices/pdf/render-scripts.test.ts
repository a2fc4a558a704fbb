import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../pdf/read-pdf.ts';
import type { InvoiceDocument } from './document.ts';
import { renderInvoicePdf } from './render.ts';
import { sampleDocument } from './sample-document.ts';

const flat = (text: string): string => text.replace(/\s+/g, ' ');
const withName = (name: string): InvoiceDocument => ({
  ...sampleDocument(2),
  customer: { name, lines: [name] },
  lines: [{ description: name, details: name, amount: '$1.00' }],
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
    const pdf = await readPdf(renderInvoicePdf(withName(name)));
    expect(flat(pdf.text)).toContain(name.normalize('NFC'));
  });

  it('orders mixed directions as the bidirectional algorithm does', async () => {
    const pdf = await readPdf(renderInvoicePdf(withName('شركة (الشرق) Ltd 2026')));
    expect(flat(pdf.text)).toContain('شركة (الشرق) Ltd 2026');
  });

  it('wraps a name of 200 characters and cuts a word that is longer than a line', async () => {
    const words = 'Very long name '.repeat(13).trim();
    const pdf = await readPdf(renderInvoicePdf(withName(words)));
    expect(flat(pdf.text)).toContain(words);
    const endless = await readPdf(renderInvoicePdf(withName('M'.repeat(200))));
    expect(endless.text.replace(/\s/g, '')).toContain('M'.repeat(200));
  });

  it('breaks ideographs between any two, but not before closing punctuation', async () => {
    const name = '東京通信サービス、'.repeat(12);
    const pdf = await readPdf(renderInvoicePdf(withName(name)));
    expect(pdf.text.replace(/\s/g, '')).toContain(name);
    expect(pdf.text).not.toMatch(/\n、/);
  });

  it('removes control characters and direction overrides', async () => {
    const pdf = await readPdf(renderInvoicePdf(withName('Ac\u0000me\u0007 \u202eLtd\u202c\u200f\tx\ud800')));
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
  const document: fc.Arbitrary<InvoiceDocument> = fc
    .record({
      number: text,
      name: text,
      address: text,
      lines: fc.array(fc.tuple(text, text, text), { maxLength: 6 }),
      other: text,
    })
    .map(({ number, name, address, lines, other }) => ({
      ...sampleDocument(1),
      kind: other.length % 2 === 0 ? 'invoice' : 'creditNote',
      number,
      language: other,
      issuedAt: other,
      brand: { name, colours: { ...sampleDocument(1).brand.colours, ink: other }, footer: [address] },
      supplier: { name: address, lines: [name] },
      customer: { name, lines: [address, other] },
      period: other,
      facts: [{ label: name, value: address }],
      lines: lines.map(([description, details, amount]) => ({
        description,
        details,
        amount,
        unitPrice: amount,
        quantity: details,
      })),
      subtotal: other,
      taxes: [{ label: name, amount: other }],
      settlements: [{ label: other, value: name }],
      amountDue: other,
      payLink: `https://x.example/${encodeURIComponent(other.toWellFormed())}`,
      notices: [name, other],
      notes: [address],
    }));

  it('never stops an invoice: any text gives a file that opens', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(document, async (doc) => {
        const pdf = await readPdf(renderInvoicePdf(doc));
        expect(pdf.isMarked).toBe(true);
        expect(pdf.hasActions).toBe(false);
      }),
      { numRuns: 60, seed: 20_261_121 },
    );
  });
});
