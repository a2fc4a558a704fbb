/**
 * One record of a CSV file, or a line that is none. `line` is where it starts, counted from 1. `isOpen`: the file ends
 * with it, without a line end, and nothing says that its last value is whole.
 */
export type CsvRow =
  | { readonly line: number; readonly fields: readonly string[]; readonly isOpen?: true }
  | { readonly line: number; readonly fault: string };

export interface CsvOptions {
  readonly delimiter?: ',' | ';' | '\t' | '|';
  /** Blanks between a delimiter and a quote, and between a quote and a delimiter, are passed over. */
  readonly blanks?: boolean;
}

/** Longest record taken, in characters. It also bounds how far a missing closing quote is searched for. */
const maxRecordLength = 65_536;

type Parsed =
  | { readonly is: 'row'; readonly fields: string[]; readonly next: number; readonly isOpen?: true }
  | { readonly is: 'more' }
  | { readonly is: 'fault'; readonly reason: string };

/**
 * Reads CSV as RFC 4180 defines it, with another delimiter where asked: double quotes, doubled inside; records end with LF or CRLF.
 * A broken record never takes a good one with it: only its first line is given up, and reading goes on with the
 * next line, even after a quote that was never closed.
 * @param source the decoded text in pieces of any size
 * @returns records and faults in file order, in batches, one batch for each piece; empty lines are left out
 */
export async function* readCsv(
  source: AsyncIterable<string>,
  options: CsvOptions = {},
): AsyncGenerator<readonly CsvRow[]> {
  const reader = new CsvReader(options);
  for await (const piece of source) {
    const rows = reader.take(piece, false);
    if (rows.length > 0) yield rows;
  }
  const rest = reader.take('', true);
  if (rest.length > 0) yield rest;
}

class CsvReader {
  readonly #format: Format;
  #buffer = '';
  #line = 1;
  /** 'skipping': inside a line that is given up, whose end has not been read yet. */
  #state: 'reading' | 'skipping' = 'reading';

  constructor({ delimiter = ',', blanks = false }: CsvOptions) {
    this.#format = { delimiter: delimiter.charCodeAt(0), blanks };
  }

  take(piece: string, isEnd: boolean): CsvRow[] {
    const text = this.#buffer + piece;
    const rows: CsvRow[] = [];
    let at = 0;
    while (at < text.length) {
      const next = this.#state === 'skipping' ? this.#skip(text, at) : this.#one(text, at, isEnd, rows);
      if (next === null) break;
      at = next;
    }
    this.#buffer = text.slice(at);
    return rows;
  }

  /** Takes one record at `at`; gives where the next starts, or null when more text is needed. */
  #one(text: string, at: number, isEnd: boolean, rows: CsvRow[]): number | null {
    const parsed = parseRecord(text, at, isEnd, this.#format);
    if (parsed.is === 'more' && text.length - at <= maxRecordLength) return null;
    if (parsed.is === 'row') {
      if (parsed.fields.length > 1 || parsed.fields[0] !== '')
        rows.push({
          line: this.#line,
          fields: parsed.fields,
          ...(parsed.isOpen === true ? { isOpen: true } : {}),
        });
      this.#line += countLines(text, at, parsed.next);
      return parsed.next;
    }
    const reason =
      parsed.is === 'fault' ? parsed.reason : `the record is longer than ${maxRecordLength} characters`;
    rows.push({ line: this.#line, fault: reason });
    this.#state = 'skipping';
    return at;
  }

  #skip(text: string, at: number): number {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    this.#state = 'reading';
    this.#line += 1;
    return end + 1;
  }
}

interface Format {
  /** Its character code. */
  readonly delimiter: number;
  readonly blanks: boolean;
}

const [QUOTE, LF, CR, BLANK] = [34, 10, 13, 32];

function parseRecord(text: string, start: number, isEnd: boolean, { delimiter, blanks }: Format): Parsed {
  const fields: string[] = [];
  let at = start;
  for (;;) {
    const from = blanks ? quoteAfterBlanks(text, at) : at;
    const quoted = text.charCodeAt(from) === QUOTE;
    const field = quoted ? quotedField(text, from, start, isEnd) : plainField(text, at, delimiter);
    if (typeof field === 'string') return field === 'more' ? { is: 'more' } : { is: 'fault', reason: field };
    fields.push(field.value);
    at = field.end;
    if (blanks && quoted) while (text.charCodeAt(at) === BLANK) at += 1;
    const character = text.charCodeAt(at);
    if (character === delimiter) {
      at += 1;
    } else if (character === LF) {
      return { is: 'row', fields, next: at + 1 };
    } else if (character === CR && text.charCodeAt(at + 1) === LF) {
      return { is: 'row', fields, next: at + 2 };
    } else if (at >= text.length || (character === CR && at + 1 === text.length)) {
      if (!isEnd) return { is: 'more' };
      return { is: 'row', fields, next: text.length, ...(quoted ? {} : { isOpen: true }) };
    } else {
      return { is: 'fault', reason: `column ${fields.length}: text after the closing quote` };
    }
    if (at - start > maxRecordLength) return { is: 'more' };
  }
}

/** Where a quote stands after blanks only; else where it began. */
function quoteAfterBlanks(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === BLANK) at += 1;
  return text.charCodeAt(at) === QUOTE ? at : start;
}

type Field = { readonly value: string; readonly end: number };

function quotedField(text: string, open: number, start: number, isEnd: boolean): Field | string {
  let value = '';
  let from = open + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0 || quote - start > maxRecordLength) {
      if (isEnd && text.length - start <= maxRecordLength)
        return 'the line ends inside a quoted field; the file seems cut off';
      return 'more';
    }
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') {
      if (quote + 1 >= text.length && !isEnd) return 'more';
      return { value, end: quote + 1 };
    }
    value += '"';
    from = quote + 2;
  }
}

function plainField(text: string, start: number, delimiter: number): Field | string {
  let end = start;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === delimiter || code === LF) break;
    if (code === CR && (text.charCodeAt(end + 1) === LF || end + 1 === text.length)) break;
    if (code === QUOTE) return 'a quote inside an unquoted field';
  }
  return { value: text.slice(start, end), end };
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
