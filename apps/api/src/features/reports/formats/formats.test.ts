import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { readZip } from '../../../../test/fixtures/read-zip.ts';
import { parseCsv } from '../../../../test/fixtures/report-fixture.ts';
import { nodesOf, readPdf } from '../../../pdf/read-pdf.ts';
import { writeTable } from '../../../pdf/table/write-table.ts';
import type { ReportColumn, ReportRow } from '../definition.ts';
import { writeCsv } from './csv.ts';
import type { ReportHead, WriteFormat } from './format.ts';
import { writeXlsx } from './xlsx.ts';

const columns: readonly ReportColumn[] = [
  { label: 'Product', kind: 'text' },
  { label: 'Day', kind: 'day' },
  { label: 'At', kind: 'moment' },
  { label: 'Quantity', kind: 'number' },
  { label: 'Amount', kind: 'money' },
];
const head = (over: Partial<ReportHead> = {}): ReportHead => ({
  title: 'Test report',
  company: 'Harbour Telecom',
  customer: 'Müller & Söhne',
  columns,
  asked: [['Dates', '03.01.2026 – 03.31.2026']],
  madeAt: new Date('2026-04-01T08:00:00Z'),
  byteOrderMark: true,
  ...over,
});
const at = new Date('2026-03-01T12:34:56Z');
const row = (text: string): ReportRow => [text, '2026-03-01', at, '12.500000', '-1234.50'];

async function* each(rows: readonly ReportRow[]): AsyncIterable<ReportRow> {
  yield* rows;
}

async function write(format: WriteFormat, rows: readonly ReportRow[], over?: Partial<ReportHead>) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of format(head(over), each(rows))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What a spreadsheet program, or a person who opens a file in one, could be made to run. */
const FORMULAS = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\nx',
  '\ufeff=1',
  '\u00a0=1',
  '＝1',
  ' ＋1',
];

describe('csv', () => {
  it('is read by another reader: labels, text with quotes and line ends, exact figures', async () => {
    const nasty = 'a "quoted", text\r\nwith\nlines, ünïcode 日本';
    expect(parseCsv(await write(writeCsv, [row(nasty), [null, null, null, null, null]]))).toEqual([
      ['Product', 'Day', 'At', 'Quantity', 'Amount'],
      [nasty, '2026-03-01', '2026-03-01 12:34:56', '12.500000', '-1234.50'],
      ['', '', '', '', ''],
    ]);
  });

  it('neutralises formulas in text, and leaves negative figures figures', async () => {
    const rows = parseCsv(await write(writeCsv, FORMULAS.map(row)));
    expect(rows.slice(1).map(([text]) => text)).toEqual(FORMULAS.map((text) => `'${text}`));
    expect(rows[1]?.[4]).toBe('-1234.50');
  });

  it('begins with the mark of UTF-8 or not', async () => {
    expect((await write(writeCsv, [])).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect((await write(writeCsv, [], { byteOrderMark: false })).toString().slice(0, 9)).toBe('"Product"');
  });
});

interface Sheet {
  readonly cells: readonly (readonly { readonly t?: string; readonly s: number; readonly text: string }[])[];
  readonly xml: string;
}

/** Unpacks a workbook and parses each part, with readers that know nothing of the writer. */
function readXlsx(bytes: Buffer): { readonly parts: ReadonlyMap<string, string>; readonly sheets: Sheet[] } {
  const parts = readZip(bytes);
  for (const [name, text] of parts)
    if (XMLValidator.validate(text) !== true) throw new Error(`${name} is not well-formed`);
  const sheets = [...parts].filter(([name]) => name.startsWith('xl/worksheets/'));
  return { parts, sheets: sheets.map(([, text]) => readSheet(text)) };
}

function readSheet(xml: string): Sheet {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    trimValues: false,
    isArray: (name: string) => name === 'row' || name === 'c',
    htmlEntities: true,
  });
  type RawCell = { '@t'?: string; '@s'?: string; v?: string; is?: { t: string | { '#text': string } } };
  const { row: rows = [] } = parser.parse(xml).worksheet.sheetData as { row?: { c: (RawCell | '')[] }[] };
  const cells = rows.map(({ c }) =>
    c.map((raw) => {
      const cell: RawCell = raw === '' ? {} : raw;
      const inline = cell.is?.t;
      const text = cell.v ?? (typeof inline === 'object' ? inline['#text'] : inline) ?? '';
      return { ...(cell['@t'] === undefined ? {} : { t: cell['@t'] }), s: Number(cell['@s'] ?? 0), text };
    }),
  );
  return { cells, xml };
}

describe('xlsx', () => {
  it('is a workbook another reader opens: text as text, figures as numbers, days as dates [portal.reports.constant.export-other]', async () => {
    const { sheets, parts } = readXlsx(await write(writeXlsx, [row('A <b> & "c" 日本')]));
    expect(sheets[0]?.cells).toEqual([
      columns.map(({ label }) => ({ t: 'inlineStr', s: 1, text: label })),
      [
        { t: 'inlineStr', s: 0, text: 'A <b> & "c" 日本' },
        // 1 March 2026 is day 46082 of the spreadsheet's calendar.
        { s: 2, text: '46082' },
        { s: 3, text: '46082.52425926' },
        { s: 0, text: '12.500000' },
        { s: 5, text: '-1234.50' },
      ],
    ]);
    expect(parts.get('xl/styles.xml')).toContain('yyyy\\-mm\\-dd');
    expect([...parts.keys()].sort()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'docProps/core.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ]);
  });

  it('has its head bold, frozen and with filters, and columns as wide as what they hold', async () => {
    const { sheets, parts } = readXlsx(await write(writeXlsx, [row('x'.repeat(30)), row('y')]));
    const xml = sheets[0]?.xml ?? '';
    expect(xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(xml).toContain('<autoFilter ref="A1:E3"/>');
    expect(xml).toContain('<col min="1" max="1" width="32" customWidth="1"/>');
    expect(parts.get('xl/workbook.xml')).toContain("'Test report'!$A$1:$E$3");
  });

  it('marks text that looks like a formula as quoted and keeps it as it is', async () => {
    const { sheets } = readXlsx(await write(writeXlsx, FORMULAS.map(row)));
    const cells = sheets[0]?.cells.slice(1).map(([cell]) => cell);
    expect(cells).toEqual(FORMULAS.map((text) => ({ t: 'inlineStr', s: 8, text })));
    expect(sheets[0]?.xml).not.toContain('<f>');
  });

  it('shows an amount with the decimals of its currency, and one too long for a double as text', async () => {
    const amounts = ['5', '5.10', '5.125', '5.123456', '12345678901234567.89'];
    const { sheets } = readXlsx(
      await write(
        writeXlsx,
        amounts.map((amount) => [null, null, null, null, amount]),
      ),
    );
    expect(sheets[0]?.cells.slice(1).map((cells) => [cells[4]?.s, cells[4]?.t, cells[4]?.text])).toEqual([
      [4, undefined, '5'],
      [5, undefined, '5.10'],
      [6, undefined, '5.125'],
      [7, undefined, '5.123456'],
      [0, 'inlineStr', '12345678901234567.89'],
    ]);
  });

  it('goes on to another sheet where one is full', async () => {
    const rows = Array.from({ length: 450 }, (_, n) => row(`row ${n}`));
    const { sheets, parts } = readXlsx(await write((h, r) => writeXlsx(h, r, 201), rows));
    expect(sheets.map(({ cells }) => cells.length)).toEqual([201, 201, 51]);
    expect(sheets[1]?.cells[0]?.[0]?.text).toBe('Product');
    const read = sheets.flatMap(({ cells }) => cells.slice(1).map(([cell]) => cell?.text));
    expect(read).toEqual(rows.map(([text]) => text));
    expect(parts.get('xl/workbook.xml')).toContain('name="Test report 3"');
  });

  it('is a workbook without rows, and with any text', async () => {
    expect(readXlsx(await write(writeXlsx, [])).sheets[0]?.cells).toHaveLength(1);
    const anything = fc.sample(fc.string({ unit: 'binary', minLength: 1 }), { numRuns: 60, seed: 7 });
    const rows = [...anything, '\u0000\ud800\uffff', '_x0041_'].map(row);
    const { sheets } = readXlsx(await write(writeXlsx, rows, { title: "[a]:*?/\\'long title ".repeat(4) }));
    expect(sheets[0]?.cells).toHaveLength(rows.length + 1);
    expect(sheets[0]?.xml).toContain('_x005F_x0041_');
  });
});

describe('pdf', () => {
  it('is a tagged landscape table with the provider, what was asked for, days as on every screen', async () => {
    const file = await readPdf(await write(writeTable, [row('Calls to Zürich')]));
    expect(file.isMarked).toBe(true);
    expect(file.info['Title']).toBe('Test report – Harbour Telecom');
    const structure = file.pages[0]?.structure;
    expect(nodesOf(structure, 'H1').map(({ text }) => text)).toEqual(['Test report']);
    expect(nodesOf(structure, 'TH').map(({ text }) => text)).toEqual(columns.map(({ label }) => label));
    expect(nodesOf(structure, 'TD').map(({ text }) => text)).toEqual([
      'Calls to Zürich',
      '03.01.2026',
      '03.01.2026 12:34:56',
      '12.5',
      '-1,234.50',
    ]);
    for (const text of [
      'Harbour Telecom · Müller & Söhne',
      'Dates: 03.01.2026 – 03.31.2026',
      'Generated: 04.01.2026 08:00:00 UTC',
    ])
      expect(file.text).toContain(text);
  });

  it('goes over many pages: the head and the number of pages on each, every row once', async () => {
    const rows = Array.from({ length: 300 }, (_, n) => row(`line ${n}.`));
    const { pages, text } = await readPdf(await write(writeTable, rows));
    expect(pages.length).toBeGreaterThan(5);
    for (const [index, page] of pages.entries()) {
      expect(page.text).toMatch(new RegExp(`Page ${index + 1} of\\s*${pages.length}`));
      expect(page.text).toContain('Quantity');
    }
    for (let n = 0; n < 300; n += 1) expect(text.split(`line ${n}.`)).toHaveLength(2);
  });

  it('wraps long text and numbers, and says when there is nothing', async () => {
    const long = `${'word '.repeat(120)}end`;
    const { text } = await readPdf(
      await write(writeTable, [row(long), [`${'x'.repeat(20_000)}`, ...row('').slice(1)]]),
    );
    expect(text).toContain('end');
    expect(text).toContain('…');
    expect((await readPdf(await write(writeTable, []))).text).toContain('There is nothing to show');
  });
});
