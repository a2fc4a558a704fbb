import { hash } from 'node:crypto';
import { isDay } from '@counterfoil/domain/dates.ts';
import { type CsvRow, readCsv } from './csv.ts';

/** Columns of Asterisk's `Master.csv`, which has no header line (Asterisk manual, cdr_csv). */
const columns = [
  'accountcode',
  'src',
  'dst',
  'dcontext',
  'clid',
  'channel',
  'dstchannel',
  'lastapp',
  'lastdata',
  'start',
  'answer',
  'end',
  'duration',
  'billsec',
  'disposition',
  'amaflags',
  'uniqueid',
  'userfield',
] as const;

/** Number of columns with both `loguniqueid` and `loguserfield` switched on in `cdr.conf`. */
export const asteriskColumns: number = columns.length;

/** How a call ended, as Asterisk writes it, and the record type it becomes. */
export const dispositions = {
  ANSWERED: { code: 'answered', description: 'Call, answered' },
  'NO ANSWER': { code: 'no-answer', description: 'Call, no answer' },
  BUSY: { code: 'busy', description: 'Call, busy' },
  FAILED: { code: 'failed', description: 'Call, failed' },
  CONGESTION: { code: 'congestion', description: 'Call, network congested' },
  UNKNOWN: { code: 'unknown', description: 'Call, outcome unknown' },
} as const;

export type Disposition = keyof typeof dispositions;

/** One call record as Asterisk measured it. Times are wall-clock text without a zone, as the exchange wrote them. */
export interface ImportedCallRecord {
  /** Where the record starts in the file, from 1. */
  readonly line: number;
  /** sha256 over all columns. Identical rows share it; the import adds the ordinal among them. */
  readonly rowHash: Buffer;
  /** 'YYYY-MM-DD HH:MM:SS' */
  readonly startedAt: string;
  /** The same form, or null where nobody answered. */
  readonly answeredAt: string | null;
  readonly endedAt: string | null;
  /** Seconds from start to end. */
  readonly durationSeconds: number;
  /** Seconds from answer to end: the units of the usage record. */
  readonly billedSeconds: number;
  readonly source: string;
  readonly destination: string;
  readonly accountCode: string;
  readonly context: string;
  readonly callerId: string;
  readonly disposition: Disposition;
  readonly uniqueId: string;
}

/** A line that cannot be taken, with the reason a person can act on. */
export interface RejectedLine {
  readonly line: number;
  readonly reason: string;
}

export interface CallRecordBatch {
  readonly records: readonly ImportedCallRecord[];
  readonly rejected: readonly RejectedLine[];
}

/** Longest number, account code or context taken; Asterisk itself allows 80 characters. */
const maxTextLength = 255;
/** Ten years in seconds: no call lasts longer, a counter gone wrong does. */
const maxSeconds = 315_360_000;

/**
 * Reads call records from `Master.csv`, in constant memory.
 * @param bytes the file, in pieces of any size; UTF-8, with or without a byte order mark
 * @returns records and rejected lines in file order, in batches. A header line with Asterisk's own column
 *   names is passed over.
 */
export async function* readAsterisk(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CallRecordBatch> {
  for await (const rows of readCsv(decode(bytes))) {
    const records: ImportedCallRecord[] = [];
    const rejected: RejectedLine[] = [];
    for (const row of rows) {
      if (isHeader(row)) continue;
      const record = callRecordOf(row);
      if ('reason' in record) rejected.push(record);
      else records.push(record);
    }
    yield { records, rejected };
  }
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // Bytes that are no UTF-8 become U+FFFD here; the record that holds one is rejected, the others are not.
  const decoder = new TextDecoder('utf-8');
  for await (const piece of bytes) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

function isHeader(row: CsvRow): boolean {
  return (
    row.line === 1 && 'fields' in row && row.fields.every((field, at) => field.toLowerCase() === columns[at])
  );
}

/** Checks one CSV row. @returns the record, or the line and what is wrong with it */
export function callRecordOf(row: CsvRow): ImportedCallRecord | RejectedLine {
  if ('fault' in row) return { line: row.line, reason: row.fault };
  const reason = faultOf(row.fields);
  if (reason !== null) return { line: row.line, reason };
  const field = (name: (typeof columns)[number]): string => row.fields[columns.indexOf(name)] ?? '';
  return {
    line: row.line,
    rowHash: hash('sha256', JSON.stringify(row.fields), 'buffer'),
    startedAt: field('start'),
    answeredAt: field('answer') || null,
    endedAt: field('end') || null,
    durationSeconds: Number(field('duration')),
    billedSeconds: Number(field('billsec')),
    source: field('src'),
    destination: field('dst'),
    accountCode: field('accountcode'),
    context: field('dcontext'),
    callerId: field('clid'),
    disposition: field('disposition') as Disposition,
    uniqueId: field('uniqueid'),
  };
}

/** What forbids taking these columns, or null. */
function faultOf(fields: readonly string[]): string | null {
  if (fields.length !== columns.length) return wrongCount(fields.length);
  for (const [at, name] of columns.entries()) {
    const text = fields[at] ?? '';
    const reason = faultOfText(text) ?? checks[name]?.(text) ?? null;
    if (reason !== null) return `column ${at + 1} (${name}): ${reason}`;
  }
  return null;
}

function wrongCount(count: number): string {
  const hint = count === 16 || count === 17 ? "; switch on 'loguniqueid' and 'loguserfield' in cdr.conf" : '';
  return `${count} columns instead of ${columns.length}${hint}`;
}

function faultOfText(text: string): string | null {
  if (text.includes('\0')) return 'contains a NUL byte';
  if (text.includes('\uFFFD')) return 'the bytes are not valid UTF-8';
  return null;
}

const shortText = (text: string): string | null =>
  text.length > maxTextLength ? `longer than ${maxTextLength} characters` : null;

const checks: Partial<Record<(typeof columns)[number], (text: string) => string | null>> = {
  accountcode: shortText,
  src: shortText,
  dst: shortText,
  dcontext: shortText,
  start: (text) => (isLocalTime(text) ? null : `'${cut(text)}' is not a date and time (YYYY-MM-DD HH:MM:SS)`),
  answer: (text) => (text === '' || isLocalTime(text) ? null : `'${cut(text)}' is not a date and time`),
  end: (text) => (text === '' || isLocalTime(text) ? null : `'${cut(text)}' is not a date and time`),
  duration: seconds,
  billsec: seconds,
  disposition: (text) =>
    Object.hasOwn(dispositions, text) ? null : `'${cut(text)}' is not an outcome Asterisk writes`,
};

function seconds(text: string): string | null {
  return /^[0-9]{1,9}$/.test(text) && Number(text) <= maxSeconds
    ? null
    : `'${cut(text)}' is not a number of seconds`;
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** True for 'YYYY-MM-DD HH:MM:SS' on a day that exists, from 1970 to 2199. */
function isLocalTime(text: string): boolean {
  return clock.test(text) && isDay(text.slice(0, 10));
}

const clock = /^(?:19[7-9][0-9]|2[01][0-9]{2})-[0-9]{2}-[0-9]{2} (?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$/;
