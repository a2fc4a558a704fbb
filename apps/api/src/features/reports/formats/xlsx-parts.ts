import type { ReportColumn } from '../definition.ts';

/** The parts of a workbook beside its sheets (ECMA-376, SpreadsheetML). */

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** What XML 1.0 has no place for. */
const unwritable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Readers take this for an escaped character; its underscore is escaped, so that it stays what it is. */
const escapes = /_(?=x[0-9a-f]{4}_)/gi;

/** Text as XML takes it. A carriage return is written so that readers do not turn it into a line feed. */
export const xml = (text: string): string =>
  text
    .toWellFormed()
    .replace(unwritable, '')
    .replace(escapes, '_x005F_')
    .replace(/[&<>"]/g, (c) => entities[c] ?? '')
    .replaceAll('\r', '&#13;');

/** Cell formats, by their place in {@link styles}. */
export const Style = {
  GENERAL: 0,
  HEAD: 1,
  DAY: 2,
  MOMENT: 3,
  MONEY0: 4,
  MONEY2: 5,
  MONEY3: 6,
  MONEY4: 7,
  QUOTED: 8,
} as const;

/** Built-in formats 3 and 4 are '#,##0' and '#,##0.00'; further ones are numbered from 164 on. */
export const styles = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="4"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="166" formatCode="#,##0.000"/><numFmt numFmtId="167" formatCode="#,##0.00####"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE9EEF2"/><bgColor indexed="64"/></patternFill></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="9">${[
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  '<xf numFmtId="49" fontId="1" fillId="2" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/>',
  ...[164, 165, 3, 4, 166, 167].map(
    (id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  ),
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/>',
].join(
  '',
)}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

export const packageRelations = `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/><Relationship Id="rId2" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`;

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

export const contentTypes = (sheets: number): string =>
  `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>${range(
    sheets,
  )
    .map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPES}.worksheet+xml"/>`)
    .join(
      '',
    )}<Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`;

export const workbookRelations = (sheets: number): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${range(sheets)
    .map((n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`)
    .join(
      '',
    )}<Relationship Id="rId${sheets + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`;

/** @param ranges of the filters, one for each sheet, such as `$A$1:$C$9` */
export function workbook(title: string, ranges: readonly string[]): string {
  const names = ranges.map((_, index) => sheetName(title, index));
  const filters = ranges.map(
    (cells, index) =>
      `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">'${xml((names[index] ?? '').replaceAll("'", "''"))}'!${cells}</definedName>`,
  );
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews><sheets>${names
    .map((name, index) => `<sheet name="${xml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
    .join('')}</sheets><definedNames>${filters.join('')}</definedNames></workbook>`;
}

/** A name has at most 31 characters, and none that references use. */
function sheetName(title: string, index: number): string {
  const end = index === 0 ? '' : ` ${index + 1}`;
  const plain = title.replace(/[\\/?*[\]:]/g, ' ').replace(/^'+|'+$/g, '');
  return `${plain.slice(0, 31 - end.length).trimEnd() || 'Report'}${end}`;
}

export const coreProperties = (title: string, creator: string, at: Date): string =>
  `${XML}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${xml(title)}</dc:title><dc:creator>${xml(creator)}</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${at.toISOString()}</dcterms:created></cp:coreProperties>`;

/** What a sheet begins with: the first row stays in sight. */
export const sheetStart = (widths: readonly number[]): string =>
  `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews><cols>${widths
    .map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
    .join('')}</cols><sheetData>`;

export const sheetEnd = (cells: string): string =>
  `</sheetData><autoFilter ref="${cells}"/><pageMargins left="0.5" right="0.5" top="0.5" bottom="0.5" header="0.3" footer="0.3"/><pageSetup orientation="landscape" fitToHeight="0"/></worksheet>`;

/** 'A' for 0, 'AA' for 26. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

/** The cells of a sheet's filter. */
export const filterRange = (columns: readonly ReportColumn[], rows: number): string =>
  `A1:${columnName(columns.length - 1)}${rows}`;
