import { isCurrencyCode, type Money, money, parseMoney } from '@counterfoil/domain/money/money.ts';
import { tryParse } from '@counterfoil/domain/result.ts';
import { type Day, isDay } from '@counterfoil/domain/time/dates.ts';
import { MOST_NAME, MOST_TEXT } from '../../bank-entries/service.ts';
import { cut, faultOfText } from '../mappings/column-faults.ts';
import { type CsvRow, readCsv } from '../text/csv.ts';
import { decodeLines } from '../text/encoding.ts';
import { entryKeysOf, meaningful } from './entry-keys.ts';
import { MOST_ENTRIES, type StatementReading, type Unreadable } from './reading.ts';
import { columnsOf, type DayForm, type StatementMapping, valueIn } from './statement-mapping.ts';

/** Lines before the header that a bank may write about itself. */
const MOST_BEFORE_HEADER = 30;

type Draft = Parameters<typeof entryKeysOf>[0][number];

/** A value that cannot be taken. Caught here. */
class ValueFault extends Error {}

/**
 * Reads a bank's CSV by a mapping. The header is the first line that has all columns.
 * @param bytes the file in pieces of any size
 * @returns entries with the rows that are none, each with its line; or that no line has the columns
 */
export async function readStatementCsv(
  bytes: AsyncIterable<Uint8Array>,
  mapping: StatementMapping,
): Promise<StatementReading | Unreadable> {
  const faults: StatementReading['faults'][number][] = [];
  const drafts: Draft[] = [];
  let at: ReadonlyMap<string, number> | undefined;
  let missing = '';
  let passed = 0;
  for await (const rows of readCsv(decodeLines(bytes, mapping.encoding), { delimiter: mapping.delimiter }))
    for (const row of rows) {
      if (drafts.length >= MOST_ENTRIES)
        return { line: row.line, reason: `more than ${MOST_ENTRIES} entries` };
      if (at !== undefined) {
        take(row, at, mapping, drafts, faults);
        continue;
      }
      passed += 1;
      const found = 'fields' in row ? columnsOf(mapping, row.fields) : { missing: '' };
      if (!('missing' in found)) at = found;
      else if (passed > MOST_BEFORE_HEADER) return noHeader(mapping, missing);
      else missing ||= found.missing;
    }
  if (at === undefined) return noHeader(mapping, missing);
  const entries = accountsOf(drafts).flatMap((one) => entryKeysOf(one));
  return { entries, faults, warnings: [] };
}

const noHeader = ({ name }: StatementMapping, missing: string): Unreadable => ({
  line: 1,
  reason: `no line names all columns of mapping '${name}': '${missing}' is missing`,
});

/** Keys count what is alike within one account. */
const accountsOf = (drafts: readonly Draft[]): readonly (readonly Draft[])[] => [
  ...Map.groupBy(drafts, ({ account }) => account).values(),
];

function take(
  row: CsvRow,
  at: ReadonlyMap<string, number>,
  mapping: StatementMapping,
  drafts: Draft[],
  faults: StatementReading['faults'][number][],
): void {
  if ('fault' in row) {
    faults.push({ line: row.line, reason: row.fault });
    return;
  }
  try {
    const draft = draftOf(row.line, (name) => valueIn(at, row.fields, name), mapping);
    if (draft !== undefined) drafts.push(draft);
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error;
    faults.push({ line: row.line, reason: error.message });
  }
}

type Value = (column: string | undefined) => string;

/** @returns undefined for a row of no money, such as one of a balance */
function draftOf(line: number, raw: Value, mapping: StatementMapping): Draft | undefined {
  const { columns } = mapping;
  const value: Value = (column) => {
    const text = raw(column);
    const fault = faultOfText(text);
    if (fault !== null) throw new ValueFault(`${column}: ${fault}`);
    return text;
  };
  const currency = value(columns.currency).toUpperCase() || mapping.currency || '';
  if (!isCurrencyCode(currency)) throw new ValueFault(`the currency '${cut(currency)}' is not known`);
  const signed = amountOf(value, mapping, currency);
  if (signed.minor === 0n) return undefined;
  const isCredit = signed.minor > 0n;
  const bankReference = meaningful(value(columns.bankReference));
  return {
    account: (value(columns.account) || mapping.account || '').replaceAll(/\s/g, '').slice(0, 70),
    own: bankReference,
    sign: isCredit ? 'credit' : 'debit',
    amount: isCredit ? signed : money(-signed.minor, currency),
    bookedOn: dayOf(value(columns.bookedOn), columns.bookedOn, mapping.days),
    isReturn: false,
    isSingle: true,
    bankReference: bankReference.slice(0, MOST_NAME),
    endToEndId: meaningful(value(columns.endToEndId)).slice(0, MOST_NAME),
    creditorReference: value(columns.creditorReference).slice(0, MOST_NAME),
    remittance: columns.remittance
      .map(value)
      .filter((text) => text !== '')
      .join('\n')
      .slice(0, MOST_TEXT)
      .toWellFormed(),
    partyName: value(columns.partyName).slice(0, MOST_NAME).toWellFormed(),
    partyAccount: value(columns.partyAccount).replaceAll(/\s/g, '').slice(0, 70),
    line,
  };
}

function amountOf(value: Value, mapping: StatementMapping, currency: string): Money {
  const { amount, credit, debit } = mapping.columns;
  if (amount !== undefined) return moneyOf(value(amount), amount, mapping, currency);
  const [came, went] = [value(credit), value(debit)];
  if (came !== '' && went !== '' && !/^[0.,]*$/.test(went) && !/^[0.,]*$/.test(came))
    throw new ValueFault('has a credit and a debit');
  if (came !== '' && !/^[0.,]*$/.test(came)) return moneyOf(came, credit ?? '', mapping, currency);
  if (went === '') return money(0n, currency);
  const out = moneyOf(went, debit ?? '', mapping, currency).minor;
  return money(out > 0n ? -out : out, currency);
}

/** An exact amount, with or without marks between thousands. */
function moneyOf(text: string, column: string, { decimal }: StatementMapping, currency: string): Money {
  const thousands = decimal === '.' ? ',' : '.';
  const plain = text
    .replaceAll(/[\s\u00a0\u202f']/g, '')
    .replace(/^\+/, '')
    .replace(/^(.*)-$/, '-$1');
  const isGrouped = plain.includes(thousands);
  const grouped = new RegExp(`^-?\\d{1,3}(?:\\${thousands}\\d{3})+(?:\\${decimal}\\d*)?$`);
  const read =
    isGrouped && !grouped.test(plain)
      ? undefined
      : tryParse(() => parseMoney(plain.replaceAll(thousands, '').replace(decimal, '.'), currency));
  if (read?.ok !== true) throw new ValueFault(`${column}: '${cut(text)}' is no amount of ${currency}`);
  return read.value;
}

function dayOf(text: string, column: string, form: DayForm): Day {
  const digits = text.split(/\D+/).filter((part) => part !== '');
  const order = form === 'YYYYMMDD' ? 'YMD' : form.replaceAll(/(.)\1*/g, '$1').replaceAll(/[^YMD]/g, '');
  const parts =
    form === 'YYYYMMDD' ? [text.slice(0, 4), text.slice(4, 6), text.slice(6, 8)] : digits.slice(0, 3);
  const of = (letter: string): string => parts[order.indexOf(letter)] ?? '';
  const year = of('Y').length === 2 && form === 'DD.MM.YY' ? `20${of('Y')}` : of('Y');
  const day = `${year}-${of('M').padStart(2, '0')}-${of('D').padStart(2, '0')}`;
  if (!isDay(day) || day <= '1900')
    throw new ValueFault(`${column}: '${cut(text)}' is no day written ${form}`);
  return day;
}
