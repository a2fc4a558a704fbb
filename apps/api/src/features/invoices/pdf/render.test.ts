import { describe, expect, it } from 'vitest';
import { nodesOf, readPdf } from '../../../pdf/read-pdf.ts';
import type { InvoiceDocument } from './document.ts';
import { renderInvoicePdf } from './render.ts';
import { sampleDocument } from './sample-document.ts';

const render = (doc: InvoiceDocument) => readPdf(renderInvoicePdf(doc));
const flat = (text: string): string => text.replace(/\s+/g, ' ');

describe('an invoice of 12 lines', () => {
  const doc = sampleDocument(12);

  it('shows brand, parties, facts, lines and totals in reading order', async () => {
    const pdf = await render(doc);
    const text = flat(pdf.text);
    const expected = [
      'Northline Telecom',
      'Level 4, 12 Example Street',
      'Harbour & Finch Logistics',
      'Port Botany NSW 2036',
      'INV-20431',
      '11.05.2026',
      '12.05.2026',
      'Invoice INV-20431',
      doc.amountDue,
      'Due 12.05.2026',
      'https://billing.northline.example/pay/7Jq2mXo4Tn8rKcVw',
      'Business Mobile 20',
      '$32.50',
      'Subtotal',
      doc.subtotal,
      'Invoice Amount',
      doc.total,
      'Amount due',
    ];
    let at = 0;
    for (const part of expected) {
      const found = text.indexOf(part, at);
      expect(found, `'${part}' after position ${at}`).toBeGreaterThanOrEqual(0);
      at = found;
    }
    for (const line of doc.lines) expect(text).toContain(line.amount);
    expect(text).toContain('Page 1 of 1');
  });

  it('is tagged: title, language, heading, figure with a description, tables with headers', async () => {
    const pdf = await render(doc);
    expect(pdf.isMarked).toBe(true);
    expect(pdf.info).toMatchObject({
      Title: 'Invoice INV-20431',
      Author: 'Northline Telecom Pty Ltd',
      Language: 'en',
      CreationDate: 'D:20261105080000Z',
    });
    const tree = pdf.pages[0]?.structure;
    expect(tree?.children[0]?.role).toBe('Document');
    expect(nodesOf(tree, 'H1').map((node) => node.text)).toEqual(['Invoice INV-20431']);
    expect(nodesOf(tree, 'Figure').map((node) => node.alt)).toEqual(['Logo of Northline Telecom']);
    const [lines, totals] = nodesOf(tree, 'Table');
    const rows = nodesOf(lines, 'TR');
    expect(rows).toHaveLength(13);
    expect(rows[0]?.children.map((cell) => `${cell.role} ${cell.text}`)).toEqual([
      'TH Product',
      'TH Details',
      'TH Quantity',
      'TH Price',
      'TH Amount',
    ]);
    expect(rows[1]?.children.map((cell) => cell.text)).toEqual([
      'Business Mobile 20',
      '20 services',
      '20',
      '$32.50',
      doc.lines[0]?.amount,
    ]);
    const sums = nodesOf(totals, 'TR').map((row) => row.children.map((cell) => cell.text).join(' '));
    expect(sums.at(-1)).toBe(`Amount due ${doc.amountDue}`);
  });

  it('keeps words apart where a paragraph has several lines', async () => {
    const pdf = await render(doc);
    const paragraphs = nodesOf(pdf.pages[0]?.structure, 'P').map((node) => node.text);
    expect(paragraphs).toContain('Accounts payable 88 Wharf Road Port Botany NSW 2036 Australia');
    expect(paragraphs).toContain('Invoice number INV-20431');
  });

  it('has the pay link as a plain link and neither script nor action', async () => {
    const bytes = renderInvoicePdf(doc);
    const pdf = await readPdf(bytes);
    expect(pdf.pages.flatMap((page) => page.links)).toEqual([doc.payLink]);
    expect(pdf.hasActions).toBe(false);
    expect(nodesOf(pdf.pages[0]?.structure, 'Link')[0]?.text).toContain(`Pay ${doc.amountDue}`);
  });

  it('gives the same bytes for the same input, whatever was rendered before', () => {
    const first = renderInvoicePdf(doc);
    renderInvoicePdf({ ...sampleDocument(3), customer: { name: '東京 שלום Ünïcödé', lines: [] } });
    expect(Buffer.compare(first, renderInvoicePdf(structuredClone(doc)))).toBe(0);
    expect(Buffer.compare(first, renderInvoicePdf(sampleDocument(12, 1)))).not.toBe(0);
  });
});

describe('pages', () => {
  it.each([
    [60, 2],
    [500, 13],
  ])(
    'sets %i lines on %i pages, each with the head of the table, its number, and every amount once',
    async (count, pages) => {
      const doc = sampleDocument(count);
      const pdf = await render(doc);
      expect(pdf.pages).toHaveLength(pages);
      for (const [index, page] of pdf.pages.entries()) {
        const text = flat(page.text);
        expect(text).toContain(`Page ${index + 1} of ${pages}`);
        expect(text).toContain('Product Details Quantity Price Amount');
        if (index > 0) expect(text).toContain('Invoice INV-20431');
      }
      const rows = pdf.pages.flatMap((page) => nodesOf(nodesOf(page.structure, 'Table')[0], 'TR'));
      const amounts = rows.map((row) => row.children.at(-1)?.text).filter((text) => text?.startsWith('$'));
      expect(amounts.slice(0, count)).toEqual(doc.lines.map((line) => line.amount));
    },
  );

  it.each(Array.from({ length: 34 }, (_, index) => index + 1))(
    'never leaves the totals of %i lines alone or apart',
    async (count) => {
      const pdf = await render(sampleDocument(count));
      const last = flat(pdf.pages.at(-1)?.text ?? '');
      for (const label of ['Subtotal', 'GST 10 %', 'Invoice Amount', 'Amount due'])
        expect(last).toContain(label);
      const lastTables = nodesOf(pdf.pages.at(-1)?.structure, 'Table');
      expect(lastTables).toHaveLength(2);
    },
  );

  it('splits a row that is taller than a page', async () => {
    const doc = sampleDocument(2);
    const words = Array.from({ length: 600 }, (_, index) => `w${index}`);
    const tall = { description: words.join(' '), amount: '$1.00' };
    const pdf = await render({ ...doc, lines: [tall, ...doc.lines] });
    expect(pdf.pages.length).toBeGreaterThan(1);
    const text = flat(pdf.text);
    for (const word of words) expect(text).toMatch(new RegExp(`\\b${word}\\b`));
  });
});

describe('kinds of document', () => {
  it('sets a credit note with its reference and without a pay link', async () => {
    const doc = {
      ...sampleDocument(3),
      kind: 'creditNote' as const,
      number: '2018140',
      creditedInvoice: '2018133',
    };
    const pdf = await render(doc);
    const text = flat(pdf.text);
    expect(pdf.info['Title']).toBe('Credit note 2018140');
    expect(text).toContain('Credits invoice 2018133');
    expect(text).toContain(`Credit Amount ${doc.total}`);
    expect(text).not.toContain('Amount due');
    expect(pdf.pages[0]?.links).toEqual([]);
  });

  it('shows negative amounts, notices, settlements, several taxes and notes', async () => {
    const notice =
      'The lines of this invoice do not add up to its subtotal: $831.02 stated, $821.02 counted.';
    const pdf = await render({
      ...sampleDocument(2),
      lines: [{ description: 'Loyalty credit', quantity: '1', unitPrice: '−$12.31', amount: '−$12.31' }],
      amountDue: '−$12.31',
      notices: [notice],
      taxes: [
        { label: 'VAT 25 % of $800.00', amount: '$200.00' },
        { label: 'VAT 12 % of $31.02', amount: '$3.72' },
      ],
      tax: '$203.72',
      settlements: [
        { label: 'Rounding', value: '$0.22' },
        { label: 'Prepaid', value: '−$100.00' },
      ],
      notes: ['Payment within 30 days.'],
    });
    const text = flat(pdf.text);
    for (const part of [
      '−$12.31',
      notice,
      'VAT 12 % of $31.02 $3.72',
      'Tax $203.72',
      'Rounding $0.22',
      'Prepaid −$100.00',
    ]) {
      expect(text).toContain(part);
    }
    expect(text.indexOf(notice)).toBeLessThan(text.indexOf('Product'));
    expect(text).toContain('Payment within 30 days.');
  });

  it('says so when there are no lines, and shows a dash for no due date', async () => {
    const { dueDate: _dueDate, ...doc } = sampleDocument(0);
    const text = flat((await render(doc)).text);
    expect(text).toContain('This document has no lines.');
    expect(text).toContain('Due date -');
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'not a link', 'data:text/html,x'])(
    'leaves out the pay link %s',
    async (payLink) => {
      const pdf = await render({ ...sampleDocument(1), payLink });
      expect(pdf.pages[0]?.links).toEqual([]);
      expect(pdf.text).not.toContain('Pay $');
    },
  );

  it('escapes what a link may contain', async () => {
    const pdf = await render({ ...sampleDocument(1), payLink: 'https://pay.example/a)(b\\c?d=<é>' });
    expect(pdf.pages[0]?.links).toEqual(['https://pay.example/a)(b/c?d=%3C%C3%A9%3E']);
  });
});
