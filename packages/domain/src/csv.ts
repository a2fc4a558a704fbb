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

const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * One cell after RFC 4180. Text that a spreadsheet would run as a formula (it begins with = + - @, tab or CR) gets
 * an apostrophe in front; numbers stay numbers. Null and numbers that are not finite give an empty cell.
 */
export function csvCell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'object') return value.decimal;
  return quote(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value);
}

/** One line with its line end (CRLF). A line of one empty cell is written as "" so that it is not a blank line. */
export function csvRow(values: readonly CsvValue[]): string {
  const line = values.map(csvCell).join(',');
  return `${line === '' && values.length === 1 ? '""' : line}\r\n`;
}
