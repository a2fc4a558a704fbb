/** A decimal in text form, such as an exact amount: written as a number, never as text. */
export interface CsvDecimal {
  readonly decimal: string;
}

/** What a cell can hold: text, numbers, exact decimals, nothing. */
export type CsvValue = string | number | bigint | CsvDecimal | null;

/**
 * Marks an exact decimal (an amount or rate) as a number, so that its minus sign is not taken for a formula.
 * @throws {RangeError} when the text is no plain decimal
 */
export function csvDecimal(decimal: string): CsvDecimal {
  if (!/^-?\d+(\.\d+)?$/.test(decimal)) throw new RangeError('Not a plain decimal number');
  return { decimal };
}

/** Blanks, controls and what has no width: programs that look for a formula may pass them over. */
const invisible =
  '\\u0001-\\u0020\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f\\u2000-\\u200f' +
  '\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff9-\\ufffb';
/** = + - @ and their full-width forms. */
const signs = '=+\\-@\\uff1d\\uff0b\\uff0d\\uff20';

/**
 * What a text begins with that a spreadsheet might run as a formula: = + - @, also full-width and after characters
 * that are not seen, or a tab, CR or LF. A regular expression as JavaScript and PostgreSQL both read it, so that cells
 * are neutralised by one rule wherever they are written.
 */
export const FORMULA_START = `^([\\t\\n\\r]|[${invisible}]*[${signs}])`;

const formulaStart = new RegExp(FORMULA_START, 'u');

/** Whether a spreadsheet might run a text as a formula. */
export const startsFormula = (text: string): boolean => formulaStart.test(text);

/**
 * One cell after RFC 4180. Text is quoted, and gets an apostrophe in front where it might be run as a formula; numbers
 * stay numbers. Null and numbers that are not finite give an empty cell.
 */
export function csvCell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'object') return value.decimal;
  return `"${startsFormula(value) ? "'" : ''}${value.replaceAll('"', '""')}"`;
}

/** One line with its line end (CRLF). A line of one empty cell is written as "" so that it is not a blank line. */
export function csvRow(values: readonly CsvValue[]): string {
  const line = values.map(csvCell).join(',');
  return `${line === '' && values.length === 1 ? '""' : line}\r\n`;
}
