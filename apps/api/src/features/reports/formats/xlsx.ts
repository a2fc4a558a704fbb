import { startsFormula } from '@counterfoil/domain/text/csv.ts';
import { ZipFile } from '../../../files/zip.ts';
import type { Cell, ColumnKind, ReportColumn, ReportRow } from '../definition.ts';
import { momentText, type ReportHead } from './format.ts';
import * as parts from './xlsx-parts.ts';
import { Style, xml } from './xlsx-parts.ts';

/** Rows that Excel takes on one sheet, the head included; more go on to another. */
const SHEET_ROWS = 1_048_576;
/** The longest text a cell takes. */
const CELL_CHARACTERS = 32_767;
/** Rows looked at for how wide columns are. */
const SAMPLE = 200;
const DAY_MS = 86_400_000;
/** A day's fraction is written with eight digits: less than a millisecond. */
const DAY_PARTS = 1e8;
/** Day 1 of a spreadsheet is 1 January 1900, and it counts a 29 February 1900 that never was. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const FIRST_DAY_MS = Date.UTC(1900, 2, 1);
/** A spreadsheet's numbers are doubles. */
const EXACT_DIGITS = 15;

/** A workbook (Office Open XML): head bold, frozen and with filters, figures as figures, days as days. */
export async function* writeXlsx(
  head: ReportHead,
  rows: AsyncIterable<ReportRow>,
  sheetRows = SHEET_ROWS,
): AsyncIterable<Uint8Array> {
  const out = new ZipFile();
  const { columns } = head;
  const sample: ReportRow[] = [];
  const ranges: string[] = [];
  let widths: readonly number[] | undefined;
  let count = 0;
  const startSheet = (): void => {
    widths ??= columns.map((column, index) => widthOf(column, index, sample));
    out.begin(`xl/worksheets/sheet${ranges.length + 1}.xml`);
    out.add(parts.sheetStart(widths) + rowXml(columns.map(({ label }) => textCell(label, Style.HEAD))));
    count = 1;
  };
  const endSheet = (): void => {
    const range = parts.filterRange(columns, count);
    out.add(parts.sheetEnd(range));
    out.end();
    ranges.push(range.replace(/([A-Z]+)(\d+)/g, '$$$1$$$2'));
  };
  const addRow = (row: ReportRow): void => {
    if (count === sheetRows) endSheet();
    if (count === 0 || count === sheetRows) startSheet();
    out.add(rowXml(columns.map(({ kind }, index) => cellXml(kind, row[index] ?? null))));
    count += 1;
  };
  for await (const row of rows) {
    if (count > 0) addRow(row);
    else if (sample.push(row) === SAMPLE) sample.forEach(addRow);
    yield* out.taken();
  }
  if (count === 0) {
    startSheet();
    sample.forEach(addRow);
  }
  endSheet();
  for (const [name, text] of [
    ['xl/styles.xml', parts.styles],
    ['xl/workbook.xml', parts.workbook(head.title, ranges)],
    ['xl/_rels/workbook.xml.rels', parts.workbookRelations(ranges.length)],
    ['docProps/core.xml', parts.coreProperties(head.title, head.company, head.madeAt)],
    ['_rels/.rels', parts.packageRelations],
    ['[Content_Types].xml', parts.contentTypes(ranges.length)],
  ] as const) {
    out.begin(name);
    out.add(text);
    out.end();
  }
  out.close();
  yield* out.taken();
}

const rowXml = (cells: readonly string[]): string => `<row>${cells.join('')}</row>`;

function cellXml(kind: ColumnKind, cell: Cell): string {
  if (cell === null) return '<c/>';
  if (cell instanceof Date)
    return numberCell(serialOf(cell.getTime()), Style.MOMENT) ?? textCell(momentText(cell));
  const text = String(cell);
  if (kind === 'day')
    return numberCell(serialOf(Date.parse(`${text}T00:00:00Z`)), Style.DAY) ?? textCell(text);
  if (kind === 'number') return numberCell(text, Style.GENERAL) ?? textCell(text);
  if (kind === 'money') return numberCell(text, moneyStyle(text)) ?? textCell(text);
  return textCell(text);
}

/** @returns undefined for what a spreadsheet's number cannot hold exactly */
function numberCell(value: string | undefined, style: number): string | undefined {
  if (value === undefined || !/^-?\d+(\.\d+)?$/.test(value)) return undefined;
  const digits = value.replace(/^-?0*|\.|(?<=\.\d*)0+$/g, '');
  return digits.length > EXACT_DIGITS ? undefined : `<c s="${style}"><v>${value}</v></c>`;
}

function moneyStyle(decimal: string): number {
  const decimals = decimal.length - decimal.indexOf('.') - 1;
  if (!decimal.includes('.')) return Style.MONEY0;
  if (decimals <= 2) return Style.MONEY2;
  return decimals === 3 ? Style.MONEY3 : Style.MONEY4;
}

/** Days since the spreadsheet's epoch; undefined before March 1900, where programs do not agree. */
const serialOf = (ms: number): string | undefined =>
  ms >= FIRST_DAY_MS ? String(Math.round(((ms - EPOCH_MS) / DAY_MS) * DAY_PARTS) / DAY_PARTS) : undefined;

/** Text stays text: what looks like a formula is marked as quoted, as if it had been typed with an apostrophe. */
function textCell(value: string, style?: number): string {
  if (value === '') return '<c/>';
  const text = value.length > CELL_CHARACTERS ? `${value.slice(0, CELL_CHARACTERS - 1)}…` : value;
  const s = style ?? (startsFormula(text) ? Style.QUOTED : Style.GENERAL);
  return `<c t="inlineStr" s="${s}"><is><t xml:space="preserve">${xml(text)}</t></is></c>`;
}

/** Wide enough for what the first rows hold, and for the label with the filter's button. */
function widthOf({ label, kind }: ReportColumn, index: number, sample: readonly ReportRow[]): number {
  const least: Record<ColumnKind, number> = { text: 10, number: 10, money: 12, day: 12, moment: 20 };
  const lengths = sample.map((row) =>
    kind === 'text' || kind === 'number' ? String(row[index] ?? '').length : 0,
  );
  return Math.min(50, Math.max(least[kind], label.length + 4, ...lengths.map((length) => length + 2)));
}
