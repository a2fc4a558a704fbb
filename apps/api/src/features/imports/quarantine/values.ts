import type { QuarantinedEntry } from '@counterfoil/contract/operator/imports/admin-quarantine.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { readDocument } from '../documents/read-document.ts';
import type { ImportedInvoice } from '../invoices/imported-invoice.ts';
import type { QuarantineRow } from './admin-queries.ts';

type Value = QuarantinedEntry['values'][number];
/** What a row of usage holds, by column or member. */
type Cells = readonly (readonly [name: string, value: string])[];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The columns of a CSV row, or the members of an NDJSON line; undefined where it was not kept. */
export function cellsOf({ kind, record, source }: QuarantineRow): Cells | undefined {
  if (kind !== 'usage' || record === null || source === null) return undefined;
  const { mapping, columns } = source;
  const stored: unknown = JSON.parse(record.toString());
  if (mapping.format === 'ndjson')
    return Object.entries(stored as object).map(([name, value]) => [name, textOf(value)] as const);
  const names = columns ?? mapping.csv.columns ?? [];
  return (stored as readonly string[]).map((value, at) => [names[at] ?? `${at + 1}`, value] as const);
}

/** The values that a row waits for, by what its cause looks at. */
function isWrong({ cause, reason, missing, source }: QuarantineRow, name: string, value: string): boolean {
  if (cause === 'owner') return value !== '' && missing.includes(value);
  if (cause === 'agreement') return source?.mapping.agreement === name;
  return cause === 'mapping' && (reason.includes(`'${name}'`) || reason.includes(`(${name})`));
}

/** A row with its values and those that are wrong; of a document what people know it by. */
export async function valuesOf(row: QuarantineRow): Promise<Value[]> {
  const cells = cellsOf(row);
  if (cells !== undefined)
    return cells.map(([name, value]) => ({ name, value, isWrong: isWrong(row, name, value) }));
  if (row.kind === 'row' && row.record !== null)
    return rowValues(row, JSON.parse(row.record.toString()) as object);
  if (row.kind !== 'invoice' || row.record === null) return [];
  const read = await readDocument(row.record);
  return read.ok ? documentValues(row, read.invoice) : [];
}

const rowValues = ({ cause, reason }: QuarantineRow, value: object): Value[] =>
  Object.entries(value).map(([name, member]) => ({
    name,
    value: textOf(member),
    isWrong: (cause === 'customer' && name === 'customer') || reason.startsWith(`${name}: `),
  }));

function documentValues({ cause }: QuarantineRow, invoice: ImportedInvoice): Value[] {
  const { number, buyer, issuedOn, currency, totals } = invoice;
  return [
    { name: 'number', value: number, isWrong: cause === 'differs' || cause === 'document' },
    { name: 'buyer', value: buyer.name, isWrong: cause === 'buyer' },
    { name: 'issuedOn', value: issuedOn, isWrong: false },
    {
      name: 'payable',
      value: `${formatDecimal(money(totals.payableMinor, currency))} ${currency}`,
      isWrong: false,
    },
  ];
}

/**
 * The row with other values in some of its columns or members.
 * @returns its content as it is kept, or the name of one that it does not have
 */
export function withValues(
  row: QuarantineRow,
  values: Readonly<Record<string, string>>,
): Buffer | { readonly unknown: string } {
  const cells = cellsOf(row) ?? [];
  const unknown = Object.keys(values).find((name) => cells.every(([known]) => known !== name));
  if (unknown !== undefined || row.record === null) return { unknown: unknown ?? '' };
  const next = cells.map(([name, value]) => [name, values[name] ?? value] as const);
  if (row.source?.mapping.format !== 'ndjson')
    return Buffer.from(JSON.stringify(next.map(([, value]) => value)));
  // Members that stay keep what they are: a number is not made a text.
  const stored = JSON.parse(row.record.toString()) as Readonly<Record<string, unknown>>;
  const members = Object.entries(stored).map(([name, value]) => [name, values[name] ?? value] as const);
  return Buffer.from(JSON.stringify(Object.fromEntries(members)));
}
