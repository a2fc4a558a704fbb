import type { EntityMapping } from '@counterfoil/contract/operator/imports/entity-import.ts';
import { clockIn, isDay } from '@counterfoil/domain/time/dates.ts';
import type { DescribedColumn } from './described.ts';

/** A cell that cannot be read; `message` says what it should be. */
export class CellFault extends Error {
  override readonly name = 'CellFault';
}

/** How numbers and days of a file are written. */
export type Spelling = Pick<EntityMapping, 'decimalMark' | 'dates' | 'timeZone'>;

/** What a cell becomes in the value of a bulk call. */
export type CellValue = string | number | boolean | readonly unknown[];

const MOST_QUOTED = 40;
const quoted = (text: string): string =>
  `'${text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text}'`;

/**
 * Reads a cell that is not empty.
 * @throws {CellFault}
 */
export function readCell(column: DescribedColumn, text: string, spelling: Spelling): CellValue {
  switch (column.form) {
    case 'text':
      return text;
    case 'code':
      return text.toUpperCase();
    case 'money':
    case 'number':
      return isWhole(column) ? wholeOf(text, spelling) : decimalOf(text, spelling);
    case 'date':
      return dayOf(text, spelling);
    case 'month':
      return monthOf(text, spelling);
    case 'flag':
      return flagOf(text);
    case 'choice':
      return choiceOf(text, column.choices);
    case 'list':
      return listOf(column.name, text);
  }
}

/** Members that are JSON numbers; all others are decimals as text. */
const whole: ReadonlySet<string> = new Set(['brandId', 'position']);
const isWhole = ({ name }: DescribedColumn): boolean => whole.has(name);

function wholeOf(text: string, spelling: Spelling): number {
  const decimal = decimalOf(text, spelling);
  if (!/^-?\d{1,15}$/.test(decimal)) throw new CellFault(`${quoted(text)} is no whole number`);
  return Number(decimal);
}

const plain = /^-?\d+(\.\d+)?$/;
/** Thousands stand apart by blanks, by the other mark or by apostrophes, three digits each. */
const grouped = { '.': /^-?\d{1,3}([ ',]\d{3})+(\.\d+)?$/, ',': /^-?\d{1,3}([ '.]\d{3})+(,\d+)?$/ } as const;
const ungrouped = { '.': plain, ',': /^-?\d+(,\d+)?$/ } as const;

/** Signs and codes of currencies around an amount, and other blanks, are left out; a minus behind it comes to the front. */
const bare = (text: string): string => {
  const inner = text
    .replace(/[\u00a0\u202f\u2007\u2009]/g, ' ')
    .replace(/\u2019/g, "'")
    .replace(/\u2212/g, '-')
    .replace(/^(-?)\s*(?:\p{Sc}|[A-Z]{3}\s)\s*/u, '$1')
    .replace(/\s*(?:\p{Sc}|\s[A-Z]{3})$/u, '')
    .trim();
  return /^[^-].*-$/.test(inner) ? `-${inner.slice(0, -1).trim()}` : inner;
};

function decimalOf(text: string, { decimalMark }: Pick<Spelling, 'decimalMark'>): string {
  const inner = bare(text);
  if (!ungrouped[decimalMark].test(inner) && !grouped[decimalMark].test(inner))
    throw new CellFault(`${quoted(text)} is no number with '${decimalMark}' before its decimals`);
  const digits = inner.replace(decimalMark === ',' ? /[ '.]/g : /[ ',]/g, '').replace(',', '.');
  return digits;
}

/** What a number tells of how the file writes its decimals. */
export function markSeenIn(text: string): '.' | ',' | 'either' | null {
  const inner = bare(text);
  if (/^-?\d+$/.test(inner) || !/^-?[\d ',.]+$/.test(inner)) return null;
  const isPoint = ungrouped['.'].test(inner) || grouped['.'].test(inner);
  const isComma = ungrouped[','].test(inner) || grouped[','].test(inner);
  if (isPoint && isComma) return 'either';
  return isPoint ? '.' : isComma ? ',' : null;
}

const numeric = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})$/;

/** Year, month and day as an order reads them. */
function partsOf(text: string, order: Spelling['dates']): readonly [string, string, string] | undefined {
  const match = numeric.exec(text);
  if (match === null) return undefined;
  const [, first = '', second = '', third = ''] = match;
  if (first.length === 4) return [first, second, third];
  if (first.length > 2 || (third.length !== 4 && third.length !== 2)) return undefined;
  const year = third.length === 2 ? `20${third}` : third;
  if (order === 'dayFirst') return [year, second, first];
  // Nobody writes a month before a point and then the day.
  if (order === 'monthFirst' && !text.includes('.')) return [year, first, second];
  return text.includes('.') ? [year, second, first] : undefined;
}

function dayOf(text: string, { dates, timeZone }: Spelling): string {
  const moment = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})$/i.exec(text);
  if (moment !== null && timeZone !== undefined) {
    const at = new Date(text.replace(' ', 'T').replace(/\s/g, ''));
    if (!Number.isNaN(at.getTime())) return clockIn(timeZone, at).day;
  }
  // A time of day beside it, as spreadsheets and databases export it.
  const day = text.replace(/[T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?(\s*(Z|[+-]\d{2}:?\d{2}|[AP]M))?$/i, '');
  const parts = partsOf(day, dates);
  const read = parts && `${parts[0]}-${parts[1].padStart(2, '0')}-${parts[2].padStart(2, '0')}`;
  if (read !== undefined && isDay(read)) return read;
  throw new CellFault(`${quoted(text)} is no day as ${daysWritten[dates]}`);
}

const daysWritten = {
  yearFirst: '2026-04-03',
  dayFirst: '03.04.2026 (3 April)',
  monthFirst: '04/03/2026 (3 April)',
} as const;

/** Which orders a day can be read in; empty: it is none, or says its year first. */
export function ordersOf(text: string): readonly ('dayFirst' | 'monthFirst')[] {
  const day = text.split(/[T ]/, 1)[0] ?? '';
  const match = numeric.exec(day);
  if (match === null || (match[1] ?? '').length === 4) return [];
  return (['dayFirst', 'monthFirst'] as const).filter((order) => {
    const parts = partsOf(day, order);
    return (
      parts !== undefined &&
      isDay(`${parts[0]}-${parts[1].padStart(2, '0')}-${parts[2].padStart(2, '0')}`) &&
      (order === 'dayFirst' || !day.includes('.'))
    );
  });
}

function monthOf(text: string, spelling: Spelling): string {
  if (/^\d{4}-\d{2}$/.test(text)) return text;
  const match = /^(\d{1,2})[./](\d{4})$/.exec(text);
  if (match !== null) return `${match[2]}-${(match[1] ?? '').padStart(2, '0')}`;
  return dayOf(text, spelling).slice(0, 7);
}

const yes = /^(true|yes|y|1|x|ja|j|wahr|on)$/i;
const no = /^(false|no|n|0|nein|falsch|off|-)$/i;

function flagOf(text: string): boolean {
  if (yes.test(text)) return true;
  if (no.test(text)) return false;
  throw new CellFault(`${quoted(text)} is neither yes nor no`);
}

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

function choiceOf(text: string, choices: readonly string[]): string {
  const found = choices.find((one) => letters(one) === letters(text));
  if (found === undefined) throw new CellFault(`${quoted(text)} is none of ${choices.join(', ')}`);
  return found;
}

/** Record types are told by `service/type`; of all else the parts are what is meant. */
function listOf(name: string, text: string): readonly unknown[] {
  const parts = text
    .split(/[|\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (name !== 'products.recordTypes') return parts;
  return parts.map((part) => {
    const at = part.indexOf('/');
    if (at <= 0) throw new CellFault(`${quoted(part)} is no record type such as data/mobile`);
    return { service: part.slice(0, at), recordType: part.slice(at + 1) };
  });
}
