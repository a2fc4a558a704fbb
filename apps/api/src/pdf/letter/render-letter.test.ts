import { describe, expect, it } from 'vitest';
import { nodesOf, readPdf } from '../read-pdf.ts';
import type { Letter, RecordPart, TableBlock } from './letter.ts';
import { renderLetter } from './render-letter.ts';
import { sampleLetter } from './sample-letter.ts';

const render = (letter: Letter, records: readonly RecordPart[] = []) =>
  readPdf(renderLetter(letter, records));
const flat = (text: string): string => text.replace(/\s+/g, ' ');
const tableOf = (letter: Letter): TableBlock => {
  const [block] = letter.blocks;
  if (block?.kind !== 'table') throw new Error('the sample begins with its table');
  return block;
};

describe('an invoice of 12 lines', () => {
  const letter = sampleLetter(12);
  const { rows } = tableOf(letter);

  it('shows brand, parties, facts, lines, totals and the slip in reading order', async () => {
    const text = flat((await render(letter)).text);
    const expected = [
      'Northline Telecom',
      '40 Harbour Street',
      'ABN 00 000 000 000',
      'Harbour & Finch Logistics',
      'Port Botany NSW 2036',
      letter.headline.amount,
      'Due 12.05.2026',
      'INV-20431',
      '11.05.2026',
      'Invoice INV-20431',
      'Business Mobile 20',
      '$32.50',
      'Subtotal',
      'Invoice total',
      'Amount due by 12.05.2026',
      'Payment slip',
      'Reference',
      'INV-20431',
      'Online',
      'billing.northline.example/pay/',
      '7Jq2mXo4Tn8rKcVw',
      'Bank transfer',
    ];
    let at = 0;
    for (const part of expected) {
      const found = text.indexOf(part, at);
      expect(found, `'${part}' after position ${at}`).toBeGreaterThanOrEqual(0);
      at = found;
    }
    for (const row of rows) expect(text).toContain(row.cells.at(-1));
    expect(text).toContain('Page 1 of 1');
  });

  it('is tagged: title, language, headings, figures with a description, a table with headers', async () => {
    const pdf = await render(letter);
    expect(pdf.isMarked).toBe(true);
    expect(pdf.info).toMatchObject({
      Title: 'Invoice INV-20431',
      Author: 'Northline Telecom',
      Language: 'en',
      CreationDate: 'D:20261105080000Z',
    });
    const tree = pdf.pages[0]?.structure;
    expect(tree?.children[0]?.role).toBe('Document');
    expect(nodesOf(tree, 'H1').map((node) => node.text)).toEqual(['Invoice INV-20431']);
    expect(nodesOf(tree, 'H2').map((node) => node.text)).toEqual(['Payment slip']);
    expect(nodesOf(tree, 'Figure').map((node) => node.alt)).toEqual([
      'Logo of Northline Telecom',
      `QR code: Pay ${letter.headline.amount}`,
    ]);
    const table = nodesOf(nodesOf(tree, 'Table')[0], 'TR');
    expect(table[0]?.children.map((cell) => `${cell.role} ${cell.text}`)).toEqual([
      'TH Product',
      'TH Quantity',
      'TH Unit',
      'TH Price',
      'TH Amount',
    ]);
    expect(table.slice(1).map((row) => row.children.map((cell) => cell.text))).toEqual(
      rows.map(({ cells }) => cells),
    );
  });

  it('keeps words apart where a paragraph has several lines', async () => {
    const pdf = await render(letter);
    const paragraphs = nodesOf(pdf.pages[0]?.structure, 'P').map((node) => node.text);
    const { name, lines } = letter.recipient;
    expect(paragraphs).toContain([name, ...lines].join(' '));
    expect(paragraphs).toContain('Invoice number INV-20431');
  });

  it('gives the same bytes for the same input, whatever was rendered before', () => {
    const first = renderLetter(letter);
    renderLetter({ ...sampleLetter(3), recipient: { name: '東京 שלום Ünïcödé', lines: [] } });
    expect(Buffer.compare(first, renderLetter(structuredClone(letter)))).toBe(0);
    expect(Buffer.compare(first, renderLetter(sampleLetter(12, 1)))).not.toBe(0);
  });
});

describe('pages', () => {
  it.each([
    [60, 2],
    [500, 11],
  ])(
    'sets %i lines on %i pages, each with the head of the table, its number, and every amount once',
    async (count, pages) => {
      const letter = sampleLetter(count);
      const pdf = await render(letter);
      expect(pdf.pages).toHaveLength(pages);
      for (const [index, page] of pdf.pages.entries()) {
        const text = flat(page.text);
        expect(text).toContain(`Page ${index + 1} of ${pages}`);
        expect(text).toContain('Product Quantity Unit Price Amount');
        if (index > 0) expect(text).toContain('Invoice INV-20431 of 11.05.2026 Harbour & Finch Logistics');
      }
      const rows = pdf.pages.flatMap((page) => nodesOf(nodesOf(page.structure, 'Table')[0], 'TR'));
      const amounts = rows.map((row) => row.children.at(-1)?.text).filter((text) => text?.startsWith('$'));
      expect(amounts).toEqual(tableOf(letter).rows.map(({ cells }) => cells.at(-1)));
    },
  );

  it.each(Array.from({ length: 34 }, (_, index) => index + 1))(
    'never leaves the totals of %i lines alone or apart',
    async (count) => {
      const pdf = await render(sampleLetter(count));
      const rows = pdf.pages.map((page) =>
        nodesOf(nodesOf(page.structure, 'Table')[0], 'TR').map((row) => row.children[0]?.text ?? ''),
      );
      const last = rows.at(-1) ?? [];
      expect(last.slice(-4).map((text) => text.split(' ')[0])).toEqual([
        'Subtotal',
        'GST',
        'Invoice',
        'Amount',
      ]);
    },
  );

  it('carries a balance forward and leaves the closing balance at least eight entries', async () => {
    const { slip: _slip, ...letter } = sampleLetter(0);
    for (const count of [30, 34, 35, 36, 37, 90]) {
      const rows = Array.from({ length: count }, (_, index) => ({
        ...({ kind: 'line', cells: [`Entry ${index + 1}`, ''], balance: `$${index + 1}.00` } as const),
      }));
      const closing = { kind: 'total', cells: ['Closing balance', '$0.00'] } as const;
      const columns = [{ label: 'What' }, { label: 'Balance', isFigure: true }];
      const pdf = await render({
        ...letter,
        blocks: [{ kind: 'table', columns, keep: 9, rows: [...rows, closing] }],
      });
      const pages = pdf.pages.map((page) => flat(page.text));
      for (const [index, text] of pages.slice(0, -1).entries()) {
        const last = text
          .match(/Entry (\d+)/g)
          ?.at(-1)
          ?.split(' ')[1];
        expect(text).toContain(`Carried forward to page ${index + 2} $${last}.00`);
        expect(pages[index + 1]).toContain(
          `Brought forward from page ${index + 1} $${last}.00 Entry ${Number(last) + 1}`,
        );
      }
      expect(pages.at(-1)?.match(/Entry \d+/g)?.length).toBeGreaterThanOrEqual(8);
    }
  });

  it('splits a row that is taller than a page', async () => {
    const letter = sampleLetter(2);
    const words = Array.from({ length: 600 }, (_, index) => `w${index}`);
    const columns = [{ label: 'What' }, { label: 'Why' }, { label: 'Amount', isFigure: true }];
    const tall = { kind: 'line', cells: [words.join(' '), words.join(' '), '$1.00'] } as const;
    const pdf = await render({ ...letter, blocks: [{ kind: 'table', columns, keep: 1, rows: [tall] }] });
    expect(pdf.pages.length).toBeGreaterThan(1);
    const found = new Set(flat(pdf.text).split(' '));
    expect(words.filter((word) => !found.has(word))).toEqual([]);
  });
});

describe('usage records', () => {
  const numbers = [70, 2, 150].map((count, at) => ({
    number: `0491 570 15${at}`,
    description: 'Dispatch',
    rows: Array.from({ length: count }, (_, index) => {
      return [
        `10.01.2026 08:00:${String(index % 60).padStart(2, '0')}`,
        `n${at}-${index}`,
        '0:00:10',
        '$0.0100',
      ] as const;
    }),
    total: [`${count} records`, '0:10:00', '$1.0000'] as const,
  }));
  const block = {
    ...({ kind: 'records', heading: 'Usage records', note: 'AEDT' } as const),
    numbers: numbers.length,
    records: numbers.reduce((sum, { rows }) => sum + rows.length, 0),
  } as const;
  const parts = numbers.flatMap(({ number, description, rows, total }): RecordPart[] => [
    { kind: 'number', number, description, count: rows.length },
    { kind: 'rows', rows: rows.slice(0, 50) },
    { kind: 'rows', rows: rows.slice(50) },
    { kind: 'total', total },
  ]);

  it.each(['a4', 'usLetter'] as const)('stand by number in two columns of %s, none lost', async (paper) => {
    const letter = sampleLetter(1);
    const pdf = await render({ ...letter, paper, blocks: [...letter.blocks, block] }, parts);
    const text = flat(pdf.text);
    const called = numbers.flatMap(({ rows }) => rows.map(([, number]) => number));
    const words = text.split(' ');
    expect(called.filter((number) => words.filter((word) => word === number).length !== 1)).toEqual([]);
    for (const [at, { number, total }] of numbers.entries()) {
      expect(text).toContain(`${number} Dispatch`);
      expect(text).toContain(total.join(' '));
      const lows = pdf.pages.flatMap(({ pieces }) =>
        pieces.filter((piece) => piece.text.includes(`n${at}-`)),
      );
      expect(new Set(lows.map(({ x }) => Math.round(x))).size).toBeLessThanOrEqual(2);
    }
    expect(text).toContain(`${numbers[2]?.number} continued`);
    const starts = (part: string) => 1 + pdf.pages.findIndex((page) => page.text.includes(part));
    const mark = (title: string, below: readonly unknown[] = []) => ({ title, page: starts(title), below });
    expect(pdf.bookmarks).toEqual([
      mark(letter.title),
      mark(
        'Usage records',
        numbers.map(({ number }) => mark(number)),
      ),
    ]);
    expect(pdf.labels).toEqual(pdf.pages.map((_, at) => String(at + 1)));
    for (const page of pdf.pages.slice(1)) {
      const low = Math.max(...page.pieces.filter(({ text: of }) => /^n\d-/.test(of)).map(({ y }) => y), 0);
      expect(low).toBeLessThan(page.height - 60);
    }
  });
});

describe('kinds of letter', () => {
  it('shows notices above the lines and texts below them', async () => {
    const notice = 'The lines of this invoice do not add up to its subtotal.';
    const letter = sampleLetter(2);
    const text = flat(
      (
        await render({
          ...letter,
          notices: [notice],
          blocks: [...letter.blocks, { kind: 'text', text: 'Within 30 days.' }],
        })
      ).text,
    );
    const places = [notice, 'Product', 'Amount due by', 'Within 30 days.', 'Payment slip'].map((part) =>
      text.indexOf(part),
    );
    expect(places.includes(-1)).toBe(false);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it.each(['a4', 'usLetter'] as const)(
    'keeps sums, due date and slip on page 1 of %s whatever there is to note, and cuts no notice',
    async (paper) => {
      const words = (count: number, mark: string) =>
        Array.from({ length: count }, (_, at) => `${mark}${at}`).join(' ');
      for (const [counts, isAbove] of [
        [[12, 12], true],
        [[12, 12, 12], false],
        [[300], false],
        [Array.from({ length: 30 }, () => 25), false],
        [[500, 500, 500], false],
      ] as const) {
        const notices = counts.map((count, at) => words(count, `n${at}w`));
        const pdf = await render({ ...sampleLetter(4), paper, notices });
        const first = flat(pdf.pages[0]?.text ?? '');
        for (const part of [
          'Due 12.05.2026',
          'Invoice total',
          'Amount due by',
          'Payment slip',
          'Please note',
        ])
          expect(first).toContain(part);
        const found = new Set(flat(pdf.text).split(' '));
        expect(notices.flatMap((notice) => notice.split(' ')).filter((word) => !found.has(word))).toEqual([]);
        expect(first.indexOf('n0w0') >= 0 && first.indexOf('n0w0') < first.indexOf('Product')).toBe(isAbove);
        for (const page of pdf.pages.slice(1))
          expect(Math.max(...page.pieces.map(({ y }) => y))).toBeLessThan(page.height - 20);
      }
    },
  );

  it('has the pay link as a plain link and neither script nor action, and none without a slip', async () => {
    const letter = sampleLetter(1);
    const pdf = await render(letter);
    expect(pdf.pages.flatMap((page) => page.links)).toEqual([letter.slip?.payLink]);
    expect(pdf.hasActions).toBe(false);
    const { slip: _slip, ...without } = letter;
    const plain = await render(without);
    expect(plain.pages[0]?.links).toEqual([]);
    expect(plain.text).not.toContain('Payment slip');
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'not a link', 'data:text/html,x'])(
    'leaves out the pay link %s, and its code',
    async (payLink) => {
      const letter = sampleLetter(1);
      const pdf = await render({ ...letter, ...(letter.slip ? { slip: { ...letter.slip, payLink } } : {}) });
      expect(pdf.pages[0]?.links).toEqual([]);
      expect(pdf.text).not.toMatch(/Scan to pay|Online/);
      expect(pdf.text).toContain('Bank transfer');
    },
  );

  it('escapes what a link may contain', async () => {
    const letter = sampleLetter(1);
    const payLink = 'https://pay.example/a)(b\\c?d=<é>';
    const pdf = await render({ ...letter, ...(letter.slip ? { slip: { ...letter.slip, payLink } } : {}) });
    expect(pdf.pages[0]?.links).toEqual(['https://pay.example/a)(b/c?d=%3C%C3%A9%3E']);
  });
});
